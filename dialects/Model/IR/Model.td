// The model dialect: what linalg cannot say about a model's computation, and the marks on its entry function.
// Nothing here knows devices, axes or time.

#ifndef PLANWRIGHT_DIALECTS_MODEL_IR_MODEL_TD
#define PLANWRIGHT_DIALECTS_MODEL_IR_MODEL_TD

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"
include "mlir/IR/OpBase.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Model_Dialect : Dialect {
  let name = "model";
  let cppNamespace = "::planwright::model";
  let summary = "What linalg cannot say about a model";
  let description = [{
    Computation in Planwright is `linalg` on tensors. This dialect adds the few operations whose access pattern is
    data dependent or sequential, each with its gradient, and the attribute that says what each argument of the
    entry function is to the training job.
  }];
  let useDefaultAttributePrinterParser = 1;
}

//===----------------------------------------------------------------------===//
// Attributes
//===----------------------------------------------------------------------===//

def Model_Role : I32EnumAttr<"Role", "what an argument is to the training job", [
    I32EnumAttrCase<"parameter", 0>,
    I32EnumAttrCase<"input", 1>,
    I32EnumAttrCase<"label", 2>,
    I32EnumAttrCase<"constant", 3>]> {
  let cppNamespace = "::planwright::model";
  let genSpecializedAttr = 0;
}

def Model_ArgumentAttr : AttrDef<Model_Dialect, "Argument"> {
  let mnemonic = "argument";
  let summary = "What one argument of the entry function is";
  let description = [{
    Stands as argument attribute `model.argument` on each argument of the entry function, filled from
    `signature.json`. `batchDim` is the dimension that counts examples, -1 where there is none.

    ```mlir
    func.func @main(%w: tensor<4x8xf32> {model.argument = #model.argument<parameter, name = "w">},
                    %x: tensor<2x4xf32> {model.argument = #model.argument<input, name = "x", batchDim = 0>})
    ```

    **Constraints**
    1. `name` is not empty.
    2. Parameters and constants have no batch dimension.
    For other roles than parameter, `trainable` says nothing.
  }];
  let parameters = (ins
    "::planwright::model::Role":$role,
    StringRefParameter<"dotted name, as in the weights file">:$name,
    DefaultValuedParameter<"int64_t", "-1">:$batchDim,
    DefaultValuedParameter<"bool", "true">:$trainable);
  let assemblyFormat = "`<` $role `,` struct($name, $batchDim, $trainable) `>`";
  let genVerifyDecl = 1;
}

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

class Model_Op<string mnemonic, list<Trait> traits = []> : Op<Model_Dialect, mnemonic, traits>;

def Model_LookupOp : Model_Op<"lookup", [Pure]> {
  let summary = "Rows of a table by index (embedding)";
  let description = [{
    `result[i..., j...] = table[indices[i...], j...]`: the first dimension of the table is indexed, the others are copied.
    Indices are taken as they are: a caller that wants wrapping or clamping does so before. An index outside
    `[0, table.dim(0))` reads row 0 or the last row, whichever is nearer, as StableHLO's gather does. With `masked` it
    reads zeros: the table is then a block of rows, other ranks hold the others, and their results add up.

    ```mlir
    %y = model.lookup %table, %ids : (tensor<512x128xf32>, tensor<8x64xi32>) -> tensor<8x64x128xf32>
    ```

    **Constraints**
    1. The table has at least one dimension; indices are integers.
    2. The result's shape is the indices' shape followed by the table's trailing dimensions.
    3. Table and result have the same element type.
  }];
  let arguments = (ins AnyStaticShapeTensor:$table, AnyStaticShapeTensor:$indices, UnitAttr:$masked);
  let results = (outs AnyStaticShapeTensor:$result);
  let assemblyFormat = "$table `,` $indices (`masked` $masked^)? attr-dict `:` functional-type(operands, results)";
  let hasVerifier = 1;
}

def Model_LookupGradOp : Model_Op<"lookup_grad", [Pure]> {
  let summary = "Sum of rows by index: the gradient of lookup with respect to its table";
  let description = [{
    `result[r, j...] = sum over i... with indices[i...] == r (clamped as in lookup) of gradient[i..., j...]`.
    Rows are added in the order of the indices, whatever the number of threads. With `masked`, an index outside adds
    nothing.

    ```mlir
    %dt = model.lookup_grad %dy, %ids : (tensor<8x64x128xf32>, tensor<8x64xi32>) -> tensor<512x128xf32>
    ```

    **Constraints**
    1. The result has at least one dimension; indices are integers.
    2. The gradient's shape is the indices' shape followed by the result's trailing dimensions.
    3. Gradient and result have the same element type.
  }];
  let arguments = (ins AnyStaticShapeTensor:$gradient, AnyStaticShapeTensor:$indices, UnitAttr:$masked);
  let results = (outs AnyStaticShapeTensor:$result);
  let assemblyFormat = "$gradient `,` $indices (`masked` $masked^)? attr-dict `:` functional-type(operands, results)";
  let hasVerifier = 1;
}

def Model_CumulativeSumOp : Model_Op<"cumulative_sum", [Pure, SameOperandsAndResultType]> {
  let summary = "Running sum along one dimension";
  let description = [{
    `result[.., i, ..] = sum over j <= i of input[.., j, ..]`; with `reverse`, over `j >= i` (which is the gradient).

    ```mlir
    %y = model.cumulative_sum %x dim 1 : tensor<8x128x4xf32>
    %z = model.cumulative_sum %x dim 1 reverse : tensor<8x128x4xf32>
    ```

    **Constraints**
    1. `dim` is a dimension of the input.
  }];
  let arguments = (ins AnyStaticShapeTensor:$input, I64Attr:$dim, UnitAttr:$reverse);
  let results = (outs AnyStaticShapeTensor:$result);
  let assemblyFormat = "$input `dim` $dim (`reverse` $reverse^)? attr-dict `:` type($input)";
  let hasVerifier = 1;
}

def Model_TopKOp : Model_Op<"top_k", [Pure]> {
  let summary = "The k largest values along the last dimension, and where they stand";
  let description = [{
    Values come in descending order; of equal values the one with the lower index comes first.

    ```mlir
    %v, %i = model.top_k %x : tensor<8x64x4xf32> -> tensor<8x64x2xf32>, tensor<8x64x2xi32>
    ```

    **Constraints**
    1. Values have the input's shape but for the last dimension, which is `k` and at most the input's.
    2. Indices are integers with the shape of the values.
    3. Input and values have the same element type.
  }];
  let arguments = (ins AnyStaticShapeTensor:$input);
  let results = (outs AnyStaticShapeTensor:$values, AnyStaticShapeTensor:$indices);
  let assemblyFormat = "$input attr-dict `:` type($input) `->` type($values) `,` type($indices)";
  let hasVerifier = 1;
}

#endif // PLANWRIGHT_DIALECTS_MODEL_IR_MODEL_TD
