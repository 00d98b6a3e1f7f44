// Relations, their joins, and the order in which variables go.
#include "test/Planner/Joins.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <set>
#include <string>
#include <unordered_map>

using namespace planwright;

namespace {

/// One byte per variable of a scope.
using Row = std::string;

struct Relation {
  std::vector<unsigned> scope;
  std::unordered_map<Row, Cost> rows; ///< those that are allowed

  size_t find(unsigned variable) const {
    return std::find(scope.begin(), scope.end(), variable) - scope.begin();
  }
  bool has(unsigned variable) const { return find(variable) < scope.size(); }
};

} // namespace

static Relation toRelation(const CostNetwork::Table &table, const CostNetwork &network) {
  Relation relation{table.variables, {}};
  for (size_t index = 0; index < table.costs.size(); ++index) {
    Row row(table.variables.size(), 0);
    size_t rest = index;
    for (size_t position = row.size(); position-- > 0;) {
      unsigned size = network.getNumValues(table.variables[position]);
      assert(size <= 256 && "a value is a byte");
      row[position] = static_cast<char>(rest % size);
      rest /= size;
    }
    if (table.costs[index] < kForbidden)
      relation.rows[row] = table.costs[index];
  }
  return relation;
}

//===----------------------------------------------------------------------===//
// Rows that join with nothing
//===----------------------------------------------------------------------===//

using Values = std::vector<std::set<char>>; ///< by variable

/// Erases rows with a value that is not in `alive`, then values that no row has; true if there were
/// any.
static bool dropDangling(Relation &relation, Values &alive) {
  Values seen(relation.scope.size());
  std::erase_if(relation.rows, [&](const auto &entry) {
    for (size_t position = 0; position < entry.first.size(); ++position)
      if (!alive[relation.scope[position]].count(entry.first[position]))
        return true;
    for (size_t position = 0; position < entry.first.size(); ++position)
      seen[position].insert(entry.first[position]);
    return false;
  });
  bool isLess = false;
  for (size_t position = 0; position < seen.size(); ++position) {
    isLess |= seen[position].size() < alive[relation.scope[position]].size();
    alive[relation.scope[position]] = seen[position];
  }
  return isLess;
}

static Values dropDangling(std::vector<Relation> &relations, const CostNetwork &network) {
  Values alive(network.getNumVariables());
  for (unsigned variable = 0; variable < alive.size(); ++variable)
    for (unsigned value = 0; value < network.getNumValues(variable); ++value)
      alive[variable].insert(static_cast<char>(value));
  for (bool isLess = true; isLess;) {
    isLess = false;
    for (Relation &relation : relations)
      isLess |= dropDangling(relation, alive);
  }
  return alive;
}

//===----------------------------------------------------------------------===//
// The order
//===----------------------------------------------------------------------===//

namespace {
/// Variables that stand in a relation together.
struct Graph {
  std::vector<std::set<unsigned>> neighbours;
  std::vector<double> weights; ///< logarithm of the number of values

  /// What `variable` would leave behind: pairs of neighbours that were none before.
  double getFill(unsigned variable) const {
    double fill = 0;
    for (unsigned a : neighbours[variable])
      for (unsigned b : neighbours[variable])
        if (a < b && !neighbours[a].count(b))
          fill += weights[a] * weights[b];
    return fill;
  }

  void remove(unsigned variable) {
    for (unsigned a : neighbours[variable]) {
      neighbours[a].erase(variable);
      for (unsigned b : neighbours[variable])
        if (a != b)
          neighbours[a].insert(b);
    }
  }
};
} // namespace

static Graph makeGraph(const std::vector<Relation> &relations, const Values &alive) {
  Graph graph;
  graph.neighbours.resize(alive.size());
  for (const std::set<char> &values : alive)
    graph.weights.push_back(std::log2(std::max<size_t>(values.size(), 1)));
  for (const Relation &relation : relations)
    for (unsigned a : relation.scope)
      for (unsigned b : relation.scope)
        if (a != b)
          graph.neighbours[a].insert(b);
  return graph;
}

/// Least fill first.
static std::vector<unsigned> findOrder(Graph graph) {
  std::set<std::pair<double, unsigned>> queue;
  std::vector<double> fill;
  for (unsigned variable = 0; variable < graph.neighbours.size(); ++variable) {
    fill.push_back(graph.getFill(variable));
    queue.insert({fill.back(), variable});
  }
  std::vector<unsigned> order;
  while (!queue.empty()) {
    unsigned next = queue.begin()->second;
    queue.erase(queue.begin());
    order.push_back(next);
    graph.remove(next);
    std::set<unsigned> changed = graph.neighbours[next];
    for (unsigned near : graph.neighbours[next])
      changed.insert(graph.neighbours[near].begin(), graph.neighbours[near].end());
    for (unsigned variable : changed) {
      queue.erase({fill[variable], variable});
      fill[variable] = graph.getFill(variable);
      queue.insert({fill[variable], variable});
    }
  }
  return order;
}

//===----------------------------------------------------------------------===//
// Joining
//===----------------------------------------------------------------------===//

static Row pick(const Row &row, const std::vector<size_t> &positions) {
  Row picked;
  for (size_t position : positions)
    picked.push_back(row[position]);
  return picked;
}

/// Rows of both that agree where both have a variable; false where they are too many.
static bool join(Relation &left, const Relation &right, size_t maxRows) {
  std::vector<size_t> leftShared, rightShared, rightOwn;
  Relation joined{left.scope, {}};
  for (size_t position = 0; position < right.scope.size(); ++position) {
    unsigned variable = right.scope[position];
    if (left.has(variable)) {
      leftShared.push_back(left.find(variable));
      rightShared.push_back(position);
    } else {
      rightOwn.push_back(position);
      joined.scope.push_back(variable);
    }
  }
  std::unordered_map<Row, std::vector<std::pair<Row, Cost>>> matches;
  for (auto &[row, cost] : right.rows)
    matches[pick(row, rightShared)].emplace_back(pick(row, rightOwn), cost);
  for (auto &[row, cost] : left.rows) {
    auto match = matches.find(pick(row, leftShared));
    if (match == matches.end())
      continue;
    for (auto &[own, more] : match->second)
      joined.rows[row + own] = addCosts(cost, more);
    if (joined.rows.size() > maxRows)
      return false;
  }
  left = std::move(joined);
  return true;
}

/// Without `variable`: of rows that then are equal the cheapest.
static Relation project(const Relation &relation, unsigned variable) {
  Relation projected;
  std::vector<size_t> kept;
  for (size_t position = 0; position < relation.scope.size(); ++position) {
    if (relation.scope[position] == variable)
      continue;
    kept.push_back(position);
    projected.scope.push_back(relation.scope[position]);
  }
  for (auto &[row, cost] : relation.rows) {
    auto [entry, isNew] = projected.rows.insert({pick(row, kept), cost});
    entry->second = std::min(entry->second, cost);
  }
  return projected;
}

/// Variables with one value bind nothing: each relation does without them.
static void projectFixed(std::vector<Relation> &relations, const Values &alive) {
  for (Relation &relation : relations)
    for (unsigned variable : std::vector<unsigned>(relation.scope))
      if (alive[variable].size() <= 1)
        relation = project(relation, variable);
}

std::optional<Cost> planwright::findLeastCostByJoins(const CostNetwork &network, size_t maxRows) {
  std::vector<Relation> relations;
  for (const CostNetwork::Table &table : network.getTables())
    relations.push_back(toRelation(table, network));
  Values alive = dropDangling(relations, network);
  projectFixed(relations, alive);
  for (unsigned variable : findOrder(makeGraph(relations, alive))) {
    auto first = std::partition(relations.begin(), relations.end(),
                                [&](const Relation &relation) { return !relation.has(variable); });
    std::vector<Relation> users(std::make_move_iterator(first),
                                std::make_move_iterator(relations.end()));
    relations.erase(first, relations.end());
    // Small ones first: what they forbid is then never built.
    std::sort(users.begin(), users.end(),
              [](const Relation &a, const Relation &b) { return a.rows.size() < b.rows.size(); });
    Relation all{{}, {{Row(), 0}}};
    for (const Relation &user : users)
      if (!join(all, user, maxRows))
        return std::nullopt;
    relations.push_back(project(all, variable));
  }
  // What is left are relations over nothing: a sum, or no row.
  Cost least = 0;
  for (const Relation &relation : relations)
    least = addCosts(least, relation.rows.empty() ? kForbidden : relation.rows.begin()->second);
  return least;
}
