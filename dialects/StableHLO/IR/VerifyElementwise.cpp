// Verifiers of ElementwiseOps.td. Most of these operations are covered by the traits SameType and
// SameShape.
#include "dialects/StableHLO/IR/Verify.h"

using namespace mlir;
using namespace planwright::stablehlo;

/// The element type of a complex tensor's parts; any other element type as it is.
static Type getRealElementType(RankedTensorType type) {
  Type element = type.getElementType();
  auto complex = dyn_cast<ComplexType>(element);
  return complex ? complex.getElementType() : element;
}

static LogicalResult verifyRealResult(Operation *op) {
  auto operand = cast<RankedTensorType>(op->getOperand(0).getType());
  auto result = cast<RankedTensorType>(op->getResult(0).getType());
  return verifyElementType(op, "result", result, getRealElementType(operand));
}

LogicalResult AbsOp::verify() { return verifyRealResult(*this); }  // abs_c1
LogicalResult RealOp::verify() { return verifyRealResult(*this); } // real_c1
LogicalResult ImagOp::verify() { return verifyRealResult(*this); } // imag_c1

LogicalResult ComplexOp::verify() {
  Type part = getRealElementType(getType()); // complex_c1
  if (failed(verifyElementType(*this, "operand #0", getLhs().getType(), part)))
    return failure();
  return verifyElementType(*this, "operand #1", getRhs().getType(), part);
}

static int64_t getBits(Type element) {
  if (auto complex = dyn_cast<ComplexType>(element))
    return 2 * getBits(complex.getElementType());
  return element.getIntOrFloatBitWidth();
}

LogicalResult BitcastConvertOp::verify() {
  RankedTensorType operand = getOperand().getType(), result = getType();
  int64_t from = getBits(operand.getElementType()), to = getBits(result.getElementType());
  int64_t ratio = std::max(from, to) / std::min(from, to);
  if (ratio * std::min(from, to) != std::max(from, to)) // bitcast_convert_c1
    return emitOpError() << "neither width divides the other: " << operand << " to " << result;
  // The side with more, narrower elements; and the other.
  RankedTensorType narrow = from < to ? operand : result, wide = from < to ? result : operand;
  SmallVector<int64_t> expected(wide.getShape());
  if (ratio > 1)
    expected.push_back(ratio);
  return verifyShape(*this, from < to ? "operand" : "result", narrow, expected);
}

LogicalResult ReducePrecisionOp::verify() {
  int32_t exponent = getExponentBits(), mantissa = getMantissaBits();
  if (exponent < 1 || mantissa < 0) // reduce_precision_c1
    return emitOpError() << "a float needs at least one exponent bit, but the format is e"
                         << exponent << "m" << mantissa;
  return success();
}

/// Whether elements of type `element` can be compared as `type`.
static bool suits(ComparisonType type, Type element) {
  switch (type) {
  case ComparisonType::NOTYPE:
    return true;
  case ComparisonType::FLOAT:
    return isa<FloatType, ComplexType>(element);
  case ComparisonType::TOTALORDER:
    return isa<FloatType>(element);
  case ComparisonType::SIGNED:
    return element.isSignlessInteger() && !element.isInteger(1);
  case ComparisonType::UNSIGNED:
    return element.isUnsignedInteger() || element.isInteger(1);
  }
  return false;
}

LogicalResult CompareOp::verify() {
  if (failed(verifyType(*this, "operand #1", getRhs().getType(), getLhs().getType()))) // compare_c1
    return failure();
  Type element = getLhs().getType().getElementType();
  ComparisonDirection direction = getComparisonDirection();
  bool isEquality = direction == ComparisonDirection::EQ || direction == ComparisonDirection::NE;
  if (isa<ComplexType>(element) && !isEquality) // compare_c2
    return emitOpError() << "complex numbers have no order, but the direction is "
                         << stringifyComparisonDirection(direction);
  std::optional<ComparisonType> type = getCompareType();
  if (type && !suits(*type, element)) // compare_c3
    return emitOpError() << "elements of type " << element << " cannot be compared as "
                         << stringifyComparisonType(*type);
  return success();
}

LogicalResult SelectOp::verify() {
  RankedTensorType type = getType();
  if (failed(verifyType(*this, "operand #1", getOnTrue().getType(), type)) || // select_c1
      failed(verifyType(*this, "operand #2", getOnFalse().getType(), type)))
    return failure();
  RankedTensorType pred = getPred().getType();
  if (pred.getRank() == 0) // select_c2
    return success();
  return verifyShape(*this, "the predicate", pred, type.getShape());
}

LogicalResult ClampOp::verify() {
  RankedTensorType type = getOperand().getType();
  if (failed(verifyType(*this, "result", getType(), type))) // clamp_c1
    return failure();
  for (RankedTensorType bound : {getMin().getType(), getMax().getType()})
    if (bound != type && bound != scalarOf(type)) // clamp_c2
      return emitOpError() << "a bound has type " << bound << ", but " << type << " or "
                           << scalarOf(type) << " is expected";
  return success();
}
