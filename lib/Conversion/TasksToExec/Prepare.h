// Rewrites within a task, on tensors, that instructions need.
#ifndef PLANWRIGHT_LIB_CONVERSION_TASKSTOEXEC_PREPARE_H
#define PLANWRIGHT_LIB_CONVERSION_TASKSTOEXEC_PREPARE_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace planwright {

/// Removes dead operations, copies operands of contractions into an order that a matrix product
/// takes, and lets products add to accumulators themselves.
void prepareTask(mlir::func::FuncOp task);

} // namespace planwright

#endif // PLANWRIGHT_LIB_CONVERSION_TASKSTOEXEC_PREPARE_H
