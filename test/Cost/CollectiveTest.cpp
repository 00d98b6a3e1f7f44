// Ring times against sums worked out step by step.
#include "planwright/Cost/Collective.h"

#include <gtest/gtest.h>

using namespace planwright;

namespace {

constexpr LinkCost kLink{.bytesPerSecond = 1e9, .latencyNs = 1000};

/// `steps` messages, each of `bytes`, one behind the other.
double addSteps(int steps, double bytes) {
  double seconds = 0;
  for (int step = 0; step < steps; ++step)
    seconds += 1e-6 + bytes / 1e9;
  return seconds;
}

TEST(Collective, RingTimes) {
  EXPECT_DOUBLE_EQ(getAllGatherSeconds(4000, 4, kLink), addSteps(3, 1000));
  EXPECT_DOUBLE_EQ(getReduceScatterSeconds(4000, 4, kLink), addSteps(3, 1000));
  EXPECT_DOUBLE_EQ(getAllReduceSeconds(4000, 4, kLink), addSteps(6, 1000));
  EXPECT_DOUBLE_EQ(getAllToAllSeconds(4000, 4, kLink), addSteps(3, 250));
}

TEST(Collective, OneRankExchangesNothing) {
  EXPECT_EQ(getAllReduceSeconds(4000, 1, kLink), 0);
  EXPECT_EQ(getAllToAllSeconds(4000, 1, kLink), 0);
}

} // namespace
