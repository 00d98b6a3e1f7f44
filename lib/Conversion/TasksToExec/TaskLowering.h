// One task function becomes one subprogram.
//
//   TaskLowering lowering(task, program, kernels);
//   if (failed(lowering.run(subprogram))) ...
//
// Not here: rewrites on tensors (Prepare.h), declarations (ProgramBuilder.h).
#ifndef PLANWRIGHT_LIB_CONVERSION_TASKSTOEXEC_TASKLOWERING_H
#define PLANWRIGHT_LIB_CONVERSION_TASKSTOEXEC_TASKLOWERING_H

#include "Blocks.h"
#include "Destinations.h"
#include "ProgramBuilder.h"

#include "planwright/Codegen/Host/HostKernels.h"

#include "dialects/Comm/IR/Comm.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace planwright::exec {

class TaskLowering {
public:
  TaskLowering(mlir::func::FuncOp task, ProgramBuilder &program,
               codegen::HostKernelBuilder &kernels)
      : task(task), program(program), kernels(kernels), builder(task.getContext()),
        destinations(chooseDestinations(task)) {}

  mlir::LogicalResult run(SubprogramOp subprogram);

private:
  static mlir::RankedTensorType getTensorType(mlir::Value value) {
    return llvm::cast<mlir::RankedTensorType>(value.getType());
  }
  /// The bytes of `value`, which lies at `place`.
  static RegionAttr getRegion(Place place, mlir::Value value) {
    return place.getRegion(getTensorType(value));
  }

  mlir::LogicalResult lower(mlir::Operation &op);
  // The families: each lowers `op` if it is one of its own, and says whether it did.
  mlir::FailureOr<bool> tryNothing(mlir::Operation *op);
  mlir::FailureOr<bool> tryGemm(mlir::Operation *op);
  mlir::FailureOr<bool> tryAllReduce(mlir::Operation *op);
  mlir::FailureOr<bool> tryAllSlice(mlir::Operation *op);
  mlir::FailureOr<bool> tryAllGather(mlir::Operation *op);
  mlir::FailureOr<bool> tryReduceScatter(mlir::Operation *op);
  mlir::FailureOr<bool> tryAllToAll(mlir::Operation *op);
  mlir::FailureOr<bool> tryKernel(mlir::Operation *op);
  mlir::LogicalResult lowerReturn(mlir::Operation *op);

  /// Where `value` can be read, made now if it was put off.
  mlir::FailureOr<Place> read(mlir::Value value);
  /// A place for a result that reads nothing of what was there.
  Place write(mlir::OpResult result);
  /// A place for a result that holds the bytes of `updated`, which may be changed from now on.
  mlir::FailureOr<Place> update(mlir::OpResult result, mlir::Value updated);

  bool mayOverwrite(Place place, mlir::Value value, mlir::Operation *op);
  /// Fills `place` with what a fill or a splat would.
  mlir::LogicalResult fill(Place place, mlir::Value value);
  void copy(mlir::Location loc, Place from, Place to, mlir::Type type);
  /// The bytes of `source` as blocks one after another: itself where they lie so.
  RegionAttr putInBlocks(mlir::Location loc, RegionAttr source, mlir::RankedTensorType type,
                         const Blocks &blocks);
  /// Calls `exchange` with where blocks one after another shall go, then brings them into
  /// `destination`.
  void takeFromBlocks(mlir::Location loc, RegionAttr destination, mlir::RankedTensorType type,
                      const Blocks &blocks, llvm::function_ref<void(RegionAttr)> exchange);
  mlir::LogicalResult launch(mlir::Operation *op,
                             llvm::ArrayRef<std::pair<mlir::Value, Place>> known);

  mlir::func::FuncOp task;
  ProgramBuilder &program;
  codegen::HostKernelBuilder &kernels;
  mlir::OpBuilder builder;
  llvm::DenseMap<mlir::Value, plan::ObjectAttr> destinations;
  llvm::DenseMap<mlir::Value, Place> places; ///< by storage
};

} // namespace planwright::exec

#endif // PLANWRIGHT_LIB_CONVERSION_TASKSTOEXEC_TASKLOWERING_H
