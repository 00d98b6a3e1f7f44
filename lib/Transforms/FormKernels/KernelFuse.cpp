// The pass kernel-fuse. Rules in FusionRules.h, rewrites in GenericMerger.h.
#include "FusionRules.h"
#include "GenericMerger.h"
#include "Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/SmallBitVector.h"

using namespace mlir;
using namespace planwright;
using namespace planwright::kernels;

static constexpr unsigned kSiblingDistance = 24;

namespace planwright {
#define GEN_PASS_DEF_KERNELFUSE
#include "lib/Transforms/FormKernels/Passes.h.inc"
} // namespace planwright

/// Whether every loop of `consumer` still has an operand that says how long it is when `producer`
/// is part of it. A producer that computes from coordinates alone (a mask) may be all that a
/// reduction reads.
static bool boundsAllLoops(linalg::GenericOp producer, linalg::GenericOp consumer,
                           AffineMap loopMap) {
  llvm::SmallBitVector bounded(consumer.getNumLoops());
  auto add = [&](AffineMap map) {
    for (AffineExpr result : map.getResults())
      if (auto loop = dyn_cast<AffineDimExpr>(result))
        bounded.set(loop.getPosition());
  };
  for (OpOperand *input : producer.getDpsInputOperands())
    add(producer.getMatchingIndexingMap(input).compose(loopMap));
  for (OpOperand &operand : consumer->getOpOperands())
    if (operand.get().getDefiningOp() != producer)
      add(consumer.getMatchingIndexingMap(&operand));
  return bounded.all();
}

/// Fuses one producer into `consumer`, which is then another operation; false when there is none
/// left.
static bool fuseOneProducer(RewriterBase &rewriter, linalg::GenericOp &consumer, Fusion wanted) {
  for (OpOperand *input : consumer.getDpsInputOperands()) {
    auto producer = input->get().getDefiningOp<linalg::GenericOp>();
    if (!producer || producer->getBlock() != consumer->getBlock())
      continue;
    AffineMap loopMap = getLoopMap(producer, *input);
    Fusion fusion = loopMap && boundsAllLoops(producer, consumer, loopMap)
                        ? chooseFusion(*input, loopMap)
                        : Fusion::none;
    if (fusion != wanted)
      continue;
    consumer = fuseProducer(rewriter, producer, consumer, loopMap, fusion == Fusion::keep);
    return true;
  }
  return false;
}

static void fuseProducers(RewriterBase &rewriter, Block &block, Fusion wanted) {
  for (Operation &op : llvm::make_early_inc_range(block))
    if (auto consumer = dyn_cast<linalg::GenericOp>(op))
      while (fuseOneProducer(rewriter, consumer, wanted)) {
      }
}

/// The next operation that should be one with `first`. Only near ones are looked at: merging moves
/// one of the two, and what it needs lives longer.
static linalg::GenericOp findSibling(linalg::GenericOp first, bool &atFirst) {
  Operation *op = first->getNextNode();
  for (unsigned distance = 0; op && distance < kSiblingDistance; ++distance, op = op->getNextNode())
    if (auto second = dyn_cast<linalg::GenericOp>(op);
        second && shouldMerge(first, second, atFirst))
      return second;
  return nullptr;
}

static void mergeAllSiblings(RewriterBase &rewriter, Block &block) {
  for (Operation *op = &block.front(); op;) {
    Operation *next = op->getNextNode();
    bool atFirst = false;
    auto first = dyn_cast<linalg::GenericOp>(op);
    linalg::GenericOp second = first ? findSibling(first, atFirst) : nullptr;
    if (second) {
      // The merged operation is asked again: there may be a third.
      bool followsDirectly = next == second;
      linalg::GenericOp merged = mergeSiblings(rewriter, first, second, atFirst);
      next = atFirst || followsDirectly ? merged.getOperation() : next;
    }
    op = next;
  }
}

namespace {
class KernelFusePass : public planwright::impl::KernelFuseBase<KernelFusePass> {
public:
  void runOnOperation() override {
    IRRewriter rewriter(&getContext());
    for (Block &block : getOperation().getBody()) {
      fuseProducers(rewriter, block, Fusion::compute);
      mergeAllSiblings(rewriter, block);
      // Last: a producer that its first reader returns could no longer be read by two that are made
      // one.
      fuseProducers(rewriter, block, Fusion::keep);
    }
  }
};
} // namespace
