// Variable elimination finds what trying everything finds, on networks of many shapes.
#include "planwright/Planner/CostNetwork.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>

using namespace planwright;

namespace {

/// `numVariables` with up to four values; tables over one to three of them that lie near each other,
/// as values and users do in a program. Small costs, so that ties occur; about every fifth entry is
/// forbidden.
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
