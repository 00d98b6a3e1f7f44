// Patterns of what makes and moves whole tensors: constants, iotas, broadcasts, transposes,
// reshapes. Not here: slices, joins and padding (MoreShape.cpp).
#include "Patterns.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace planwright {
namespace {

/// The same elements under a signless type and without dimensions of size one.
DenseElementsAttr convertConstant(DenseElementsAttr value, RankedTensorType type) {
  if (value.getElementType() != type.getElementType())
    value = value.bitcast(type.getElementType());
  return value.isSplat() ? value.resizeSplat(type) : value.reshape(type);
}

template <typename Op> struct ConvertConstant : Lowering<Op> {
  using Lowering<Op>::Lowering;

  LogicalResult matchAndRewrite(Op op, typename Op::Adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    auto value = dyn_cast<DenseElementsAttr>(op.getValue());
    RankedTensorType type = getNewType(*this, op.getOutput());
    if (!value || !type)
      return this->refuse(op, "its value is not a dense tensor of numbers");
    rewriter.replaceOpWithNewOp<arith::ConstantOp>(op, convertConstant(value, type));
    return success();
  }
};

/// A coordinate as a number.
Value castIndex(OpBuilder &b, Location loc, Value index, Type type) {
  if (!isa<FloatType>(type))
    return arith::IndexCastOp::create(b, loc, type, index);
  Value integer = arith::IndexCastOp::create(b, loc, b.getI64Type(), index);
  return arith::SIToFPOp::create(b, loc, type, integer);
}

struct ConvertIota : Lowering<stablehlo::IotaOp> {
  using Lowering::Lowering;

  LogicalResult matchAndRewrite(stablehlo::IotaOp op, OpAdaptor,
                                ConversionPatternRewriter &rewriter) const override {
    RankedTensorType type = getNewType(*this, op.getOutput());
    if (!type)
      return refuse(op, "its element type has no arithmetic");
    std::optional<int64_t> dim = SqueezedDims(op.getOutput())[op.getIotaDimension()];
    Type element = type.getElementType();
    if (!dim) { // one element: it is zero
      rewriter.replaceOp(op, buildSplat(rewriter, op.getLoc(), type.getShape(), getZero(element)));
      return success();
    }
    rewriter.replaceOp(op,
                       buildPointwise(rewriter, op.getLoc(), {}, type,
                                      [&](OpBuilder &b, Location loc, ValueRange) {
                                        Value i = linalg::IndexOp::create(b, loc, *dim);
                                        return SmallVector<Value>{castIndex(b, loc, i, element)};
                                      }));
    return success();
  }
};

/// `dims[d]` is the dimension of the result that dimension d of the operand becomes.
Value buildBroadcast(OpBuilder &b, Location loc, Value operand, ArrayRef<int64_t> operandShape,
                     ArrayRef<int64_t> dims, Value oldResult, RankedTensorType type) {
  SqueezedDims squeezed(oldResult);
  SmallVector<int64_t> loops;
  for (auto [size, dim] : llvm::zip_equal(operandShape, dims))
    if (size != 1)
      loops.push_back(*squeezed[dim]); // as large as the operand's, so it is there
  return buildMovement(b, loc, operand, getLoopMap(b.getContext(), type.getRank(), loops), type);
}

struct ConvertBroadcastInDim : Lowering<stablehlo::BroadcastInDimOp> {
  using Lowering::Lowering;

  LogicalResult matchAndRewrite(stablehlo::BroadcastInDimOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOp(op, buildBroadcast(rewriter, op.getLoc(), adaptor.getOperand(),
                                          getShape(op.getOperand()), op.getBroadcastDimensions(),
                                          op.getResult(), getNewType(*this, op.getResult())));
    return success();
  }
};

/// New dimensions come first.
struct ConvertBroadcast : Lowering<stablehlo::BroadcastOp> {
  using Lowering::Lowering;

  LogicalResult matchAndRewrite(stablehlo::BroadcastOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    ArrayRef<int64_t> shape = getShape(op.getOperand());
    SmallVector<int64_t> dims = llvm::to_vector(
        llvm::seq<int64_t>(op.getBroadcastSizes().size(), getShape(op.getResult()).size()));
    rewriter.replaceOp(op, buildBroadcast(rewriter, op.getLoc(), adaptor.getOperand(), shape, dims,
                                          op.getResult(), getNewType(*this, op.getResult())));
    return success();
  }
};

/// A transpose is a broadcast to as many dimensions: dimension permutation[i] of the operand
/// becomes dimension i.
struct ConvertTranspose : Lowering<stablehlo::TransposeOp> {
  using Lowering::Lowering;

  LogicalResult matchAndRewrite(stablehlo::TransposeOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    SmallVector<int64_t> dims(op.getPermutation().size());
    for (auto [target, source] : llvm::enumerate(op.getPermutation()))
      dims[source] = target;
    rewriter.replaceOp(op, buildBroadcast(rewriter, op.getLoc(), adaptor.getOperand(),
                                          getShape(op.getOperand()), dims, op.getResult(),
                                          getNewType(*this, op.getResult())));
    return success();
  }
};

struct ConvertReshape : Lowering<stablehlo::ReshapeOp> {
  using Lowering::Lowering;

  LogicalResult matchAndRewrite(stablehlo::ReshapeOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    ArrayRef<int64_t> shape = getNewType(*this, op.getResult()).getShape();
    rewriter.replaceOp(op, buildReshape(rewriter, op.getLoc(), adaptor.getOperand(), shape));
    return success();
  }
};

} // namespace

void populateShape(RewritePatternSet &patterns, const Reading &reading) {
  patterns
      .add<ConvertConstant<stablehlo::ConstantOp>, ConvertConstant<chlo::ConstantOp>, ConvertIota,
           ConvertBroadcastInDim, ConvertBroadcast, ConvertTranspose, ConvertReshape>(
          reading, patterns.getContext());
}

} // namespace planwright
