// What each instruction touches, and its verifier.
#include "dialects/Exec/IR/Exec.h"

using namespace mlir;
using namespace planwright;
using namespace planwright::exec;

static OperandAttr operand(Access access, RegionAttr region) {
  return OperandAttr::get(region.getContext(), access, region);
}

/// Every region of `step` lies inside a buffer of the program.
static LogicalResult verifyInstructionRegions(StepOpInterface step, SymbolTableCollection &tables) {
  auto program = step->getParentOfType<ProgramOp>();
  SmallVector<OperandAttr> operands;
  step.getOperandRegions(operands);
  for (OperandAttr operand : operands) {
    RegionAttr region = operand.getRegion();
    auto buffer = tables.lookupSymbolIn<BufferOp>(program, region.getBuffer());
    if (!buffer) // launch_c1, gemm_c1, copy_c1, zero_c1, all_reduce_c1
      return step->emitOpError("there is no exec.buffer ") << region.getBuffer();
    if (region.getOffset() + region.getSize() > static_cast<int64_t>(buffer.getSize()))
      return (step->emitOpError("region ") << region << " ends outside its buffer")
                 .attachNote(buffer.getLoc())
             << "which has " << buffer.getSize() << " bytes";
  }
  return success();
}

/// Number of ranks of one group, or failure where the communicator does not exist.
static FailureOr<int64_t> getGroupSize(Operation *op, FlatSymbolRefAttr name,
                                       SymbolTableCollection &tables) {
  auto program = op->getParentOfType<ProgramOp>();
  auto communicator = tables.lookupSymbolIn<CommunicatorOp>(program, name);
  if (!communicator)
    return op->emitOpError("there is no exec.communicator ") << name;
  int64_t ranks = 1;
  for (StringRef axis : communicator.getAxes().getAsValueRange<StringAttr>())
    ranks *= program.getSize(axis);
  return ranks;
}

/// Source and destination of a collective relate as `sourceParts` to `destinationParts`.
static LogicalResult verifySizes(Operation *op, RegionAttr source, RegionAttr destination,
                                 int64_t sourceParts, int64_t destinationParts) {
  if (source.getSize() * sourceParts != destination.getSize() * destinationParts)
    return op->emitOpError("source of ")
           << source.getSize() << " bytes does not fit destination of " << destination.getSize()
           << " bytes";
  return success();
}

template <typename CollectiveOp>
static void collectiveRegions(CollectiveOp op, SmallVectorImpl<OperandAttr> &operands) {
  if (op.getSource() == op.getDestination())
    return operands.push_back(operand(Access::update, op.getSource()));
  operands.push_back(operand(Access::read, op.getSource()));
  operands.push_back(operand(Access::write, op.getDestination()));
}

template <typename CollectiveOp> static LogicalResult verifyElements(CollectiveOp op) {
  Type type = op.getElementType();
  if (!type.isIntOrFloat() ||
      op.getSource().getSize() % getElementBytes(type) != 0) // all_reduce_c2
    return op.emitOpError("region of ")
           << op.getSource().getSize() << " bytes is not a whole number of " << type;
  return success();
}

/// A collective whose source is cut into, or put together from, the ranks' parts.
enum class Parts { equal, gathered, scattered };

template <typename CollectiveOp>
static LogicalResult verifyCollective(CollectiveOp op, SymbolTableCollection &tables, Parts parts) {
  if (failed(verifyInstructionRegions(op, tables)))
    return failure();
  FailureOr<int64_t> ranks = getGroupSize(op, op.getCommunicatorAttr(), tables);
  if (failed(ranks))
    return failure();
  return verifySizes(op, op.getSource(), op.getDestination(), parts == Parts::gathered ? *ranks : 1,
                     parts == Parts::scattered ? *ranks : 1);
}

/// The properties of a new instruction on stream 0.
template <typename StepOp>
static typename StepOp::Properties &addProperties(OpBuilder &builder, OperationState &state) {
  auto &properties = state.getOrAddProperties<typename StepOp::Properties>();
  properties.stream = builder.getI64IntegerAttr(0);
  return properties;
}

//===----------------------------------------------------------------------===//
// launch, gemm, copy, strided_copy, zero
//===----------------------------------------------------------------------===//

void LaunchOp::build(OpBuilder &builder, OperationState &state, FlatSymbolRefAttr kernel,
                     ArrayAttr operands, int64_t count, int64_t grain) {
  auto &properties = addProperties<LaunchOp>(builder, state);
  properties.kernel = kernel;
  properties.operands = operands;
  properties.count = builder.getI64IntegerAttr(count);
  properties.grain = builder.getI64IntegerAttr(grain);
}

void GemmOp::build(OpBuilder &builder, OperationState &state, RegionAttr a, RegionAttr b,
                   RegionAttr c, GemmShapeAttr shape, Type elementType, bool accumulate) {
  auto &properties = addProperties<GemmOp>(builder, state);
  properties.a = a;
  properties.b = b;
  properties.c = c;
  properties.shape = shape;
  properties.element_type = TypeAttr::get(elementType);
  if (accumulate)
    properties.accumulate = builder.getUnitAttr();
}

void CopyOp::build(OpBuilder &builder, OperationState &state, RegionAttr source,
                   RegionAttr destination) {
  auto &properties = addProperties<CopyOp>(builder, state);
  properties.source = source;
  properties.destination = destination;
}

void StridedCopyOp::build(OpBuilder &builder, OperationState &state, RegionAttr source,
                          RegionAttr destination, int64_t bytes, ArrayRef<ByteLoopAttr> loops,
                          ArrayRef<CoordinateAttr> coordinates) {
  auto toArray = [&](auto attributes) {
    return builder.getArrayAttr(SmallVector<Attribute>(attributes.begin(), attributes.end()));
  };
  auto &properties = addProperties<StridedCopyOp>(builder, state);
  properties.source = source;
  properties.destination = destination;
  properties.bytes = builder.getI64IntegerAttr(bytes);
  properties.loops = toArray(loops);
  properties.coordinates = toArray(coordinates);
}

void ZeroOp::build(OpBuilder &builder, OperationState &state, RegionAttr destination) {
  addProperties<ZeroOp>(builder, state).destination = destination;
}

/// The properties that all collectives have.
template <typename CollectiveOp>
static typename CollectiveOp::Properties &
addCollective(OpBuilder &builder, OperationState &state, RegionAttr source, RegionAttr destination,
              FlatSymbolRefAttr communicator, Type elementType) {
  auto &properties = addProperties<CollectiveOp>(builder, state);
  properties.source = source;
  properties.destination = destination;
  properties.communicator = communicator;
  properties.element_type = TypeAttr::get(elementType);
  return properties;
}

void AllReduceOp::build(OpBuilder &builder, OperationState &state, Reduction reduction,
                        RegionAttr region, FlatSymbolRefAttr communicator, Type elementType) {
  addCollective<AllReduceOp>(builder, state, region, region, communicator, elementType).reduction =
      ReductionAttr::get(builder.getContext(), reduction);
}

void AllGatherOp::build(OpBuilder &builder, OperationState &state, RegionAttr source,
                        RegionAttr destination, FlatSymbolRefAttr communicator, Type elementType) {
  addCollective<AllGatherOp>(builder, state, source, destination, communicator, elementType);
}

void ReduceScatterOp::build(OpBuilder &builder, OperationState &state, Reduction reduction,
                            RegionAttr source, RegionAttr destination,
                            FlatSymbolRefAttr communicator, Type elementType) {
  addCollective<ReduceScatterOp>(builder, state, source, destination, communicator, elementType)
      .reduction = ReductionAttr::get(builder.getContext(), reduction);
}

void AllToAllOp::build(OpBuilder &builder, OperationState &state, RegionAttr source,
                       RegionAttr destination, FlatSymbolRefAttr communicator, Type elementType) {
  addCollective<AllToAllOp>(builder, state, source, destination, communicator, elementType);
}

void LaunchOp::getOperandRegions(SmallVectorImpl<OperandAttr> &operands) {
  llvm::append_range(operands, getOperands().getAsRange<OperandAttr>());
}

LogicalResult LaunchOp::verify() {
  if (static_cast<int64_t>(getCount()) < 1 || static_cast<int64_t>(getGrain()) < 1) // launch_c2
    return emitOpError("needs a positive count and grain, found ")
           << getCount() << " and " << getGrain();
  return success();
}

LogicalResult LaunchOp::verifySymbolUses(SymbolTableCollection &tables) {
  auto program = (*this)->getParentOfType<ProgramOp>();
  if (!tables.lookupSymbolIn<KernelOp>(program, getKernelAttr())) // launch_c1
    return emitOpError("there is no exec.kernel ") << getKernelAttr();
  return verifyInstructionRegions(*this, tables);
}

void GemmOp::getOperandRegions(SmallVectorImpl<OperandAttr> &operands) {
  operands.push_back(operand(Access::read, getA()));
  operands.push_back(operand(Access::read, getB()));
  operands.push_back(operand(getAccumulate() ? Access::update : Access::write, getC()));
}

LogicalResult GemmOp::verify() {
  const RegionAttr regions[] = {getA(), getB(), getC()};
  for (auto [matrix, region] : llvm::enumerate(regions)) {
    int64_t needed = getShape().getElements(matrix) * getElementBytes(getElementType());
    if (region.getSize() < needed) // gemm_c2
      return emitOpError("region ")
             << region << " is too small: the shape touches " << needed << " bytes";
  }
  return success();
}

LogicalResult GemmOp::verifySymbolUses(SymbolTableCollection &tables) {
  return verifyInstructionRegions(*this, tables);
}

void CopyOp::getOperandRegions(SmallVectorImpl<OperandAttr> &operands) {
  operands.push_back(operand(Access::read, getSource()));
  operands.push_back(operand(Access::write, getDestination()));
}

LogicalResult CopyOp::verify() { // copy_c2
  return verifySizes(*this, getSource(), getDestination(), 1, 1);
}

LogicalResult CopyOp::verifySymbolUses(SymbolTableCollection &tables) {
  return verifyInstructionRegions(*this, tables);
}

void StridedCopyOp::getOperandRegions(SmallVectorImpl<OperandAttr> &operands) {
  operands.push_back(operand(Access::read, getSource()));
  operands.push_back(operand(Access::write, getDestination()));
}

int64_t StridedCopyOp::getSourceReach() {
  int64_t reach = getBytes();
  for (auto loop : getLoops().getAsRange<ByteLoopAttr>())
    reach += (loop.getExtent() - 1) * loop.getSource();
  return reach;
}

int64_t StridedCopyOp::getDestinationReach() {
  int64_t reach = getBytes();
  for (auto loop : getLoops().getAsRange<ByteLoopAttr>())
    reach += (loop.getExtent() - 1) * loop.getDestination();
  return reach;
}

/// The region holds `needed` bytes.
static LogicalResult verifyReach(Operation *op, RegionAttr region, int64_t needed) {
  if (region.getSize() < needed) // strided_copy_c3
    return op->emitOpError("region ")
           << region << " is too small: the loops touch " << needed << " bytes";
  return success();
}

LogicalResult StridedCopyOp::verify() {
  if (static_cast<int64_t>(getBytes()) < 1) // strided_copy_c2
    return emitOpError("must copy at least one byte, found ") << getBytes();
  return verifyReach(*this, getDestination(), getDestinationReach());
}

LogicalResult StridedCopyOp::verifySymbolUses(SymbolTableCollection &tables) {
  if (failed(verifyInstructionRegions(*this, tables)))
    return failure();
  auto program = (*this)->getParentOfType<ProgramOp>();
  int64_t needed = getSourceReach();
  llvm::SmallDenseSet<Attribute> seen;
  for (auto coordinate : getCoordinates().getAsRange<CoordinateAttr>()) {
    StringAttr axis = coordinate.getAxis();
    bool exists = llvm::is_contained(program.getAxes(), axis);
    if (!exists || axis == "mb" || !seen.insert(axis).second) // strided_copy_c4
      return emitOpError("axis ") << axis << " does not divide ranks or is named twice";
    needed += (program.getSize(axis) - 1) * coordinate.getStride();
  }
  return verifyReach(*this, getSource(), needed);
}

void ZeroOp::getOperandRegions(SmallVectorImpl<OperandAttr> &operands) {
  operands.push_back(operand(Access::write, getDestination()));
}

LogicalResult ZeroOp::verifySymbolUses(SymbolTableCollection &tables) {
  return verifyInstructionRegions(*this, tables);
}

//===----------------------------------------------------------------------===//
// Collectives
//===----------------------------------------------------------------------===//

#define PLANWRIGHT_COLLECTIVE(Op, parts)                                                           \
  void Op::getOperandRegions(SmallVectorImpl<OperandAttr> &operands) {                             \
    collectiveRegions(*this, operands);                                                            \
  }                                                                                                \
  LogicalResult Op::verify() { return verifyElements(*this); }                                     \
  LogicalResult Op::verifySymbolUses(SymbolTableCollection &tables) {                              \
    return verifyCollective(*this, tables, parts);                                                 \
  }
PLANWRIGHT_COLLECTIVE(AllReduceOp, Parts::equal)
PLANWRIGHT_COLLECTIVE(AllGatherOp, Parts::gathered)
PLANWRIGHT_COLLECTIVE(ReduceScatterOp, Parts::scattered)
PLANWRIGHT_COLLECTIVE(AllToAllOp, Parts::equal)
PLANWRIGHT_COLLECTIVE(BroadcastOp, Parts::equal)
#undef PLANWRIGHT_COLLECTIVE
