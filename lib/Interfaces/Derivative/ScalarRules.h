// The table of scalar derivatives: one row per scalar function of arith and math.
//
//   if (const ScalarRule *rule = findScalarRule(op->getName()))
//     if (rule->operands[0]) Scalar dx = rule->operands[0](use);
//
// Not here: the walk over a body that applies them (ScalarReverse.cpp).
#ifndef PLANWRIGHT_LIB_INTERFACES_DERIVATIVE_SCALARRULES_H
#define PLANWRIGHT_LIB_INTERFACES_DERIVATIVE_SCALARRULES_H

#include "lib/Interfaces/Derivative/ScalarExpression.h"

#include <array>

namespace planwright {

/// One application of a scalar function: its operands, its result, and the gradient `g` of that
/// result.
struct ScalarUse {
  Scalar g, out, x, y, z;
};

/// Gradient of one operand, in that operand's type.
using OperandRule = Scalar (*)(const ScalarUse &use);

/// A row of the table. A null entry means that the operand has no gradient (or that there is no
/// such operand).
struct ScalarRule {
  llvm::StringLiteral name;
  std::array<OperandRule, 3> operands;
};

/// The row of the operation called `name`, or null: then it cannot be differentiated.
const ScalarRule *findScalarRule(llvm::StringRef name);

/// All rows, in the table's order (for tests and documentation).
llvm::ArrayRef<ScalarRule> getScalarRules();

} // namespace planwright

#endif // PLANWRIGHT_LIB_INTERFACES_DERIVATIVE_SCALARRULES_H
