// The schedule on all ranks: where each argument comes from, where each result goes.

#include "planwright/Reference/ShardedRun.h"

#include "Blocks.h"

#include <cstring>

using namespace mlir;

namespace planwright::reference {

/// The layout of an argument or result; whole where none is given.
static plan::LayoutAttr getLayout(Attribute attribute, Type type) {
  if (auto layout = dyn_cast_or_null<plan::LayoutAttr>(attribute))
    return layout;
  return plan::LayoutAttr::getWhole(type.getContext(), cast<RankedTensorType>(type).getRank());
}

static plan::LayoutAttr getArgumentLayout(func::FuncOp task, unsigned index) {
  return getLayout(task.getArgAttr(index, plan::kLayoutAttrName), task.getArgumentTypes()[index]);
}

static plan::LayoutAttr getResultLayout(func::FuncOp task, unsigned index) {
  return getLayout(task.getResultAttr(index, plan::kLayoutAttrName), task.getResultTypes()[index]);
}

static LogicalResult checkType(func::FuncOp task, Type type, plan::LayoutAttr layout) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor || !tensor.hasStaticShape())
    return task.emitOpError("takes or returns ") << type << ", which is no tensor of static shape";
  if (layout && static_cast<int64_t>(layout.getDims().size()) != tensor.getRank())
    return task.emitOpError("gives ") << type << " a layout of another rank: " << layout;
  return success();
}

ShardedRun::ShardedRun(ModuleOp module, InterpreterOptions options, plan::MeshAttr mesh)
    : module(module), options(options), mesh(mesh), grid(Interpreter(module).getGrid()),
      memoryOfRank(grid.getNumRanks()) {}

FailureOr<ShardedRun> ShardedRun::create(ModuleOp module, InterpreterOptions options) {
  auto mesh = module->getAttrOfType<plan::MeshAttr>(plan::kMeshAttrName);
  auto steps = module->getAttrOfType<ArrayAttr>(plan::kScheduleAttrName);
  if (!mesh || !steps)
    return module.emitError("needs ")
           << plan::kMeshAttrName << " and " << plan::kScheduleAttrName << " to be run on ranks";
  ShardedRun run(module, options, mesh);
  for (Attribute attribute : steps) {
    auto step = dyn_cast<plan::StepAttr>(attribute);
    func::FuncOp task;
    if (step)
      task = module.lookupSymbol<func::FuncOp>(step.getTask());
    if (!task)
      return module.emitError("has an entry in ")
             << plan::kScheduleAttrName << " that names no task: " << attribute;
    if (failed(run.addTask(step, task)))
      return failure();
  }
  return run;
}

/// Notes a step of the schedule, and which objects it takes that no step before it has returned.
LogicalResult ShardedRun::addTask(plan::StepAttr step, func::FuncOp task) {
  for (unsigned i = 0; i < task.getNumArguments(); ++i) {
    FailureOr<plan::ObjectAttr> object = getArgumentObject(task, i);
    if (failed(object) ||
        failed(checkType(task, task.getArgumentTypes()[i],
                         task.getArgAttrOfType<plan::LayoutAttr>(i, plan::kLayoutAttrName))))
      return failure();
    plan::LayoutAttr layout = getArgumentLayout(task, i);
    bool isKnown = returned.count(getKey(*object)) || layouts.count(getKey(*object));
    if (isKnown || object->getKind() == plan::ObjectKind::scalar)
      continue;
    layouts[getKey(*object)] = layout;
    auto type = cast<RankedTensorType>(task.getArgumentTypes()[i]);
    sources.push_back({*object, type.clone(layout.getGlobalShape(type.getShape(), mesh))});
  }
  for (unsigned i = 0; i < task.getNumResults(); ++i) {
    FailureOr<plan::ObjectAttr> object = getResultObject(task, i);
    if (failed(object) ||
        failed(checkType(task, task.getResultTypes()[i],
                         task.getResultAttrOfType<plan::LayoutAttr>(i, plan::kLayoutAttrName))))
      return failure();
    returned[getKey(*object)] = *object;
    layouts[getKey(*object)] = getResultLayout(task, i);
  }
  schedule.push_back({step, task});
  return success();
}

SmallVector<plan::ObjectAttr> ShardedRun::getResults() const {
  SmallVector<plan::ObjectAttr> objects;
  for (const auto &[key, object] : returned)
    objects.push_back(object);
  return objects;
}

void ShardedRun::setGlobal(plan::ObjectKind kind, StringRef name, Tensor value) {
  wholeValues[{kind, name.str()}] = std::move(value);
  for (ObjectMemory &memory : memoryOfRank)
    memory.set(kind, name, Tensor());
}

int64_t ShardedRun::countBlocks(plan::AxesAttr axes) const {
  int64_t count = 1;
  for (StringAttr axis : axes.getNames())
    count *= mesh.getSize(axis.getValue());
  return count;
}

int64_t ShardedRun::getBlock(plan::AxesAttr axes, int64_t rank, int64_t microBatch) const {
  int64_t block = 0;
  for (StringAttr axis : axes.getNames()) {
    int64_t coordinate =
        axis == plan::kMicroBatchAxis ? microBatch : grid.getCoordinate(rank, axis.getValue());
    block = block * mesh.getSize(axis.getValue()) + coordinate;
  }
  return block;
}

FailureOr<Tensor> ShardedRun::cutBlock(func::FuncOp task, const Tensor &whole,
                                       plan::LayoutAttr layout, int64_t rank,
                                       int64_t microBatch) const {
  Tensor block = whole;
  if (layout.getDims().size() != static_cast<size_t>(whole.getRank()))
    return task.emitOpError("lays out a ") << describe(whole) << " as " << layout;
  for (auto [dim, axes] : llvm::enumerate(layout.getDims())) {
    int64_t count = countBlocks(axes);
    if (block.getShape()[dim] % count != 0)
      return task.emitOpError("needs dimension ")
             << dim << " of a " << describe(whole) << " to divide over " << axes;
    if (count > 1)
      block = cut(block, dim, getBlock(axes, rank, microBatch), count);
  }
  return block;
}

std::optional<Tensor> ShardedRun::getScalar(StringRef name, int64_t rank,
                                            int64_t microBatch) const {
  if (name == "step")
    return Tensor::makeScalar(step);
  if (name == plan::kMicroBatchAxis)
    return Tensor::makeScalar(microBatch);
  if (name.consume_front("axis/"))
    return Tensor::makeScalar(grid.getCoordinate(rank, name));
  return std::nullopt;
}

/// An argument is what a task left on this rank, or a block of a whole value, or a scalar that the
/// schedule defines.
FailureOr<Tensor> ShardedRun::getArgument(func::FuncOp task, unsigned index, int64_t rank,
                                          int64_t microBatch) {
  FailureOr<plan::ObjectAttr> object = getArgumentObject(task, index);
  if (failed(object))
    return failure();
  if (object->getKind() == plan::ObjectKind::scalar)
    if (std::optional<Tensor> scalar = getScalar(object->getName(), rank, microBatch))
      return *scalar;
  ObjectMemory &memory = memoryOfRank[rank];
  if (const Tensor *value = memory.find(*object); value && !value->isNull())
    return *value;
  auto whole = wholeValues.find(getKey(*object));
  if (whole == wholeValues.end())
    return task.emitOpError("reads ") << *object << " before anything wrote it";
  FailureOr<Tensor> block =
      cutBlock(task, whole->second, getArgumentLayout(task, index), rank, microBatch);
  // An input changes with the micro-batch: it is cut anew each time.
  if (succeeded(block) && object->getKind() != plan::ObjectKind::input)
    memory.set(*object, *block);
  return block;
}

LogicalResult ShardedRun::runTaskOnRanks(func::FuncOp task, int64_t microBatch) {
  InterpreterOptions taskOptions = options;
  taskOptions.microBatch = microBatch;
  Interpreter interpreter(module, taskOptions);
  SmallVector<TensorList> arguments(grid.getNumRanks());
  for (auto [rank, list] : llvm::enumerate(arguments)) {
    if (failed(initializeStates(interpreter, task, memoryOfRank[rank])))
      return failure();
    for (unsigned i = 0; i < task.getNumArguments(); ++i) {
      FailureOr<Tensor> argument = getArgument(task, i, rank, microBatch);
      if (failed(argument))
        return failure();
      list.push_back(*std::move(argument));
    }
  }
  FailureOr<SmallVector<TensorList>> results = interpreter.runOnRanks(task, arguments);
  if (failed(results))
    return failure();
  for (auto [memory, list] : llvm::zip_equal(memoryOfRank, *results))
    for (auto [i, result] : llvm::enumerate(list))
      memory.set(*getResultObject(task, i), std::move(result));
  return success();
}

LogicalResult ShardedRun::runStep() {
  ++step;
  for (auto [entry, task] : schedule)
    if (failed(runTaskOnRanks(task, std::max<int64_t>(entry.getMb(), 0))))
      return failure();
  return success();
}

FailureOr<Tensor> ShardedRun::getGlobal(plan::ObjectKind kind, StringRef name) const {
  auto layout = layouts.find({kind, name.str()});
  const Tensor *first = memoryOfRank.front().find(kind, name);
  ModuleOp op = module;
  if (layout == layouts.end() || !first || first->isNull())
    return op.emitError("no task has written ")
           << stringifyObjectKind(kind) << " \"" << name << "\"";
  if (layout->second.isPartial())
    return op.emitError() << stringifyObjectKind(kind) << " \"" << name
                          << "\" is partial after the last task: " << layout->second;
  Tensor whole = Tensor::makeUninitialized(first->getType(),
                                           layout->second.getGlobalShape(first->getShape(), mesh));
  std::map<SmallVector<int64_t>, const Tensor *> blocks;
  SmallVector<int64_t> ones(whole.getRank(), 1);
  for (auto [rank, memory] : llvm::enumerate(memoryOfRank)) {
    const Tensor *block = memory.find(kind, name);
    SmallVector<int64_t> offsets;
    for (auto [axes, size] : llvm::zip_equal(layout->second.getDims(), block->getShape()))
      offsets.push_back(getBlock(axes, rank, 0) * size);
    const Tensor *&same = blocks.try_emplace(offsets, block).first->second;
    if (std::memcmp(same->getData(), block->getData(), block->getNumBytes()) != 0)
      return op.emitError() << stringifyObjectKind(kind) << " \"" << name << "\" differs on rank "
                            << rank << " from another rank that holds the same block";
    if (same == block)
      copyElements(*block, getWhole(block->getShape()), whole,
                   getBox(whole.getShape(), offsets, ones), block->getShape());
  }
  return whole;
}

} // namespace planwright::reference
