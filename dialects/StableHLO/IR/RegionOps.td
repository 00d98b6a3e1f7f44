// Operations with regions: reductions, loops and branches.
// Not here: scatter (IndexOps.td) and collectives (CollectiveOps.td).

#ifndef PLANWRIGHT_DIALECTS_STABLEHLO_IR_REGIONOPS_TD
#define PLANWRIGHT_DIALECTS_STABLEHLO_IR_REGIONOPS_TD

include "dialects/StableHLO/IR/StableHLOAttrs.td"

class SH_RegionOp<string mnemonic, string what, list<Trait> traits = []>
    : SH_Op<mnemonic, !listconcat([RecursiveMemoryEffects, SH_Regions], traits)> {
  let summary = what;
  let hasRegionVerifier = 1;
}

def SH_ReturnOp : SH_Op<"return", [Pure, Terminator]> {
  let summary = "End of a region";
  let description = [{
    **Constraints**
    1. It stands in a region of a StableHLO operation.
  }];
  let arguments = (ins Variadic<AnyType>:$results);
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// Reductions
//===----------------------------------------------------------------------===//

def SH_ReduceOp : SH_RegionOp<"reduce", "Elements combined along dimensions", [SameVariadicOperandSize]> {
  let description = [{
    Several inputs are reduced together (argmax: values and positions); the region takes one accumulator per input, then
    one element per input, and returns the new accumulators.

    ```mlir
    %s = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [1]
        : (tensor<8x64xf32>, tensor<f32>) -> tensor<8xf32>
    ```

    **Constraints**
    1. There is at least one input, all of one shape, and as many results.
    2. Each initial value is a scalar of its input's element type.
    3. `dimensions` are distinct dimensions of the inputs.
    4. A result has its input's element type and the shape that is left.
    5. The region takes scalars of these types and returns the accumulators.
  }];
  let arguments = (ins Variadic<SH_Tensor>:$inputs, Variadic<SH_Tensor>:$init_values, DenseI64ArrayAttr:$dimensions);
  let results = (outs Variadic<SH_Tensor>);
  let regions = (region SizedRegion<1>:$body);
}

def SH_ReduceWindowOp : SH_RegionOp<"reduce_window", "Elements combined over a moving window",
                                    [SameVariadicOperandSize]> {
  let description = [{
    **Constraints**
    1. There is at least one input, all of one shape, and as many results.
    2. Each initial value is a scalar of its input's element type.
    3. Window attributes have one entry (padding: a pair) per dimension; sizes, strides and dilations are positive.
    4. A result has its input's element type and as many elements in each dimension as the window has places.
    5. The region takes scalars of these types and returns the accumulators.
  }];
  let arguments = (ins Variadic<SH_Tensor>:$inputs, Variadic<SH_Tensor>:$init_values,
                       DenseI64ArrayAttr:$window_dimensions, OptionalAttr<DenseI64ArrayAttr>:$window_strides,
                       OptionalAttr<DenseI64ArrayAttr>:$base_dilations,
                       OptionalAttr<DenseI64ArrayAttr>:$window_dilations, OptionalAttr<I64ElementsAttr>:$padding);
  let results = (outs Variadic<SH_Tensor>);
  let regions = (region SizedRegion<1>:$body);
}

def SH_SelectAndScatterOp : SH_RegionOp<"select_and_scatter", "Gradient of a windowed choice"> {
  let description = [{
    **Constraints**
    1. The initial value is a scalar of the operand's element type, and the result has the operand's type.
    2. Window attributes have one entry (padding: a pair) per dimension; sizes and strides are positive.
    3. The source has one element for each place of the window, of the operand's element type.
    4. `select` takes two scalars of the operand's element type and returns a boolean; `scatter` returns one of them.
  }];
  let arguments = (ins SH_Tensor:$operand, SH_Tensor:$source, SH_Tensor:$init_value,
                       OptionalAttr<DenseI64ArrayAttr>:$window_dimensions,
                       OptionalAttr<DenseI64ArrayAttr>:$window_strides, OptionalAttr<I64ElementsAttr>:$padding);
  let results = (outs SH_Tensor:$result);
  let regions = (region SizedRegion<1>:$select, SizedRegion<1>:$scatter);
}

def SH_MapOp : SH_RegionOp<"map", "A region applied to each element"> {
  let description = [{
    **Constraints**
    1. There is at least one input; inputs and the result have one shape.
    2. `dimensions` counts all dimensions of the inputs.
    3. The region takes one scalar per input and returns one of the result's element type.
  }];
  let arguments = (ins Variadic<SH_Tensor>:$inputs, DenseI64ArrayAttr:$dimensions);
  let results = (outs SH_Tensor:$result);
  let regions = (region SizedRegion<1>:$computation);
}

def SH_SortOp : SH_RegionOp<"sort", "Elements put in order along one dimension"> {
  let description = [{
    **Constraints**
    1. There is at least one input, all of one shape; results have the inputs' types.
    2. `dimension` is a dimension of the inputs; a negative one counts from the end.
    3. The region takes two scalars per input and returns a boolean.
  }];
  let arguments = (ins Variadic<SH_Tensor>:$inputs, DefaultValuedOptionalAttr<I64Attr, "-1">:$dimension,
                       DefaultValuedOptionalAttr<BoolAttr, "false">:$is_stable);
  let results = (outs Variadic<SH_Tensor>);
  let regions = (region SizedRegion<1>:$comparator);
}

//===----------------------------------------------------------------------===//
// Loops and branches
//===----------------------------------------------------------------------===//

def SH_WhileOp : SH_RegionOp<"while", "Loop that carries values"> {
  let description = [{
    ```mlir
    %r = stablehlo.while(%i = %zero) : tensor<i32>
      cond { ... stablehlo.return %go : tensor<i1> }
      do { ... stablehlo.return %next : tensor<i32> }
    ```

    **Constraints**
    1. Results have the types of the operands.
    2. Both regions take values of these types; `cond` returns a scalar boolean, `body` the next values.
  }];
  let arguments = (ins Variadic<SH_TensorOrToken>:$operand);
  let results = (outs Variadic<SH_TensorOrToken>);
  let regions = (region SizedRegion<1>:$cond, SizedRegion<1>:$body);
}

def SH_IfOp : SH_RegionOp<"if", "One of two regions, by a predicate"> {
  let description = [{
    **Constraints**
    1. The predicate is a scalar.
    2. Both regions take nothing and return the results' types.
  }];
  let arguments = (ins SH_BoolTensor:$pred);
  let results = (outs Variadic<SH_TensorOrToken>);
  let regions = (region SizedRegion<1>:$true_branch, SizedRegion<1>:$false_branch);
}

def SH_CaseOp : SH_RegionOp<"case", "One of several regions, by a number"> {
  let description = [{
    **Constraints**
    1. The index is a scalar, and there is at least one region.
    2. Each region takes nothing and returns the results' types.
  }];
  let arguments = (ins SH_IntTensor:$index);
  let results = (outs Variadic<SH_TensorOrToken>);
  let regions = (region VariadicRegion<SizedRegion<1>>:$branches);
}

#endif // PLANWRIGHT_DIALECTS_STABLEHLO_IR_REGIONOPS_TD
