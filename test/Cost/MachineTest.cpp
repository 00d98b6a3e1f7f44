// Times of work on one device, and which link joins how many devices.
#include "planwright/Cost/Machine.h"

#include <gtest/gtest.h>

using namespace planwright;

namespace {

const MachineRates kRates{.flopsPerSecond = 1e12,
                          .memoryBytesPerSecond = 1e11,
                          .links = {{2, {.bytesPerSecond = 50e9, .latencyNs = 1000}},
                                    {8, {.bytesPerSecond = 5e9, .latencyNs = 9000}}}};

TEST(Machine, TheLongerOfComputingAndMoving) {
  EXPECT_DOUBLE_EQ(getWorkSeconds({.flops = 1e9, .bytes = 1e6}, kRates), 1e-3);
  EXPECT_DOUBLE_EQ(getWorkSeconds({.flops = 1e6, .bytes = 1e9}, kRates), 1e-2);
  EXPECT_EQ(getWorkSeconds({}, kRates), 0);
}

TEST(Machine, AnUnknownRateMakesTheTimeUnknown) {
  EXPECT_EQ(getWorkSeconds({.flops = 1e9, .bytes = 1e6}, {.memoryBytesPerSecond = 1e11}), 0);
  EXPECT_EQ(getWorkSeconds({.flops = 1e9, .bytes = 1e6}, {.flopsPerSecond = 1e12}), 0);
  EXPECT_DOUBLE_EQ(getWorkSeconds({.bytes = 1e6}, {.memoryBytesPerSecond = 1e11}), 1e-5);
}

TEST(Machine, TheInnermostLinkThatReaches) {
  EXPECT_EQ(kRates.findLink(2), &kRates.links[0].link);
  EXPECT_EQ(kRates.findLink(3), &kRates.links[1].link);
  EXPECT_EQ(kRates.findLink(9), nullptr);
}

} // namespace
