// Where gradient enters the body of a linalg.generic: at the yielded scalar of a pointwise
// operation, at the scalar that a reduction folds in. Not here: how it flows back from there
// (GenericGradient.cpp).
#include "lib/Interfaces/Derivative/GenericGradient.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace planwright {

LogicalResult GenericGradient::addSeed(unsigned index) {
  Cotangent gradient = context.getCotangent(op.getResult(index));
  if (!gradient)
    return success();
  AffineMap map = getResultMap(index);
  if (!isReduction()) {
    seedPlain(op.getBody()->getTerminator()->getOperand(index), gradient, map);
    return success();
  }
  Combiner combiner = matchCombiner(op, index);
  Value init = op.getDpsInits()[index];
  if (combiner.kind == Combiner::Kind::sum) {
    if (context.isActive(init))
      context.add(init, gradient);
    seedPlain(combiner.scalar, gradient, map);
    return success();
  }
  if (context.isActive(init))
    return op.emitOpError("cannot be differentiated: result ")
           << index << " starts from a value that has a gradient, and is not a sum";
  if (auto position = findPosition(); position && combiner.scalar) {
    seedChoice(combiner.scalar, position->first, position->second, gradient, map);
    return success();
  }
  if (combiner.kind == Combiner::Kind::extremum)
    return seedExtremum(combiner.scalar, index, gradient, map);
  return op.emitOpError("cannot be differentiated: the reduction of result ")
         << index << " is no sum, maximum, minimum or choice by index";
}

/// The candidate for an integer result that tells which element the others were taken from, and
/// that result's number.
std::optional<std::pair<Value, unsigned>> GenericGradient::findPosition() {
  for (unsigned index = 0; index < op.getNumResults(); ++index) {
    Combiner combiner = matchCombiner(op, index);
    if (combiner.kind == Combiner::Kind::choice && isa<IntegerType>(combiner.scalar.getType()))
      return std::pair(combiner.scalar, index);
  }
  return std::nullopt;
}

/// The gradient of the result is the gradient of the scalar.
void GenericGradient::seedPlain(Value scalar, Cotangent gradient, AffineMap map) {
  BodySeed seed{scalar, {{gradient.tensor, gradient.map.compose(map)}}, nullptr};
  Type type = scalar.getType();
  seed.build = [type, loc = loc](OpBuilder &body, const IRMapping &, ValueRange inputs) {
    return Scalar(body, loc, inputs[0]).convert(type).getValue();
  };
  seeds.push_back(std::move(seed));
}

/// Every element equal to the maximum (or minimum) gets the same share of the gradient.
LogicalResult GenericGradient::seedExtremum(Value scalar, unsigned index, Cotangent gradient,
                                            AffineMap map) {
  Value result = context.getPrimal(op.getResult(index));
  Type type = scalar.getType();
  Type wide = type.getIntOrFloatBitWidth() < 32 ? builder.getF32Type() : type;

  GenericBuilder count(builder, loc, loopSizes);
  IRMapping forward;
  if (failed(copyBody(count, forward)))
    return failure();
  Scalar element(count.getBody(), loc, forward.lookup(scalar));
  Scalar extremum(count.getBody(), loc, count.read(result, map));
  Scalar one(count.getBody(), loc,
             arith::ConstantOp::create(count.getBody(), loc, builder.getFloatAttr(wide, 1.0)));
  Scalar isWinner = select(equal(element, extremum), one, one.constant(0));
  Value winners = count.finishSum({isWinner.getValue(), map});

  auto resultType = cast<RankedTensorType>(result.getType());
  AffineMap identity = builder.getMultiDimIdentityMap(resultType.getRank());
  GenericBuilder divide(builder, loc, resultType.getShape());
  Scalar g(divide.getBody(), loc, divide.read(gradient.tensor, gradient.map));
  Scalar n(divide.getBody(), loc, divide.read(winners, identity));
  Value share =
      divide.finishPointwise({{(g.convert(wide) / n).convert(type).getValue(), identity}}).front();

  BodySeed seed{scalar, {{share, map}, {result, map}}, nullptr};
  seed.build = [scalar, loc = loc](OpBuilder &body, const IRMapping &forward, ValueRange inputs) {
    Scalar share(body, loc, inputs[0]);
    Scalar wins = equal(Scalar(body, loc, forward.lookup(scalar)), Scalar(body, loc, inputs[1]));
    return select(wins, share, share.constant(0)).getValue();
  };
  seeds.push_back(std::move(seed));
  return success();
}

/// The element at the chosen position gets the gradient.
void GenericGradient::seedChoice(Value scalar, Value position, unsigned positionIndex,
                                 Cotangent gradient, AffineMap map) {
  Value chosen = context.getPrimal(op.getResult(positionIndex));
  BodySeed seed{
      scalar,
      {{gradient.tensor, gradient.map.compose(map)}, {chosen, getResultMap(positionIndex)}},
      nullptr};
  seed.build = [scalar, position, loc = loc](OpBuilder &body, const IRMapping &forward,
                                             ValueRange inputs) {
    Value isChosen = arith::CmpIOp::create(body, loc, arith::CmpIPredicate::eq,
                                           forward.lookup(position), inputs[1]);
    Scalar g = Scalar(body, loc, inputs[0]).convert(scalar.getType());
    return select(Scalar(body, loc, isChosen), g, g.constant(0)).getValue();
  };
  seeds.push_back(std::move(seed));
}

} // namespace planwright
