// shard-materialize: all tasks on local shapes, the tasks between them, and their order.
// Not here: how one task is rewritten (LocalFunction.cpp).
#include "lib/Transforms/Sharding/LocalFunction.h"
#include "lib/Transforms/Sharding/Propagation.h"
#include "lib/Transforms/Sharding/TaskBuilders.h"
#include "lib/Transforms/Sharding/TaskFunctions.h"

#include "planwright/Transforms/Sharding/Passes.h"

namespace planwright {
#define GEN_PASS_DEF_SHARDMATERIALIZE
#include "lib/Transforms/Sharding/Passes.h.inc"
} // namespace planwright

using namespace mlir;
using namespace planwright;

/// Every argument and result says what it is and where it lies.
static LogicalResult checkPorts(func::FuncOp task, plan::MeshAttr mesh) {
  auto isComplete = [&](plan::ObjectAttr object, plan::LayoutAttr layout, Type type) {
    return object && layout && fitsType(layout, type, mesh);
  };
  bool complete = true;
  for (auto [index, type] : llvm::enumerate(task.getArgumentTypes()))
    complete &= isComplete(getArgumentObject(task, index), getArgumentLayout(task, index), type);
  for (auto [index, type] : llvm::enumerate(task.getResultTypes()))
    complete &= isComplete(getResultObject(task, index), getResultLayout(task, index), type);
  if (complete)
    return success();
  return task.emitError("has arguments or results without ")
         << plan::kObjectAttrName << " or fitting " << plan::kLayoutAttrName
         << ": run shard-propagate first";
}

static LogicalResult checkOps(func::FuncOp task, plan::MeshAttr mesh) {
  for (Operation &op : task.getBody().front()) {
    auto assignment = op.getAttrOfType<plan::AssignmentAttr>(plan::kAssignmentAttrName);
    auto shardable = dyn_cast<ShardingRuleOpInterface>(op);
    if (assignment &&
        (!shardable || !fits(shardable, shardable.getShardingRule(), assignment, mesh)))
      return op.emitOpError("cannot be cut as its assignment says");
  }
  return success();
}

namespace {

struct ShardMaterialize : public planwright::impl::ShardMaterializeBase<ShardMaterialize> {
  using ShardMaterializeBase::ShardMaterializeBase;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    auto mesh = getMesh(module);
    if (failed(mesh))
      return signalPassFailure();
    for (func::FuncOp task : getTasks(module))
      if (failed(checkPorts(task, *mesh)) || failed(checkOps(task, *mesh)))
        return signalPassFailure();
    StepTasks tasks = buildTasks(module, *mesh);
    module->setAttr(plan::kScheduleAttrName, buildSchedule(tasks, *mesh));
  }

  StepTasks buildTasks(ModuleOp module, plan::MeshAttr mesh) {
    func::FuncOp prologue = findTask(module, plan::TaskKind::prologue);
    func::FuncOp forward = findTask(module, plan::TaskKind::forward);
    func::FuncOp backward = findTask(module, plan::TaskKind::backward);
    func::FuncOp update = findTask(module, plan::TaskKind::update);
    SmallVector<PartialObject> early, late;
    if (prologue)
      early = getPartialResults(prologue, mesh);
    for (func::FuncOp task : {forward, backward})
      if (task)
        llvm::append_range(late, getPartialResults(task, mesh));
    SmallVector<PartialObject> all(early);
    llvm::append_range(all, late);

    // Built in the order in which they run, which is the order in which they stand.
    auto onBlocks = [&](func::FuncOp task) { return task ? buildLocalFunction(task, mesh) : task; };
    StepTasks tasks;
    tasks.zero = buildZeroTask(module, all);
    tasks.prologue = onBlocks(prologue);
    tasks.prologueReduce = buildReduceTask(module, "prologue.reduce", early, bucketBytes);
    tasks.forward = onBlocks(forward);
    tasks.backward = onBlocks(backward);
    tasks.reduce = buildReduceTask(module, "reduce", late, bucketBytes);
    tasks.update = onBlocks(update);
    return tasks;
  }
};

} // namespace
