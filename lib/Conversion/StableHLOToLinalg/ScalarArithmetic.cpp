// Scalar rules: sums, products, quotients, extrema, powers, and what rounds.
#include "ScalarRules.h"

#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace planwright {

static Value emitAdd(const ScalarOp &s) {
  if (s.isFloat())
    return s.make<arith::AddFOp>(s.x[0], s.x[1]);
  return s.isBoolean() ? s.make<arith::OrIOp>(s.x[0], s.x[1])
                       : s.make<arith::AddIOp>(s.x[0], s.x[1]);
}

static Value emitSubtract(const ScalarOp &s) {
  return s.isFloat() ? s.make<arith::SubFOp>(s.x[0], s.x[1])
                     : s.make<arith::SubIOp>(s.x[0], s.x[1]);
}

static Value emitMultiply(const ScalarOp &s) {
  if (s.isFloat())
    return s.make<arith::MulFOp>(s.x[0], s.x[1]);
  return s.isBoolean() ? s.make<arith::AndIOp>(s.x[0], s.x[1])
                       : s.make<arith::MulIOp>(s.x[0], s.x[1]);
}

static Value emitNegate(const ScalarOp &s) {
  return s.isFloat() ? s.make<arith::NegFOp>(s.x[0]) : s.make<arith::SubIOp>(s.number(0), s.x[0]);
}

static Value emitMaximum(const ScalarOp &s) {
  if (s.isFloat())
    return s.make<arith::MaximumFOp>(s.x[0], s.x[1]);
  return s.isUnsigned() ? s.make<arith::MaxUIOp>(s.x[0], s.x[1])
                        : s.make<arith::MaxSIOp>(s.x[0], s.x[1]);
}

static Value emitMinimum(const ScalarOp &s) {
  if (s.isFloat())
    return s.make<arith::MinimumFOp>(s.x[0], s.x[1]);
  return s.isUnsigned() ? s.make<arith::MinUIOp>(s.x[0], s.x[1])
                        : s.make<arith::MinSIOp>(s.x[0], s.x[1]);
}

/// The bounds come first and last, the operand in the middle.
static Value emitClamp(const ScalarOp &s) {
  Value bounds[] = {s.x[1], s.x[0]};
  Value atLeast = emitMaximum({s.b, s.loc, s.op, bounds, s.type});
  Value pair[] = {atLeast, s.x[2]};
  return emitMinimum({s.b, s.loc, s.op, pair, s.type});
}

static Value isZero(const ScalarOp &s, Value value) {
  return s.make<arith::CmpIOp>(arith::CmpIPredicate::eq, value, s.number(value.getType(), 0));
}

/// A divisor that never traps: the specification leaves division by zero open, a program must
/// survive it.
static Value guardDivisor(const ScalarOp &s) {
  return s.make<arith::SelectOp>(isZero(s, s.x[1]), s.number(1), s.x[1]);
}

static Value emitDivide(const ScalarOp &s) {
  if (s.isFloat())
    return s.make<arith::DivFOp>(s.x[0], s.x[1]);
  Value divisor = guardDivisor(s);
  Value quotient = s.isUnsigned() ? s.make<arith::DivUIOp>(s.x[0], divisor)
                                  : s.make<arith::DivSIOp>(s.x[0], divisor);
  return s.make<arith::SelectOp>(isZero(s, s.x[1]), s.number(-1), quotient);
}

static Value emitRemainder(const ScalarOp &s) {
  if (s.isFloat())
    return s.make<arith::RemFOp>(s.x[0], s.x[1]);
  Value divisor = guardDivisor(s);
  Value remainder = s.isUnsigned() ? s.make<arith::RemUIOp>(s.x[0], divisor)
                                   : s.make<arith::RemSIOp>(s.x[0], divisor);
  return s.make<arith::SelectOp>(isZero(s, s.x[1]), s.x[0], remainder);
}

static Value emitSquare(const ScalarOp &s) {
  Value twice[] = {s.x[0], s.x[0]};
  return emitMultiply({s.b, s.loc, s.op, twice, s.type});
}

/// Exponents that are small whole numbers become products: exact, cheap, and differentiable at zero
/// and below.
static Value emitSmallPower(const ScalarOp &s) {
  FloatAttr exponent;
  if (!matchPattern(s.x[1], m_Constant(&exponent)))
    return {};
  double value = exponent.getValueAsDouble();
  if (value == 1)
    return s.x[0];
  if (value == 0.5)
    return s.make<math::SqrtOp>(s.x[0]);
  if (value != 2 && value != 3 && value != 4)
    return {};
  Value square = emitSquare(s);
  if (value == 2)
    return square;
  return s.make<arith::MulFOp>(square, value == 3 ? s.x[0] : square);
}

static Value emitPower(const ScalarOp &s) {
  if (!s.isFloat())
    return s.isUnsigned() ? Value() : s.make<math::IPowIOp>(s.x[0], s.x[1]);
  if (Value product = emitSmallPower(s))
    return product;
  return s.make<math::PowFOp>(s.x[0], s.x[1]);
}

static Value emitAbs(const ScalarOp &s) {
  if (s.isFloat())
    return s.make<math::AbsFOp>(s.x[0]);
  return s.isUnsigned()
             ? s.x[0]
             : s.make<arith::MaxSIOp>(s.x[0], s.make<arith::SubIOp>(s.number(0), s.x[0]));
}

/// -1, 0 or 1; a NaN and a zero stay what they are.
static Value emitSign(const ScalarOp &s) {
  if (!s.isFloat()) {
    if (s.isUnsigned())
      return s.make<arith::MinUIOp>(s.x[0], s.number(1));
    return s.make<arith::MaxSIOp>(s.make<arith::MinSIOp>(s.x[0], s.number(1)), s.number(-1));
  }
  Value zero = s.number(0);
  Value positive = s.make<arith::CmpFOp>(arith::CmpFPredicate::OGT, s.x[0], zero);
  Value negative = s.make<arith::CmpFOp>(arith::CmpFPredicate::OLT, s.x[0], zero);
  Value nonPositive = s.make<arith::SelectOp>(negative, s.number(-1), s.x[0]);
  return s.make<arith::SelectOp>(positive, s.number(1), nonPositive);
}

template <typename Op> static Value emitRounding(const ScalarOp &s) { return s.make<Op>(s.x[0]); }

void addArithmeticRules(ScalarTable &table) {
  table["stablehlo.add"] = emitAdd;
  table["stablehlo.subtract"] = emitSubtract;
  table["stablehlo.multiply"] = emitMultiply;
  table["stablehlo.divide"] = emitDivide;
  table["stablehlo.remainder"] = emitRemainder;
  table["stablehlo.negate"] = emitNegate;
  table["stablehlo.maximum"] = emitMaximum;
  table["stablehlo.minimum"] = emitMinimum;
  table["stablehlo.clamp"] = emitClamp;
  table["stablehlo.power"] = emitPower;
  table["stablehlo.abs"] = emitAbs;
  table["stablehlo.sign"] = emitSign;
  table["stablehlo.floor"] = emitRounding<math::FloorOp>;
  table["stablehlo.ceil"] = emitRounding<math::CeilOp>;
  table["stablehlo.round_nearest_afz"] = emitRounding<math::RoundOp>;
  table["stablehlo.round_nearest_even"] = emitRounding<math::RoundEvenOp>;
  table["chlo.square"] = emitSquare;
}

} // namespace planwright
