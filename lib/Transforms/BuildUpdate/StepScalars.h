// The scalars of an update: learning rate and bias corrections from the step, norm and clip factor
// from the gradients. Not here: the update of a parameter (UpdateFunction.cpp).
#ifndef PLANWRIGHT_LIB_TRANSFORMS_BUILDUPDATE_STEPSCALARS_H
#define PLANWRIGHT_LIB_TRANSFORMS_BUILDUPDATE_STEPSCALARS_H

#include "planwright/Transforms/Optimizer.h"

#include "mlir/IR/Builders.h"

namespace planwright {

/// Tensors of one f32 each.
struct StepScalars {
  mlir::Value learningRate;
  /// 1 / (1 - beta^step) of the two moments; null where the optimizer has none.
  mlir::Value correction1, correction2;
};

/// Builds the scalars that follow from `step`, a `tensor<i64>`.
StepScalars buildStepScalars(mlir::OpBuilder &builder, mlir::Location loc,
                             const OptimizerSpec &spec, mlir::Value step);

/// The norm of all gradients together, and the factor that clips them (null if `clipNorm` is 0).
struct GradientNorm {
  mlir::Value norm, factor;
};

GradientNorm buildGradientNorm(mlir::OpBuilder &builder, mlir::Location loc, double clipNorm,
                               llvm::ArrayRef<mlir::Value> gradients);

} // namespace planwright

#endif // PLANWRIGHT_LIB_TRANSFORMS_BUILDUPDATE_STEPSCALARS_H
