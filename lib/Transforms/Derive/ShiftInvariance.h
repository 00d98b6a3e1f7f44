// Finds maxima whose gradient is zero because only differences from them matter, as in softmax:
//
//   m = max(x);  e = exp(x - m);  y = e / sum(e)     // y is the same for every m
//
// Models stop the gradient of m for that reason, and their text does not say so. Not here:
// gradients.
#ifndef PLANWRIGHT_LIB_TRANSFORMS_DERIVE_SHIFTINVARIANCE_H
#define PLANWRIGHT_LIB_TRANSFORMS_DERIVE_SHIFTINVARIANCE_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/DenseSet.h"

namespace planwright {

/// Results of maximum and minimum reductions in `function` whose value does not influence what is
/// computed from them.
llvm::DenseSet<mlir::Value> findShiftInvariantExtrema(mlir::func::FuncOp function);

} // namespace planwright

#endif // PLANWRIGHT_LIB_TRANSFORMS_DERIVE_SHIFTINVARIANCE_H
