// Scalar analysis of bodies: in which of its arguments is a body linear?
//
//   %a = arith.addf %partial, %whole      nonlinear: the whole summand would be added once per part
//   %b = arith.mulf %partial, %whole      linear
//   %c = arith.select %cond, %b, %zero    linear, if %cond does not depend on the partial value
#include "lib/Interfaces/Sharding/ScalarLinearity.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/StringMap.h"

using namespace mlir;
using namespace planwright;

ScalarClass planwright::addClasses(ScalarClass a, ScalarClass b) {
  if (a == ScalarClass::Zero)
    return b;
  if (b == ScalarClass::Zero || a == b)
    return a;
  return ScalarClass::Nonlinear;
}

ScalarClass planwright::multiplyClasses(ScalarClass a, ScalarClass b) {
  if (a == ScalarClass::Nonlinear || b == ScalarClass::Nonlinear)
    return ScalarClass::Nonlinear;
  if (a == ScalarClass::Zero || b == ScalarClass::Zero)
    return ScalarClass::Zero;
  if (a == ScalarClass::Independent)
    return b;
  return b == ScalarClass::Independent ? a : ScalarClass::Nonlinear;
}

Linearity planwright::toLinearity(ScalarClass scalarClass) {
  switch (scalarClass) {
  case ScalarClass::Zero:
  case ScalarClass::Independent:
    return Linearity::Independent;
  case ScalarClass::Linear:
    return Linearity::Linear;
  case ScalarClass::Nonlinear:
    return Linearity::Nonlinear;
  }
  return Linearity::Nonlinear;
}

bool planwright::isKnownZero(Value value) {
  if (auto fill = value.getDefiningOp<linalg::FillOp>())
    value = fill.value();
  return matchPattern(value, m_AnyZeroFloat()) || matchPattern(value, m_Zero());
}

namespace {
using Classes = ArrayRef<ScalarClass>;
using ScalarRule = ScalarClass (*)(Classes operands);
} // namespace

static ScalarClass classifySum(Classes operands) { return addClasses(operands[0], operands[1]); }

static ScalarClass classifyProduct(Classes operands) {
  return multiplyClasses(operands[0], operands[1]);
}

static ScalarClass classifyQuotient(Classes operands) {
  bool fixedDivisor = operands[1] == ScalarClass::Independent || operands[1] == ScalarClass::Zero;
  if (fixedDivisor)
    return operands[0];
  return ScalarClass::Nonlinear;
}

static ScalarClass classifySame(Classes operands) { return operands[0]; }

static ScalarClass classifySelect(Classes operands) {
  bool fixedCondition = operands[0] == ScalarClass::Independent || operands[0] == ScalarClass::Zero;
  // Both branches stand in one result, elementwise: as in a sum, they must be of one class.
  return fixedCondition ? addClasses(operands[1], operands[2]) : ScalarClass::Nonlinear;
}

static ScalarClass classifyOther(Classes operands) {
  bool fixed = llvm::all_of(operands, [](ScalarClass c) {
    return c == ScalarClass::Independent || c == ScalarClass::Zero;
  });
  return fixed ? ScalarClass::Independent : ScalarClass::Nonlinear;
}

/// One row per scalar op that is linear in something. Conversions between floats round, which is
/// accepted: where the parts are rounded is decided by the type in which the graph keeps the
/// partial value.
static const llvm::StringMap<ScalarRule> &getScalarRules() {
  static const llvm::StringMap<ScalarRule> rules = {
      {"arith.addf", classifySum},      {"arith.addi", classifySum},
      {"arith.subf", classifySum},      {"arith.subi", classifySum},
      {"arith.mulf", classifyProduct},  {"arith.muli", classifyProduct},
      {"arith.divf", classifyQuotient}, {"arith.negf", classifySame},
      {"arith.extf", classifySame},     {"arith.truncf", classifySame},
      {"arith.sitofp", classifySame},   {"arith.uitofp", classifySame},
      {"arith.extsi", classifySame},    {"arith.extui", classifySame},
      {"arith.select", classifySelect}};
  return rules;
}

static ScalarClass classifyOp(Operation &op, Classes operands) {
  if (op.hasTrait<OpTrait::ConstantLike>())
    return isKnownZero(op.getResult(0)) ? ScalarClass::Zero : ScalarClass::Independent;
  auto rule = getScalarRules().find(op.getName().getStringRef());
  return rule == getScalarRules().end() ? classifyOther(operands) : rule->second(operands);
}

SmallVector<ScalarClass> planwright::classifyBody(Block &body, ArrayRef<ScalarClass> arguments) {
  llvm::DenseMap<Value, ScalarClass> classes;
  for (auto [argument, scalarClass] : llvm::zip_equal(body.getArguments(), arguments))
    classes[argument] = scalarClass;
  auto classify = [&](Value value) {
    auto found = classes.find(value);
    if (found != classes.end())
      return found->second;
    return isKnownZero(value) ? ScalarClass::Zero : ScalarClass::Independent; // from outside
  };
  for (Operation &op : body.without_terminator()) {
    ScalarClass scalarClass = classifyOp(op, llvm::map_to_vector(op.getOperands(), classify));
    for (Value result : op.getResults())
      classes[result] = scalarClass;
  }
  return llvm::map_to_vector(body.getTerminator()->getOperands(), classify);
}
