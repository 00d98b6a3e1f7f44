// The problem: variables, tables, and the proof of an answer. Not here: solvers.
#include "planwright/Planner/CostNetwork.h"

#include <algorithm>
#include <cassert>
#include <numeric>

using namespace planwright;

unsigned CostNetwork::addVariable(unsigned numValues) {
  assert(numValues > 0 && "a variable needs a value");
  sizes.push_back(numValues);
  return sizes.size() - 1;
}

void CostNetwork::addTable(std::span<const unsigned> variables, std::vector<Cost> costs) {
  // Tables keep their variables ascending, so that equal scopes are equal vectors.
  std::vector<unsigned> order(variables.size());
  std::iota(order.begin(), order.end(), 0u);
  std::sort(order.begin(), order.end(),
            [&](unsigned a, unsigned b) { return variables[a] < variables[b]; });
  std::vector<size_t> strides(variables.size());
  size_t total = 1;
  for (size_t position = variables.size(); position-- > 0;) {
    strides[position] = total;
    total *= sizes[variables[position]];
  }
  assert(costs.size() == total && "one cost per combination of values");

  Table table;
  for (unsigned position : order)
    table.variables.push_back(variables[position]);
  table.costs.reserve(total);
  for (size_t row = 0; row < total; ++row) {
    size_t rest = row, from = 0;
    for (size_t position = order.size(); position-- > 0;) {
      unsigned size = sizes[table.variables[position]];
      from += rest % size * strides[order[position]];
      rest /= size;
    }
    table.costs.push_back(costs[from]);
  }
  tables.push_back(std::move(table));
}

void CostNetwork::pin(unsigned variable, unsigned value) {
  assert(value < sizes[variable] && "only what can be chosen can be pinned");
  std::vector<Cost> costs(sizes[variable], kForbidden);
  costs[value] = 0;
  addTable(std::span(&variable, 1), std::move(costs));
}

Cost CostNetwork::getCost(std::span<const unsigned> choice) const {
  Cost sum = 0;
  for (const Table &table : tables) {
    size_t row = 0;
    for (unsigned variable : table.variables)
      row = row * sizes[variable] + choice[variable];
    sum = addCosts(sum, table.costs[row]);
  }
  return sum;
}

std::string CostNetwork::verify(std::span<const unsigned> choice, Cost claimed) const {
  if (choice.size() != sizes.size())
    return "the choice has " + std::to_string(choice.size()) + " values for " +
           std::to_string(sizes.size()) + " variables";
  for (size_t variable = 0; variable < sizes.size(); ++variable)
    if (choice[variable] >= sizes[variable])
      return "variable " + std::to_string(variable) + " has value " +
             std::to_string(choice[variable]) + ", but only " + std::to_string(sizes[variable]) +
             " values";
  Cost cost = getCost(choice);
  if (cost >= kForbidden)
    return "the choice is forbidden";
  if (cost != claimed)
    return "the choice costs " + std::to_string(cost) + ", not " + std::to_string(claimed);
  return "";
}
