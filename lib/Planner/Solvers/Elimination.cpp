// Variable elimination: one variable after the other is replaced by a table over its neighbours
// that holds the cost of its best value; backwards, each then takes that value. The variable that
// leaves the smallest table goes first. Before that, values are dropped that another value of the
// same variable beats whatever the neighbours choose (dead-end elimination, Goldstein's criterion);
// a variable of one value then leaves all scopes, or it would tie its neighbours together for
// nothing.
#include "planwright/Planner/CostNetwork.h"

#include <algorithm>
#include <cassert>
#include <optional>
#include <set>

using namespace planwright;

namespace {

/// A table over variables that are still there, by their values that are still there.
using Table = CostNetwork::Table;

/// What is left of a variable: which of its values, by position.
struct Domain {
  std::vector<unsigned> values;
  std::set<unsigned> tables; ///< that have it in their scope
  bool isEliminated = false;
};

/// How an eliminated variable finds its value when its neighbours have theirs.
struct Record {
  unsigned variable;
  std::vector<unsigned> neighbours;
  std::vector<unsigned> best; ///< value by row over the neighbours, last fastest
  std::vector<std::vector<unsigned>> neighbourValues;
};

class Eliminator {
public:
  Eliminator(const CostNetwork &network, size_t maxTableSize);
  Solution run();

private:
  size_t getSize(unsigned variable) const { return domains[variable].values.size(); }
  size_t getNumRows(const std::vector<unsigned> &variables) const;

  void addTable(Table table);
  void removeTable(unsigned index);
  std::optional<unsigned> findTable(const std::vector<unsigned> &variables) const;

  void touch(unsigned variable) { stale.insert(variable); }
  void dropValue(unsigned variable, unsigned position);
  bool isForbidden(unsigned variable, unsigned position) const;
  bool isBeaten(unsigned variable, unsigned loser, unsigned winner) const;
  void prune();
  void pruneVariable(unsigned variable);
  void fix(unsigned variable);

  std::vector<unsigned> getNeighbours(unsigned variable) const;
  void rank(unsigned variable);
  void retire(unsigned variable);
  void eliminate(unsigned variable);
  std::vector<unsigned> takeBack() const;

  size_t maxTableSize;
  std::vector<Domain> domains;
  std::vector<Table> tables; ///< removed ones are empty
  std::vector<Record> records;
  std::set<unsigned> stale;                      ///< whose values may have become droppable
  std::set<std::pair<size_t, unsigned>> ranking; ///< size of the table left behind, variable
  std::vector<size_t> ranks;
  Cost constant = 0;
  bool isInfeasible = false;
};

/// Walks the rows of a table over `variables` with the position of each variable.
class Rows {
public:
  explicit Rows(std::vector<size_t> sizes)
      : sizes(std::move(sizes)), positions(this->sizes.size()) {}
  size_t operator[](size_t variable) const { return positions[variable]; }
  void next() {
    for (size_t variable = sizes.size(); variable-- > 0;) {
      if (++positions[variable] < sizes[variable])
        return;
      positions[variable] = 0;
    }
  }

private:
  std::vector<size_t> sizes, positions;
};

} // namespace

static size_t indexOf(const std::vector<unsigned> &variables, unsigned variable) {
  return std::lower_bound(variables.begin(), variables.end(), variable) - variables.begin();
}

//===----------------------------------------------------------------------===//
// Tables
//===----------------------------------------------------------------------===//

Eliminator::Eliminator(const CostNetwork &network, size_t maxTableSize)
    : maxTableSize(maxTableSize), domains(network.getNumVariables()),
      ranks(network.getNumVariables()) {
  for (unsigned variable = 0; variable < domains.size(); ++variable) {
    for (unsigned value = 0; value < network.getNumValues(variable); ++value)
      domains[variable].values.push_back(value);
    touch(variable);
  }
  for (const Table &table : network.getTables())
    addTable(table);
}

size_t Eliminator::getNumRows(const std::vector<unsigned> &variables) const {
  size_t rows = 1;
  for (unsigned variable : variables) {
    rows *= getSize(variable);
    if (rows > maxTableSize)
      return maxTableSize + 1;
  }
  return rows;
}

std::optional<unsigned> Eliminator::findTable(const std::vector<unsigned> &variables) const {
  for (unsigned index : domains[variables.front()].tables)
    if (tables[index].variables == variables)
      return index;
  return std::nullopt;
}

/// Adds costs to the table of the same scope, or makes it.
void Eliminator::addTable(Table table) {
  if (table.variables.empty()) {
    constant = addCosts(constant, table.costs.front());
    isInfeasible |= constant >= kForbidden;
    return;
  }
  for (unsigned variable : table.variables)
    touch(variable);
  if (std::optional<unsigned> known = findTable(table.variables)) {
    for (size_t row = 0; row < table.costs.size(); ++row)
      tables[*known].costs[row] = addCosts(tables[*known].costs[row], table.costs[row]);
    return;
  }
  for (unsigned variable : table.variables)
    domains[variable].tables.insert(tables.size());
  tables.push_back(std::move(table));
}

void Eliminator::removeTable(unsigned index) {
  for (unsigned variable : tables[index].variables)
    domains[variable].tables.erase(index);
  tables[index] = {};
}

//===----------------------------------------------------------------------===//
// Dropping values
//===----------------------------------------------------------------------===//

namespace {
/// Costs of one variable's values in one table: rows of `inner` neighbouring costs, `outer` times.
struct Slices {
  Slices(const Table &table, unsigned variable, const std::vector<Domain> &domains)
      : costs(table.costs), size(domains[variable].values.size()) {
    size_t at = indexOf(table.variables, variable);
    for (size_t position = 0; position < table.variables.size(); ++position) {
      size_t values = domains[table.variables[position]].values.size();
      outer *= position < at ? values : 1;
      inner *= position > at ? values : 1;
    }
  }
  Cost get(size_t out, size_t position, size_t in) const {
    return costs[(out * size + position) * inner + in];
  }

  const std::vector<Cost> &costs;
  size_t size, outer = 1, inner = 1;
};
} // namespace

void Eliminator::dropValue(unsigned variable, unsigned position) {
  for (unsigned index : domains[variable].tables) {
    Slices slices(tables[index], variable, domains);
    std::vector<Cost> kept;
    kept.reserve(slices.outer * slices.inner * (slices.size - 1));
    for (size_t out = 0; out < slices.outer; ++out)
      for (size_t at = 0; at < slices.size; ++at)
        for (size_t in = 0; in < slices.inner && at != position; ++in)
          kept.push_back(slices.get(out, at, in));
    tables[index].costs = std::move(kept);
    for (unsigned neighbour : tables[index].variables)
      touch(neighbour);
  }
  domains[variable].values.erase(domains[variable].values.begin() + position);
}

/// Some table forbids the value whatever the others choose.
bool Eliminator::isForbidden(unsigned variable, unsigned position) const {
  return std::any_of(domains[variable].tables.begin(), domains[variable].tables.end(),
                     [&](unsigned index) {
                       Slices slices(tables[index], variable, domains);
                       for (size_t out = 0; out < slices.outer; ++out)
                         for (size_t in = 0; in < slices.inner; ++in)
                           if (slices.get(out, position, in) < kForbidden)
                             return false;
                       return true;
                     });
}

/// Putting `winner` in the place of `loser` never costs more, whatever the others choose; where it
/// costs the same, the smaller value wins.
bool Eliminator::isBeaten(unsigned variable, unsigned loser, unsigned winner) const {
  Cost worst = 0;
  for (unsigned index : domains[variable].tables) {
    Slices slices(tables[index], variable, domains);
    Cost most = -kForbidden;
    for (size_t out = 0; out < slices.outer; ++out) {
      for (size_t in = 0; in < slices.inner; ++in) {
        Cost before = slices.get(out, loser, in), after = slices.get(out, winner, in);
        if (before >= kForbidden)
          continue;
        if (after >= kForbidden)
          return false;
        most = std::max(most, after - before);
      }
    }
    worst = std::max(worst + most, -kForbidden);
  }
  return worst < 0 || (worst == 0 && winner < loser);
}

void Eliminator::pruneVariable(unsigned variable) {
  for (unsigned position = getSize(variable); position-- > 0 && getSize(variable) > 1;) {
    bool drops = isForbidden(variable, position);
    for (unsigned other = 0; other < getSize(variable) && !drops; ++other)
      drops = other != position && isBeaten(variable, position, other);
    if (drops)
      dropValue(variable, position);
  }
}

/// A variable of one value leaves its tables one by one: it is a neighbour that decides nothing.
void Eliminator::fix(unsigned variable) {
  std::set<unsigned> used = domains[variable].tables;
  for (unsigned index : used) {
    Table table = tables[index];
    removeTable(index);
    std::erase(table.variables, variable);
    addTable(std::move(table));
  }
  retire(variable);
  records.push_back({variable, {}, {domains[variable].values.front()}, {}});
}

void Eliminator::prune() {
  while (!stale.empty()) {
    unsigned variable = *stale.begin();
    stale.erase(stale.begin());
    if (domains[variable].isEliminated)
      continue;
    pruneVariable(variable);
    std::vector<unsigned> neighbours = getNeighbours(variable);
    if (getSize(variable) == 1)
      fix(variable);
    else
      rank(variable);
    for (unsigned neighbour : neighbours)
      rank(neighbour);
  }
}

//===----------------------------------------------------------------------===//
// Elimination
//===----------------------------------------------------------------------===//

std::vector<unsigned> Eliminator::getNeighbours(unsigned variable) const {
  std::vector<unsigned> neighbours;
  for (unsigned index : domains[variable].tables)
    for (unsigned other : tables[index].variables)
      if (other != variable)
        neighbours.push_back(other);
  std::sort(neighbours.begin(), neighbours.end());
  neighbours.erase(std::unique(neighbours.begin(), neighbours.end()), neighbours.end());
  return neighbours;
}

void Eliminator::rank(unsigned variable) {
  ranking.erase({ranks[variable], variable});
  ranks[variable] = getNumRows(getNeighbours(variable));
  ranking.insert({ranks[variable], variable});
}

/// It is in no table any more.
void Eliminator::retire(unsigned variable) {
  ranking.erase({ranks[variable], variable});
  domains[variable].isEliminated = true;
}

void Eliminator::eliminate(unsigned variable) {
  Record record{variable, getNeighbours(variable), {}, {}};
  std::vector<size_t> sizes;
  for (unsigned neighbour : record.neighbours) {
    sizes.push_back(getSize(neighbour));
    record.neighbourValues.push_back(domains[neighbour].values);
  }

  // For each table of the variable, the stride of each neighbour and of the variable in it.
  struct Source {
    const Table *table;
    std::vector<size_t> strides;
    size_t own = 0;
  };
  std::vector<Source> sources;
  for (unsigned index : domains[variable].tables) {
    Source source{&tables[index], std::vector<size_t>(sizes.size(), 0)};
    size_t stride = 1;
    for (size_t position = tables[index].variables.size(); position-- > 0;) {
      unsigned member = tables[index].variables[position];
      size_t &place =
          member == variable ? source.own : source.strides[indexOf(record.neighbours, member)];
      place = stride;
      stride *= getSize(member);
    }
    sources.push_back(std::move(source));
  }

  Table left;
  left.variables = record.neighbours;
  size_t numRows = getNumRows(record.neighbours);
  left.costs.reserve(numRows);
  record.best.reserve(numRows);
  Rows rows(sizes);
  std::vector<size_t> bases(sources.size());
  for (size_t row = 0; row < numRows; ++row, rows.next()) {
    for (size_t s = 0; s < sources.size(); ++s) {
      bases[s] = 0;
      for (size_t position = 0; position < sizes.size(); ++position)
        bases[s] += rows[position] * sources[s].strides[position];
    }
    Cost least = kForbidden;
    unsigned best = 0;
    for (unsigned position = 0; position < getSize(variable); ++position) {
      Cost sum = 0;
      for (size_t s = 0; s < sources.size(); ++s)
        sum = addCosts(sum, sources[s].table->costs[bases[s] + position * sources[s].own]);
      if (sum < least) {
        least = sum;
        best = position;
      }
    }
    left.costs.push_back(least);
    record.best.push_back(domains[variable].values[best]);
  }

  std::set<unsigned> used = domains[variable].tables;
  for (unsigned index : used)
    removeTable(index);
  retire(variable);
  addTable(std::move(left));
  for (unsigned neighbour : record.neighbours)
    touch(neighbour);
  records.push_back(std::move(record));
}

/// Values of all variables, the last eliminated first.
std::vector<unsigned> Eliminator::takeBack() const {
  std::vector<unsigned> choice(domains.size());
  for (size_t number = records.size(); number-- > 0;) {
    const Record &record = records[number];
    size_t row = 0;
    for (size_t position = 0; position < record.neighbours.size(); ++position) {
      const std::vector<unsigned> &values = record.neighbourValues[position];
      size_t at = indexOf(values, choice[record.neighbours[position]]);
      assert(at < values.size() && "a value that was dropped later was there before");
      row = row * values.size() + at;
    }
    choice[record.variable] = record.best[row];
  }
  return choice;
}

Solution Eliminator::run() {
  for (unsigned variable = 0; variable < domains.size(); ++variable)
    rank(variable);
  prune();
  while (!ranking.empty() && !isInfeasible) {
    auto [rows, variable] = *ranking.begin();
    if (rows > maxTableSize)
      return {SolveStatus::TooWide};
    eliminate(variable);
    prune();
  }
  if (isInfeasible)
    return {SolveStatus::Infeasible};
  return {SolveStatus::Optimal, constant, takeBack()};
}

Solution planwright::solveByElimination(const CostNetwork &network, size_t maxTableSize) {
  return Eliminator(network, maxTableSize).run();
}
