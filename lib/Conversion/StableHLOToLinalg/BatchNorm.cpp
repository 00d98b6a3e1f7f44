// Batch normalisation taken apart into mean, variance and scaling. PyTorch's layer norm arrives in
// this form.
#include "Patterns.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;

namespace planwright {
namespace {

/// Emits the parts of a normalisation over one operand.
class Normalization {
public:
  Normalization(OpBuilder &b, Location loc, Value oldOperand, Value operand, int64_t featureIndex)
      : b(b), loc(loc), type(getTensorType(operand)) {
    std::optional<int64_t> feature = SqueezedDims(oldOperand)[featureIndex];
    SmallVector<int64_t> order;
    for (int64_t d = 0; d < type.getRank(); ++d) {
      (feature == d ? vectorShape : otherSizes).push_back(type.getDimSize(d));
      if (feature != d)
        order.push_back(d);
      count *= feature == d ? 1 : type.getDimSize(d);
    }
    SmallVector<int64_t> kept;
    if (feature) {
      order.insert(order.begin(), *feature);
      kept.push_back(*feature);
    }
    identity = AffineMap::getMultiDimIdentityMap(type.getRank(), b.getContext());
    perFeature = getLoopMap(b.getContext(), type.getRank(), kept);
    reduceMap = inversePermutation(getLoopMap(b.getContext(), type.getRank(), order));
  }

  /// Mean over everything but the feature.
  Value mean(Value x) {
    Value sum = otherSizes.empty() ? x : buildSum(b, loc, {x, reduceMap}, vectorShape, otherSizes);
    return onVectors({sum}, [&](OpBuilder &b, Location loc, ValueRange v) -> Value {
      return arith::DivFOp::create(b, loc, v[0], number(b, loc, double(count)));
    });
  }

  /// Combines full-size tensors and vectors over the feature.
  Value onAll(ValueRange values, function_ref<Value(OpBuilder &, Location, ValueRange)> body) {
    SmallVector<Read> reads;
    for (Value value : values)
      reads.push_back({value, value.getType() == type ? identity : perFeature});
    return buildPointwise(b, loc, reads, type, [&](OpBuilder &b, Location loc, ValueRange x) {
      return SmallVector<Value>{body(b, loc, x)};
    });
  }

  Value onVectors(ValueRange values, function_ref<Value(OpBuilder &, Location, ValueRange)> body) {
    auto vectorType = RankedTensorType::get(vectorShape, type.getElementType());
    AffineMap map = b.getMultiDimIdentityMap(vectorType.getRank());
    SmallVector<Read> reads;
    for (Value value : values)
      reads.push_back({value, map});
    return buildPointwise(b, loc, reads, vectorType, [&](OpBuilder &b, Location loc, ValueRange x) {
      return SmallVector<Value>{body(b, loc, x)};
    });
  }

  /// (x - mean) / sqrt(variance + epsilon) * scale + offset
  Value normalize(Value centered, Value variance, Value scale, Value offset, APFloat epsilon) {
    Value inverse = onVectors({variance}, [&](OpBuilder &b, Location loc, ValueRange v) -> Value {
      Value sum = arith::AddFOp::create(b, loc, v[0], number(b, loc, epsilon.convertToDouble()));
      return math::RsqrtOp::create(b, loc, sum);
    });
    Value result =
        onAll({centered, inverse}, [](OpBuilder &b, Location loc, ValueRange x) -> Value {
          return arith::MulFOp::create(b, loc, x[0], x[1]);
        });
    if (!isSplatOf(scale, 1))
      result = onAll({result, scale}, [](OpBuilder &b, Location loc, ValueRange x) -> Value {
        return arith::MulFOp::create(b, loc, x[0], x[1]);
      });
    if (isSplatOf(offset, 0))
      return result;
    return onAll({result, offset}, [](OpBuilder &b, Location loc, ValueRange x) -> Value {
      return arith::AddFOp::create(b, loc, x[0], x[1]);
    });
  }

  Value center(Value x, Value mean) {
    return onAll({x, mean}, [](OpBuilder &b, Location loc, ValueRange v) -> Value {
      return arith::SubFOp::create(b, loc, v[0], v[1]);
    });
  }

  Value square(Value x) {
    return onAll({x}, [](OpBuilder &b, Location loc, ValueRange v) -> Value {
      return arith::MulFOp::create(b, loc, v[0], v[0]);
    });
  }

private:
  Value number(OpBuilder &b, Location loc, double value) const {
    return buildScalarConstant(b, loc, b.getFloatAttr(type.getElementType(), value));
  }

  static bool isSplatOf(Value tensor, double value) {
    auto splat = dyn_cast_if_present<FloatAttr>(getSplat(tensor));
    return splat && splat.getValueAsDouble() == value;
  }

  OpBuilder &b;
  Location loc;
  RankedTensorType type;
  SmallVector<int64_t> vectorShape, otherSizes;
  int64_t count = 1;
  AffineMap identity, perFeature, reduceMap;
};

struct ConvertTraining : Lowering<stablehlo::BatchNormTrainingOp> {
  using Lowering::Lowering;

  LogicalResult matchAndRewrite(stablehlo::BatchNormTrainingOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Normalization norm(rewriter, op.getLoc(), op.getOperand(), adaptor.getOperand(),
                       op.getFeatureIndex());
    Value mean = norm.mean(adaptor.getOperand());
    Value centered = norm.center(adaptor.getOperand(), mean);
    Value variance = norm.mean(norm.square(centered));
    Value output = norm.normalize(centered, variance, adaptor.getScale(), adaptor.getOffset(),
                                  op.getEpsilon());
    rewriter.replaceOp(op, {output, mean, variance});
    return success();
  }
};

struct ConvertInference : Lowering<stablehlo::BatchNormInferenceOp> {
  using Lowering::Lowering;

  LogicalResult matchAndRewrite(stablehlo::BatchNormInferenceOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Normalization norm(rewriter, op.getLoc(), op.getOperand(), adaptor.getOperand(),
                       op.getFeatureIndex());
    Value centered = norm.center(adaptor.getOperand(), adaptor.getMean());
    rewriter.replaceOp(op, norm.normalize(centered, adaptor.getVariance(), adaptor.getScale(),
                                          adaptor.getOffset(), op.getEpsilon()));
    return success();
  }
};

} // namespace

void populateBatchNorm(RewritePatternSet &patterns, const Reading &reading) {
  patterns.add<ConvertTraining, ConvertInference>(reading, patterns.getContext());
}

} // namespace planwright
