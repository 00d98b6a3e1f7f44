// Reverse mode over the scalar body of one linalg operation.
//
//   ScalarReverse reverse(builder, loc, forward);      // forward maps the body's values to their
//   copies reverse.seed(body.getTerminator()->getOperand(0), g); if (failed(reverse.run(body,
//   {body.getArgument(0)}))) ... reverse.getRefused() ... Value dx =
//   reverse.get(body.getArgument(0));       // null where nothing flows
//
// Not here: derivatives of single functions (ScalarRules.cpp), tensors (GenericGradient.cpp).
#ifndef PLANWRIGHT_LIB_INTERFACES_DERIVATIVE_SCALARREVERSE_H
#define PLANWRIGHT_LIB_INTERFACES_DERIVATIVE_SCALARREVERSE_H

#include "lib/Interfaces/Derivative/ScalarExpression.h"

#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/DenseMap.h"

namespace planwright {

class ScalarReverse {
public:
  /// Builds with `builder`; the body's own values are read through `forward`.
  ScalarReverse(mlir::OpBuilder &builder, mlir::Location loc, const mlir::IRMapping &forward)
      : builder(builder), loc(loc), forward(forward) {}

  /// Adds `gradient` to the gradient of `scalar`, a value of the body.
  void seed(mlir::Value scalar, mlir::Value gradient);
  /// Carries the seeds back to `targets`, block arguments of `body`. Fails where an operation on
  /// the way has no rule.
  mlir::LogicalResult run(mlir::Block &body, llvm::ArrayRef<mlir::Value> targets);
  /// The gradient of `scalar`, null where there is none.
  mlir::Value get(mlir::Value scalar) const { return gradients.lookup(scalar); }
  /// Operations without a rule that `run` met.
  llvm::ArrayRef<mlir::Operation *> getRefused() const { return refused; }

private:
  void reverseOperation(mlir::Operation &op, const llvm::DenseSet<mlir::Value> &active);

  mlir::OpBuilder &builder;
  mlir::Location loc;
  const mlir::IRMapping &forward;
  llvm::DenseMap<mlir::Value, mlir::Value> gradients;
  llvm::SmallVector<mlir::Operation *> refused;
};

} // namespace planwright

#endif // PLANWRIGHT_LIB_INTERFACES_DERIVATIVE_SCALARREVERSE_H
