// Runs a sharded module, task by task in the order of plan.schedule, on all ranks of plan.mesh at
// once. Every rank has memory of its own; only collectives move values between ranks.
//
//   FailureOr<ShardedRun> run = ShardedRun::create(module, {.floatsAsF64 = true});
//   run->setGlobal(plan::ObjectKind::parameter, "w", w);             // whole values, cut by the
//   layouts of the tasks run->setGlobal(plan::ObjectKind::input, "x", x); if
//   (failed(run->runStep())) ... FailureOr<Tensor> gradient =
//   run->getGlobal(plan::ObjectKind::gradient, "w");

#ifndef PLANWRIGHT_REFERENCE_SHARDEDRUN_H
#define PLANWRIGHT_REFERENCE_SHARDEDRUN_H

#include "planwright/Reference/Objects.h"

namespace planwright::reference {

class ShardedRun {
public:
  /// Finds mesh and schedule on the module and checks that all tasks exist and mark their arguments
  /// and results.
  static mlir::FailureOr<ShardedRun> create(mlir::ModuleOp module, InterpreterOptions options = {});

  /// Gives the whole value of a parameter, constant, state or input. Each rank gets its block when
  /// a task asks for it; blocks that it already has are dropped.
  void setGlobal(plan::ObjectKind kind, llvm::StringRef name, Tensor value);

  /// Runs the schedule once. Before it, the scalar "step" is counted up (from 1).
  mlir::LogicalResult runStep();

  /// Puts an object together from all ranks. An error where it is still partial, or where ranks
  /// that should hold the same block differ in a bit.
  mlir::FailureOr<Tensor> getGlobal(plan::ObjectKind kind, llvm::StringRef name) const;

  /// What the tasks take that nothing gives them: the objects that setGlobal must provide, with
  /// their whole shapes.
  struct Source {
    plan::ObjectAttr object;
    mlir::RankedTensorType type; // of the whole value
  };
  llvm::ArrayRef<Source> getSources() const { return sources; }

  /// All objects that some task returns.
  llvm::SmallVector<plan::ObjectAttr> getResults() const;

private:
  ShardedRun(mlir::ModuleOp module, InterpreterOptions options, plan::MeshAttr mesh);

  using Key = std::pair<plan::ObjectKind, std::string>;
  static Key getKey(plan::ObjectAttr object) { return {object.getKind(), object.getName().str()}; }

  mlir::LogicalResult addTask(plan::StepAttr step, mlir::func::FuncOp task);
  mlir::LogicalResult runTaskOnRanks(mlir::func::FuncOp task, int64_t microBatch);
  mlir::FailureOr<Tensor> getArgument(mlir::func::FuncOp task, unsigned index, int64_t rank,
                                      int64_t microBatch);
  mlir::FailureOr<Tensor> cutBlock(mlir::func::FuncOp task, const Tensor &whole,
                                   plan::LayoutAttr layout, int64_t rank, int64_t microBatch) const;
  std::optional<Tensor> getScalar(llvm::StringRef name, int64_t rank, int64_t microBatch) const;
  int64_t getBlock(plan::AxesAttr axes, int64_t rank, int64_t microBatch) const;
  int64_t countBlocks(plan::AxesAttr axes) const;

  mlir::ModuleOp module;
  InterpreterOptions options;
  plan::MeshAttr mesh;
  RankGrid grid;
  llvm::SmallVector<std::pair<plan::StepAttr, mlir::func::FuncOp>> schedule;
  llvm::SmallVector<Source> sources;
  std::map<Key, Tensor> wholeValues;
  std::map<Key, plan::LayoutAttr>
      layouts; // As last returned by a task, or taken where none returns it.
  llvm::SmallVector<ObjectMemory> memoryOfRank;
  std::map<Key, plan::ObjectAttr> returned;
  int64_t step = 0;
};

} // namespace planwright::reference

#endif // PLANWRIGHT_REFERENCE_SHARDEDRUN_H
