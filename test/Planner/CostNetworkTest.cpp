// Tables in any order of their variables, sums that stop at forbidden, and the proof of an answer.
#include "planwright/Planner/CostNetwork.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

using namespace planwright;
using testing::HasSubstr;

namespace {

constexpr unsigned kForward[] = {0, 1};
constexpr unsigned kReversed[] = {1, 0};

CostNetwork makePair() {
  CostNetwork network;
  network.addVariable(2);
  network.addVariable(3);
  return network;
}

TEST(CostNetwork, TableInOtherOrderIsTheTransposedOne) {
  CostNetwork a = makePair(), b = makePair();
  a.addTable(kForward, {0, 1, 2, 3, 4, 5});
  b.addTable(kReversed, {0, 3, 1, 4, 2, 5});
  for (unsigned x = 0; x < 2; ++x)
    for (unsigned y = 0; y < 3; ++y)
      EXPECT_EQ(a.getCost(std::vector{x, y}), b.getCost(std::vector{x, y}));
  EXPECT_EQ(a.getCost(std::vector{1u, 2u}), 5);
}

TEST(CostNetwork, SumsStopAtForbidden) {
  EXPECT_EQ(addCosts(kForbidden, kForbidden), kForbidden);
  EXPECT_EQ(addCosts(kForbidden - 1, 1), kForbidden);
  EXPECT_EQ(addCosts(2, 3), 5);
}

TEST(CostNetwork, VerifyNamesWhatIsWrong) {
  CostNetwork network = makePair();
  network.addTable(kForward, {0, 1, 2, 3, 4, kForbidden});
  EXPECT_EQ(network.verify(std::vector{1u, 1u}, 4), "");
  EXPECT_THAT(network.verify(std::vector{1u}, 4), HasSubstr("1 values for 2 variables"));
  EXPECT_THAT(network.verify(std::vector{1u, 3u}, 4), HasSubstr("variable 1 has value 3"));
  EXPECT_THAT(network.verify(std::vector{1u, 1u}, 3), HasSubstr("costs 4, not 3"));
  EXPECT_THAT(network.verify(std::vector{1u, 2u}, 5), HasSubstr("forbidden"));
}

TEST(CostNetwork, PinForbidsTheOtherValues) {
  CostNetwork network = makePair();
  network.addTable(kForward, {0, 1, 2, 3, 4, 5});
  network.pin(1, 2);
  EXPECT_EQ(network.getCost(std::vector{0u, 2u}), 2);
  EXPECT_EQ(network.getCost(std::vector{0u, 1u}), kForbidden);
}

} // namespace
