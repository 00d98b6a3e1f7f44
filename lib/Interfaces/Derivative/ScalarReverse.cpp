// The walk that applies the scalar rules to a body. Not here: the rules (ScalarRules.cpp).
#include "lib/Interfaces/Derivative/ScalarReverse.h"

#include "lib/Interfaces/Derivative/ScalarRules.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;

namespace planwright {

/// Float values of `body` that depend on `targets` through float values.
static llvm::DenseSet<Value> findActive(Block &body, ArrayRef<Value> targets) {
  llvm::DenseSet<Value> active(targets.begin(), targets.end());
  for (Operation &op : body.without_terminator())
    if (llvm::any_of(op.getOperands(), [&](Value v) { return active.contains(v); }))
      for (Value result : op.getResults())
        if (isa<FloatType>(result.getType()))
          active.insert(result);
  return active;
}

void ScalarReverse::seed(Value scalar, Value gradient) {
  Value &sum = gradients[scalar];
  sum = sum ? (Scalar(builder, loc, sum) + Scalar(builder, loc, gradient)).getValue() : gradient;
}

LogicalResult ScalarReverse::run(Block &body, ArrayRef<Value> targets) {
  llvm::DenseSet<Value> active = findActive(body, targets);
  for (Operation &op : llvm::reverse(body.without_terminator()))
    reverseOperation(op, active);
  return success(refused.empty());
}

void ScalarReverse::reverseOperation(Operation &op, const llvm::DenseSet<Value> &active) {
  auto hasGradient = [&](Value v) { return active.contains(v) && gradients.contains(v); };
  if (llvm::none_of(op.getResults(), hasGradient))
    return;
  const ScalarRule *rule = findScalarRule(op.getName().getStringRef());
  if (!rule || op.getNumOperands() > rule->operands.size()) {
    refused.push_back(&op);
    return;
  }
  auto scalar = [&](Value v) { return Scalar(builder, loc, forward.lookup(v)); };
  ScalarUse use;
  use.g = Scalar(builder, loc, gradients.lookup(op.getResult(0)));
  use.out = scalar(op.getResult(0));
  Scalar *operands[] = {&use.x, &use.y, &use.z};
  for (auto [index, operand] : llvm::enumerate(op.getOperands()))
    *operands[index] = scalar(operand);
  for (auto [index, operand] : llvm::enumerate(op.getOperands()))
    if (active.contains(operand) && rule->operands[index])
      seed(operand, rule->operands[index](use).getValue());
}

} // namespace planwright
