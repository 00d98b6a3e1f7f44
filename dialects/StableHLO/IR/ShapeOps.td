// Operations that make, move and cut elements without computing on them.
// Not here: gather and scatter (IndexOps.td).

#ifndef PLANWRIGHT_DIALECTS_STABLEHLO_IR_SHAPEOPS_TD
#define PLANWRIGHT_DIALECTS_STABLEHLO_IR_SHAPEOPS_TD

include "dialects/StableHLO/IR/StableHLOAttrs.td"

class SH_ShapeOp<string mnemonic, string what, list<Trait> traits = []> : SH_Op<mnemonic, !listconcat([Pure], traits)> {
  let summary = what;
  let hasVerifier = 1;
}

def SH_ConstantOp : SH_ShapeOp<"constant", "Literal tensor", [ConstantLike]> {
  let description = [{
    ```mlir
    %c = stablehlo.constant dense<1.0> : tensor<4xf32>
    ```

    **Constraints**
    1. The value's type is the result's.
  }];
  let arguments = (ins ElementsAttr:$value);
  let results = (outs SH_Tensor:$output);
  let hasFolder = 1;
}

def SH_IotaOp : SH_ShapeOp<"iota", "Numbers counted along one dimension"> {
  let description = [{
    **Constraints**
    1. `iota_dimension` is a dimension of the result.
  }];
  let arguments = (ins I64Attr:$iota_dimension);
  let results = (outs SH_NumberTensor:$output);
}

def SH_BroadcastOp : SH_ShapeOp<"broadcast", "Copies along new leading dimensions"> {
  let description = [{
    **Constraints**
    1. The result's shape is `broadcast_sizes` followed by the operand's shape.
  }];
  let arguments = (ins SH_Tensor:$operand, DenseI64ArrayAttr:$broadcast_sizes);
  let results = (outs SH_Tensor:$result);
}

def SH_BroadcastInDimOp : SH_ShapeOp<"broadcast_in_dim", "Copies along new dimensions and dimensions of size one"> {
  let description = [{
    Dimension i of the operand becomes dimension `broadcast_dimensions[i]` of the result.

    **Constraints**
    1. There is one entry per dimension of the operand.
    2. Entries are distinct dimensions of the result.
    3. Each dimension of the operand is one, or as large as the dimension it becomes.
    4. Operand and result have the same element type.
  }];
  let arguments = (ins SH_Tensor:$operand, DenseI64ArrayAttr:$broadcast_dimensions);
  let results = (outs SH_Tensor:$result);
}

def SH_ReshapeOp : SH_ShapeOp<"reshape", "The same elements in another shape"> {
  let description = [{
    **Constraints**
    1. Operand and result have the same number of elements and the same element type.
  }];
  let arguments = (ins SH_Tensor:$operand);
  let results = (outs SH_Tensor:$result);
}

def SH_TransposeOp : SH_ShapeOp<"transpose", "Dimensions in another order"> {
  let description = [{
    Dimension i of the result is dimension `permutation[i]` of the operand.

    **Constraints**
    1. `permutation` names each dimension of the operand once.
    2. The result's shape is the operand's, permuted.
  }];
  let arguments = (ins SH_Tensor:$operand, DenseI64ArrayAttr:$permutation);
  let results = (outs SH_Tensor:$result);
}

def SH_ReverseOp : SH_ShapeOp<"reverse", "Elements in reverse order", [SH_SameType]> {
  let description = [{
    **Constraints**
    1. `dimensions` are distinct dimensions of the operand.
  }];
  let arguments = (ins SH_Tensor:$operand, DenseI64ArrayAttr:$dimensions);
  let results = (outs SH_Tensor:$result);
}

def SH_SliceOp : SH_ShapeOp<"slice", "A box of elements at a place that is known"> {
  let description = [{
    ```mlir
    %b = stablehlo.slice %a [0:8, 0:64:2] : (tensor<9x64xf32>) -> tensor<8x32xf32>
    ```

    **Constraints**
    1. Starts, limits and strides have one entry per dimension.
    2. In each dimension 0 <= start <= limit <= size, and the stride is positive.
    3. The result's size in each dimension is ceil((limit - start) / stride).
  }];
  let arguments = (ins SH_Tensor:$operand, DenseI64ArrayAttr:$start_indices, DenseI64ArrayAttr:$limit_indices,
                       DenseI64ArrayAttr:$strides);
  let results = (outs SH_Tensor:$result);
}

def SH_DynamicSliceOp : SH_ShapeOp<"dynamic_slice", "A box of elements at a place that is computed"> {
  let description = [{
    The start is moved so that the box lies inside the operand.

    **Constraints**
    1. There is one start index per dimension, all of one scalar integer type.
    2. `slice_sizes` has one entry per dimension, between 0 and its size.
    3. The result's shape is `slice_sizes`.
  }];
  let arguments = (ins SH_Tensor:$operand, Variadic<SH_IntTensor>:$start_indices, DenseI64ArrayAttr:$slice_sizes);
  let results = (outs SH_Tensor:$result);
}

def SH_DynamicUpdateSliceOp : SH_ShapeOp<"dynamic_update_slice", "A tensor with a box of elements replaced"> {
  let description = [{
    The start is moved so that the box lies inside the operand.

    **Constraints**
    1. There is one start index per dimension, all of one scalar integer type.
    2. The update has the operand's rank and is nowhere larger.
    3. Operand and result have the same type, the update their element type.
  }];
  let arguments = (ins SH_Tensor:$operand, SH_Tensor:$update, Variadic<SH_IntTensor>:$start_indices);
  let results = (outs SH_Tensor:$result);
}

def SH_ConcatenateOp : SH_ShapeOp<"concatenate", "Tensors joined along one dimension"> {
  let description = [{
    **Constraints**
    1. There is at least one input, and `dimension` is one of its dimensions.
    2. Inputs have the same element type, and the same shape but for that dimension.
    3. The result's size there is the sum.
  }];
  let arguments = (ins Variadic<SH_Tensor>:$inputs, I64Attr:$dimension);
  let results = (outs SH_Tensor:$result);
}

def SH_PadOp : SH_ShapeOp<"pad", "A tensor with room around and between its elements"> {
  let description = [{
    Negative edge padding cuts elements off.

    **Constraints**
    1. The padding value is a scalar of the operand's element type.
    2. Low, high and interior have one entry per dimension; interior entries are not negative.
    3. The result's size in each dimension is low + size + max(size - 1, 0) * interior + high, and not negative.
  }];
  let arguments = (ins SH_Tensor:$operand, SH_Tensor:$padding_value, DenseI64ArrayAttr:$edge_padding_low,
                       DenseI64ArrayAttr:$edge_padding_high, DenseI64ArrayAttr:$interior_padding);
  let results = (outs SH_Tensor:$result);
}

#endif // PLANWRIGHT_DIALECTS_STABLEHLO_IR_SHAPEOPS_TD
