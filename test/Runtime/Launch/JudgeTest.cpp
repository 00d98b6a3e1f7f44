// Of several complaints, which is the cause.

#include "runtime/Launch/Judge.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace planwright::rt {
namespace {

using Kind = StoreEvent::Kind;
using testing::HasSubstr;

const auto start = Judge::Clock::now();
auto after(int milliseconds) { return start + std::chrono::milliseconds(milliseconds); }

TEST(Judge, NothingHappened) { EXPECT_EQ(Judge().decide(start), std::nullopt); }

TEST(Judge, AKilledRankOutweighsThosewhoLostIt) {
  Judge judge;
  judge.add({0, Kind::LostOther, "connection closed"}, after(0));
  judge.add({2, Kind::Closed, ""}, after(1));
  EXPECT_EQ(judge.decide(after(2)), std::nullopt);
  judge.addDeath(2, "was killed by signal 9 (Killed)", after(3));
  EXPECT_EQ(judge.decide(after(200)), "rank 2 was killed by signal 9 (Killed)");
}

TEST(Judge, AClosedConnectionCountsAfterAWhile) {
  Judge judge;
  judge.add({0, Kind::LostOther, "connection closed"}, after(0));
  judge.add({2, Kind::Closed, ""}, after(1));
  EXPECT_THAT(*judge.decide(after(1000)), HasSubstr("rank 2 died"));
}

TEST(Judge, ASilentRankWasLastSeenSomewhere) {
  Judge judge;
  judge.add({2, Kind::Silent, "step 3, task 1"}, after(0));
  EXPECT_THAT(*judge.decide(after(200)),
              HasSubstr("cannot be reached; last seen in step 3, task 1"));
}

TEST(Judge, TheLowestOfEqualErrors) {
  Judge judge;
  judge.add({3, Kind::Failed, "no such file"}, after(0));
  judge.add({1, Kind::Failed, "no such file"}, after(10));
  EXPECT_EQ(judge.decide(after(100)), "rank 1: no such file");
}

TEST(Judge, OwnWordsOutweighTheExitCode) {
  Judge judge;
  judge.addDeath(1, "exited with code 1", after(0));
  judge.add({1, Kind::Failed, "a bad token"}, after(5));
  EXPECT_EQ(judge.decide(after(150)), "rank 1: a bad token");
}

TEST(Judge, ALostPeerIsBelievedInTheEnd) {
  Judge judge;
  judge.add({0, Kind::LostOther, "lost another rank: timeout"}, after(0));
  EXPECT_EQ(judge.decide(after(1000)), std::nullopt);
  EXPECT_EQ(judge.decide(after(2000)), "rank 0: lost another rank: timeout");
}

TEST(Judge, MissingRanksAreListedTogether) {
  Judge judge;
  judge.add({2, Kind::Missing, ""}, after(0));
  judge.add({3, Kind::Missing, ""}, after(0));
  EXPECT_THAT(*judge.decide(after(200)), HasSubstr("ranks 2, 3 did not arrive in time"));
}

} // namespace
} // namespace planwright::rt
