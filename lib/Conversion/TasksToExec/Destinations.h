// Which operations of a task may write their result straight into an object's place.
#ifndef PLANWRIGHT_LIB_CONVERSION_TASKSTOEXEC_DESTINATIONS_H
#define PLANWRIGHT_LIB_CONVERSION_TASKSTOEXEC_DESTINATIONS_H

#include "dialects/Plan/IR/Plan.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/DenseMap.h"

namespace planwright::exec {

/// The operand of the operation that computes `result` which it updates to give `result`: the
/// `outs` of an operation in destination style, the reduced tensor of an all-reduce; null where
/// there is none.
mlir::Value getUpdated(mlir::OpResult result);

/// The value whose bytes `result` has because `op` only changes its shape, else null.
mlir::Value getReshaped(mlir::Operation *op);

/// The value whose bytes `value` has, through reshapes.
mlir::Value getStorage(mlir::Value value);

/// The operations that read the bytes of `value`, be it through reshapes. Reshapes themselves read
/// nothing.
llvm::SmallVector<mlir::Operation *> getReaders(mlir::Value value);

/// No operation after `op` reads the bytes of `value`, and `op` itself reads them at most as its
/// operand `updated`.
bool isDeadAfter(mlir::Value value, mlir::Operation *op, mlir::Value updated);

/// Where a returned value is an object, the objects that values may be computed into.
llvm::DenseMap<mlir::Value, plan::ObjectAttr> chooseDestinations(mlir::func::FuncOp task);

} // namespace planwright::exec

#endif // PLANWRIGHT_LIB_CONVERSION_TASKSTOEXEC_DESTINATIONS_H
