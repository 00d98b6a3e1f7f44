// Variable elimination, and the joins that test it where trying everything takes too long, find
// what trying everything finds, on networks of many shapes.
#include "test/Planner/Joins.h"

#include "planwright/Planner/CostNetwork.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>

using namespace planwright;

namespace {

/// `numVariables` with up to four values; tables over one to three of them that lie near each
/// other, as values and users do in a program. Small costs, so that ties occur; about every fifth
/// entry is forbidden.
CostNetwork makeRandom(unsigned seed, unsigned numVariables) {
  std::mt19937 random(seed);
  auto pick = [&](unsigned least, unsigned most) { return least + random() % (most - least + 1); };
  CostNetwork network;
  for (unsigned variable = 0; variable < numVariables; ++variable)
    network.addVariable(pick(1, 4));
  for (unsigned number = 0; number < 2 * numVariables; ++number) {
    std::vector<unsigned> near(std::min(numVariables, 5u));
    std::iota(near.begin(), near.end(), pick(0, numVariables - near.size()));
    std::shuffle(near.begin(), near.end(), random);
    near.resize(std::min<size_t>(near.size(), pick(1, 3)));
    size_t rows = 1;
    for (unsigned variable : near)
      rows *= network.getNumValues(variable);
    std::vector<Cost> costs(rows);
    for (Cost &cost : costs)
      cost = pick(0, 4) == 0 ? kForbidden : pick(0, 9);
    network.addTable(near, costs);
  }
  return network;
}

TEST(Elimination, FindsTheOptimumOfRandomNetworks) {
  unsigned numOptimal = 0, numInfeasible = 0;
  for (unsigned seed = 0; seed < 300; ++seed) {
    CostNetwork network = makeRandom(seed, 1 + seed % 12);
    Solution found = solveByElimination(network);
    Solution oracle = solveExhaustively(network);
    ASSERT_EQ(found.status, oracle.status) << "seed " << seed;
    if (oracle.status == SolveStatus::Infeasible) {
      ++numInfeasible;
      continue;
    }
    ++numOptimal;
    EXPECT_EQ(found.cost, oracle.cost) << "seed " << seed;
    EXPECT_EQ(network.verify(found.choice, found.cost), "") << "seed " << seed;
    EXPECT_EQ(network.verify(oracle.choice, oracle.cost), "") << "seed " << seed;
  }
  // Both outcomes have been seen.
  EXPECT_GT(numOptimal, 100u);
  EXPECT_GT(numInfeasible, 20u);
}

//===----------------------------------------------------------------------===//
// Shapes
//===----------------------------------------------------------------------===//

using Edges = std::vector<std::pair<unsigned, unsigned>>;

/// Each variable hangs on one before it: leaves, branches, chains.
Edges makeTree(std::mt19937 &random, unsigned numVariables) {
  Edges edges;
  for (unsigned variable = 1; variable < numVariables; ++variable)
    edges.emplace_back(random() % variable, variable);
  return edges;
}

/// One ring, with a chord or two.
Edges makeCycle(std::mt19937 &random, unsigned numVariables) {
  Edges edges;
  for (unsigned variable = 0; variable < numVariables; ++variable)
    edges.emplace_back(variable, (variable + 1) % numVariables);
  for (unsigned chord = 0; chord < 2; ++chord)
    if (unsigned a = random() % numVariables, b = random() % numVariables; a != b)
      edges.emplace_back(a, b);
  return edges;
}

/// Two chains side by side, tied at every step: forward and backward of the same layers.
Edges makeLadder(std::mt19937 &, unsigned numVariables) {
  Edges edges;
  for (unsigned variable = 0; variable + 1 < numVariables; ++variable) {
    if (variable % 2 == 0)
      edges.emplace_back(variable, variable + 1);
    if (variable + 2 < numVariables)
      edges.emplace_back(variable, variable + 2);
  }
  return edges;
}

/// Every other pair.
Edges makeDense(std::mt19937 &random, unsigned numVariables) {
  Edges edges;
  for (unsigned a = 0; a < numVariables; ++a)
    for (unsigned b = a + 1; b < numVariables; ++b)
      if (random() % 2 == 0)
        edges.emplace_back(a, b);
  return edges;
}

/// Every variable and every edge costs. Out of `numCosts` costs: with few there are many ties. One
/// entry in `rarity` is forbidden; none if it is 0.
CostNetwork makeNetwork(std::mt19937 &random, unsigned numVariables, const Edges &edges,
                        unsigned numCosts, unsigned rarity) {
  CostNetwork network;
  auto fill = [&](size_t rows) {
    std::vector<Cost> costs(rows);
    for (Cost &cost : costs)
      cost = rarity > 0 && random() % rarity == 0 ? kForbidden : random() % numCosts;
    return costs;
  };
  for (unsigned variable = 0; variable < numVariables; ++variable) {
    network.addVariable(1 + random() % 4);
    network.addTable(std::vector{variable}, fill(network.getNumValues(variable)));
  }
  for (auto [a, b] : edges)
    network.addTable(std::vector{a, b}, fill(network.getNumValues(a) * network.getNumValues(b)));
  return network;
}

struct Shape {
  const char *name;
  Edges (*make)(std::mt19937 &, unsigned);
};

void PrintTo(const Shape &shape, std::ostream *os) { *os << shape.name; }

class EliminationOnShape : public testing::TestWithParam<Shape> {};

// 4 shapes, 50 networks each: 3 to 10 variables; ties or none; nothing forbidden, little, much.
TEST_P(EliminationOnShape, FindsWhatTryingEverythingFinds) {
  unsigned numOptimal = 0, numInfeasible = 0;
  for (unsigned seed = 0; seed < 50; ++seed) {
    std::mt19937 random(seed);
    unsigned numVariables = 3 + seed % 8;
    const unsigned numCosts[] = {2, 1000}, rarities[] = {0, 8, 3};
    CostNetwork network = makeNetwork(random, numVariables, GetParam().make(random, numVariables),
                                      numCosts[seed % 2], rarities[seed % 3]);
    Solution found = solveByElimination(network);
    Solution oracle = solveExhaustively(network);
    ASSERT_EQ(found.status, oracle.status) << "seed " << seed;
    EXPECT_EQ(findLeastCostByJoins(network), oracle.cost) << "seed " << seed;
    ++(oracle.status == SolveStatus::Optimal ? numOptimal : numInfeasible);
    if (oracle.status != SolveStatus::Optimal)
      continue;
    EXPECT_EQ(found.cost, oracle.cost) << "seed " << seed;
    EXPECT_EQ(network.verify(found.choice, found.cost), "") << "seed " << seed;
  }
  EXPECT_GE(numOptimal, 25u);
  EXPECT_GE(numInfeasible, 3u);
}

INSTANTIATE_TEST_SUITE_P(Shapes, EliminationOnShape,
                         testing::Values(Shape{"Tree", makeTree}, Shape{"Cycle", makeCycle},
                                         Shape{"Ladder", makeLadder}, Shape{"Dense", makeDense}),
                         [](const auto &info) { return info.param.name; });

TEST(Joins, SayWhenARelationBecomesTooLarge) {
  std::mt19937 random(1);
  CostNetwork network = makeNetwork(random, 10, makeDense(random, 10), 1000, 0);
  EXPECT_EQ(findLeastCostByJoins(network, /*maxRows=*/2), std::nullopt);
}

TEST(Elimination, AnswersTheSameTwice) {
  CostNetwork network = makeRandom(7, 12);
  Solution first = solveByElimination(network), second = solveByElimination(network);
  EXPECT_EQ(first.status, second.status);
  EXPECT_EQ(first.choice, second.choice);
}

TEST(Elimination, SolvesALongChainInLinearTime) {
  constexpr unsigned kLength = 5000;
  CostNetwork network;
  for (unsigned variable = 0; variable < kLength; ++variable)
    network.addVariable(3);
  // Neighbours must differ, and the value 2 costs.
  for (unsigned variable = 0; variable < kLength; ++variable) {
    network.addTable(std::vector{variable}, {0, 0, 1});
    if (variable > 0)
      network.addTable(std::vector{variable - 1, variable},
                       {kForbidden, 0, 0, 0, kForbidden, 0, 0, 0, kForbidden});
  }
  Solution solution = solveByElimination(network);
  ASSERT_EQ(solution.status, SolveStatus::Optimal);
  EXPECT_EQ(solution.cost, 0);
  EXPECT_EQ(network.verify(solution.choice, 0), "");
}

// They once stayed in the scopes of tables, of one row but thousands of variables: minutes.
TEST(Elimination, VariablesOfOneValueTieNothing) {
  constexpr unsigned kNumVariables = 4000;
  std::mt19937 random(1);
  CostNetwork network;
  for (unsigned variable = 0; variable < kNumVariables; ++variable)
    network.addVariable(1);
  for (unsigned variable = 1; variable < kNumVariables; ++variable)
    for (unsigned edge = 0; edge < 3; ++edge)
      network.addTable(std::vector{static_cast<unsigned>(random() % variable), variable}, {1});
  Solution solution = solveByElimination(network);
  ASSERT_EQ(solution.status, SolveStatus::Optimal);
  EXPECT_EQ(solution.cost, 3 * (kNumVariables - 1));
}

TEST(Elimination, SaysWhenATableWouldBecomeTooLarge) {
  // Twelve variables, each tied to each other one, with no value that beats another.
  std::mt19937 random(1);
  CostNetwork network;
  for (unsigned variable = 0; variable < 12; ++variable)
    network.addVariable(4);
  for (unsigned a = 0; a < 12; ++a) {
    for (unsigned b = a + 1; b < 12; ++b) {
      std::vector<Cost> costs(16);
      for (Cost &cost : costs)
        cost = random() % 1000;
      network.addTable(std::vector{a, b}, costs);
    }
  }
  EXPECT_EQ(solveByElimination(network, /*maxTableSize=*/1000).status, SolveStatus::TooWide);
}

} // namespace
