// The pass model-outline-layers: find repetitions, then outline them.
// Not here: the search (Repeats.cpp), the outlining (LayerFunction.cpp).
#include "lib/Transforms/OutlineLayers/Passes.h"

#include "lib/Transforms/OutlineLayers/LayerFunction.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;

namespace planwright {

#define GEN_PASS_DEF_OUTLINELAYERSPASS
#include "lib/Transforms/OutlineLayers/Passes.h.inc"

/// Removes operations that only the outlined layers used.
static void eraseUnused(func::FuncOp function) {
  for (Operation &op : llvm::make_early_inc_range(llvm::reverse(function.getBody().front())))
    if (isOpTriviallyDead(&op))
      op.erase();
}

static void outlineLayers(func::FuncOp function) {
  LayerSequence sequence(function);
  SmallVector<SmallVector<Segment>> rows;
  for (Repeat repeat : findRepeats({sequence.labels, sequence.liveBytes, sequence.isContraction}))
    if (auto segments = getEqualSegments(sequence, repeat); segments.size() > 1)
      rows.push_back(std::move(segments));
  for (auto [index, segments] : llvm::enumerate(rows)) {
    std::string name = rows.size() == 1 ? "layer" : "layer_" + std::to_string(index + 1);
    outlineSegments(sequence, segments, name, function);
  }
  eraseUnused(function);
}

namespace {

struct OutlineLayersPass : impl::OutlineLayersPassBase<OutlineLayersPass> {
  void runOnOperation() override {
    auto function = getOperation().lookupSymbol<func::FuncOp>("main");
    if (!function || !llvm::hasSingleElement(function.getBody()))
      return;
    outlineLayers(function);
  }
};

} // namespace

} // namespace planwright
