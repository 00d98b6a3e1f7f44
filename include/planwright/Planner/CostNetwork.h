// A problem of choices that cost: variables with few values each, and tables that give the cost of
// the values of some of them together. What is searched is the choice whose tables add up to least.
//
//   CostNetwork network;
//   unsigned a = network.addVariable(2), b = network.addVariable(3);
//   network.addTable({a, b}, {0, 5, 7, kForbidden, 1, 2});   // row-major, the last variable
//   fastest Solution best = solveByElimination(network); if (best.status == SolveStatus::Optimal)
//   best.choice[a];
//
// Not here: what variables and costs stand for (lib/Transforms/Sharding); seconds (Cost).
#ifndef PLANWRIGHT_PLANNER_COSTNETWORK_H
#define PLANWRIGHT_PLANNER_COSTNETWORK_H

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <vector>

namespace planwright {

/// Integers, so that sums do not depend on their order. Picoseconds where they are times.
using Cost = int64_t;

/// The cost of what must not be. Sums stop here.
inline constexpr Cost kForbidden = std::numeric_limits<Cost>::max() / 4;

inline Cost addCosts(Cost a, Cost b) { return a >= kForbidden - b ? kForbidden : a + b; }

class CostNetwork {
public:
  struct Table {
    std::vector<unsigned> variables; ///< ascending
    std::vector<Cost> costs;         ///< row-major, the last variable fastest
  };

  /// A variable with the values 0 ... `numValues` - 1; at least one.
  unsigned addVariable(unsigned numValues);
  /// Costs are not negative; `variables` are distinct. Row-major in the order given.
  void addTable(std::span<const unsigned> variables, std::vector<Cost> costs);
  /// Forbids all values of a variable but one.
  void pin(unsigned variable, unsigned value);

  unsigned getNumVariables() const { return sizes.size(); }
  unsigned getNumValues(unsigned variable) const { return sizes[variable]; }
  const std::vector<Table> &getTables() const { return tables; }

  /// The sum over all tables; kForbidden if one of them forbids.
  Cost getCost(std::span<const unsigned> choice) const;
  /// Empty, or what is wrong with `choice` as an answer of cost `claimed`.
  std::string verify(std::span<const unsigned> choice, Cost claimed) const;

private:
  std::vector<unsigned> sizes;
  std::vector<Table> tables;
};

enum class SolveStatus {
  Optimal,
  Infeasible, ///< every choice is forbidden
  TooWide     ///< a table between variables would have become larger than the limit
};

struct Solution {
  SolveStatus status;
  Cost cost = kForbidden;
  std::vector<unsigned> choice = {}; ///< one value per variable, if optimal
};

/// The exact optimum by variable elimination. Values that cannot be part of a better choice are
/// dropped first and again after each elimination, which keeps tables small. Of equally good
/// choices always the same is found.
Solution solveByElimination(const CostNetwork &network, size_t maxTableSize = size_t(1) << 22);

/// The same optimum by trying every choice: for tests, and up to about 20 variables.
Solution solveExhaustively(const CostNetwork &network);

} // namespace planwright

#endif // PLANWRIGHT_PLANNER_COSTNETWORK_H
