// What all passes on tasks share.
#include "lib/Transforms/Sharding/TaskFunctions.h"

#include "lib/Transforms/Sharding/Propagation.h"

#include "dialects/Model/IR/Model.h"

#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace planwright;

FailureOr<plan::MeshAttr> planwright::getMesh(ModuleOp module) {
  if (auto mesh = module->getAttrOfType<plan::MeshAttr>(plan::kMeshAttrName))
    return mesh;
  return module.emitError("has no mesh: expected the attribute \"") << plan::kMeshAttrName << '"';
}

SmallVector<func::FuncOp> planwright::getTasks(ModuleOp module) {
  SmallVector<func::FuncOp> tasks;
  for (auto function : module.getOps<func::FuncOp>())
    if (function->hasAttrOfType<plan::TaskAttr>(plan::kTaskAttrName) && !function.isExternal())
      tasks.push_back(function);
  return tasks;
}

func::FuncOp planwright::findTask(ModuleOp module, plan::TaskKind kind) {
  for (func::FuncOp task : getTasks(module))
    if (getTaskKind(task) == kind)
      return task;
  return {};
}

plan::TaskKind planwright::getTaskKind(func::FuncOp task) {
  return task->getAttrOfType<plan::TaskAttr>(plan::kTaskAttrName).getKind();
}

void planwright::setTaskKind(func::FuncOp task, plan::TaskKind kind) {
  task->setAttr(plan::kTaskAttrName, plan::TaskAttr::get(task.getContext(), kind));
}

plan::ObjectAttr planwright::getArgumentObject(func::FuncOp task, unsigned argument) {
  return task.getArgAttrOfType<plan::ObjectAttr>(argument, plan::kObjectAttrName);
}

plan::ObjectAttr planwright::getResultObject(func::FuncOp task, unsigned result) {
  return task.getResultAttrOfType<plan::ObjectAttr>(result, plan::kObjectAttrName);
}

plan::LayoutAttr planwright::getArgumentLayout(func::FuncOp task, unsigned argument) {
  return task.getArgAttrOfType<plan::LayoutAttr>(argument, plan::kLayoutAttrName);
}

plan::LayoutAttr planwright::getPin(func::FuncOp task, unsigned argument) {
  return task.getArgAttr(argument, plan::kPinnedAttrName) ? getArgumentLayout(task, argument)
                                                          : nullptr;
}

plan::LayoutAttr planwright::getResultLayout(func::FuncOp task, unsigned result) {
  return task.getResultAttrOfType<plan::LayoutAttr>(result, plan::kLayoutAttrName);
}

SmallVector<StringAttr> planwright::getDataAxes(plan::MeshAttr mesh) {
  SmallVector<StringAttr> axes;
  for (StringRef name : {"dp", "fsdp"})
    if (mesh.getSize(name) > 1)
      axes.push_back(StringAttr::get(mesh.getContext(), name));
  return axes;
}

std::string planwright::describeAxes(ArrayRef<StringAttr> axes, plan::MeshAttr mesh) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  llvm::interleave(
      axes, stream,
      [&](StringAttr axis) { stream << axis.getValue() << " = " << mesh.getSize(axis); }, " x ");
  return text;
}

std::string planwright::describeObject(plan::ObjectAttr object) {
  return (stringifyObjectKind(object.getKind()) + " \"" + object.getName() + "\"").str();
}

/// The batch dimension over data axes and micro-batches, or an error that names the numbers.
static FailureOr<plan::LayoutAttr> divideBatch(func::FuncOp task, unsigned argument,
                                               int64_t batchDim, plan::MeshAttr mesh) {
  MLIRContext *context = task.getContext();
  auto type = cast<ShapedType>(task.getArgumentTypes()[argument]);
  Axes axes(getDataAxes(mesh));
  if (mesh.getSize(plan::kMicroBatchAxis) > 1)
    axes.push_back(StringAttr::get(context, plan::kMicroBatchAxis));
  int64_t blocks = 1;
  for (StringAttr axis : axes)
    blocks *= mesh.getSize(axis);
  plan::LayoutAttr whole = plan::LayoutAttr::getWhole(context, type.getRank());
  if (batchDim < 0 || axes.empty())
    return whole;
  if (batchDim >= type.getRank())
    return task.emitError(describeObject(getArgumentObject(task, argument)))
           << " has no dimension " << batchDim << ", its type is " << type;
  if (type.getDimSize(batchDim) % blocks != 0)
    return task.emitError("batch size ")
           << type.getDimSize(batchDim) << " does not divide over " << describeAxes(axes, mesh)
           << ": dimension " << batchDim << " of "
           << describeObject(getArgumentObject(task, argument)) << " has type " << type;
  SmallVector<plan::AxesAttr> dims(whole.getDims());
  dims[batchDim] = plan::AxesAttr::get(context, axes);
  return plan::LayoutAttr::get(context, dims, {}, {});
}

bool planwright::fitsType(plan::LayoutAttr layout, Type type, plan::MeshAttr mesh) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return getRankOrZero(type) == static_cast<int64_t>(layout.getDims().size()) &&
         (!tensor || layout.getLocalShape(tensor.getShape(), mesh));
}

/// A layout that stands on an argument already must fit its type.
static LogicalResult verifyPinned(func::FuncOp task, unsigned argument, plan::LayoutAttr layout,
                                  plan::MeshAttr mesh) {
  Type type = task.getArgumentTypes()[argument];
  if (fitsType(layout, type, mesh))
    return success();
  return task.emitError(describeObject(getArgumentObject(task, argument)))
         << " of type " << type << " cannot lie as " << layout << " on " << mesh;
}

plan::ObjectAttr planwright::getOwner(plan::ObjectAttr object) {
  StringRef name = object.getName();
  if (object.getKind() == plan::ObjectKind::state)
    name = name.split('/').second;
  bool isOwned = (object.getKind() == plan::ObjectKind::state && !name.empty()) ||
                 object.getKind() == plan::ObjectKind::gradient;
  if (!isOwned)
    return object;
  return plan::ObjectAttr::get(object.getContext(), plan::ObjectKind::parameter, name);
}

plan::LayoutAttr planwright::getDecidedLayout(plan::ObjectAttr object, Type type,
                                              const ObjectLayouts &known) {
  plan::LayoutAttr whole = plan::LayoutAttr::getWhole(object.getContext(), getRankOrZero(type));
  auto decided = known.find(getOwner(object));
  bool fits = decided != known.end() && decided->second.getDims().size() == whole.getDims().size();
  return fits ? decided->second : whole;
}

FailureOr<SmallVector<plan::LayoutAttr>>
planwright::pinArguments(func::FuncOp task, plan::MeshAttr mesh, const ObjectLayouts &known) {
  SmallVector<plan::LayoutAttr> layouts;
  for (auto [index, type] : llvm::enumerate(task.getArgumentTypes())) {
    plan::ObjectAttr object = getArgumentObject(task, index);
    if (!object)
      return task.emitError("argument ") << index << " of a task has no " << plan::kObjectAttrName;
    model::ArgumentAttr argument = model::getArgument(task, index);
    if (plan::LayoutAttr pinned = getArgumentLayout(task, index)) {
      if (failed(verifyPinned(task, index, pinned, mesh)))
        return failure();
      layouts.push_back(pinned);
    } else if (object.getKind() == plan::ObjectKind::input && argument) {
      auto layout = divideBatch(task, index, argument.getBatchDim(), mesh);
      if (failed(layout))
        return failure();
      layouts.push_back(*layout);
    } else {
      layouts.push_back(getDecidedLayout(object, type, known));
    }
  }
  return layouts;
}

void planwright::eraseDeadOps(func::FuncOp function) {
  for (Operation &op : llvm::make_early_inc_range(llvm::reverse(function.getBody().front())))
    if (isOpTriviallyDead(&op))
      op.erase();
}

func::FuncOp planwright::createTask(ModuleOp module, Location loc, StringRef name,
                                    plan::TaskKind kind) {
  auto builder = OpBuilder::atBlockEnd(module.getBody());
  auto task = func::FuncOp::create(builder, loc, name, builder.getFunctionType({}, {}));
  task.addEntryBlock();
  setTaskKind(task, kind);
  return task;
}

void planwright::updateFunctionType(func::FuncOp function) {
  Block &body = function.getBody().front();
  function.setType(FunctionType::get(function.getContext(), body.getArgumentTypes(),
                                     body.getTerminator()->getOperandTypes()));
}
