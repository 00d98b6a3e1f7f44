// Declarations of an exec program.
#include "ProgramBuilder.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace planwright;
using namespace planwright::exec;

RegionAttr Place::getRegion(RankedTensorType type) const {
  BufferOp declaration = buffer;
  return RegionAttr::get(type.getContext(), FlatSymbolRefAttr::get(declaration.getSymNameAttr()),
                         /*offset=*/0, getTensorBytes(type), base);
}

static Location unknown(MLIRContext *context) { return UnknownLoc::get(context); }

ProgramBuilder::ProgramBuilder(ModuleOp module, plan::MeshAttr mesh)
    : builder(module.getContext()), mesh(mesh) {
  builder.setInsertionPointToEnd(module.getBody());
  SmallVector<Attribute> names(mesh.getNames().begin(), mesh.getNames().end());
  program = ProgramOp::create(builder, module.getLoc(), "step", builder.getArrayAttr(names),
                              mesh.getSizes());
  builder.setInsertionPointToEnd(&program.getBody().front());
}

//===----------------------------------------------------------------------===//
// Objects
//===----------------------------------------------------------------------===//

static BufferKind getBufferKind(plan::ObjectKind kind) {
  switch (kind) {
  case plan::ObjectKind::parameter:
    return BufferKind::parameter;
  case plan::ObjectKind::constant:
    return BufferKind::constant;
  case plan::ObjectKind::input:
    return BufferKind::input;
  case plan::ObjectKind::gradient:
    return BufferKind::gradient;
  case plan::ObjectKind::state:
    return BufferKind::state;
  case plan::ObjectKind::residual:
    return BufferKind::residual;
  case plan::ObjectKind::prologue:
    return BufferKind::prologue;
  case plan::ObjectKind::loss:
    return BufferKind::loss;
  case plan::ObjectKind::scalar:
    return BufferKind::scalar;
  }
  llvm_unreachable("every kind of object is a kind of buffer");
}

/// For each dimension the names of its axes.
static ArrayAttr getDimensionAxes(plan::LayoutAttr layout) {
  SmallVector<Attribute> dims;
  for (plan::AxesAttr axes : layout.getDims())
    dims.push_back(
        ArrayAttr::get(layout.getContext(),
                       SmallVector<Attribute>(axes.getNames().begin(), axes.getNames().end())));
  return ArrayAttr::get(layout.getContext(), dims);
}

LogicalResult ProgramBuilder::declareObject(Location loc, DictionaryAttr attributes, Type type) {
  auto object = attributes ? attributes.getAs<plan::ObjectAttr>(plan::kObjectAttrName) : nullptr;
  auto layout = attributes ? attributes.getAs<plan::LayoutAttr>(plan::kLayoutAttrName) : nullptr;
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!object || !tensor || !tensor.hasStaticShape() || tensor.getNumElements() == 0)
    return emitError(loc)
           << "every argument and result of a task must be an object with plan.object "
           << "and a type of a fixed size, found " << type;
  if (!layout)
    layout = plan::LayoutAttr::getWhole(type.getContext(), tensor.getRank());
  if (Place place = objects.lookup(object)) {
    if (place.buffer.getType() != type)
      return (emitError(loc) << object << " has type " << type).attachNote(place.buffer.getLoc())
             << "but here it has type " << place.buffer.getType();
    return success();
  }
  StringAttr mb = builder.getStringAttr(plan::kMicroBatchAxis);
  bool hasMicroBatches =
      object.getKind() == plan::ObjectKind::input &&
      llvm::any_of(layout.getDims(), [&](plan::AxesAttr axes) { return axes.contains(mb); });
  int64_t bytes = getTensorBytes(tensor);
  int64_t parts = hasMicroBatches ? mesh.getSize(mb) : 1;
  BufferOp buffer = BufferOp::create(
      builder, loc, (stringifyObjectKind(object.getKind()) + "/" + object.getName()).str(),
      getBufferKind(object.getKind()), object.getName(), tensor, bytes * parts);
  buffer.setGlobalShape(layout.getGlobalShape(tensor.getShape(), mesh));
  buffer.setDimensionAxesAttr(getDimensionAxes(layout));
  Place place{buffer};
  if (parts > 1)
    place.base = getMicroBatchBase(bytes);
  objects[object] = place;
  return success();
}

void ProgramBuilder::declareBucket(ArrayRef<plan::ObjectAttr> members) {
  Type elementType;
  int64_t end = 0;
  SmallVector<BufferOp> parts;
  for (plan::ObjectAttr member : members) {
    BufferOp buffer = getObject(member).buffer;
    if (buffer.getBucket() || buffer.isShared() || llvm::is_contained(parts, buffer))
      return;
    parts.push_back(buffer);
  }
  std::string name = std::to_string(buckets++);
  FlatSymbolRefAttr symbol = FlatSymbolRefAttr::get(builder.getContext(), "bucket/" + name);
  for (BufferOp part : parts) {
    end = alignBytes(end);
    part.setBucketAttr(symbol);
    part.setPartOffset(end);
    end += part.getSize();
    elementType = part.getTensorType().getElementType();
  }
  BufferOp::create(builder, parts.front().getLoc(), symbol.getValue(), BufferKind::bucket, name,
                   RankedTensorType::get({end / getElementBytes(elementType)}, elementType), end);
}

//===----------------------------------------------------------------------===//
// Everything else
//===----------------------------------------------------------------------===//

Place ProgramBuilder::getLiteral(Location loc, ElementsAttr data) {
  Place &place = literals[data];
  if (!place) {
    std::string name = std::to_string(literals.size() - 1);
    auto type = cast<RankedTensorType>(data.getShapedType());
    place.buffer = BufferOp::create(builder, loc, "literal/" + name, BufferKind::literal, name,
                                    type, getTensorBytes(type));
    place.buffer.setDataAttr(data);
  }
  return place;
}

Place ProgramBuilder::makeTemporary(Location loc, RankedTensorType type) {
  std::string name = std::to_string(temporaries++);
  return {BufferOp::create(builder, loc, "temporary/" + name, BufferKind::temporary, name, type,
                           getTensorBytes(type))};
}

int64_t ProgramBuilder::getMicroBatchBase(int64_t strideBytes) {
  return baseOfStride.insert({strideBytes, baseOfStride.size() + 1}).first->second;
}

FlatSymbolRefAttr ProgramBuilder::getKernel(StringRef symbol, StringRef family) {
  StringAttr name = builder.getStringAttr(symbol);
  KernelOp &kernel = kernels[name];
  if (!kernel)
    kernel = KernelOp::create(builder, unknown(builder.getContext()), name,
                              builder.getStringAttr("kernels/host.so"),
                              builder.getStringAttr(family), StringAttr());
  return FlatSymbolRefAttr::get(name);
}

FlatSymbolRefAttr ProgramBuilder::getCommunicator(ArrayAttr axes) {
  FlatSymbolRefAttr &symbol = communicators[axes];
  if (!symbol) {
    std::string name = llvm::join(axes.getAsValueRange<StringAttr>(), "_");
    symbol = FlatSymbolRefAttr::get(builder.getContext(), "communicator/" + name);
    CommunicatorOp::create(builder, unknown(builder.getContext()), symbol.getAttr(), axes);
  }
  return symbol;
}

SubprogramOp ProgramBuilder::makeSubprogram(Location loc, StringRef name) {
  return SubprogramOp::create(builder, loc, name);
}

void ProgramBuilder::makeTask(Location loc, TaskKind kind, StringRef subprogram,
                              int64_t microBatch) {
  SmallVector<int64_t> bases(baseOfStride.size() + 1, 0);
  if (microBatch > 0)
    for (auto [stride, base] : baseOfStride)
      bases[base] = stride * microBatch;
  MLIRContext *context = builder.getContext();
  TaskOp::create(builder, loc, TaskKindAttr::get(context, kind),
                 subprogram.empty() ? nullptr : FlatSymbolRefAttr::get(context, subprogram),
                 microBatch < 0 ? nullptr : builder.getI64IntegerAttr(microBatch),
                 builder.getDenseI64ArrayAttr(bases));
}

/// Place of a declaration among others: objects that live always first, then those of a step, then
/// shared ones.
static int getRank(Operation &op) {
  static constexpr BufferKind kinds[] = {
      BufferKind::parameter, BufferKind::state,  BufferKind::constant, BufferKind::scalar,
      BufferKind::literal,   BufferKind::bucket, BufferKind::gradient, BufferKind::loss,
      BufferKind::prologue,  BufferKind::input,  BufferKind::residual, BufferKind::temporary};
  if (auto buffer = dyn_cast<BufferOp>(op))
    return 10 + static_cast<int>(llvm::find(kinds, buffer.getKind()) - std::begin(kinds));
  return llvm::TypeSwitch<Operation *, int>(&op)
      .Case([](KernelOp) { return 0; })
      .Case([](CommunicatorOp) { return 1; })
      .Case([](SubprogramOp) { return 100; })
      .Default([](Operation *) { return 101; });
}

void ProgramBuilder::finish(llvm::function_ref<StringAttr(StringRef)> getKernelSource) {
  for (auto kernel : program.getOps<KernelOp>())
    kernel.setSourceAttr(getKernelSource(kernel.getSymName()));
  Block &block = program.getBody().front();
  SmallVector<Operation *> ops = llvm::map_to_vector(block, [](Operation &op) { return &op; });
  for (int rank = 0; rank <= 101; ++rank)
    for (Operation *op : ops)
      if (getRank(*op) == rank)
        op->moveBefore(&block, block.end());
}
