// Derivatives of the operations that move elements: slices, padding, concatenation, reshapes.
// Their gradients move elements back; where several parts of one tensor get a gradient,
// GradientContext puts them together. Not here: linalg (GenericGradient.cpp), lookups
// (ModelModels.cpp).
#include "lib/Interfaces/Derivative/Models.h"
#include "planwright/Interfaces/DifferentiableOpInterface.h"
#include "planwright/Interfaces/GenericBuilder.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;

namespace planwright {

static SlicePosition getPosition(OffsetSizeAndStrideOpInterface op) {
  return {llvm::to_vector(op.getStaticOffsets()), llvm::to_vector(op.getStaticSizes()),
          llvm::to_vector(op.getStaticStrides())};
}

static bool isStatic(const SlicePosition &position) {
  auto isDynamic = [](int64_t number) { return ShapedType::isDynamic(number); };
  return llvm::none_of(position.offsets, isDynamic) && llvm::none_of(position.sizes, isDynamic) &&
         llvm::none_of(position.strides, isDynamic);
}

/// The part of `tensor` at `position`, in shape `shape` (which may lack dimensions of size one).
static Value extract(OpBuilder &builder, Location loc, Value tensor, const SlicePosition &position,
                     ArrayRef<int64_t> shape) {
  auto type = cast<RankedTensorType>(tensor.getType()).clone(shape);
  auto attributes = [&](ArrayRef<int64_t> numbers) {
    return getAsIndexOpFoldResult(builder.getContext(), numbers);
  };
  return tensor::ExtractSliceOp::create(builder, loc, type, tensor, attributes(position.offsets),
                                        attributes(position.sizes), attributes(position.strides));
}

namespace {

template <typename Model, typename Op>
using Base = DifferentiableOpInterface::ExternalModel<Model, Op>;

struct ExtractSliceModel : Base<ExtractSliceModel, tensor::ExtractSliceOp> {
  LogicalResult buildOperandGradients(Operation *op, OpBuilder &builder,
                                      GradientContext &context) const {
    auto slice = cast<tensor::ExtractSliceOp>(op);
    SlicePosition position = getPosition(slice);
    if (!isStatic(position))
      return op->emitOpError("cannot be differentiated: its position is not static");
    if (Value gradient = context.getCotangentTensor(slice.getResult()))
      context.addSlice(slice.getSource(), gradient, position);
    return success();
  }
};

struct InsertSliceModel : Base<InsertSliceModel, tensor::InsertSliceOp> {
  LogicalResult buildOperandGradients(Operation *op, OpBuilder &builder,
                                      GradientContext &context) const {
    auto insert = cast<tensor::InsertSliceOp>(op);
    SlicePosition position = getPosition(insert);
    if (!isStatic(position))
      return op->emitOpError("cannot be differentiated: its position is not static");
    Value gradient = context.getCotangentTensor(insert.getResult());
    if (!gradient)
      return success();
    ArrayRef<int64_t> shape = insert.getSourceType().getShape();
    if (context.isActive(insert.getSource()))
      context.add(insert.getSource(),
                  makeCotangent(extract(builder, op->getLoc(), gradient, position, shape)));
    if (context.isActive(insert.getDest()))
      context.add(insert.getDest(),
                  makeCotangent(clear(builder, op->getLoc(), gradient, position, shape)));
    return success();
  }

private:
  /// `tensor` with zeros at `position`: what was overwritten there got no gradient.
  static Value clear(OpBuilder &builder, Location loc, Value tensor, const SlicePosition &position,
                     ArrayRef<int64_t> shape) {
    Type elementType = cast<RankedTensorType>(tensor.getType()).getElementType();
    Value zeros = createZeroFill(builder, loc, shape, elementType);
    auto attributes = [&](ArrayRef<int64_t> numbers) {
      return getAsIndexOpFoldResult(builder.getContext(), numbers);
    };
    return tensor::InsertSliceOp::create(builder, loc, zeros, tensor, attributes(position.offsets),
                                         attributes(position.sizes), attributes(position.strides));
  }
};

struct PadModel : Base<PadModel, tensor::PadOp> {
  LogicalResult buildOperandGradients(Operation *op, OpBuilder &builder,
                                      GradientContext &context) const {
    auto pad = cast<tensor::PadOp>(op);
    Value gradient = context.getCotangentTensor(pad.getResult());
    if (!gradient)
      return success();
    if (pad.hasZeroLowPad() && pad.hasZeroHighPad()) {
      context.add(pad.getSource(), makeCotangent(gradient));
      return success();
    }
    if (llvm::any_of(pad.getStaticLow(), ShapedType::isDynamic))
      return op->emitOpError("cannot be differentiated: its padding is not static");
    ArrayRef<int64_t> shape = pad.getSourceType().getShape();
    SlicePosition position{llvm::to_vector(pad.getStaticLow()), llvm::to_vector(shape),
                           SmallVector<int64_t>(shape.size(), 1)};
    context.add(pad.getSource(),
                makeCotangent(extract(builder, op->getLoc(), gradient, position, shape)));
    return success();
  }
};

struct ConcatModel : Base<ConcatModel, tensor::ConcatOp> {
  LogicalResult buildOperandGradients(Operation *op, OpBuilder &builder,
                                      GradientContext &context) const {
    auto concat = cast<tensor::ConcatOp>(op);
    Value gradient = context.getCotangentTensor(concat.getResult());
    if (!gradient)
      return success();
    int64_t offset = 0;
    for (Value input : concat.getInputs()) {
      ArrayRef<int64_t> shape = cast<RankedTensorType>(input.getType()).getShape();
      SlicePosition position{SmallVector<int64_t>(shape.size(), 0), llvm::to_vector(shape),
                             SmallVector<int64_t>(shape.size(), 1)};
      position.offsets[concat.getDim()] = offset;
      offset += shape[concat.getDim()];
      if (context.isActive(input))
        context.add(input,
                    makeCotangent(extract(builder, op->getLoc(), gradient, position, shape)));
    }
    return success();
  }
};

/// A reshape's gradient is the opposite reshape.
template <typename Op, typename Opposite>
struct ReshapeModel : Base<ReshapeModel<Op, Opposite>, Op> {
  LogicalResult buildOperandGradients(Operation *op, OpBuilder &builder,
                                      GradientContext &context) const {
    auto reshape = cast<Op>(op);
    if (Value gradient = context.getCotangentTensor(reshape.getResult()))
      context.add(reshape.getSrc(),
                  makeCotangent(Opposite::create(builder, op->getLoc(), reshape.getSrcType(),
                                                 gradient, reshape.getReassociationIndices())));
    return success();
  }
};

} // namespace

void registerTensorDerivatives(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, tensor::TensorDialect *) {
    tensor::ExtractSliceOp::attachInterface<ExtractSliceModel>(*context);
    tensor::InsertSliceOp::attachInterface<InsertSliceModel>(*context);
    tensor::PadOp::attachInterface<PadModel>(*context);
    tensor::ConcatOp::attachInterface<ConcatModel>(*context);
    using Expand = tensor::ExpandShapeOp;
    using Collapse = tensor::CollapseShapeOp;
    Expand::attachInterface<ReshapeModel<Expand, Collapse>>(*context);
    Collapse::attachInterface<ReshapeModel<Collapse, Expand>>(*context);
  });
}

} // namespace planwright
