// shard-materialize: all tasks on local shapes, the tasks between them, and their order.
// Not here: how one task is rewritten (LocalFunction.cpp).
#include "lib/Transforms/Sharding/LocalFunction.h"
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
static LogicalResult checkAnnotated(func::FuncOp task) {
  bool complete = true;
  for (unsigned index = 0; index < task.getNumArguments(); ++index)
    complete &= getArgumentObject(task, index) && getArgumentLayout(task, index);
  for (unsigned index = 0; index < task.getNumResults(); ++index)
    complete &= getResultObject(task, index) && getResultLayout(task, index);
  if (complete)
    return success();
  return task.emitError("has arguments or results without ")
         << plan::kObjectAttrName << " and " << plan::kLayoutAttrName
         << ": run shard-propagate first";
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
      if (failed(checkAnnotated(task)))
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
      early = getPartialResults(prologue);
    for (func::FuncOp task : {forward, backward})
      if (task)
        llvm::append_range(late, getPartialResults(task));
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
