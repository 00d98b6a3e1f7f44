// The pass kernel-split-reductions: partial results of the outermost reduction loop, then their
// combination.
#include "FusionRules.h"
#include "Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace planwright;
using namespace planwright::kernels;

namespace planwright {
#define GEN_PASS_DEF_KERNELSPLITREDUCTIONS
#include "lib/Transforms/FormKernels/Passes.h.inc"
} // namespace planwright

/// The operation that combines a new element with the result so far, if there is one result and
/// that is all it does.
static Operation *findCombiner(linalg::GenericOp op) {
  if (op.getNumResults() != 1)
    return nullptr;
  BlockArgument sum = op.getRegionOutputArgs().front();
  Operation *combiner = op.getBody()->getTerminator()->getOperand(0).getDefiningOp();
  bool isCombiner = combiner && combiner->getNumOperands() == 2 && sum.hasOneUse() &&
                    *sum.user_begin() == combiner;
  return isCombiner && arith::getNeutralElement(combiner) ? combiner : nullptr;
}

/// The reduction loop that strides widest through the largest input: its iterations are far apart
/// in memory.
static std::optional<unsigned> findOutermostReduction(linalg::GenericOp op) {
  OpOperand *largest = nullptr;
  for (OpOperand *input : op.getDpsInputOperands())
    if (!largest || op.getShape(input).size() > op.getShape(largest).size())
      largest = input;
  if (!largest)
    return std::nullopt;
  AffineMap map = op.getMatchingIndexingMap(largest);
  SmallVector<int64_t> ranges = op.getStaticLoopRanges();
  for (unsigned result = 0; result < map.getNumResults(); ++result) {
    unsigned loop = map.getDimPosition(result);
    if (op.getIteratorTypesArray()[loop] == utils::IteratorType::reduction && ranges[loop] > 1)
      return loop;
  }
  return std::nullopt;
}

static Value createFill(RewriterBase &rewriter, Location location, TypedAttr value,
                        ArrayRef<int64_t> shape) {
  Value scalar = arith::ConstantOp::create(rewriter, location, value);
  Value empty = tensor::EmptyOp::create(rewriter, location, shape, value.getType());
  return linalg::FillOp::create(rewriter, location, scalar, empty).getResult(0);
}

/// The same reduction with `loop` parallel: one partial result for each of its iterations, in
/// front.
static linalg::GenericOp createPartial(RewriterBase &rewriter, linalg::GenericOp op, unsigned loop,
                                       TypedAttr neutral) {
  SmallVector<int64_t> shape(op.getShape(op.getDpsInitOperand(0)));
  shape.insert(shape.begin(), op.getStaticLoopRanges()[loop]);
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  maps.back() = maps.back().insertResult(rewriter.getAffineDimExpr(loop), 0);
  SmallVector<utils::IteratorType> iterators = op.getIteratorTypesArray();
  iterators[loop] = utils::IteratorType::parallel;
  Value init = createFill(rewriter, op.getLoc(), neutral, shape);
  auto partial = linalg::GenericOp::create(rewriter, op.getLoc(), TypeRange(init.getType()),
                                           op.getInputs(), ValueRange(init), maps, iterators);
  IRMapping mapping;
  op.getRegion().cloneInto(&partial.getRegion(), mapping);
  return partial;
}

static void split(RewriterBase &rewriter, linalg::GenericOp op, Operation *combiner,
                  unsigned loop) {
  rewriter.setInsertionPoint(op);
  linalg::GenericOp partial =
      createPartial(rewriter, op, loop, *arith::getNeutralElement(combiner));
  unsigned rank = cast<ShapedType>(partial.getResult(0).getType()).getRank();
  AffineMap all = rewriter.getMultiDimIdentityMap(rank);
  SmallVector<utils::IteratorType> iterators(rank, utils::IteratorType::parallel);
  iterators.front() = utils::IteratorType::reduction;
  auto combined = linalg::GenericOp::create(
      rewriter, op.getLoc(), op->getResultTypes(), partial.getResults(), op.getOutputs(),
      ArrayRef<AffineMap>{all, all.dropResult(0)}, iterators,
      [&](OpBuilder &builder, Location, ValueRange arguments) {
        IRMapping mapping;
        bool isSumFirst = combiner->getOperand(0) == op.getRegionOutputArgs().front();
        mapping.map(combiner->getOperand(isSumFirst ? 0 : 1), arguments[1]);
        mapping.map(combiner->getOperand(isSumFirst ? 1 : 0), arguments[0]);
        Operation *clone = builder.clone(*combiner, mapping);
        linalg::YieldOp::create(builder, clone->getLoc(), clone->getResults());
      });
  rewriter.replaceOp(op, combined.getResults());
}

namespace {
class KernelSplitReductionsPass
    : public planwright::impl::KernelSplitReductionsBase<KernelSplitReductionsPass> {
public:
  void runOnOperation() override {
    IRRewriter rewriter(&getContext());
    SmallVector<linalg::GenericOp> reductions;
    getOperation().walk([&](linalg::GenericOp op) {
      if (op.hasPureTensorSemantics() && op.getNumReductionLoops() != 0 && lacksParallelism(op))
        reductions.push_back(op);
    });
    for (linalg::GenericOp op : reductions) {
      Operation *combiner = findCombiner(op);
      std::optional<unsigned> loop = findOutermostReduction(op);
      if (combiner && loop && op.getNumReductionLoops() > 1)
        split(rewriter, op, combiner, *loop);
    }
  }
};
} // namespace
