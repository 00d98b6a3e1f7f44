// Tasks that exist only because of the mesh: clearing accumulators, combining over ranks; and the
// schedule.
#ifndef PLANWRIGHT_LIB_TRANSFORMS_SHARDING_TASKBUILDERS_H
#define PLANWRIGHT_LIB_TRANSFORMS_SHARDING_TASKBUILDERS_H

#include "dialects/Plan/IR/Plan.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"

namespace planwright {

/// combine(a, b) of scalars.
mlir::Value buildCombine(mlir::OpBuilder &builder, mlir::Location loc, plan::Combiner combiner,
                         mlir::Value a, mlir::Value b);

/// An object that tasks add to or that is partial over ranks.
struct PartialObject {
  plan::ObjectAttr object;
  mlir::RankedTensorType type; ///< of one block
  /// As the tasks on global shapes give it: may be partial over "mb".
  plan::LayoutAttr layout;
};

/// Results of a task on global shapes that are partial.
llvm::SmallVector<PartialObject> getPartialResults(mlir::func::FuncOp task, plan::MeshAttr mesh);

/// `@zero`: fills what is partial over "mb" with the neutral element of its combiner. Null where
/// nothing is.
mlir::func::FuncOp buildZeroTask(mlir::ModuleOp module, llvm::ArrayRef<PartialObject> objects);

/// Reduces what is partial over ranks. Objects of one kind share buckets of at most `bucketBytes`.
/// Null where nothing is.
mlir::func::FuncOp buildReduceTask(mlir::ModuleOp module, llvm::StringRef name,
                                   llvm::ArrayRef<PartialObject> objects, int64_t bucketBytes);

/// zero, P0 .. Pn-1, prologue reduce, F0 B0 F1 B1 ..., reduce, update: those that exist.
struct StepTasks {
  mlir::func::FuncOp zero, prologue, prologueReduce, forward, backward, reduce, update;
};
mlir::ArrayAttr buildSchedule(const StepTasks &tasks, plan::MeshAttr mesh);

} // namespace planwright

#endif // PLANWRIGHT_LIB_TRANSFORMS_SHARDING_TASKBUILDERS_H
