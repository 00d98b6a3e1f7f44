// A second exact way to the least cost of a network, to test the first one by. It shares no idea
// with it but that sums may be reordered: tables are relations of the rows that are allowed,
// variables go in an order that is fixed before the first one goes, relations are joined and
// projected as a database does it, and no value is dropped for being worse than another.
//
//   std::optional<Cost> least = findLeastCostByJoins(network);
//
// Slower than elimination by orders of magnitude. Not here: which choice costs that little.
#ifndef PLANWRIGHT_TEST_PLANNER_JOINS_H
#define PLANWRIGHT_TEST_PLANNER_JOINS_H

#include "planwright/Planner/CostNetwork.h"

#include <optional>

namespace planwright {

/// kForbidden where every choice is; absent where a relation would have had more than `maxRows`.
std::optional<Cost> findLeastCostByJoins(const CostNetwork &network, size_t maxRows = size_t(1)
                                                                                      << 22);

} // namespace planwright

#endif // PLANWRIGHT_TEST_PLANNER_JOINS_H
