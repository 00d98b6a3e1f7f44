// convert-tasks-to-exec: the pass. Objects are declared first, then each task becomes a subprogram,
// then the schedule.
#include "Prepare.h"
#include "TaskLowering.h"

#include "lib/Conversion/TasksToExec/Passes.h"

namespace planwright {
#define GEN_PASS_DEF_CONVERTTASKSTOEXEC
#include "lib/Conversion/TasksToExec/Passes.h.inc"
} // namespace planwright

using namespace mlir;
using namespace planwright;
using namespace planwright::exec;

static TaskKind getTaskKind(plan::TaskKind kind) {
  switch (kind) {
  case plan::TaskKind::zero:
    return TaskKind::zero;
  case plan::TaskKind::prologue:
    return TaskKind::prologue;
  case plan::TaskKind::reduce:
    return TaskKind::reduce;
  case plan::TaskKind::forward:
    return TaskKind::forward;
  case plan::TaskKind::backward:
    return TaskKind::backward;
  case plan::TaskKind::update:
    return TaskKind::update;
  }
  llvm_unreachable("every kind of task is known");
}

static LogicalResult declareObjects(func::FuncOp task, ProgramBuilder &program) {
  if (!llvm::hasSingleElement(task.getBody()))
    return task.emitOpError("must have one block");
  for (BlockArgument argument : task.getArguments())
    if (failed(program.declareObject(
            argument.getLoc(), task.getArgAttrDict(argument.getArgNumber()), argument.getType())))
      return failure();
  for (auto [index, type] : llvm::enumerate(task.getResultTypes()))
    if (failed(program.declareObject(task.getLoc(), task.getResultAttrDict(index), type)))
      return failure();
  return success();
}

/// Objects that are reduced together lie together.
static void declareBuckets(func::FuncOp task, ProgramBuilder &program) {
  for (auto reduce : task.getOps<comm::AllReduceOp>()) {
    SmallVector<plan::ObjectAttr> objects;
    for (Value input : reduce.getInputs())
      if (auto argument = dyn_cast<BlockArgument>(input))
        objects.push_back(task.getArgAttrOfType<plan::ObjectAttr>(argument.getArgNumber(),
                                                                  plan::kObjectAttrName));
    if (objects.size() > 1 && objects.size() == reduce.getInputs().size())
      program.declareBucket(objects);
  }
}

/// Tasks in the order of the schedule, a safe point at the end.
static LogicalResult makeTasks(ModuleOp module, ArrayAttr schedule, ProgramBuilder &program) {
  for (Attribute entry : schedule) {
    auto step = dyn_cast<plan::StepAttr>(entry);
    auto task = step ? module.lookupSymbol<func::FuncOp>(step.getTask()) : nullptr;
    auto kind = task ? task->getAttrOfType<plan::TaskAttr>(plan::kTaskAttrName) : nullptr;
    if (!kind)
      return module.emitOpError("schedule entry ") << entry << " names no task";
    program.makeTask(task.getLoc(), getTaskKind(kind.getKind()), task.getSymName(), step.getMb());
  }
  program.makeTask(module.getLoc(), TaskKind::safe_point, "", -1);
  return success();
}

namespace {
struct ConvertTasksToExec : planwright::impl::ConvertTasksToExecBase<ConvertTasksToExec> {
  void getDependentDialects(DialectRegistry &registry) const override {
    ConvertTasksToExecBase::getDependentDialects(registry);
    codegen::HostKernelBuilder::registerDependentDialects(registry);
  }

  void runOnOperation() override {
    if (failed(convert(getOperation())))
      signalPassFailure();
  }

  static LogicalResult convert(ModuleOp module) {
    auto mesh = module->getAttrOfType<plan::MeshAttr>(plan::kMeshAttrName);
    auto schedule = module->getAttrOfType<ArrayAttr>(plan::kScheduleAttrName);
    if (!mesh || !schedule)
      return module.emitOpError("needs ")
             << plan::kMeshAttrName << " and " << plan::kScheduleAttrName;
    auto tasks =
        llvm::to_vector(llvm::make_filter_range(module.getOps<func::FuncOp>(), [](func::FuncOp op) {
          return op->hasAttr(plan::kTaskAttrName);
        }));
    ProgramBuilder program(module, mesh);
    codegen::HostKernelBuilder kernels;
    for (func::FuncOp task : tasks)
      if (failed(declareObjects(task, program)))
        return failure();
    for (func::FuncOp task : tasks)
      declareBuckets(task, program);
    for (func::FuncOp task : tasks) {
      prepareTask(task);
      SubprogramOp subprogram = program.makeSubprogram(task.getLoc(), task.getSymName());
      if (failed(TaskLowering(task, program, kernels).run(subprogram)))
        return failure();
    }
    if (failed(makeTasks(module, schedule, program)))
      return failure();
    llvm::StringMap<StringRef> sources;
    for (const codegen::KernelSource &source : kernels.sources())
      sources[source.symbol] = source.text;
    program.finish([&](StringRef symbol) {
      return StringAttr::get(module.getContext(), sources.lookup(symbol));
    });
    for (func::FuncOp task : tasks)
      task.erase();
    return success();
  }
};
} // namespace
