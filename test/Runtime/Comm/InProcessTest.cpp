// How in-process ranks fail: in time, with both sides named.

#include "runtime/Comm/InProcess/InProcess.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

#include <thread>

namespace planwright::rt {
namespace {

TEST(InProcess, AMissingRankIsAnError) {
  auto worlds = createInProcessWorlds(2, std::chrono::milliseconds(50));
  int value = 0;
  auto status = worlds[0]->receive(1, &value, sizeof(value));
  EXPECT_THAT(status.ToString(), testing::HasSubstr("waited in vain for rank 1"));
}

TEST(InProcess, DifferentSizesAreAnError) {
  auto worlds = createInProcessWorlds(2, std::chrono::seconds(5));
  int values[2] = {};
  std::thread sender([&] { (void)worlds[1]->send(0, values, 8); });
  auto status = worlds[0]->receive(1, values, 4);
  worlds[0]->abort(status);
  sender.join();
  EXPECT_THAT(status.ToString(), testing::HasSubstr("rank 1 sends 8 bytes, rank 0 expects 4"));
}

TEST(InProcess, AbortWakesTheOthers) {
  auto worlds = createInProcessWorlds(2, std::chrono::minutes(5));
  int value = 0;
  std::thread waiter([&] {
    EXPECT_THAT(worlds[0]->receive(1, &value, 4).ToString(), testing::HasSubstr("gone"));
  });
  worlds[1]->abort(absl::UnavailableError("gone"));
  waiter.join();
}

} // namespace
} // namespace planwright::rt
