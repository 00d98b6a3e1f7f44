// Of several ranks that do not move, which is named.

#include "runtime/Launch/StallReporter.h"

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace planwright::rt {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

const std::vector<int> noGroup = {};

/// Ranks that report every tenth of a second. Places are all in step 0, task 1.
struct Job {
  StallReporter reporter{std::chrono::milliseconds(100)};
  StallReporter::Clock::time_point now = StallReporter::Clock::now();
  std::map<int, RankReport> reports;

  void move(int rank, int instruction) {
    RankReport &report = reports[rank];
    report = RankReport();
    report.rank = rank;
    report.place = {0, 1, instruction};
    report.where = absl::StrCat("instruction ", instruction);
  }

  /// Moves the rank there and has it stall, in a collective of `group` or in a kernel.
  void stall(int rank, int instruction, std::vector<int> group) {
    move(rank, instruction);
    reports[rank].isStalled = true;
    reports[rank].stalledSeconds = 5;
    reports[rank].group = std::move(group);
  }

  /// What is said over the next `ticks`.
  std::vector<std::string> listen(int ticks = 4) {
    std::vector<std::string> lines;
    for (int i = 0; i < ticks; ++i) {
      now += std::chrono::milliseconds(100);
      for (auto &[rank, report] : reports)
        reporter.add(report, now);
      for (std::string &line : reporter.takeLines(now))
        lines.push_back(std::move(line));
    }
    return lines;
  }
};

TEST(StallReporter, NothingIsSaidOfRanksThatMove) {
  Job job;
  for (int i = 0; i < 20; ++i) {
    job.move(0, i), job.move(1, 30 - i);
    EXPECT_THAT(job.listen(), IsEmpty());
  }
}

TEST(StallReporter, AKernelThatDoesNotEnd) {
  Job job;
  job.move(0, 3), job.stall(1, 7, noGroup);
  job.reports[1].predictedNs = 1'200'000;
  EXPECT_THAT(job.listen(),
              ElementsAre("rank 1 has not moved for 5.0 s: instruction 7, predicted 1.2 ms"));
  EXPECT_THAT(job.listen(), IsEmpty()); // Once.
  job.move(1, 8);
  EXPECT_THAT(job.listen(), ElementsAre("rank 1 goes on, after 5.6 s"));
}

TEST(StallReporter, ThoseThatWaitAreNotNamedAsCause) {
  Job job;
  for (int rank : {0, 1, 3, 4})
    job.stall(rank, 9, {0, 1, 2, 3, 4});
  job.stall(2, 7, noGroup);
  EXPECT_THAT(job.listen(), ElementsAre("rank 2 has not moved for 5.0 s: instruction 7; ranks 0, "
                                        "1, 3, 4 wait for it in instruction 9"));
}

TEST(StallReporter, AChainOfGroupsLeadsToItsEnd) {
  Job job;
  job.stall(0, 20, {0, 1}), job.stall(1, 9, {1, 3}), job.stall(3, 7, noGroup);
  job.move(2, 5); // Earlier, but nobody waits for it.
  EXPECT_THAT(job.listen(), ElementsAre("rank 3 has not moved for 5.0 s: instruction 7; ranks 0, 1 "
                                        "wait for it"));
}

TEST(StallReporter, ARankThatIsOnlySlowIsBehind) {
  Job job;
  job.move(2, 4);
  for (int rank : {0, 1, 3})
    job.stall(rank, 9, {0, 1, 2, 3});
  EXPECT_THAT(job.listen(), ElementsAre("rank 2 is behind: last seen in instruction 4; ranks 0, 1, "
                                        "3 wait for it in instruction 9, since 5.0 s"));
  job.move(2, 5);
  EXPECT_THAT(job.listen(), IsEmpty());
  for (int rank : {0, 1, 2, 3})
    job.move(rank, 10);
  EXPECT_THAT(job.listen(), ElementsAre("rank 2 has caught up, after 5.6 s"));
}

TEST(StallReporter, ASlowRankThatStallsIsNamedAgain) {
  Job job;
  job.move(1, 4), job.stall(0, 9, {0, 1});
  EXPECT_EQ(job.listen().size(), 1u);
  job.stall(1, 5, noGroup);
  EXPECT_THAT(job.listen(), ElementsAre("rank 1 has not moved for 5.0 s: instruction 5; rank 0 "
                                        "waits for it in instruction 9"));
}

TEST(StallReporter, ACollectiveInWhichAllWait) {
  Job job;
  for (int rank : {0, 1, 2, 5})
    job.stall(rank, 9, {0, 1, 2, 5});
  EXPECT_THAT(job.listen(), ElementsAre("ranks 0-2, 5 have not moved for 5.0 s: instruction 9; "
                                        "none of its ranks is behind"));
}

TEST(StallReporter, ARankThatHasJustComeIsNoReasonToWorry) {
  Job job;
  job.stall(0, 9, {0, 1}), job.move(1, 9);
  EXPECT_THAT(job.listen(3), IsEmpty());
}

TEST(StallReporter, ASilentRankIsBehindWhereverItIs) {
  Job job;
  job.stall(0, 9, {0, 1}), job.move(1, 9);
  job.listen(1);
  job.reports.erase(1);
  EXPECT_THAT(job.listen(10),
              ElementsAre("rank 1 is behind: last seen in instruction 9, and silent "
                          "since; rank 0 waits for it in instruction 9, since 5.0 s"));
}

TEST(StallReporter, AStallThatEndsAtOnceIsNotWorthALine) {
  Job job;
  job.stall(0, 9, {0, 1}), job.move(1, 4);
  EXPECT_THAT(job.listen(1), IsEmpty());
  job.move(0, 10), job.move(1, 10);
  EXPECT_THAT(job.listen(), IsEmpty());
}

} // namespace
} // namespace planwright::rt
