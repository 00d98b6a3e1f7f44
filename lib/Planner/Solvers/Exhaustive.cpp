// The oracle: every choice is tried, depth first; a branch ends where it costs as much as the best.
#include "planwright/Planner/CostNetwork.h"

#include <algorithm>

using namespace planwright;

namespace {
class Search {
public:
  explicit Search(const CostNetwork &network)
      : network(network), complete(network.getNumVariables() + 1),
        choice(network.getNumVariables()) {
    // A table is added to the sum when its last variable gets a value.
    for (const CostNetwork::Table &table : network.getTables())
      complete[table.variables.empty() ? 0 : table.variables.back() + 1].push_back(&table);
  }

  Solution run() {
    descend(0, addComplete(0, 0));
    best.status = best.choice.empty() && best.cost >= kForbidden ? SolveStatus::Infeasible
                                                                 : SolveStatus::Optimal;
    return best;
  }

private:
  Cost addComplete(unsigned depth, Cost sum) const {
    for (const CostNetwork::Table *table : complete[depth]) {
      size_t row = 0;
      for (unsigned variable : table->variables)
        row = row * network.getNumValues(variable) + choice[variable];
      sum = addCosts(sum, table->costs[row]);
    }
    return sum;
  }

  void descend(unsigned variable, Cost sum) {
    if (sum >= best.cost)
      return;
    if (variable == choice.size()) {
      best.cost = sum;
      best.choice = choice;
      return;
    }
    for (unsigned value = 0; value < network.getNumValues(variable); ++value) {
      choice[variable] = value;
      descend(variable + 1, addComplete(variable + 1, sum));
    }
  }

  const CostNetwork &network;
  std::vector<std::vector<const CostNetwork::Table *>> complete;
  std::vector<unsigned> choice;
  Solution best{SolveStatus::Infeasible};
};
} // namespace

Solution planwright::solveExhaustively(const CostNetwork &network) { return Search(network).run(); }
