// The k largest elements along the last dimension.
#include "Patterns.h"

#include "dialects/Model/IR/Model.h"

using namespace mlir;

namespace planwright {
namespace {

struct ConvertTopK : Lowering<chlo::TopKOp> {
  using Lowering::Lowering;

  LogicalResult matchAndRewrite(chlo::TopKOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    int64_t last = getShape(op.getOperand()).back(), k = op.getK();
    RankedTensorType values = getNewType(*this, op.getValues());
    RankedTensorType indices = getNewType(*this, op.getIndices());
    if (k == 0)
      return refuse(op, "it takes no element at all");
    Location loc = op.getLoc();
    if (last == 1) { // the only element is the largest
      Value zeros =
          buildSplat(rewriter, loc, indices.getShape(), getZero(indices.getElementType()));
      rewriter.replaceOp(op, {adaptor.getOperand(), zeros});
      return success();
    }
    // The last dimension is there even if k is one; it is dropped behind the operation.
    SmallVector<int64_t> shape(getTensorType(adaptor.getOperand()).getShape());
    shape.back() = k;
    auto topK = model::TopKOp::create(
        rewriter, loc, RankedTensorType::get(shape, values.getElementType()),
        RankedTensorType::get(shape, indices.getElementType()), adaptor.getOperand());
    rewriter.replaceOp(op, {buildReshape(rewriter, loc, topK.getValues(), values.getShape()),
                            buildReshape(rewriter, loc, topK.getIndices(), indices.getShape())});
    return success();
  }
};

} // namespace

void populateTopK(RewritePatternSet &patterns, const Reading &reading) {
  patterns.add<ConvertTopK>(reading, patterns.getContext());
}

} // namespace planwright
