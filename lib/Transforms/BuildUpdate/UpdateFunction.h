// The function @update: signature and the in-place update of each parameter.
// Not here: step scalars and the norm (StepScalars.h), which optimizer (Optimizer.h).
#ifndef PLANWRIGHT_LIB_TRANSFORMS_BUILDUPDATE_UPDATEFUNCTION_H
#define PLANWRIGHT_LIB_TRANSFORMS_BUILDUPDATE_UPDATEFUNCTION_H

#include "planwright/Transforms/Optimizer.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace planwright {

/// A parameter and the types that its update sees.
struct UpdatedParameter {
  llvm::StringRef name;
  mlir::RankedTensorType type, gradientType;
  mlir::Location loc;
};

/// Builds @update for `parameters`.
mlir::func::FuncOp buildUpdateFunction(mlir::OpBuilder &builder, mlir::Location loc,
                                       const OptimizerSpec &spec,
                                       llvm::ArrayRef<UpdatedParameter> parameters);

} // namespace planwright

#endif // PLANWRIGHT_LIB_TRANSFORMS_BUILDUPDATE_UPDATEFUNCTION_H
