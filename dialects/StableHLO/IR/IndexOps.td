// Operations that read and write elements where other elements say.
// Not here: slices (ShapeOps.td).

#ifndef PLANWRIGHT_DIALECTS_STABLEHLO_IR_INDEXOPS_TD
#define PLANWRIGHT_DIALECTS_STABLEHLO_IR_INDEXOPS_TD

include "dialects/StableHLO/IR/StableHLOAttrs.td"

def SH_GatherOp : SH_Op<"gather", [Pure]> {
  let summary = "Slices of a tensor, at indices";
  let description = [{
    **Constraints**
    1. `index_vector_dim` is a dimension of the indices, or one past the last (each index is then a vector of one).
    2. `start_index_map` has as many entries as an index vector has elements.
    3. `offset_dims` and `collapsed_slice_dims` are in order; all lists name distinct dimensions that exist, and
       collapsed, batching and indexed dimensions of the operand do not overlap where the specification forbids it.
    4. `slice_sizes` has one entry per dimension of the operand, between 0 and its size; it is at most one where the
       dimension is collapsed or batching.
    5. Batching dimensions come in pairs of equal size.
    6. The result's shape is the indices' shape without the index vector, with the slice's sizes put in at `offset_dims`.
  }];
  let arguments = (ins SH_Tensor:$operand, SH_IntTensor:$start_indices,
                       SH_GatherDimensionNumbersAttr:$dimension_numbers, DenseI64ArrayAttr:$slice_sizes,
                       DefaultValuedOptionalAttr<BoolAttr, "false">:$indices_are_sorted);
  let results = (outs SH_Tensor:$result);
  let hasVerifier = 1;
}

def SH_ScatterOp : SH_Op<"scatter", [RecursiveMemoryEffects, SameVariadicOperandSize, SH_Regions]> {
  let summary = "A tensor with slices combined in, at indices";
  let description = [{
    **Constraints**
    1. There are as many inputs as updates and results, and at least one; a result has its input's type.
    2. `index_vector_dim` is a dimension of the indices, or one past the last.
    3. `scatter_dims_to_operand_dims` has as many entries as an index vector has elements.
    4. `update_window_dims` and `inserted_window_dims` are in order; all lists name distinct dimensions that exist.
    5. The updates' shape is the indices' shape without the index vector, with window sizes put in at
       `update_window_dims`; no window is larger than the input.
    6. Batching dimensions come in pairs of equal size.
    7. The region takes two scalars per input and returns one.
  }];
  let arguments = (ins Variadic<SH_Tensor>:$inputs, SH_IntTensor:$scatter_indices, Variadic<SH_Tensor>:$updates,
                       SH_ScatterDimensionNumbersAttr:$scatter_dimension_numbers,
                       DefaultValuedOptionalAttr<BoolAttr, "false">:$indices_are_sorted,
                       DefaultValuedOptionalAttr<BoolAttr, "false">:$unique_indices);
  let results = (outs Variadic<SH_Tensor>);
  let regions = (region SizedRegion<1>:$update_computation);
  let hasRegionVerifier = 1;
}

def SH_TorchIndexSelectOp : SH_Op<"torch_index_select", [Pure]> {
  let summary = "Rows of a tensor, at indices";
  let description = "Read so that it can be reported.";
  let arguments = (ins SH_Tensor:$operand, SH_IntTensor:$index, I64Attr:$dim, I64Attr:$batch_dims);
  let results = (outs SH_Tensor:$result);
}

#endif // PLANWRIGHT_DIALECTS_STABLEHLO_IR_INDEXOPS_TD
