// How a job divides its work, as the user or the planner says it, and the checks that need only
// numbers.
//
//   Strategy strategy{.dp = 2, .microBatches = 4};
//   if (std::string problem = checkStrategy(strategy, cluster); !problem.empty()) ...
//
// Not here: which layouts follow from it (Transforms), how good it is (Planner).
#ifndef PLANWRIGHT_PIPELINES_STRATEGY_H
#define PLANWRIGHT_PIPELINES_STRATEGY_H

#include "planwright/Topology/Cluster.h"

#include <cstdint>
#include <string>

namespace planwright {

/// Sizes of the parallel axes. dp * tp * pp * cp is the number of ranks; ep divides dp.
struct Strategy {
  int64_t dp = 1;
  int64_t tp = 1;
  int64_t pp = 1;
  int64_t cp = 1;
  int64_t ep = 1;
  int64_t microBatches = 1;
  bool sequenceParallel = false; ///< tp also divides positions

  int64_t getNumRanks() const { return dp * tp * pp * cp; }
};

/// Empty, or a sentence that says what is wrong: sizes below 1, axes that do not work yet, more
/// ranks than devices.
std::string checkStrategy(const Strategy &strategy, const Cluster &cluster);

} // namespace planwright

#endif // PLANWRIGHT_PIPELINES_STRATEGY_H
