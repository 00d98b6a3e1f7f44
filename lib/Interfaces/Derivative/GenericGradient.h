// The derivative of one linalg.generic: pointwise bodies and reductions. Private to this room.
// Not here: other operations (ContractGradient.cpp, TensorModels.cpp, ModelModels.cpp).
#ifndef PLANWRIGHT_LIB_INTERFACES_DERIVATIVE_GENERICGRADIENT_H
#define PLANWRIGHT_LIB_INTERFACES_DERIVATIVE_GENERICGRADIENT_H

#include "lib/Interfaces/Derivative/Combiner.h"
#include "lib/Interfaces/Derivative/ScalarExpression.h"
#include "planwright/Interfaces/DifferentiableOpInterface.h"
#include "planwright/Interfaces/GenericBuilder.h"

#include "mlir/IR/IRMapping.h"

namespace planwright {

/// Gradient that enters the body at one of its scalars, from tensors such as the gradient of the
/// result.
struct BodySeed {
  struct Input {
    mlir::Value tensor;
    mlir::AffineMap map;
  };
  /// The scalar of the body, and the tensors that `build` reads, in order.
  mlir::Value scalar;
  llvm::SmallVector<Input> inputs;
  /// The scalar's gradient, from the inputs' scalars and the copies of the body's values.
  std::function<mlir::Value(mlir::OpBuilder &, const mlir::IRMapping &, mlir::ValueRange)> build;
};

/// A tensor of the forward function whose gradient is wanted: all operands that read it through the
/// same map.
struct Target {
  mlir::Value tensor;
  mlir::AffineMap map;
  llvm::SmallVector<mlir::Value> scalars;

  bool hasAllLoops() const { return map.getNumResults() == map.getNumDims(); }
};

class GenericGradient {
public:
  GenericGradient(mlir::linalg::GenericOp op, mlir::OpBuilder &builder, GradientContext &context)
      : op(op), builder(builder), context(context), loc(op.getLoc()),
        loopSizes(op.getStaticLoopRanges()) {}

  mlir::LogicalResult build();

private:
  // Seeds, one function per way of entering the body.
  mlir::LogicalResult addSeed(unsigned index);
  void seedPlain(mlir::Value scalar, Cotangent gradient, mlir::AffineMap map);
  mlir::LogicalResult seedExtremum(mlir::Value scalar, unsigned index, Cotangent gradient,
                                   mlir::AffineMap map);
  void seedChoice(mlir::Value scalar, mlir::Value position, unsigned positionIndex,
                  Cotangent gradient, mlir::AffineMap map);
  std::optional<std::pair<mlir::Value, unsigned>> findPosition();

  llvm::SmallVector<Target> findTargets();
  mlir::FailureOr<llvm::SmallVector<Scalar>> differentiate(GenericBuilder &generic,
                                                           llvm::ArrayRef<Target> targets);
  mlir::LogicalResult buildWhole(llvm::ArrayRef<Target> whole,
                                 llvm::SmallVectorImpl<Target> &broadcast);
  void buildRider(const Target &target, mlir::Value gradient, mlir::AffineMap map, int sign);
  mlir::LogicalResult buildBroadcast(const Target &target);
  mlir::LogicalResult copyBody(GenericBuilder &generic, mlir::IRMapping &forward);
  bool tryForward(GenericBuilder &generic, const Target &target, mlir::Value scalar);
  bool tryConstant(const Target &target, mlir::Value scalar);
  mlir::Value convertForTarget(GenericBuilder &generic, const Target &target, mlir::Value scalar);
  mlir::LogicalResult reportRefused(llvm::ArrayRef<mlir::Operation *> refused);

  bool isReduction() { return op.getNumReductionLoops() > 0; }
  mlir::AffineMap getResultMap(unsigned index) {
    return op.getMatchingIndexingMap(op.getDpsInitOperand(index));
  }

  mlir::linalg::GenericOp op;
  mlir::OpBuilder &builder;
  GradientContext &context;
  mlir::Location loc;
  llvm::SmallVector<int64_t> loopSizes;
  llvm::SmallVector<BodySeed> seeds;
};

/// Builds the gradients of the operands of `op`.
mlir::LogicalResult buildGenericGradients(mlir::linalg::GenericOp op, mlir::OpBuilder &builder,
                                          GradientContext &context);

} // namespace planwright

#endif // PLANWRIGHT_LIB_INTERFACES_DERIVATIVE_GENERICGRADIENT_H
