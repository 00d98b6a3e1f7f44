// Reverse-mode differentiation of one operation: the interface, and what a rule may ask and give.
//
//   LogicalResult buildOperandGradients(Operation *op, OpBuilder &b, GradientContext &context)
//   const {
//     Value g = context.getCotangentTensor(op->getResult(0));
//     context.add(op->getOperand(0), makeCotangent(someGradient(b, g,
//     context.getPrimal(op->getOperand(1))))); return success();
//   }
//
// A gradient is carried as a Cotangent: a tensor and a map, so that broadcasts and transposes cost
// no operation. Not here: where values of the forward function come from in the backward function
// (lib/Transforms/Derive).
#ifndef PLANWRIGHT_INTERFACES_DIFFERENTIABLEOPINTERFACE_H
#define PLANWRIGHT_INTERFACES_DIFFERENTIABLEOPINTERFACE_H

#include "mlir/IR/AffineMap.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/OpDefinition.h"

namespace planwright {

/// The gradient of a value: element `i...` of it is `tensor[map(i...)]`. The map is a projected
/// permutation from the value's dimensions to the tensor's; it is the identity for a plain tensor
/// and leaves dimensions out for a broadcast one. The tensor's element type may be another float
/// type than the value's: whoever reads it converts.
struct Cotangent {
  mlir::Value tensor;
  mlir::AffineMap map;

  explicit operator bool() const { return static_cast<bool>(tensor); }
  mlir::RankedTensorType getType() const {
    return llvm::cast<mlir::RankedTensorType>(tensor.getType());
  }
};

/// A cotangent with the identity as its map.
Cotangent makeCotangent(mlir::Value tensor);

/// The same gradient with another float type. An operation is only built where the type differs.
Cotangent convertCotangent(mlir::OpBuilder &builder, mlir::Location loc, Cotangent cotangent,
                           mlir::Type elementType);

/// Part of a tensor, as tensor.extract_slice names it.
struct SlicePosition {
  llvm::SmallVector<int64_t> offsets, sizes, strides;
};

/// What a rule sees of the function that is being differentiated.
class GradientContext {
public:
  virtual ~GradientContext();

  /// The value `value` of the forward function, in the backward function.
  virtual mlir::Value getPrimal(mlir::Value value) = 0;
  /// The gradient of `value`, the sum of all that was added to it; empty where there is none.
  virtual Cotangent getCotangent(mlir::Value value) = 0;
  /// The same as a tensor of the value's own type; null where there is none.
  virtual mlir::Value getCotangentTensor(mlir::Value value) = 0;
  /// Whether a gradient for `value` is wanted.
  virtual bool isActive(mlir::Value value) = 0;
  /// Element type in which the gradient of `value` is kept: its own, or f32 for a narrow parameter.
  virtual mlir::Type getGradientElementType(mlir::Value value) = 0;
  /// One more contribution to the gradient of `value`.
  virtual void add(mlir::Value value, Cotangent contribution) = 0;
  /// A contribution that is zero outside of `position`; `gradient` may have dimensions of size one
  /// dropped.
  virtual void addSlice(mlir::Value value, mlir::Value gradient, SlicePosition position) = 0;
};

/// Attaches the derivatives of linalg, tensor and model operations.
void registerDerivativeModels(mlir::DialectRegistry &registry);

} // namespace planwright

#include "lib/Interfaces/Derivative/DifferentiableOpInterface.h.inc"

#endif // PLANWRIGHT_INTERFACES_DIFFERENTIABLEOPINTERFACE_H
