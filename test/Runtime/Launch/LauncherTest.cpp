// Being one rank under somebody else's launcher: here the test itself sets the variables.

#include "test/Runtime/Launch/Command.h"
#include "test/Runtime/Support/TestPlan.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

#include <csignal>
#include <memory>

namespace planwright::rt::test {
namespace {

using testing::HasSubstr;
using Variables = std::map<std::string, std::string>;

/// Starts ranks [0, started) of a world of `size`, as torchrun would.
struct Ranks {
  Ranks(const TestPlanOptions &options, int size, int started,
        std::vector<std::string> extra = {}) {
    std::string plan = writePlan(makeProgram(options)), data = writeLinearData(1);
    metrics = makeTemporaryFolder() + "/m.jsonl";
    std::vector<std::string> arguments = {plan, "--weights", data,    "--data",
                                          data, "--metrics", metrics, "--steps=50"};
    arguments.insert(arguments.end(), extra.begin(), extra.end());
    std::string port = std::to_string(findFreePort());
    for (int rank = 0; rank < started; ++rank)
      commands.push_back(
          std::make_unique<Command>(arguments, Variables{{"RANK", std::to_string(rank)},
                                                         {"WORLD_SIZE", std::to_string(size)},
                                                         {"LOCAL_WORLD_SIZE", std::to_string(size)},
                                                         {"MASTER_ADDR", "127.0.0.1"},
                                                         {"MASTER_PORT", port}}));
  }
  std::string metrics;
  std::vector<std::unique_ptr<Command>> commands;
};

TEST(Launcher, RanksFindEachOther) {
  Ranks ranks({.dp = 4}, 4, 4);
  for (auto &command : ranks.commands) {
    Outcome outcome = command->wait();
    EXPECT_EQ(outcome.code, 0) << outcome.error;
  }
  EXPECT_THAT(readText(ranks.metrics), HasSubstr("\"step\":49"));
}

TEST(Launcher, Slurm) {
  std::string plan = writePlan(makeProgram({.dp = 2})), data = writeLinearData(1);
  std::vector<std::unique_ptr<Command>> commands;
  std::string port = std::to_string(findFreePort());
  for (const char *rank : {"0", "1"})
    commands.push_back(
        std::make_unique<Command>(std::vector<std::string>{plan, "--weights", data, "--data", data},
                                  Variables{{"SLURM_PROCID", rank},
                                            {"SLURM_NTASKS", "2"},
                                            {"SLURM_JOB_NODELIST", "localhost"},
                                            {"MASTER_PORT", port}}));
  for (auto &command : commands) {
    Outcome outcome = command->wait();
    EXPECT_EQ(outcome.code, 0) << outcome.error;
  }
}

TEST(Launcher, AnotherNumberOfRanksIsExplainedOnce) {
  Ranks ranks({.dp = 4}, 2, 2);
  Outcome first = ranks.commands[0]->wait(), second = ranks.commands[1]->wait();
  EXPECT_EQ(first.code, 1);
  EXPECT_EQ(second.code, 1);
  EXPECT_THAT(first.error, HasSubstr("is a plan for 4 ranks, but torchrun started 2"));
  EXPECT_EQ(second.error, "");
}

TEST(Launcher, AKilledRankEndsTheOthers) {
  Ranks ranks({.dp = 4, .rests = true}, 4, 4);
  Command::awaitLines(ranks.metrics, 2);
  ::kill(ranks.commands[2]->getPid(), SIGKILL);
  auto begin = std::chrono::steady_clock::now();
  for (int rank : {0, 1, 3}) {
    Outcome outcome = ranks.commands[rank]->wait(std::chrono::seconds(10));
    EXPECT_EQ(outcome.code, 1);
    EXPECT_THAT(outcome.error, rank == 0 ? HasSubstr("rank 2 died") : HasSubstr(""));
    if (rank != 0)
      EXPECT_EQ(outcome.error, "");
  }
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(5));
}

TEST(Launcher, RankZeroNamesARankThatStalls) {
  Ranks ranks({.dp = 2, .lingers = true}, 2, 2, {"--steps=2", "--stall-seconds=0.2"});
  Outcome first = ranks.commands[0]->wait(), second = ranks.commands[1]->wait();
  EXPECT_EQ(first.code, 0);
  EXPECT_EQ(second.code, 0);
  EXPECT_THAT(first.error, HasSubstr("instruction 1 (linger); rank 0 waits for it in step "));
  EXPECT_THAT(first.error, HasSubstr("rank 1 goes on, after "));
  EXPECT_EQ(second.error, "");
}

TEST(Launcher, ADeadRankZeroIsNoticedByAll) {
  Ranks ranks({.dp = 2, .rests = true}, 2, 2);
  Command::awaitLines(ranks.metrics, 2);
  ::kill(ranks.commands[0]->getPid(), SIGKILL);
  Outcome outcome = ranks.commands[1]->wait(std::chrono::seconds(10));
  EXPECT_EQ(outcome.code, 1);
  EXPECT_THAT(outcome.error, HasSubstr("rank 1: lost rank 0 at 127.0.0.1"));
}

TEST(Launcher, MissingRanksAreNamed) {
  Ranks ranks({.dp = 4}, 4, 2, {"--join-timeout=1"});
  Outcome outcome = ranks.commands[0]->wait(std::chrono::seconds(10));
  EXPECT_EQ(outcome.code, 1);
  EXPECT_THAT(outcome.error, HasSubstr("ranks 2, 3 did not arrive in time"));
  EXPECT_EQ(ranks.commands[1]->wait(std::chrono::seconds(10)).code, 1);
}

} // namespace
} // namespace planwright::rt::test
