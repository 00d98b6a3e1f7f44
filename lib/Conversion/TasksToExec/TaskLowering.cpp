// Instructions of a task, in the order of its operations. Not here: what moves between ranks
// (TaskCollectives.cpp).
#include "TaskLowering.h"

#include "planwright/Codegen/Host/Gemm.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace planwright;
using namespace planwright::exec;

/// Whether nothing needs to be in memory for it until somebody asks: fills, splats and empty
/// tensors.
static bool isPutOff(Value value) {
  Operation *op = value.getDefiningOp();
  DenseElementsAttr constant;
  return isa_and_nonnull<linalg::FillOp, tensor::EmptyOp>(op) ||
         (op && matchPattern(op, m_Constant(&constant)));
}

//===----------------------------------------------------------------------===//
// Places
//===----------------------------------------------------------------------===//

void TaskLowering::copy(Location loc, Place from, Place to, Type type) {
  auto tensor = cast<RankedTensorType>(type);
  if (!(from == to))
    CopyOp::create(builder, loc, from.getRegion(tensor), to.getRegion(tensor));
}

/// The scalar that a fill or a splat constant holds everywhere, if it is one.
static TypedAttr getFillScalar(Value value) {
  DenseElementsAttr constant;
  if (matchPattern(value, m_Constant(&constant)) && constant.isSplat())
    return cast<TypedAttr>(constant.getSplatValue<Attribute>());
  if (auto fill = value.getDefiningOp<linalg::FillOp>()) {
    Attribute scalar;
    if (matchPattern(fill.getInputs().front(), m_Constant(&scalar)))
      return dyn_cast<TypedAttr>(scalar);
  }
  return {};
}

/// All bits are zero (which -0.0 is not).
static bool isZeroBits(TypedAttr scalar) {
  if (auto integer = dyn_cast<IntegerAttr>(scalar))
    return integer.getValue().isZero();
  if (auto real = dyn_cast<FloatAttr>(scalar))
    return real.getValue().isPosZero();
  return false;
}

LogicalResult TaskLowering::fill(Place place, Value value) {
  TypedAttr scalar = getFillScalar(value);
  if (scalar && isZeroBits(scalar)) {
    ZeroOp::create(builder, value.getLoc(), getRegion(place, value));
    return success();
  }
  if (auto op = value.getDefiningOp<linalg::FillOp>())
    return launch(op, {{value, place}});
  // A splat constant is filled by a kernel of its own: as a literal it would swell the plan.
  OpBuilder tensors(value.getDefiningOp());
  Location loc = value.getLoc();
  auto type = getTensorType(value);
  Value element = arith::ConstantOp::create(tensors, loc, scalar);
  Value empty = tensor::EmptyOp::create(tensors, loc, type.getShape(), type.getElementType());
  auto made = linalg::FillOp::create(tensors, loc, element, empty);
  return launch(made, {{made.getResult(0), place}});
}

FailureOr<Place> TaskLowering::read(Value value) {
  value = getStorage(value);
  if (Place place = places.lookup(value))
    return place;
  Place &place = places[value];
  DenseElementsAttr constant;
  if (matchPattern(value, m_Constant(&constant)) && !constant.isSplat())
    return place = program.getLiteral(value.getLoc(), constant);
  place = program.makeTemporary(value.getLoc(), getTensorType(value));
  Place made = place;
  if (value.getDefiningOp<tensor::EmptyOp>())
    return made; // whoever reads it reads nothing in particular
  if (!isPutOff(value))
    return emitError(value.getLoc()) << "has no place yet", failure();
  if (failed(fill(made, value)))
    return failure();
  return made;
}

Place TaskLowering::write(OpResult result) {
  plan::ObjectAttr object = destinations.lookup(result);
  Place place = object ? program.getObject(object)
                       : program.makeTemporary(result.getLoc(), getTensorType(result));
  places[result] = place;
  return place;
}

bool TaskLowering::mayOverwrite(Place place, Value value, Operation *op) {
  BufferKind kind = place.buffer.getKind();
  if (kind != BufferKind::temporary)
    return false;
  return isDeadAfter(value, op, value);
}

FailureOr<Place> TaskLowering::update(OpResult result, Value updated) {
  Value storage = getStorage(updated);
  Place old = places.lookup(storage);
  plan::ObjectAttr object = destinations.lookup(result);
  bool isInPlace = old && (object ? old == program.getObject(object)
                                  : mayOverwrite(old, storage, result.getOwner()));
  if (isInPlace)
    return places[result] = old;
  Place place = write(result);
  if (old || !isPutOff(storage)) {
    FailureOr<Place> from = read(storage);
    if (failed(from))
      return failure();
    copy(result.getLoc(), *from, place, updated.getType());
    return place;
  }
  if (storage.getDefiningOp<tensor::EmptyOp>())
    return place;
  DenseElementsAttr constant;
  if (matchPattern(storage, m_Constant(&constant)) && !constant.isSplat()) {
    copy(result.getLoc(), program.getLiteral(storage.getLoc(), constant), place, updated.getType());
    return place;
  }
  if (failed(fill(place, storage)))
    return failure();
  return place;
}

//===----------------------------------------------------------------------===//
// The families
//===----------------------------------------------------------------------===//

FailureOr<bool> TaskLowering::tryNothing(Operation *op) {
  bool isScalarConstant = op->hasTrait<OpTrait::ConstantLike>();
  return isScalarConstant || getReshaped(op) ||
         (op->getNumResults() == 1 && isPutOff(op->getResult(0)));
}

static GemmShapeAttr getShape(MLIRContext *context, const codegen::GemmDescriptor &gemm) {
  SmallVector<GemmLoopAttr> loops =
      llvm::map_to_vector(gemm.loops, [&](const codegen::GemmLoop &loop) {
        return GemmLoopAttr::get(context, loop.extent, loop.aStride, loop.bStride, loop.cStride);
      });
  return GemmShapeAttr::get(context, gemm.m, gemm.n, gemm.k, {gemm.aMStride, gemm.aKStride},
                            {gemm.bKStride, gemm.bNStride}, {gemm.cMStride, gemm.cNStride}, loops);
}

FailureOr<bool> TaskLowering::tryGemm(Operation *op) {
  auto contract = dyn_cast<linalg::ContractOp>(op);
  if (!contract)
    return false;
  FailureOr<codegen::GemmDescriptor> gemm = codegen::describeGemm(contract);
  if (failed(gemm))
    return false;
  FailureOr<Place> a = read(gemm->a), b = read(gemm->b);
  if (failed(a) || failed(b))
    return failure();
  auto result = cast<OpResult>(contract->getResult(0));
  FailureOr<Place> c = gemm->accumulate ? update(result, contract.getOutputs().front())
                                        : FailureOr<Place>(write(result));
  if (failed(c))
    return failure();
  GemmOp::create(builder, op->getLoc(), getRegion(*a, gemm->a), getRegion(*b, gemm->b),
                 getRegion(*c, result), getShape(op->getContext(), *gemm), gemm->elementType,
                 gemm->accumulate);
  return true;
}

/// Launches the kernel of `op`; places of some of its values are known to the caller, for the
/// others they are found.
LogicalResult TaskLowering::launch(Operation *op, ArrayRef<std::pair<Value, Place>> known) {
  FailureOr<codegen::HostKernel> kernel = kernels.add(op);
  if (failed(kernel))
    return failure();
  auto find = [&](Value value) -> Place {
    for (auto [of, place] : known)
      if (of == value)
        return place;
    return {};
  };
  // Reads come first: an operand made on demand must not land in a place that this operation
  // writes.
  SmallVector<Place> operandPlaces(kernel->operands.size());
  for (auto [operand, place] : llvm::zip_equal(kernel->operands, operandPlaces)) {
    if (operand.written)
      continue;
    FailureOr<Place> found = read(operand.read);
    if (failed(found))
      return failure();
    place = *found;
  }
  SmallVector<Attribute> operands;
  for (auto [operand, place] : llvm::zip_equal(kernel->operands, operandPlaces)) {
    bool readsUndefined = operand.read && getStorage(operand.read).getDefiningOp<tensor::EmptyOp>();
    Access access = !operand.written                  ? Access::read
                    : operand.read && !readsUndefined ? Access::update
                                                      : Access::write;
    if (operand.written && !(place = find(operand.written))) {
      auto result = cast<OpResult>(operand.written);
      FailureOr<Place> found =
          operand.read ? update(result, operand.read) : FailureOr<Place>(write(result));
      if (failed(found))
        return failure();
      place = *found;
    }
    Value value = operand.written ? operand.written : operand.read;
    operands.push_back(OperandAttr::get(op->getContext(), access, getRegion(place, value)));
  }
  LaunchOp::create(builder, op->getLoc(), program.getKernel(kernel->symbol, kernel->family),
                   builder.getArrayAttr(operands), kernel->count, kernel->grain);
  return success();
}

FailureOr<bool> TaskLowering::tryKernel(Operation *op) {
  if (failed(launch(op, {})))
    return failure();
  return true;
}

/// Brings results that were not computed into their objects there. Copies read before any of them
/// writes.
LogicalResult TaskLowering::lowerReturn(Operation *op) {
  struct Move {
    Value value;
    Place from, to;
  };
  SmallVector<Move> moves;
  for (OpOperand &operand : op->getOpOperands()) {
    auto object = task.getResultAttrOfType<plan::ObjectAttr>(operand.getOperandNumber(),
                                                             plan::kObjectAttrName);
    Place to = program.getObject(object);
    Value storage = getStorage(operand.get());
    Place from = places.lookup(storage);
    if (from == to)
      continue;
    if (!from && isPutOff(storage) && getFillScalar(storage)) {
      if (failed(fill(to, storage)))
        return failure();
      continue;
    }
    FailureOr<Place> found = read(storage);
    if (failed(found))
      return failure();
    moves.push_back({operand.get(), *found, to});
  }
  for (Move &move : moves) {
    bool isOverwritten = llvm::any_of(moves, [&](Move &other) { return other.to == move.from; });
    if (!isOverwritten)
      continue;
    Place stage = program.makeTemporary(move.value.getLoc(), getTensorType(move.value));
    copy(op->getLoc(), move.from, stage, move.value.getType());
    move.from = stage;
  }
  for (Move &move : moves)
    copy(op->getLoc(), move.from, move.to, move.value.getType());
  return success();
}

LogicalResult TaskLowering::lower(Operation &op) {
  using Family = FailureOr<bool> (TaskLowering::*)(Operation *);
  static constexpr Family families[] = {
      &TaskLowering::tryNothing,  &TaskLowering::tryGemm,      &TaskLowering::tryAllReduce,
      &TaskLowering::tryAllSlice, &TaskLowering::tryAllGather, &TaskLowering::tryReduceScatter,
      &TaskLowering::tryAllToAll, &TaskLowering::tryKernel};
  for (Family family : families) {
    FailureOr<bool> isDone = (this->*family)(&op);
    if (failed(isDone))
      return failure();
    if (*isDone)
      return success();
  }
  return op.emitOpError("has no instruction");
}

LogicalResult TaskLowering::run(SubprogramOp subprogram) {
  builder.setInsertionPointToEnd(&subprogram.getBody().front());
  for (BlockArgument argument : task.getArguments())
    places[argument] = program.getObject(
        task.getArgAttrOfType<plan::ObjectAttr>(argument.getArgNumber(), plan::kObjectAttrName));
  Block &block = task.getBody().front();
  for (Operation &op : llvm::make_early_inc_range(block.without_terminator()))
    if (failed(lower(op)))
      return failure();
  return lowerReturn(block.getTerminator());
}
