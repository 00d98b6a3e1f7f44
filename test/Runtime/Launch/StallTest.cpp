// plan-run when a rank does not move for a while: it is named, with where it is, and the job goes
// on. Limits are made small; how long anything takes is not asserted.

#include "test/Runtime/Launch/Command.h"
#include "test/Runtime/Support/TestPlan.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

#include <csignal>

namespace planwright::rt::test {
namespace {

using testing::ContainsRegex;
using testing::HasSubstr;

std::vector<std::string> makeArguments(const std::string &plan, std::vector<std::string> extra) {
  std::string data = writeLinearData(1);
  std::vector<std::string> arguments = {plan, "--weights", data, "--data", data};
  arguments.insert(arguments.end(), extra.begin(), extra.end());
  return arguments;
}

/// A plan in which rank 1 takes a second for what should take a millisecond.
std::string writeLingeringPlan() {
  fb::ProgramT program = makeProgram({.dp = 4, .lingers = true});
  for (auto &instruction : program.subprograms[1]->instructions)
    instruction->predicted_ns = 1'000'000;
  return writePlan(program);
}

void expectLingeringRank(const Outcome &outcome) {
  EXPECT_EQ(outcome.code, 0) << outcome.error;
  EXPECT_THAT(outcome.error,
              ContainsRegex("rank 1 has not moved for [0-9.]+ s: step 0, task 1 \\(forward, "
                            "micro-batch 0\\), instruction 1 \\(linger\\), predicted 1 ms"));
  EXPECT_THAT(outcome.error, ContainsRegex("rank 1 goes on, after [0-9.]+ s\n"));
}

TEST(Stall, TheRankThatOthersWaitForIsNamed) {
  Outcome outcome =
      Command(makeArguments(writeLingeringPlan(), {"--stall-seconds=0.2", "--quiet"})).wait();
  expectLingeringRank(outcome);
  EXPECT_THAT(
      outcome.error,
      HasSubstr("ranks 0, 2, 3 wait for it in step 0, task 2 (reduce), instruction 0 (reduce "
                "gradient)"));
}

TEST(Stall, InOneProcessToo) {
  expectLingeringRank(
      Command(makeArguments(writeLingeringPlan(), {"--stall-seconds=0.2", "--in-process"})).wait());
}

TEST(Stall, NothingIsSaidOfWhatWasPredicted) {
  fb::ProgramT program = makeProgram({.dp = 2, .lingers = true});
  for (auto &subprogram : program.subprograms)
    for (auto &instruction : subprogram->instructions)
      instruction->predicted_ns = 60'000'000'000;
  Outcome outcome = Command(makeArguments(writePlan(program), {"--stall-seconds=0.2"})).wait();
  EXPECT_EQ(outcome.code, 0);
  EXPECT_EQ(outcome.error, "");
  EXPECT_EQ(
      Command(makeArguments(writeLingeringPlan(), {"--stall-seconds=0", "--quiet"})).wait().error,
      "");
}

TEST(Stall, AStoppedRankIsBehindUntilItGoesOn) {
  std::string metrics = makeTemporaryFolder() + "/m.jsonl";
  Command command(makeArguments(writePlan(makeProgram({.dp = 4, .rests = true})),
                                {"--stall-seconds=0.3", "--steps=20", "--metrics", metrics}));
  std::vector<pid_t> ranks = command.awaitRanks(4);
  Command::awaitLines(metrics, 2);
  ::kill(ranks[2], SIGSTOP);
  // Well within the three seconds after which a rank without heartbeats ends the job.
  EXPECT_TRUE(command.awaitError("rank 2 is behind: last seen in step "));
  ::kill(ranks[2], SIGCONT);
  EXPECT_TRUE(command.awaitError("rank 2 has caught up, after "));
  Outcome outcome = command.wait();
  EXPECT_EQ(outcome.code, 0) << outcome.error;
  EXPECT_THAT(outcome.error, HasSubstr("ranks 0, 1, 3 wait for it in step "));
}

TEST(Stall, LimitsThatMakeNoSenseAreRefused) {
  for (const char *limit : {"-1", "nan", "1e9"}) {
    Outcome outcome = Command({"p", "--stall-seconds", limit}).wait();
    EXPECT_EQ(outcome.code, 2);
    EXPECT_THAT(outcome.error, HasSubstr("--stall-seconds is 0 to 1000000"));
  }
}

} // namespace
} // namespace planwright::rt::test
