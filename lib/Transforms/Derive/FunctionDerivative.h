// The derivative of one function: walks the forward function backwards and builds the backward one.
// Not here: which functions are derived, and for which arguments (ModuleDerivative.cpp).
#ifndef PLANWRIGHT_LIB_TRANSFORMS_DERIVE_FUNCTIONDERIVATIVE_H
#define PLANWRIGHT_LIB_TRANSFORMS_DERIVE_FUNCTIONDERIVATIVE_H

#include "lib/Transforms/Derive/Contributions.h"
#include "lib/Transforms/Derive/Residuals.h"
#include "planwright/Interfaces/DifferentiableOpInterface.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/BitVector.h"

namespace planwright {

/// What is asked of a derivative.
struct DerivativeRequest {
  /// Arguments that get a gradient.
  llvm::BitVector activeArguments;
  /// The function is the training loss: the gradient of its result is 1.
  bool isLoss = false;
  /// Arguments whose gradient is kept in f32 if they are narrower: parameters, also where they are
  /// passed on to a layer.
  llvm::BitVector wideArguments;
  bool recomputePointwise = true;
};

/// A derived function. Results of `forward` from `numResults` on are the residuals, which
/// `backward` takes after the arguments; after them it takes the gradients of the results in
/// `activeResults`.
struct DerivedFunction {
  mlir::func::FuncOp forward, backward;
  unsigned numResults = 0;
  llvm::BitVector activeArguments, activeResults;
};

/// Float values that depend on `arguments` of `function`, through float values.
llvm::DenseSet<mlir::Value> findActiveValues(mlir::func::FuncOp function,
                                             const llvm::BitVector &arguments);

class FunctionDerivative : public GradientContext {
public:
  /// `derivedCalls` tells which calls in `forward` are calls of a derived function.
  using DerivedCalls = llvm::DenseMap<mlir::Operation *, const DerivedFunction *>;

  FunctionDerivative(mlir::func::FuncOp forward, mlir::func::FuncOp backward,
                     const DerivativeRequest &request, const DerivedCalls &derivedCalls);

  /// Builds the body of the backward function and adds the residuals to the forward function's
  /// results.
  mlir::FailureOr<DerivedFunction> build();

  mlir::Value getPrimal(mlir::Value value) override { return residuals.get(value); }
  Cotangent getCotangent(mlir::Value value) override;
  mlir::Value getCotangentTensor(mlir::Value value) override;
  bool isActive(mlir::Value value) override {
    return active.contains(value) && !withoutGradient.contains(value);
  }
  mlir::Type getGradientElementType(mlir::Value value) override;
  void add(mlir::Value value, Cotangent contribution) override;
  void addSlice(mlir::Value value, mlir::Value gradient, SlicePosition position) override;

private:
  void seedResults();
  mlir::LogicalResult reverseOperation(mlir::Operation &op);
  void reverseCall(mlir::Operation &call, const DerivedFunction &callee);
  void refuse(mlir::Operation &op);
  mlir::Value getOrCreateZero(mlir::Value value);
  void buildReturn();
  void addResiduals();

  mlir::func::FuncOp forward, backward;
  const DerivativeRequest &request;
  const DerivedCalls &derivedCalls;
  llvm::DenseSet<mlir::Value> active;
  /// Active values whose gradient is known to be zero.
  llvm::DenseSet<mlir::Value> withoutGradient;
  llvm::BitVector activeResults;
  mlir::OpBuilder builder;
  mlir::Location loc;
  Contributions gradients;
  Residuals residuals;
};

} // namespace planwright

#endif // PLANWRIGHT_LIB_TRANSFORMS_DERIVE_FUNCTIONDERIVATIVE_H
