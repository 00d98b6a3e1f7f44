// The choice between saving and computing again. All steps are one walk over the forward function
// each.
//
//   1. requireOperands   back to front: what must be computed again asks for its operands
//   2. findRecomputable  front to back: what could be computed again from values that are there
//   anyway
//   3. finish            back to front: each value that is read is cloned before its first user, or
//   saved
//
// Not here: what is read (FunctionDerivative.cpp).
#include "lib/Transforms/Derive/Residuals.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace planwright {

/// Values that `op` or its regions (the padding of tensor.pad) use.
static SmallVector<Value> getInputs(Operation &op) {
  llvm::SetVector<Value> inputs(op.operand_begin(), op.operand_end());
  getUsedValuesDefinedAbove(op.getRegions(), inputs);
  return inputs.takeVector();
}

static bool isFloat(Value value) { return isa<FloatType>(getElementTypeOrSelf(value.getType())); }

/// A reshape is free, and its operand serves as well as its result.
static bool isReshape(Operation &op) {
  return isa<tensor::ExpandShapeOp, tensor::CollapseShapeOp>(op);
}

/// Element by element, or a copy: as cheap as reading the saved result.
static bool isPointwiseOrCopy(Operation &op) {
  if (auto structured = dyn_cast<linalg::LinalgOp>(op))
    return structured.getNumReductionLoops() == 0;
  return isa_and_present<tensor::TensorDialect>(op.getDialect());
}

Value Residuals::get(Value value) {
  if (auto argument = dyn_cast<BlockArgument>(value))
    return backward.getArgument(argument.getArgNumber());
  Value &placeholder = placeholders[value];
  if (!placeholder) {
    OpBuilder builder = OpBuilder::atBlockBegin(&backward.getBody().front());
    Operation *definition = value.getDefiningOp();
    // A constant is what it is: rules look at its value.
    if (definition->hasTrait<OpTrait::ConstantLike>())
      placeholder = builder.clone(*definition)->getResult(0);
    else
      placeholder =
          UnrealizedConversionCastOp::create(builder, value.getLoc(), value.getType(), ValueRange())
              .getResult(0);
  }
  return placeholder;
}

bool Residuals::isRead(Operation &op) const {
  return !op.hasTrait<OpTrait::ConstantLike>() &&
         llvm::any_of(op.getResults(), [&](Value v) { return placeholders.contains(v); });
}

/// Forgets values that were asked for and not used after all.
void Residuals::dropUnused(Operation &op) {
  for (Value result : op.getResults()) {
    Value placeholder = placeholders.lookup(result);
    if (!placeholder || !placeholder.use_empty())
      continue;
    placeholder.getDefiningOp()->erase();
    placeholders.erase(result);
  }
}

/// Values that are never saved: integers, what depends on no argument with a gradient, reshapes. A
/// call's results and contractions are saved even so.
bool Residuals::mustRecompute(Operation &op) const {
  if (!isMemoryEffectFree(&op))
    return false;
  auto isWantedInteger = [&](Value v) { return !isFloat(v) && placeholders.contains(v); };
  if (llvm::any_of(op.getResults(), isWantedInteger) || isReshape(op))
    return true;
  bool isActive = llvm::any_of(op.getResults(), [&](Value v) { return active.contains(v); });
  return !isActive && !isa<linalg::ContractionOpInterface>(op);
}

/// Values that need not be saved if their operands are there.
bool Residuals::mayRecompute(Operation &op) const {
  if (!isMemoryEffectFree(&op))
    return false;
  bool isActive = llvm::any_of(op.getResults(), [&](Value v) { return active.contains(v); });
  if (!isActive)
    return !isa<linalg::ContractionOpInterface>(op);
  return isReshape(op) || (recomputePointwise && isPointwiseOrCopy(op));
}

static int64_t getBytes(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  return type ? type.getNumElements() * type.getElementTypeBitWidth() / 8 : 0;
}

/// Whether `op` can be computed again from less than its results take: a cast to a wider type, a
/// broadcast. Inputs that are there anyway take nothing.
bool Residuals::hasSmallerInputs(Operation &op) const {
  if (!recomputePointwise || !isPointwiseOrCopy(op) || !isMemoryEffectFree(&op))
    return false;
  int64_t bytes = 0;
  for (Value result : op.getResults())
    if (placeholders.contains(result))
      bytes += getBytes(result);
  for (Value input : getInputs(op))
    if (active.contains(input) && !isa<BlockArgument>(input) && !placeholders.contains(input))
      bytes -= getBytes(input);
  return bytes > 0;
}

void Residuals::requireOperands() {
  for (Operation &op : llvm::reverse(forward.getBody().front()))
    if (isRead(op) && (mustRecompute(op) || hasSmallerInputs(op)))
      for (Value input : getInputs(op))
        get(input);
}

llvm::DenseSet<Operation *> Residuals::findRecomputable() {
  llvm::DenseSet<Operation *> recomputable;
  auto isThere = [&](Value value) {
    return isa<BlockArgument>(value) || placeholders.contains(value) ||
           recomputable.contains(value.getDefiningOp());
  };
  for (Operation &op : forward.getBody().front())
    if (mayRecompute(op) && llvm::all_of(getInputs(op), isThere))
      recomputable.insert(&op);
  return recomputable;
}

/// Numbers the backward function's operations. Block::isBeforeInBlock would number them again and
/// again, for clones come in between.
void Residuals::numberOperations() {
  for (Operation &op : backward.getBody().front()) {
    numbers[&op] = firstOfNumber.size();
    firstOfNumber.push_back(&op);
  }
}

/// The number of the first operation in the backward function that reads a placeholder of `op`'s
/// results.
unsigned Residuals::getFirstUser(Operation &op) {
  Block &body = backward.getBody().front();
  unsigned first = firstOfNumber.size() - 1;
  for (Value result : op.getResults())
    if (Value placeholder = placeholders.lookup(result))
      for (Operation *user : placeholder.getUsers())
        if (Operation *ancestor = body.findAncestorOpInBlock(*user))
          first = std::min(first, numbers.lookup(ancestor));
  return first;
}

/// Clones `op` before the first user of its results. As late as possible, so that the clone lives
/// as short as possible. Operations come here back to front, so that this one precedes all clones
/// that are before the same user.
void Residuals::recompute(Operation &op) {
  unsigned number = getFirstUser(op);
  OpBuilder builder(firstOfNumber[number]);
  IRMapping mapping;
  for (Value input : getInputs(op))
    mapping.map(input, get(input));
  Operation *clone = builder.clone(op, mapping);
  numbers[clone] = number;
  firstOfNumber[number] = clone;
  for (auto [result, copy] : llvm::zip_equal(op.getResults(), clone->getResults()))
    if (Value placeholder = placeholders.lookup(result)) {
      placeholder.replaceAllUsesWith(copy);
      placeholder.getDefiningOp()->erase();
      placeholders[result] = copy;
    }
}

SmallVector<Value> Residuals::finish() {
  requireOperands();
  numberOperations();
  llvm::DenseSet<Operation *> recomputable = findRecomputable();
  SmallVector<Value> saved;
  for (Operation &op : llvm::reverse(forward.getBody().front())) {
    dropUnused(op);
    if (!isRead(op))
      continue;
    if (mustRecompute(op) || recomputable.contains(&op)) {
      recompute(op);
      continue;
    }
    for (Value result : llvm::reverse(op.getResults()))
      if (placeholders.contains(result))
        saved.push_back(result);
  }
  std::reverse(saved.begin(), saved.end());
  Block &body = backward.getBody().front();
  for (auto [index, value] : llvm::enumerate(saved)) {
    Value argument =
        body.insertArgument(forward.getNumArguments() + index, value.getType(), value.getLoc());
    Value placeholder = placeholders.lookup(value);
    placeholder.replaceAllUsesWith(argument);
    placeholder.getDefiningOp()->erase();
  }
  return saved;
}

} // namespace planwright
