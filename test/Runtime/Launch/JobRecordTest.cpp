// Lines of the metrics file, and the ring of the last steps.

#include "runtime/Launch/JobRecord.h"

#include "gtest/gtest.h"

#include <cmath>

namespace planwright::rt {
namespace {

TEST(Metrics, OneObjectAStep) {
  EXPECT_EQ(formatMetrics({.step = 3,
                           .loss = 2.5,
                           .gradientNorm = std::nullopt,
                           .learningRate = 0.5,
                           .seconds = 0.25,
                           .tokens = 100}),
            R"({"step":3,"loss":2.5,"grad_norm":null,"learning_rate":0.5,"step_seconds":0.25,)"
            R"("tokens_per_second":400.0})");
}

TEST(Metrics, NotANumberIsNull) {
  EXPECT_EQ(formatMetrics({.step = 0, .loss = NAN, .seconds = 0}),
            R"({"step":0,"loss":null,"grad_norm":null,"learning_rate":null,"step_seconds":0.0,)"
            R"("tokens_per_second":null})");
}

TEST(History, KeepsTheLastFour) {
  History history;
  EXPECT_EQ(history.format(), "");
  for (int64_t step = 0; step < 6; ++step)
    history.add({.step = step, .loss = double(step), .seconds = 0.5});
  EXPECT_EQ(history.format(), "last steps: 2 (loss 2, 0.5 s), 3 (loss 3, 0.5 s), "
                              "4 (loss 4, 0.5 s), 5 (loss 5, 0.5 s)");
}

} // namespace
} // namespace planwright::rt
