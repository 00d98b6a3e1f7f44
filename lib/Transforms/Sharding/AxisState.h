// How one value lies along one mesh axis: whole, waiting to be combined, or divided along a
// dimension; and what it costs to bring it from one state to another.
//
//   AxisState state = getAxisState(layout, axis);
//   Cost cost = costs.getTransition(type, AxisState::partial(plan::Combiner::sum),
//   AxisState::whole());
//
// Not here: layouts over several axes (plan dialect), which state is chosen (AxisProblem.h).
#ifndef PLANWRIGHT_LIB_TRANSFORMS_SHARDING_AXISSTATE_H
#define PLANWRIGHT_LIB_TRANSFORMS_SHARDING_AXISSTATE_H

#include "planwright/Cost/Collective.h"
#include "planwright/Planner/CostNetwork.h"

#include "dialects/Plan/IR/Plan.h"

namespace planwright {

struct AxisState {
  enum class Kind { Whole, Partial, Divided };

  Kind kind = Kind::Whole;
  int64_t dim = -1;                              ///< if divided
  plan::Combiner combiner = plan::Combiner::sum; ///< if partial

  static AxisState whole() { return {}; }
  static AxisState partial(plan::Combiner combiner) { return {Kind::Partial, -1, combiner}; }
  static AxisState divided(int64_t dim) { return {Kind::Divided, dim}; }

  bool isWhole() const { return kind == Kind::Whole; }
  bool isPartial() const { return kind == Kind::Partial; }
  bool isDivided() const { return kind == Kind::Divided; }
  bool operator==(const AxisState &) const = default;
};

/// What `layout` says of `axis` alone.
AxisState getAxisState(plan::LayoutAttr layout, mlir::StringAttr axis);
/// `layout` with what it says of `axis` replaced. The axis becomes the innermost of its dimension.
plan::LayoutAttr setAxisState(plan::LayoutAttr layout, mlir::StringAttr axis, AxisState state);

/// Prices along one axis, in picoseconds.
struct AxisCosts {
  int64_t ranks = 1;
  LinkCost link;
  double flopsPerSecond = 1;
  double memoryBytesPerSecond = 1;

  /// Of an exchange of `bytes`; 0 between equal states and where a rank cuts its own block out of a
  /// whole value. Forbidden: becoming partial.
  Cost getTransition(int64_t bytes, AxisState from, AxisState to) const;
  /// Of a kernel: the longer of computing and of moving `bytes` in memory.
  Cost getKernel(double flops, double bytes) const;
  Cost getMemory(double bytes) const { return getKernel(0, bytes); }
};

/// A second: more than any exchange costs that one would want, less than failing.
inline constexpr Cost kUnwanted = 1'000'000'000'000;

} // namespace planwright

#endif // PLANWRIGHT_LIB_TRANSFORMS_SHARDING_AXISSTATE_H
