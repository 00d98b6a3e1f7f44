// The way out of the stablehlo dialect.

#ifndef PLANWRIGHT_LIB_CONVERSION_STABLEHLOTOLINALG_PASSES_TD
#define PLANWRIGHT_LIB_CONVERSION_STABLEHLOTOLINALG_PASSES_TD

include "mlir/Pass/PassBase.td"

def ConvertStableHLOToLinalg : Pass<"convert-stablehlo-to-linalg", "::mlir::ModuleOp"> {
  let summary = "Turn StableHLO and CHLO into linalg, tensor, arith, math and a few model operations";
  let description = [{
    Needs a flat `@main` (no calls, no loops) and leaves no `stablehlo` or `chlo` operation.

    Values lose their dimensions of size one and their signedness on the way: `tensor<8x64x1xui8>` becomes
    `tensor<8x64xi8>`. So there are no reshapes for broadcasting left, and every loop dimension means something. The
    arguments of `@main` keep their shapes, because files are written in them.

    * An elementwise operation is a `linalg.generic` with constants in its body; a broadcast or transpose is one whose
      body only yields.
    * `dot_general` is a `linalg.contract` over its own dimensions: batch and sequence, heads and head size stay apart.
    * A convolution or pooling window is a sum (or maximum) over strided slices.
    * A gather is a `model.lookup` where it reads rows, a slice where its indices are known, and a masked sum over the
      indexed dimension where it picks one element for each example.

    What cannot be converted is reported all at once: the operation, how often, where first, why, and what to do.
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect", "::mlir::math::MathDialect",
    "::mlir::tensor::TensorDialect", "::planwright::model::ModelDialect"
  ];
}

#endif // PLANWRIGHT_LIB_CONVERSION_STABLEHLOTOLINALG_PASSES_TD
