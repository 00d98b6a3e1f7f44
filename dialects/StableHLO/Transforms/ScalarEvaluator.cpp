// Evaluation of scalar integer operations, by a table of rules.
#include "dialects/StableHLO/Transforms/ScalarEvaluator.h"

#include "dialects/StableHLO/IR/StableHLO.h"

#include "mlir/IR/Matchers.h"
#include "llvm/ADT/StringMap.h"

using namespace mlir;
using llvm::APInt;

namespace planwright::stablehlo {

using Rule = std::optional<APInt> (*)(Operation *op, ArrayRef<APInt> operands);

static bool isUnsigned(Value value) {
  Type type = getElementTypeOrSelf(value);
  return type.isUnsignedInteger() || type.isInteger(1);
}

static bool compareIntegers(ComparisonDirection direction, const APInt &a, const APInt &b,
                            bool isUnsigned) {
  bool less = isUnsigned ? a.ult(b) : a.slt(b);
  switch (direction) {
  case ComparisonDirection::EQ:
    return a == b;
  case ComparisonDirection::NE:
    return a != b;
  case ComparisonDirection::LT:
    return less;
  case ComparisonDirection::LE:
    return less || a == b;
  case ComparisonDirection::GT:
    return !less && a != b;
  case ComparisonDirection::GE:
    return !less;
  }
  return false;
}

static std::optional<APInt> compare(Operation *op, ArrayRef<APInt> x) {
  auto compareOp = cast<CompareOp>(op);
  return APInt(1, compareIntegers(compareOp.getComparisonDirection(), x[0], x[1],
                                  isUnsigned(compareOp.getLhs())));
}

static std::optional<APInt> convert(Operation *op, ArrayRef<APInt> x) {
  auto type = dyn_cast<IntegerType>(getElementTypeOrSelf(op->getResult(0)));
  if (!type)
    return std::nullopt;
  if (type.getWidth() == 1)
    return APInt(1, !x[0].isZero());
  return isUnsigned(op->getOperand(0)) ? x[0].zextOrTrunc(type.getWidth())
                                       : x[0].sextOrTrunc(type.getWidth());
}

static std::optional<APInt> divide(Operation *op, ArrayRef<APInt> x) {
  if (x[1].isZero())
    return std::nullopt;
  return isUnsigned(op->getResult(0)) ? x[0].udiv(x[1]) : x[0].sdiv(x[1]);
}

static std::optional<APInt> remainder(Operation *op, ArrayRef<APInt> x) {
  if (x[1].isZero())
    return std::nullopt;
  return isUnsigned(op->getResult(0)) ? x[0].urem(x[1]) : x[0].srem(x[1]);
}

static APInt pick(Operation *op, ArrayRef<APInt> x, bool wantGreater) {
  bool less = isUnsigned(op->getResult(0)) ? x[0].ult(x[1]) : x[0].slt(x[1]);
  return less == wantGreater ? x[1] : x[0];
}

static const llvm::StringMap<Rule> &getRules() {
  static const llvm::StringMap<Rule> rules = {
      {"stablehlo.add", [](Operation *, ArrayRef<APInt> x) { return std::optional(x[0] + x[1]); }},
      {"stablehlo.subtract",
       [](Operation *, ArrayRef<APInt> x) { return std::optional(x[0] - x[1]); }},
      {"stablehlo.multiply",
       [](Operation *, ArrayRef<APInt> x) { return std::optional(x[0] * x[1]); }},
      {"stablehlo.negate", [](Operation *, ArrayRef<APInt> x) { return std::optional(-x[0]); }},
      {"stablehlo.not", [](Operation *, ArrayRef<APInt> x) { return std::optional(~x[0]); }},
      {"stablehlo.and", [](Operation *, ArrayRef<APInt> x) { return std::optional(x[0] & x[1]); }},
      {"stablehlo.or", [](Operation *, ArrayRef<APInt> x) { return std::optional(x[0] | x[1]); }},
      {"stablehlo.xor", [](Operation *, ArrayRef<APInt> x) { return std::optional(x[0] ^ x[1]); }},
      {"stablehlo.maximum",
       [](Operation *op, ArrayRef<APInt> x) { return std::optional(pick(op, x, true)); }},
      {"stablehlo.minimum",
       [](Operation *op, ArrayRef<APInt> x) { return std::optional(pick(op, x, false)); }},
      {"stablehlo.select",
       [](Operation *, ArrayRef<APInt> x) { return std::optional(x[0].isZero() ? x[2] : x[1]); }},
      {"stablehlo.reshape", [](Operation *, ArrayRef<APInt> x) { return std::optional(x[0]); }},
      {"stablehlo.broadcast_in_dim",
       [](Operation *, ArrayRef<APInt> x) { return std::optional(x[0]); }},
      {"stablehlo.compare", compare},
      {"stablehlo.convert", convert},
      {"stablehlo.divide", divide},
      {"stablehlo.remainder", remainder}};
  return rules;
}

/// A tensor with one element; only of these a single number tells everything.
static bool isScalarInteger(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  return type && type.hasStaticShape() && type.getNumElements() == 1 &&
         isa<IntegerType>(type.getElementType());
}

std::optional<APInt> ScalarEvaluator::compute(Operation *op, int depth) {
  DenseIntElementsAttr constant;
  if (matchPattern(op, m_Constant(&constant)))
    return constant.getSplatValue<APInt>(); // one element, so a splat
  auto rule = getRules().find(op->getName().getStringRef());
  if (rule == getRules().end())
    return std::nullopt;
  SmallVector<APInt> operands;
  for (Value operand : op->getOperands()) {
    std::optional<APInt> value = evaluate(operand, depth - 1);
    if (!value)
      return std::nullopt;
    operands.push_back(*value);
  }
  return rule->second(op, operands);
}

std::optional<APInt> ScalarEvaluator::evaluate(Value scalar, int depth) {
  if (auto found = known.find(scalar); found != known.end())
    return found->second;
  Operation *op = scalar.getDefiningOp();
  if (!op || depth == 0 || !isScalarInteger(scalar) || op->getNumResults() != 1)
    return std::nullopt;
  std::optional<APInt> value = compute(op, depth);
  known[scalar] = value;
  return value;
}

void ScalarEvaluator::assume(Value scalar, std::optional<APInt> value) { known[scalar] = value; }

void ScalarEvaluator::visit(Operation *op) {
  if (op->getNumResults() != 1 || !isScalarInteger(op->getResult(0)))
    return;
  known[op->getResult(0)] = compute(op, /*depth=*/64);
}

Value createSplat(OpBuilder &builder, Value like, const APInt &value) {
  auto type = cast<RankedTensorType>(like.getType());
  return ConstantOp::create(builder, like.getLoc(), type, DenseElementsAttr::get(type, value));
}

} // namespace planwright::stablehlo
