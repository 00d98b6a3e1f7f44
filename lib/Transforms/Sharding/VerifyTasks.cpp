// plan-verify-tasks: the contract at the end of stage 6.
// It trusts nothing but the attributes on functions: it runs the schedule once, object by object.
#include "lib/Transforms/Sharding/TaskFunctions.h"

#include "planwright/Transforms/Sharding/Passes.h"

namespace planwright {
#define GEN_PASS_DEF_VERIFYTASKS
#include "lib/Transforms/Sharding/Passes.h.inc"
} // namespace planwright

using namespace mlir;
using namespace planwright;

namespace {

/// What a task says of one argument or result.
struct Port {
  plan::ObjectAttr object;
  plan::LayoutAttr layout;
  Type type;
  std::string where; ///< "argument 2", "result 0"
};

} // namespace

//===----------------------------------------------------------------------===//
// 2: every argument and result is described
//===----------------------------------------------------------------------===//

static SmallVector<Port> getArguments(func::FuncOp task) {
  SmallVector<Port> ports;
  for (auto [index, type] : llvm::enumerate(task.getArgumentTypes()))
    ports.push_back({getArgumentObject(task, index), getArgumentLayout(task, index), type,
                     "argument " + std::to_string(index)});
  return ports;
}

static SmallVector<Port> getResults(func::FuncOp task) {
  SmallVector<Port> ports;
  for (auto [index, type] : llvm::enumerate(task.getResultTypes()))
    ports.push_back({getResultObject(task, index), getResultLayout(task, index), type,
                     "result " + std::to_string(index)});
  return ports;
}

static SmallVector<Port> getPorts(func::FuncOp task) {
  SmallVector<Port> ports = getArguments(task);
  llvm::append_range(ports, getResults(task));
  return ports;
}

static LogicalResult verifyPort(func::FuncOp task, const Port &port) {
  if (!port.object || !port.layout)
    return task.emitError(port.where) << " has no object or no layout";
  auto type = dyn_cast<RankedTensorType>(port.type);
  if (!type || !type.hasStaticShape())
    return task.emitError(port.where) << " is no static tensor: " << port.type;
  if (type.getRank() != static_cast<int64_t>(port.layout.getDims().size()))
    return task.emitError(port.where) << " of type " << type << " has layout " << port.layout;
  if (port.layout.getCombiner(StringAttr::get(task.getContext(), plan::kMicroBatchAxis)))
    return task.emitError(port.where) << " is partial over \"mb\": accumulate inside the task";
  return success();
}

//===----------------------------------------------------------------------===//
// 3: one object, one shape
//===----------------------------------------------------------------------===//

namespace {
struct FirstSight {
  func::FuncOp task;
  Type global;
  ArrayRef<plan::AxesAttr> dims;
};
} // namespace

static LogicalResult verifySameObject(func::FuncOp task, const Port &port, plan::MeshAttr mesh,
                                      llvm::MapVector<plan::ObjectAttr, FirstSight> &seen) {
  auto type = cast<RankedTensorType>(port.type);
  Type global = type.clone(port.layout.getGlobalShape(type.getShape(), mesh));
  auto [entry, isNew] = seen.insert({port.object, {task, global, port.layout.getDims()}});
  FirstSight &first = entry->second;
  if (isNew || (first.global == global && first.dims == port.layout.getDims()))
    return success();
  InFlightDiagnostic diagnostic = task.emitError(port.where)
                                  << ", " << describeObject(port.object) << ", is " << global
                                  << " with layout " << port.layout;
  diagnostic.attachNote(first.task.getLoc())
      << "in @" << first.task.getName() << " it is " << first.global << " on other axes or blocks";
  return failure();
}

//===----------------------------------------------------------------------===//
// 4: the schedule, run once
//===----------------------------------------------------------------------===//

static bool isPerMicroBatch(plan::TaskKind kind) {
  return kind == plan::TaskKind::prologue || kind == plan::TaskKind::forward ||
         kind == plan::TaskKind::backward;
}

/// There before the step begins.
static bool isGiven(plan::ObjectKind kind) {
  return kind == plan::ObjectKind::parameter || kind == plan::ObjectKind::constant ||
         kind == plan::ObjectKind::input || kind == plan::ObjectKind::state ||
         kind == plan::ObjectKind::scalar;
}

namespace {
/// What is in an object at one point of the schedule.
struct Content {
  plan::LayoutAttr layout;
  int64_t mb;
};
} // namespace

static LogicalResult runStep(func::FuncOp task, plan::StepAttr step,
                             llvm::DenseMap<plan::ObjectAttr, Content> &contents) {
  for (const Port &port : getArguments(task)) {
    auto found = contents.find(port.object);
    if (found == contents.end() && isGiven(port.object.getKind()))
      continue;
    if (found == contents.end())
      return task.emitError("in ")
             << step << ": " << describeObject(port.object) << " is used before any task gives it";
    const Content &content = found->second;
    if (port.object.getKind() == plan::ObjectKind::residual && content.mb != step.getMb())
      return task.emitError("in ") << step << ": " << describeObject(port.object)
                                   << " is that of micro-batch " << content.mb;
    if (content.layout != port.layout)
      return task.emitError("in ") << step << ": " << describeObject(port.object) << " is there as "
                                   << content.layout << ", but expected as " << port.layout;
  }
  for (const Port &port : getResults(task))
    contents[port.object] = {port.layout, step.getMb()};
  return success();
}

/// Each task once, or once for each micro-batch.
static LogicalResult verifyComplete(ModuleOp module, ArrayAttr schedule, plan::MeshAttr mesh) {
  llvm::DenseMap<StringAttr, SmallVector<int64_t>> runs;
  for (auto step : schedule.getAsRange<plan::StepAttr>())
    runs[step.getTask().getAttr()].push_back(step.getMb());
  for (func::FuncOp task : getTasks(module)) {
    SmallVector<int64_t> wanted = {-1};
    if (isPerMicroBatch(getTaskKind(task)))
      wanted = llvm::to_vector(llvm::seq<int64_t>(0, mesh.getSize(plan::kMicroBatchAxis)));
    SmallVector<int64_t> found = runs.lookup(task.getNameAttr());
    llvm::sort(found);
    if (found != wanted)
      return task.emitError("stands ")
             << found.size() << " times in the schedule, expected " << wanted.size()
             << (wanted[0] < 0 ? "" : ", once for each micro-batch");
  }
  return success();
}

static LogicalResult verifySchedule(ModuleOp module, plan::MeshAttr mesh) {
  auto schedule = module->getAttrOfType<ArrayAttr>(plan::kScheduleAttrName);
  if (!schedule)
    return module.emitError("has no schedule: expected the attribute \"")
           << plan::kScheduleAttrName << '"';
  llvm::DenseMap<plan::ObjectAttr, Content> contents;
  for (Attribute entry : schedule) {
    auto step = dyn_cast<plan::StepAttr>(entry);
    auto task = step ? module.lookupSymbol<func::FuncOp>(step.getTask()) : func::FuncOp();
    if (!task || !task->hasAttrOfType<plan::TaskAttr>(plan::kTaskAttrName))
      return module.emitError("schedule names no task: ") << entry;
    if (failed(runStep(task, step, contents)))
      return failure();
  }
  return verifyComplete(module, schedule, mesh);
}

//===----------------------------------------------------------------------===//
// 5: exchanges
//===----------------------------------------------------------------------===//

/// By how much the largest dimension of a tensor changes.
static int64_t getBlockRatio(comm::CollectiveOpInterface collective) {
  auto before = cast<ShapedType>(collective->getOperand(0).getType());
  auto after = cast<ShapedType>(collective->getResult(0).getType());
  int64_t ratio = 1;
  for (auto [a, b] : llvm::zip_equal(before.getShape(), after.getShape()))
    if (a != b && a != 0 && b != 0)
      ratio = std::max(ratio, std::max(a, b) / std::min(a, b));
  return ratio;
}

static LogicalResult verifyCollective(comm::CollectiveOpInterface collective, plan::MeshAttr mesh) {
  int64_t ranks = 1;
  for (auto axis : collective.getCollectiveAxes().getAsRange<StringAttr>()) {
    if (!llvm::is_contained(mesh.getNames(), axis))
      return collective->emitOpError("runs over \"")
             << axis.getValue() << "\", which " << mesh << " does not have";
    ranks *= mesh.getSize(axis);
  }
  bool keepsShape = collective.getKind() == comm::CollectiveKind::AllReduce;
  if (int64_t ratio = getBlockRatio(collective); ratio != (keepsShape ? 1 : ranks))
    return collective->emitOpError("changes a dimension by a factor of ")
           << ratio << ", but runs over " << ranks << " ranks";
  return success();
}

static LogicalResult verifyBody(func::FuncOp task, plan::MeshAttr mesh) {
  bool ok = true;
  task.walk([&](Operation *op) {
    if (op->hasAttr(plan::kAssignmentAttrName)) {
      op->emitOpError("still has an assignment: run shard-materialize first");
      ok = false;
    }
    if (auto collective = dyn_cast<comm::CollectiveOpInterface>(op))
      ok &= succeeded(verifyCollective(collective, mesh));
  });
  return success(ok);
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

namespace {

struct VerifyTasks : public planwright::impl::VerifyTasksBase<VerifyTasks> {
  void runOnOperation() override {
    markAllAnalysesPreserved();
    if (failed(verify(getOperation())))
      signalPassFailure();
  }

  static LogicalResult verify(ModuleOp module) {
    auto mesh = getMesh(module);
    if (failed(mesh))
      return failure();
    llvm::MapVector<plan::ObjectAttr, FirstSight> seen;
    for (func::FuncOp task : getTasks(module)) {
      for (const Port &port : getPorts(task))
        if (failed(verifyPort(task, port)) || failed(verifySameObject(task, port, *mesh, seen)))
          return failure();
      if (failed(verifyBody(task, *mesh)))
        return failure();
    }
    return verifySchedule(module, *mesh);
  }
};

} // namespace
