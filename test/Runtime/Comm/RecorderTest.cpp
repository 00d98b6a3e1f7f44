// Recordings of ranks that fit together, and of ranks that would hang.

#include "runtime/Comm/Recorder/Recorder.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace planwright::rt {
namespace {

using testing::HasSubstr;

void allReduce(Recording &recording, int rank, std::vector<int> ranks, size_t count) {
  auto world = createRecorderWorld(recording, rank);
  auto group = world->createGroup(std::move(ranks));
  EXPECT_TRUE(
      (*group)->allReduce(nullptr, nullptr, count, fb::ElementType::f32, fb::Reduction::sum).ok());
}

TEST(Recorder, AcceptsMatchingCallsInAnyInterleaving) {
  Recording recording(4);
  for (int rank = 0; rank < 4; ++rank) {
    allReduce(recording, rank, rank < 2 ? std::vector{0, 1} : std::vector{2, 3}, 5);
    allReduce(recording, rank, rank % 2 ? std::vector{1, 3} : std::vector{0, 2}, 6);
    allReduce(recording, rank, {0, 1, 2, 3}, 7);
  }
  EXPECT_TRUE(recording.verify().ok()) << recording.verify();
}

TEST(Recorder, NamesDifferentCounts) {
  Recording recording(2);
  allReduce(recording, 0, {0, 1}, 5);
  allReduce(recording, 1, {0, 1}, 6);
  EXPECT_THAT(recording.verify().ToString(),
              HasSubstr("rank 0 after 0 calls all_reduce(sum, 5 x f32) among ranks 0, 1; "
                        "rank 1 after 0 calls all_reduce(sum, 6 x f32)"));
}

TEST(Recorder, NamesARankThatStopsEarly) {
  Recording recording(2);
  allReduce(recording, 0, {0, 1}, 5);
  EXPECT_THAT(recording.verify().ToString(), HasSubstr("rank 1 after 0 calls is done"));
}

TEST(Recorder, FindsACycleAcrossGroups) {
  // Each pair is in order by itself, but 0 waits for 1, 1 for 2, 2 for 0.
  Recording recording(3);
  allReduce(recording, 0, {0, 1}, 1);
  allReduce(recording, 0, {0, 2}, 1);
  allReduce(recording, 1, {1, 2}, 1);
  allReduce(recording, 1, {0, 1}, 1);
  allReduce(recording, 2, {0, 2}, 1);
  allReduce(recording, 2, {1, 2}, 1);
  EXPECT_FALSE(recording.verify().ok());
}

} // namespace
} // namespace planwright::rt
