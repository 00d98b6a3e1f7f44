// dot_general and dot as contractions over their own dimensions: nothing is flattened.
#include "Patterns.h"

using namespace mlir;

namespace planwright {
namespace {

/// Names for the dimensions of both sides and of the result: batching, contracted, what is left of
/// either side.
struct DotLabels {
  SmallVector<int64_t> lhs, rhs, result;

  DotLabels(int64_t lhsRank, int64_t rhsRank, ArrayRef<int64_t> lhsBatch,
            ArrayRef<int64_t> rhsBatch, ArrayRef<int64_t> lhsContract,
            ArrayRef<int64_t> rhsContract)
      : lhs(lhsRank, -1), rhs(rhsRank, -1) {
    int64_t next = 0;
    for (auto [l, r] : llvm::zip_equal(lhsBatch, rhsBatch)) {
      result.push_back(next);
      lhs[l] = rhs[r] = next++;
    }
    for (auto [l, r] : llvm::zip_equal(lhsContract, rhsContract))
      lhs[l] = rhs[r] = next++;
    for (SmallVector<int64_t> *side : {&lhs, &rhs})
      for (int64_t &label : *side)
        if (label == -1) {
          result.push_back(next);
          label = next++;
        }
  }
};

LogicalResult convertDot(Operation *op, const DotLabels &labels, ValueRange newOperands,
                         RankedTensorType newType, const Reading &reading,
                         ConversionPatternRewriter &rewriter) {
  if (newType.getElementType().isInteger(1))
    return reading.refuse(op, "it multiplies booleans; convert them to a number first");
  Value lhs = op->getOperand(0), rhs = op->getOperand(1), result = op->getResult(0);
  Factor left{newOperands[0], SqueezedDims(lhs).select<int64_t>(labels.lhs)};
  Factor right{newOperands[1], SqueezedDims(rhs).select<int64_t>(labels.rhs)};
  SmallVector<int64_t> out = SqueezedDims(result).select<int64_t>(labels.result);
  bool isUnsigned = getTensorType(lhs).getElementType().isUnsignedInteger();
  rewriter.replaceOp(op, buildContraction(rewriter, op->getLoc(), left, right, out,
                                          newType.getElementType(), isUnsigned));
  return success();
}

struct ConvertDotGeneral : Lowering<stablehlo::DotGeneralOp> {
  using Lowering::Lowering;

  LogicalResult matchAndRewrite(stablehlo::DotGeneralOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    stablehlo::DotDimensionNumbersAttr numbers = op.getDotDimensionNumbers();
    DotLabels labels(getShape(op.getLhs()).size(), getShape(op.getRhs()).size(),
                     numbers.getLhsBatchingDimensions(), numbers.getRhsBatchingDimensions(),
                     numbers.getLhsContractingDimensions(), numbers.getRhsContractingDimensions());
    return convertDot(op, labels, adaptor.getOperands(), getNewType(*this, op.getResult()), reading,
                      rewriter);
  }
};

/// The last dimension of the left side against the first of the right side.
struct ConvertDot : Lowering<stablehlo::DotOp> {
  using Lowering::Lowering;

  LogicalResult matchAndRewrite(stablehlo::DotOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    int64_t lhsRank = getShape(op.getLhs()).size();
    DotLabels labels(lhsRank, getShape(op.getRhs()).size(), {}, {}, {lhsRank - 1}, {0});
    return convertDot(op, labels, adaptor.getOperands(), getNewType(*this, op.getResult()), reading,
                      rewriter);
  }
};

} // namespace

void populateContraction(RewritePatternSet &patterns, const Reading &reading) {
  patterns.add<ConvertDotGeneral, ConvertDot>(reading, patterns.getContext());
}

} // namespace planwright
