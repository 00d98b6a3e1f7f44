// When a rank counts as stalled: a clock that is looked at by hand.

#include "runtime/Launch/Watchdog.h"

#include "gtest/gtest.h"

namespace planwright::rt {
namespace {

const StallLimits limits = {.seconds = 1, .timesPredicted = 10}; // A tick is 0.1 s.
constexpr Place here = {0, 1, 2};

/// Looks every tenth of a second.
struct Looker {
  MotionClock clock = MotionClock(limits);
  MotionClock::Clock::time_point now = MotionClock::Clock::now();

  void stay(const Place &place, const InstructionInfo *instruction, int tenths) {
    for (int i = 0; i < tenths; ++i) {
      now += std::chrono::milliseconds(100);
      clock.look(place, instruction, now);
    }
  }
};

TEST(MotionClock, ARankThatMovesIsNotStalled) {
  Looker looker;
  for (int32_t i = 0; i < 50; ++i) {
    looker.stay({0, 1, i}, nullptr, 5);
    EXPECT_FALSE(looker.clock.isStalled());
  }
}

TEST(MotionClock, ARankThatDoesNotIs) {
  Looker looker;
  looker.stay(here, nullptr, 10);
  EXPECT_FALSE(looker.clock.isStalled());
  looker.stay(here, nullptr, 2);
  EXPECT_TRUE(looker.clock.isStalled());
  EXPECT_NEAR(looker.clock.getSeconds(), 1.1, 1e-6);
  looker.stay({0, 1, 3}, nullptr, 1);
  EXPECT_FALSE(looker.clock.isStalled());
}

TEST(MotionClock, TheNextStepIsAnotherPlace) {
  Looker looker;
  for (int64_t step = 0; step < 5; ++step)
    looker.stay({step, 1, 2}, nullptr, 8);
  EXPECT_FALSE(looker.clock.isStalled());
}

TEST(MotionClock, TenTimesThePredictedTime) {
  InstructionInfo slow;
  slow.predictedNs = 200'000'000;
  Looker looker;
  looker.stay(here, &slow, 20);
  EXPECT_FALSE(looker.clock.isStalled());
  looker.stay(here, &slow, 2);
  EXPECT_TRUE(looker.clock.isStalled());
}

TEST(MotionClock, WhatIsSlowEveryStepIsReportedOnce) {
  InstructionInfo slow, other;
  Looker looker;
  looker.stay({0, 1, 2}, &slow, 15);
  EXPECT_TRUE(looker.clock.isStalled());
  looker.stay({1, 1, 2}, &slow, 20);
  EXPECT_FALSE(looker.clock.isStalled());
  looker.stay({1, 1, 2}, &slow, 10); // More than twice as long.
  EXPECT_TRUE(looker.clock.isStalled());
  looker.stay({1, 1, 3}, &other, 15);
  EXPECT_TRUE(looker.clock.isStalled());
}

TEST(MotionClock, TimeInWhichNobodyLookedDoesNotCount) {
  Looker looker;
  looker.stay(here, nullptr, 2);
  looker.now += std::chrono::seconds(100); // The process was stopped.
  looker.stay(here, nullptr, 2);
  EXPECT_FALSE(looker.clock.isStalled());
}

} // namespace
} // namespace planwright::rt
