// Operations that multiply and add: matrix products, convolution, batch normalisation, linear algebra.

#ifndef PLANWRIGHT_DIALECTS_STABLEHLO_IR_CONTRACTIONOPS_TD
#define PLANWRIGHT_DIALECTS_STABLEHLO_IR_CONTRACTIONOPS_TD

include "dialects/StableHLO/IR/StableHLOAttrs.td"

def SH_DotOp : SH_Op<"dot", [Pure]> {
  let summary = "Product of vectors and matrices";
  let description = [{
    **Constraints**
    1. Both sides have one or two dimensions; the last of the left side is as large as the first of the right side.
    2. The result's shape is what is left of both.
    3. Elements of both sides and of the result are all integers, all floats, or all complex.
  }];
  let arguments = (ins SH_Tensor:$lhs, SH_Tensor:$rhs, OptionalAttr<SH_PrecisionConfig>:$precision_config);
  let results = (outs SH_Tensor:$result);
  let hasVerifier = 1;
}

def SH_DotGeneralOp : SH_Op<"dot_general", [Pure]> {
  let summary = "Sum of products over any dimensions";
  let description = [{
    The result's dimensions are the batching ones, then what is left of the left side, then of the right side.

    ```mlir
    %s = stablehlo.dot_general %q, %k, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3]
        : (tensor<8x64x4x16xf32>, tensor<8x64x4x16xf32>) -> tensor<8x4x64x64xf32>
    ```

    **Constraints**
    1. Batching and contracting dimensions of a side are distinct and exist.
    2. They come in pairs of equal size.
    3. The result's shape is as said above.
    4. Elements of both sides and of the result are all integers, all floats, or all complex.
    5. `precision_config`, where given and not empty, has two entries.
  }];
  let arguments = (ins SH_Tensor:$lhs, SH_Tensor:$rhs, SH_DotDimensionNumbersAttr:$dot_dimension_numbers,
                       OptionalAttr<SH_PrecisionConfig>:$precision_config,
                       OptionalAttr<SH_DotAlgorithmAttr>:$algorithm);
  let results = (outs SH_Tensor:$result);
  let hasVerifier = 1;
}

def SH_ConvolutionOp : SH_Op<"convolution", [Pure]> {
  let summary = "Sum of products over a moving window";
  let description = [{
    **Constraints**
    1. Operands and result have the rank that `dimension_numbers` names; window attributes have one entry (padding: a
       pair) per spatial dimension.
    2. Strides and dilations are positive.
    3. The group counts are positive, not both above one, and divide the features (the batch) they group.
    4. The kernel's input features times `feature_group_count` are the input's features.
    5. The result's shape follows from batch, kernel output features and windows.
    6. Elements of both sides and of the result are all integers, all floats, or all complex.
    7. `precision_config`, where given and not empty, has two entries.
  }];
  let arguments = (ins SH_Tensor:$lhs, SH_Tensor:$rhs, OptionalAttr<DenseI64ArrayAttr>:$window_strides,
                       OptionalAttr<I64ElementsAttr>:$padding, OptionalAttr<DenseI64ArrayAttr>:$lhs_dilation,
                       OptionalAttr<DenseI64ArrayAttr>:$rhs_dilation, OptionalAttr<DenseBoolArrayAttr>:$window_reversal,
                       SH_ConvDimensionNumbersAttr:$dimension_numbers, I64Attr:$feature_group_count,
                       I64Attr:$batch_group_count, OptionalAttr<SH_PrecisionConfig>:$precision_config);
  let results = (outs SH_Tensor:$result);
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// Batch normalisation
//===----------------------------------------------------------------------===//

class SH_BatchNormOp<string mnemonic, string what> : SH_Op<mnemonic, [Pure]> {
  let summary = what;
  let description = [{
    **Constraints**
    1. `feature_index` is a dimension of the operand.
    2. Full-size operands and results have the operand's type; the others are vectors, as long as that dimension and
       of the operand's element type.
  }];
  let hasVerifier = 1;
}

def SH_BatchNormTrainingOp : SH_BatchNormOp<"batch_norm_training", "Normalisation by mean and variance of the batch"> {
  let arguments = (ins SH_FloatTensor:$operand, SH_FloatTensor:$scale, SH_FloatTensor:$offset, F32Attr:$epsilon,
                       I64Attr:$feature_index);
  let results = (outs SH_FloatTensor:$output, SH_FloatTensor:$batch_mean, SH_FloatTensor:$batch_var);
}

def SH_BatchNormInferenceOp : SH_BatchNormOp<"batch_norm_inference", "Normalisation by given mean and variance"> {
  let arguments = (ins SH_FloatTensor:$operand, SH_FloatTensor:$scale, SH_FloatTensor:$offset, SH_FloatTensor:$mean,
                       SH_FloatTensor:$variance, F32Attr:$epsilon, I64Attr:$feature_index);
  let results = (outs SH_FloatTensor:$result);
}

def SH_BatchNormGradOp : SH_BatchNormOp<"batch_norm_grad", "Gradient of batch_norm_training"> {
  let arguments = (ins SH_FloatTensor:$operand, SH_FloatTensor:$scale, SH_FloatTensor:$mean, SH_FloatTensor:$variance,
                       SH_FloatTensor:$grad_output, F32Attr:$epsilon, I64Attr:$feature_index);
  let results = (outs SH_FloatTensor:$grad_operand, SH_FloatTensor:$grad_scale, SH_FloatTensor:$grad_offset);
}

//===----------------------------------------------------------------------===//
// Linear algebra. Read so that it can be reported; only ranks and element types are checked.
//===----------------------------------------------------------------------===//

def SH_CholeskyOp : SH_Op<"cholesky", [Pure, SH_SameType]> {
  let summary = "Cholesky factor of each matrix";
  let description = [{
    **Constraints**
    1. The operand is a batch of square matrices.
  }];
  let arguments = (ins SH_FloatOrComplexTensor:$a, DefaultValuedOptionalAttr<BoolAttr, "false">:$lower);
  let results = (outs SH_FloatOrComplexTensor:$result);
  let hasVerifier = 1;
}

def SH_TriangularSolveOp : SH_Op<"triangular_solve", [Pure]> {
  let summary = "Solution of triangular systems";
  let description = [{
    **Constraints**
    1. `a` is a batch of square matrices, and `b` has its rank.
    2. The result has the type of `b`.
  }];
  let arguments = (ins SH_FloatOrComplexTensor:$a, SH_FloatOrComplexTensor:$b, BoolAttr:$left_side, BoolAttr:$lower,
                       BoolAttr:$unit_diagonal, SH_TransposeAttr:$transpose_a);
  let results = (outs SH_FloatOrComplexTensor:$result);
  let hasVerifier = 1;
}

def SH_FftOp : SH_Op<"fft", [Pure]> {
  let summary = "Fourier transform of the last dimensions";
  let description = [{
    **Constraints**
    1. `fft_length` has between one and three entries, and no more than the operand has dimensions.
    2. Operand and result have the same rank.
  }];
  let arguments = (ins SH_FloatOrComplexTensor:$operand, SH_FftTypeAttr:$fft_type, DenseI64ArrayAttr:$fft_length);
  let results = (outs SH_FloatOrComplexTensor:$result);
  let hasVerifier = 1;
}

def SH_EinsumOp : SH_Op<"einsum", [Pure]> {
  let summary = "Sum of products, by a formula";
  let description = "Read so that it can be reported.";
  let arguments = (ins SH_Tensor:$lhs, SH_Tensor:$rhs, StrAttr:$einsum_config);
  let results = (outs SH_Tensor:$result);
}

#endif // PLANWRIGHT_DIALECTS_STABLEHLO_IR_CONTRACTIONOPS_TD
