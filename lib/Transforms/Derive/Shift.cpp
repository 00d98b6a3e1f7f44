// How scalar operations pass on shifts. Not here: tensors (ShiftInvariance.cpp).
#include "lib/Transforms/Derive/Shift.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace planwright {

using Kind = Shift::Kind;

/// The shift that `x` and `y` have in common.
static MaybeShift getCommon(const Shift &x, const Shift &y) {
  if (x == y)
    return x;
  auto fits = [](const Shift &a, const Shift &b) {
    return (a.isInfinite && b.kind == Kind::additive) ||
           (a.isZero && b.kind == Kind::multiplicative);
  };
  if (fits(x, y))
    return y;
  if (fits(y, x))
    return x;
  return std::nullopt;
}

/// The shift of x + sign * y.
static MaybeShift add(const Shift &x, const Shift &y, int sign) {
  if (x.canBe(Kind::additive) && y.canBe(Kind::additive))
    return Shift::make(Kind::additive, x.weight + sign * y.weight);
  return getCommon(x, y);
}

/// The shift of x * y^sign.
MaybeShift multiplyShifts(const Shift &x, const Shift &y, int sign) {
  if (x.canBe(Kind::multiplicative) && y.canBe(Kind::multiplicative))
    return Shift::make(Kind::multiplicative, x.weight + sign * y.weight);
  return std::nullopt;
}

/// A comparison of two values that move together does not change.
static MaybeShift compare(const Shift &x, const Shift &y) {
  return getCommon(x, y) ? MaybeShift(Shift()) : std::nullopt;
}

Shift getConstantShift(Operation &op) {
  Shift shift;
  FloatAttr number;
  if (matchPattern(&op, m_Constant(&number))) {
    shift.isInfinite = number.getValue().isInfinity();
    shift.isZero = number.getValue().isZero();
  }
  return shift;
}

/// The shift of the result of a scalar operation, from those of its operands.
MaybeShift transferShift(Operation &op, ArrayRef<Shift> x) {
  using Result = MaybeShift;
  if (op.hasTrait<OpTrait::ConstantLike>())
    return getConstantShift(op);
  if (llvm::all_of(x, [](const Shift &shift) { return shift.isNone(); }))
    return Shift();
  return TypeSwitch<Operation *, Result>(&op)
      .Case<arith::AddFOp>([&](auto) { return add(x[0], x[1], 1); })
      .Case<arith::SubFOp>([&](auto) { return add(x[0], x[1], -1); })
      .Case<arith::MulFOp>([&](auto) { return multiplyShifts(x[0], x[1], 1); })
      .Case<arith::DivFOp>([&](auto) { return multiplyShifts(x[0], x[1], -1); })
      .Case<arith::NegFOp>([&](auto) -> Result {
        return x[0].kind == Kind::additive ? Shift::make(Kind::additive, -x[0].weight) : x[0];
      })
      .Case<arith::ExtFOp, arith::TruncFOp>([&](auto) { return x[0]; })
      .Case<math::ExpOp>([&](auto) -> Result {
        if (x[0].kind != Kind::additive)
          return std::nullopt;
        return Shift::make(Kind::multiplicative, x[0].weight);
      })
      .Case<math::LogOp>([&](auto) -> Result {
        if (x[0].kind != Kind::multiplicative)
          return std::nullopt;
        return Shift::make(Kind::additive, x[0].weight);
      })
      .Case<arith::MaximumFOp, arith::MinimumFOp, arith::MaxNumFOp, arith::MinNumFOp>(
          [&](auto) { return getCommon(x[0], x[1]); })
      .Case<arith::CmpFOp>([&](auto) { return compare(x[0], x[1]); })
      .Case<math::IsFiniteOp, math::IsInfOp, math::IsNaNOp>([&](auto) { return Shift(); })
      .Case<arith::SelectOp>(
          [&](auto) -> Result { return x[0].isNone() ? getCommon(x[1], x[2]) : std::nullopt; })
      .Default([](Operation *) -> Result { return std::nullopt; });
}

} // namespace planwright
