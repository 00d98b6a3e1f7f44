// The derivative of linalg.generic. The scalar body is differentiated in reverse mode
// (ScalarReverse) inside new generics over the same loops: one pointwise generic for all operands
// that have every loop, and one sum per operand that is broadcast over some. Not here: combiners of
// reductions (Combiner.cpp).
#include "lib/Interfaces/Derivative/GenericGradient.h"

#include "lib/Interfaces/Derivative/ScalarReverse.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace planwright {

LogicalResult GenericGradient::build() {
  for (unsigned index = 0; index < op.getNumResults(); ++index)
    if (failed(addSeed(index)))
      return failure();
  if (seeds.empty())
    return success();
  SmallVector<Target> whole, broadcast;
  for (Target &target : findTargets())
    (target.hasAllLoops() ? whole : broadcast).push_back(target);
  if (!whole.empty() && failed(buildWhole(whole, broadcast)))
    return failure();
  for (const Target &target : broadcast)
    if (failed(buildBroadcast(target)))
      return failure();
  return success();
}

//===----------------------------------------------------------------------===//
// Targets
//===----------------------------------------------------------------------===//

SmallVector<Target> GenericGradient::findTargets() {
  SmallVector<Target> targets;
  for (OpOperand &operand : op->getOpOperands()) {
    BlockArgument scalar = op.getMatchingBlockArgument(&operand);
    bool isAccumulator = op.isDpsInit(&operand) && isReduction();
    if (isAccumulator || !context.isActive(operand.get()) || scalar.use_empty())
      continue;
    AffineMap map = op.getMatchingIndexingMap(&operand);
    auto *same = llvm::find_if(targets, [&](const Target &target) {
      return target.tensor == operand.get() && target.map == map;
    });
    if (same == targets.end())
      targets.push_back({operand.get(), map, {scalar}});
    else
      same->scalars.push_back(scalar);
  }
  return targets;
}

/// Builds in `generic` the gradient scalar of each target; null where nothing flows.
FailureOr<SmallVector<Scalar>> GenericGradient::differentiate(GenericBuilder &generic,
                                                              ArrayRef<Target> targets) {
  IRMapping forward;
  if (failed(copyBody(generic, forward)))
    return failure();
  ScalarReverse reverse(generic.getBody(), loc, forward);
  for (const BodySeed &seed : seeds) {
    SmallVector<Value> scalars;
    for (const BodySeed::Input &input : seed.inputs)
      scalars.push_back(generic.read(input.tensor, input.map));
    reverse.seed(seed.scalar, seed.build(generic.getBody(), forward, scalars));
  }
  SmallVector<Value> scalars;
  for (const Target &target : targets)
    scalars.append(target.scalars);
  if (failed(reverse.run(*op.getBody(), scalars)))
    return reportRefused(reverse.getRefused());
  SmallVector<Scalar> gradients;
  for (const Target &target : targets) {
    Scalar sum;
    for (Value scalar : target.scalars)
      if (Value gradient = reverse.get(scalar)) {
        Scalar term(generic.getBody(), loc, gradient);
        sum = sum ? sum + term : term;
      }
    gradients.push_back(sum);
  }
  return gradients;
}

/// 1 if the scalars are equal, -1 if one is the other negated, else 0.
static int compareScalars(Scalar x, Scalar y) {
  auto isNegation = [](Scalar a, Scalar b) {
    auto negation = a.getValue().getDefiningOp<arith::NegFOp>();
    return negation && negation.getOperand() == b.getValue();
  };
  if (x.getValue() == y.getValue())
    return 1;
  return isNegation(x, y) || isNegation(y, x) ? -1 : 0;
}

/// Builds one pointwise generic for the `whole` targets. Of the `broadcast` ones those are taken
/// out whose gradient is the same scalar: a bias is the sum of what it was added to.
LogicalResult GenericGradient::buildWhole(ArrayRef<Target> whole,
                                          SmallVectorImpl<Target> &broadcast) {
  GenericBuilder generic(builder, loc, loopSizes);
  SmallVector<Target> all(whole);
  all.append(broadcast.begin(), broadcast.end());
  FailureOr<SmallVector<Scalar>> gradients = differentiate(generic, all);
  if (failed(gradients))
    return failure();
  SmallVector<GenericBuilder::Yield> yields;
  SmallVector<unsigned> yielded;
  for (auto [index, target] : llvm::enumerate(whole)) {
    Scalar gradient = (*gradients)[index];
    if (!gradient || tryConstant(target, gradient.getValue()) ||
        tryForward(generic, target, gradient.getValue()))
      continue;
    yields.push_back({convertForTarget(generic, target, gradient.getValue()), target.map});
    yielded.push_back(index);
  }
  if (yields.empty())
    return success();

  struct Rider {
    Target target;
    unsigned yield;
    int sign;
  };
  SmallVector<Rider> riders;
  SmallVector<Target> rest;
  for (auto [index, target] : llvm::enumerate(broadcast)) {
    Scalar gradient = (*gradients)[whole.size() + index];
    if (!gradient)
      continue;
    auto *same = llvm::find_if(
        yielded, [&](unsigned other) { return compareScalars(gradient, (*gradients)[other]); });
    if (same == yielded.end())
      rest.push_back(target);
    else
      riders.push_back({target, static_cast<unsigned>(same - yielded.begin()),
                        compareScalars(gradient, (*gradients)[*same])});
  }
  broadcast = std::move(rest);
  SmallVector<Value> results = generic.finishPointwise(yields);
  for (auto [index, result] : llvm::zip_equal(yielded, results))
    context.add(whole[index].tensor, makeCotangent(result));
  for (const Rider &rider : riders)
    buildRider(rider.target, results[rider.yield], yields[rider.yield].map, rider.sign);
  return success();
}

/// Sums `gradient`, which has all loops, over those that `target` lacks.
void GenericGradient::buildRider(const Target &target, Value gradient, AffineMap map, int sign) {
  GenericBuilder generic(builder, loc, loopSizes);
  Scalar scalar(generic.getBody(), loc, generic.read(gradient, map));
  scalar = sign < 0 ? -scalar : scalar;
  Value converted = convertForTarget(generic, target, scalar.getValue());
  context.add(target.tensor, makeCotangent(generic.finishSum({converted, target.map})));
}

/// Builds a sum over the loops that `target` lacks.
LogicalResult GenericGradient::buildBroadcast(const Target &target) {
  GenericBuilder generic(builder, loc, loopSizes);
  FailureOr<SmallVector<Scalar>> gradients = differentiate(generic, target);
  if (failed(gradients))
    return failure();
  Value gradient = gradients->front().getValue();
  if (!gradient || tryConstant(target, gradient))
    return success();
  Value converted = convertForTarget(generic, target, gradient);
  context.add(target.tensor, makeCotangent(generic.finishSum({converted, target.map})));
  return success();
}

/// Copies the forward body, which reads the forward operation's inputs. What depends on the
/// accumulators of a reduction is left out.
LogicalResult GenericGradient::copyBody(GenericBuilder &generic, IRMapping &forward) {
  llvm::DenseSet<Value> skipped;
  for (OpOperand &operand : op->getOpOperands()) {
    BlockArgument scalar = op.getMatchingBlockArgument(&operand);
    if (op.isDpsInit(&operand) && isReduction()) {
      skipped.insert(scalar);
      continue;
    }
    Value tensor = operand.get();
    forward.map(scalar, generic.read(scalar.getType(), op.getMatchingIndexingMap(&operand),
                                     getSplat(tensor),
                                     [this, tensor] { return context.getPrimal(tensor); }));
  }
  for (Operation &inner : op.getBody()->without_terminator()) {
    if (llvm::any_of(inner.getOperands(), [&](Value v) { return skipped.contains(v); })) {
      skipped.insert_range(inner.getResults());
      continue;
    }
    for (Value operand : inner.getOperands()) {
      if (forward.contains(operand))
        continue;
      Operation *constant = operand.getDefiningOp();
      if (!constant || !constant->hasTrait<OpTrait::ConstantLike>())
        return op.emitOpError("cannot be differentiated: its body captures a value");
      generic.getBody().clone(*constant, forward);
    }
    generic.getBody().clone(inner, forward);
  }
  return success();
}

/// Where the gradient is a scalar that was read as it stands (or in another float type), the tensor
/// it was read from is the gradient.
bool GenericGradient::tryForward(GenericBuilder &generic, const Target &target, Value scalar) {
  if (auto narrowed = scalar.getDefiningOp<arith::TruncFOp>())
    scalar = narrowed.getIn();
  else if (auto widened = scalar.getDefiningOp<arith::ExtFOp>())
    scalar = widened.getIn();
  const GenericBuilder::Input *input = generic.getInput(scalar);
  if (!input || !target.hasAllLoops())
    return false;
  AffineMap map = input->map.compose(inversePermutation(target.map));
  context.add(target.tensor, {input->getTensor(), map});
  return true;
}

/// Where the gradient is one number, it is a constant times the number of elements that are summed.
bool GenericGradient::tryConstant(const Target &target, Value scalar) {
  FloatAttr number;
  if (!matchPattern(scalar, m_Constant(&number)))
    return false;
  double sum = number.getValueAsDouble();
  for (unsigned loop = 0; loop < loopSizes.size(); ++loop)
    if (!target.map.isFunctionOfDim(loop))
      sum *= static_cast<double>(loopSizes[loop]);
  Type elementType = context.getGradientElementType(target.tensor);
  auto type = RankedTensorType::get({}, elementType);
  Value tensor = arith::ConstantOp::create(
      builder, loc, DenseElementsAttr::get(type, builder.getFloatAttr(elementType, sum)));
  AffineMap map = AffineMap::get(target.map.getNumResults(), 0, builder.getContext());
  context.add(target.tensor, {tensor, map});
  return true;
}

/// The gradient in the type that it is kept in. Sums of narrow scalars are made in f32.
Value GenericGradient::convertForTarget(GenericBuilder &generic, const Target &target,
                                        Value scalar) {
  Type type = context.getGradientElementType(target.tensor);
  if (!target.hasAllLoops() && type.getIntOrFloatBitWidth() < 32)
    type = builder.getF32Type();
  if (auto narrowed = scalar.getDefiningOp<arith::TruncFOp>())
    if (narrowed.getIn().getType() == type)
      return narrowed.getIn();
  return Scalar(generic.getBody(), loc, scalar).convert(type).getValue();
}

LogicalResult GenericGradient::reportRefused(ArrayRef<Operation *> refused) {
  InFlightDiagnostic error =
      op.emitOpError("cannot be differentiated: no derivative is known for ");
  llvm::SmallSetVector<StringRef, 4> names;
  for (Operation *inner : refused)
    names.insert(inner->getName().getStringRef());
  llvm::interleaveComma(names, error, [&](StringRef name) { error << "'" << name << "'"; });
  return error;
}

LogicalResult buildGenericGradients(linalg::GenericOp op, OpBuilder &builder,
                                    GradientContext &context) {
  return GenericGradient(op, builder, context).build();
}

} // namespace planwright
