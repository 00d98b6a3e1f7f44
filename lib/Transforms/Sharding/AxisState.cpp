// States along one axis, in and out of layouts, and their prices.
#include "lib/Transforms/Sharding/AxisState.h"

#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace planwright;

AxisState planwright::getAxisState(plan::LayoutAttr layout, StringAttr axis) {
  for (auto [dim, axes] : llvm::enumerate(layout.getDims()))
    if (axes.contains(axis))
      return AxisState::divided(dim);
  if (auto combiner = layout.getCombiner(axis))
    return AxisState::partial(*combiner);
  return AxisState::whole();
}

plan::LayoutAttr planwright::setAxisState(plan::LayoutAttr layout, StringAttr axis,
                                          AxisState state) {
  SmallVector<plan::AxesAttr> dims;
  for (auto [dim, axes] : llvm::enumerate(layout.getDims())) {
    SmallVector<StringAttr> names(axes.getNames());
    llvm::erase(names, axis);
    if (state == AxisState::divided(dim))
      names.push_back(axis);
    dims.push_back(plan::AxesAttr::get(layout.getContext(), names));
  }
  plan::LayoutAttr others = layout.dropPartial({axis.getValue()});
  SmallVector<StringAttr> partial(others.getPartialAxes());
  SmallVector<plan::Combiner> combiners(others.getPartialCombiners());
  if (state.isPartial()) {
    partial.push_back(axis);
    combiners.push_back(state.combiner);
  }
  return plan::LayoutAttr::get(layout.getContext(), dims, partial, combiners);
}

static Cost toPicoseconds(double seconds) { return static_cast<Cost>(seconds * 1e12 + 0.5); }

/// What it takes to start an exchange, beside its messages. NCCL's base latency of a ring with the
/// LL protocol: 6.6 us (NCCL 2.28, src/graph/tuning.cc, baseLatencies).
static constexpr double kStartSeconds = 6.6e-6;

Cost AxisCosts::getTransition(int64_t bytes, AxisState from, AxisState to) const {
  if (from == to || from.isWhole())
    return to.isPartial() && !from.isPartial() ? kForbidden : 0;
  if (to.isPartial())
    return kForbidden;
  double seconds;
  if (from.isPartial())
    seconds = to.isWhole() ? getAllReduceSeconds(bytes, ranks, link)
                           : getReduceScatterSeconds(bytes, ranks, link);
  else
    seconds = to.isWhole() ? getAllGatherSeconds(bytes, ranks, link)
                           : getAllToAllSeconds(bytes, ranks, link);
  return toPicoseconds(kStartSeconds + seconds);
}

Cost AxisCosts::getKernel(double flops, double bytes) const {
  return toPicoseconds(std::max(flops / flopsPerSecond, bytes / memoryBytesPerSecond));
}
