// Scalar rules: comparisons, selections, bits and conversions.
#include "ScalarRules.h"

#include "dialects/StableHLO/IR/StableHLO.h"

using namespace mlir;

namespace planwright {

using stablehlo::ComparisonDirection;

//===----------------------------------------------------------------------===//
// Comparison
//===----------------------------------------------------------------------===//

/// NaN compares unequal to everything.
static arith::CmpFPredicate getFloatPredicate(ComparisonDirection direction) {
  switch (direction) {
  case ComparisonDirection::EQ:
    return arith::CmpFPredicate::OEQ;
  case ComparisonDirection::NE:
    return arith::CmpFPredicate::UNE;
  case ComparisonDirection::GE:
    return arith::CmpFPredicate::OGE;
  case ComparisonDirection::GT:
    return arith::CmpFPredicate::OGT;
  case ComparisonDirection::LE:
    return arith::CmpFPredicate::OLE;
  case ComparisonDirection::LT:
    return arith::CmpFPredicate::OLT;
  }
  llvm_unreachable("all directions are named above");
}

static arith::CmpIPredicate getIntegerPredicate(ComparisonDirection direction, bool isUnsigned) {
  using P = arith::CmpIPredicate;
  switch (direction) {
  case ComparisonDirection::EQ:
    return P::eq;
  case ComparisonDirection::NE:
    return P::ne;
  case ComparisonDirection::GE:
    return isUnsigned ? P::uge : P::sge;
  case ComparisonDirection::GT:
    return isUnsigned ? P::ugt : P::sgt;
  case ComparisonDirection::LE:
    return isUnsigned ? P::ule : P::sle;
  case ComparisonDirection::LT:
    return isUnsigned ? P::ult : P::slt;
  }
  llvm_unreachable("all directions are named above");
}

static Value emitCompare(const ScalarOp &s) {
  auto compare = cast<stablehlo::CompareOp>(s.op);
  ComparisonDirection direction = compare.getComparisonDirection();
  if (compare.getCompareType() == stablehlo::ComparisonType::TOTALORDER)
    return {};
  if (s.isFloat())
    return s.make<arith::CmpFOp>(getFloatPredicate(direction), s.x[0], s.x[1]);
  return s.make<arith::CmpIOp>(getIntegerPredicate(direction, s.isUnsigned()), s.x[0], s.x[1]);
}

static Value emitSelect(const ScalarOp &s) {
  return s.make<arith::SelectOp>(s.x[0], s.x[1], s.x[2]);
}

/// |x| < inf, which is false for NaN.
static Value emitIsFinite(const ScalarOp &s) {
  Type type = s.x[0].getType();
  Value infinity = arith::ConstantOp::create(
      s.b, s.loc, FloatAttr::get(type, APFloat::getInf(cast<FloatType>(type).getFloatSemantics())));
  Value magnitude = s.make<math::AbsFOp>(s.x[0]);
  return s.make<arith::CmpFOp>(arith::CmpFPredicate::OLT, magnitude, infinity);
}

//===----------------------------------------------------------------------===//
// Bits
//===----------------------------------------------------------------------===//

template <typename Op> static Value emitBits(const ScalarOp &s) {
  return s.make<Op>(s.x[0], s.x[1]);
}

static Value emitNot(const ScalarOp &s) {
  return s.make<arith::XOrIOp>(s.x[0], s.isBoolean() ? s.number(1) : s.number(-1));
}

/// A shift by the width or more gives what the bits shifted out leave: zero, or the sign.
template <typename Op> static Value emitShift(const ScalarOp &s) {
  unsigned width = s.type.getIntOrFloatBitWidth();
  Value most = s.number(width - 1);
  Value amount = s.make<arith::MinUIOp>(s.x[1], most);
  Value shifted = s.make<Op>(s.x[0], amount);
  if (std::is_same_v<Op, arith::ShRSIOp>)
    return shifted;
  Value tooFar = s.make<arith::CmpIOp>(arith::CmpIPredicate::ugt, s.x[1], most);
  return s.make<arith::SelectOp>(tooFar, s.number(0), shifted);
}

//===----------------------------------------------------------------------===//
// Conversion
//===----------------------------------------------------------------------===//

static Value convertFloatToFloat(const ScalarOp &s) {
  unsigned from = s.x[0].getType().getIntOrFloatBitWidth();
  unsigned to = s.type.getIntOrFloatBitWidth();
  if (from < to)
    return s.make<arith::ExtFOp>(s.type, s.x[0]);
  if (from > to)
    return s.make<arith::TruncFOp>(s.type, s.x[0]);
  // f16 and bf16: through f32, which holds both.
  Value wide = s.make<arith::ExtFOp>(s.b.getF32Type(), s.x[0]);
  return s.make<arith::TruncFOp>(s.type, wide);
}

static Value convertIntegerToInteger(const ScalarOp &s) {
  unsigned from = s.x[0].getType().getIntOrFloatBitWidth();
  unsigned to = s.type.getIntOrFloatBitWidth();
  if (from == to)
    return s.x[0];
  if (from > to)
    return s.make<arith::TruncIOp>(s.type, s.x[0]);
  return s.isUnsigned() ? s.make<arith::ExtUIOp>(s.type, s.x[0])
                        : s.make<arith::ExtSIOp>(s.type, s.x[0]);
}

/// A number becomes true unless it is zero.
static Value convertToBoolean(const ScalarOp &s) {
  Value zero = s.number(s.x[0].getType(), 0);
  if (s.isFloat())
    return s.make<arith::CmpFOp>(arith::CmpFPredicate::UNE, s.x[0], zero);
  return s.make<arith::CmpIOp>(arith::CmpIPredicate::ne, s.x[0], zero);
}

static Value emitConvert(const ScalarOp &s) {
  if (s.x[0].getType() == s.type)
    return s.x[0];
  if (s.type.isInteger(1))
    return convertToBoolean(s);
  bool toFloat = isa<FloatType>(s.type);
  if (s.isFloat() && toFloat)
    return convertFloatToFloat(s);
  if (!s.isFloat() && !toFloat)
    return convertIntegerToInteger(s);
  if (toFloat)
    return s.isUnsigned() ? s.make<arith::UIToFPOp>(s.type, s.x[0])
                          : s.make<arith::SIToFPOp>(s.type, s.x[0]);
  bool toUnsigned = getElementTypeOrSelf(s.op->getResult(0)).isUnsignedInteger();
  return toUnsigned ? s.make<arith::FPToUIOp>(s.type, s.x[0])
                    : s.make<arith::FPToSIOp>(s.type, s.x[0]);
}

static Value emitBitcast(const ScalarOp &s) {
  if (s.x[0].getType().getIntOrFloatBitWidth() != s.type.getIntOrFloatBitWidth())
    return {};
  return s.x[0].getType() == s.type ? s.x[0] : s.make<arith::BitcastOp>(s.type, s.x[0]);
}

void addLogicRules(ScalarTable &table) {
  table["stablehlo.compare"] = emitCompare;
  table["stablehlo.select"] = emitSelect;
  table["stablehlo.is_finite"] = emitIsFinite;
  table["stablehlo.and"] = emitBits<arith::AndIOp>;
  table["stablehlo.or"] = emitBits<arith::OrIOp>;
  table["stablehlo.xor"] = emitBits<arith::XOrIOp>;
  table["stablehlo.not"] = emitNot;
  table["stablehlo.shift_left"] = emitShift<arith::ShLIOp>;
  table["stablehlo.shift_right_arithmetic"] = emitShift<arith::ShRSIOp>;
  table["stablehlo.shift_right_logical"] = emitShift<arith::ShRUIOp>;
  table["stablehlo.convert"] = emitConvert;
  table["stablehlo.bitcast_convert"] = emitBitcast;
}

} // namespace planwright
