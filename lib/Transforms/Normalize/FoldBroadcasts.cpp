// Pass model-fold-broadcasts: one walk down that folds into readers, one walk that folds transposes
// into producers.
#include "Fold.h"
#include "Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;

namespace planwright {
#define GEN_PASS_DEF_MODELFOLDBROADCASTS
#include "lib/Transforms/Normalize/Passes.h.inc"

namespace {

/// What a reader folds has been folded itself, so one walk is enough.
void foldIntoReaders(Block &block) {
  for (Operation &op : llvm::make_early_inc_range(block)) {
    if (auto generic = dyn_cast<linalg::GenericOp>(op))
      foldGeneric(generic);
    else if (auto contract = dyn_cast<linalg::ContractOp>(op))
      foldContract(contract);
  }
}

void eraseUnused(Block &block) {
  for (Operation &op : llvm::make_early_inc_range(llvm::reverse(block)))
    if (isOpTriviallyDead(&op))
      op.erase();
}

struct FoldBroadcasts : impl::ModelFoldBroadcastsBase<FoldBroadcasts> {
  void runOnOperation() override {
    for (auto function : getOperation().getOps<func::FuncOp>())
      for (Block &block : function.getBody()) {
        foldIntoReaders(block);
        // Unread movement must be gone before: it would count as a second reader of its source.
        eraseUnused(block);
        for (auto generic : llvm::make_early_inc_range(block.getOps<linalg::GenericOp>()))
          foldIntoProducer(generic);
        eraseUnused(block);
      }
  }
};

} // namespace
} // namespace planwright
