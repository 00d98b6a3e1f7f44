// How a job divides its work, as the user or the planner says it; its attribute; and the checks
// that need only a cluster.
//
//   FailureOr<plan::StrategyAttr> attr = parseStrategy("#plan.strategy<dp = 2>", "flag", context);
//   if (std::string problem = checkStrategy(*attr, cluster); !problem.empty()) ...
//   Strategy strategy = getStrategy(*attr);
//
// Not here: which layouts follow from it (Transforms), how good it is (Planner).
#ifndef PLANWRIGHT_PIPELINES_STRATEGY_H
#define PLANWRIGHT_PIPELINES_STRATEGY_H

#include "dialects/Plan/IR/Plan.h"
#include "planwright/Topology/Cluster.h"

#include <cstdint>
#include <string>

namespace planwright {

/// The fields of a #plan.strategy, still open to change; what they mean and may be is said there.
struct Strategy {
  int64_t dp = 1;
  int64_t tp = 1;
  int64_t pp = 1;
  int64_t cp = 1;
  int64_t ep = 1;
  int64_t microBatches = 1;
  bool sequenceParallel = false;
  mlir::DictionaryAttr pins = {}; ///< null: none

  int64_t getNumRanks() const { return dp * tp * pp * cp; }
};

Strategy getStrategy(plan::StrategyAttr attr);
/// The attribute, or an error from its verifier.
mlir::FailureOr<plan::StrategyAttr> makeStrategyAttr(const Strategy &strategy,
                                                     mlir::MLIRContext &context);

/// Reads text that is one #plan.strategy<...> and nothing else. Errors stand at line and column of
/// the text, in a file called `name`.
mlir::FailureOr<plan::StrategyAttr> parseStrategy(llvm::StringRef text, llvm::StringRef name,
                                                  mlir::MLIRContext &context);

/// Empty, or a sentence that says what is wrong: axes that do not work yet, more ranks than
/// devices.
std::string checkStrategy(plan::StrategyAttr strategy, const Cluster &cluster);

} // namespace planwright

#endif // PLANWRIGHT_PIPELINES_STRATEGY_H
