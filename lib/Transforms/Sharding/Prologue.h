// What must be known over the whole batch before any micro-batch runs.
#ifndef PLANWRIGHT_LIB_TRANSFORMS_SHARDING_PROLOGUE_H
#define PLANWRIGHT_LIB_TRANSFORMS_SHARDING_PROLOGUE_H

#include "dialects/Plan/IR/Plan.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace planwright {

/// Moves values that are sums over the batch, used other than linearly, and computed from inputs
/// only, out of `forward` and `backward` into a new task `@prologue`, whose results both take as
/// arguments. Residuals that become arguments thereby are dropped. Errors where such a value
/// depends on parameters and would have to be summed over micro-batches.
mlir::LogicalResult extractPrologue(mlir::func::FuncOp forward, mlir::func::FuncOp backward,
                                    plan::MeshAttr mesh);

/// Replaces each residual that `forward` returns but only got as an argument, or returns twice.
void forwardKnownResiduals(mlir::func::FuncOp forward, mlir::func::FuncOp backward);

} // namespace planwright

#endif // PLANWRIGHT_LIB_TRANSFORMS_SHARDING_PROLOGUE_H
