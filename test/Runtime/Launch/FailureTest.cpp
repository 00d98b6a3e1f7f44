// Everything that may go wrong under plan-run's own supervisor: one message that names rank and
// cause, within five seconds, exit code 1, and no process left.

#include "test/Runtime/Launch/Command.h"
#include "test/Runtime/Support/TestPlan.h"

#include "runtime/Launch/Socket.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

#include <algorithm>
#include <csignal>
#include <filesystem>

namespace planwright::rt::test {
namespace {

using testing::ContainsRegex;
using testing::HasSubstr;

std::vector<std::string> makeArguments(const std::string &plan,
                                       std::vector<std::string> extra = {}) {
  std::string data = writeLinearData(1);
  std::vector<std::string> arguments = {plan, "--weights", data, "--data", data, "--steps=100"};
  arguments.insert(arguments.end(), extra.begin(), extra.end());
  return arguments;
}

void expectOneMessage(const Outcome &outcome, const std::string &text) {
  EXPECT_EQ(outcome.code, 1);
  EXPECT_THAT(outcome.error, HasSubstr(text));
  EXPECT_EQ(std::count(outcome.error.begin(), outcome.error.end(), '\n'), 1) << outcome.error;
}

/// Runs a job of four ranks and sends `signal` to rank 2 in the middle of it.
void testSignal(int signal, const std::string &message) {
  std::string metrics = makeTemporaryFolder() + "/m.jsonl";
  Command command(
      makeArguments(writePlan(makeProgram({.dp = 4, .rests = true})), {"--metrics", metrics}));
  std::vector<pid_t> ranks = command.awaitRanks(4);
  Command::awaitLines(metrics, 2);
  auto begin = std::chrono::steady_clock::now();
  ::kill(ranks[2], signal);
  Outcome outcome = command.wait(std::chrono::seconds(20));
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(5));
  expectOneMessage(outcome, message);
  for (pid_t rank : ranks)
    EXPECT_FALSE(isRunning(rank));
}

TEST(Failure, KilledRank) { testSignal(SIGKILL, "rank 2 was killed by signal 9 (Killed)"); }

TEST(Failure, StoppedRank) {
  testSignal(SIGSTOP, "rank 2 sent no heartbeat for 3 s: it is stopped, or its machine cannot be "
                      "reached; last seen in step ");
}

TEST(Failure, CrashedKernel) {
  Outcome outcome =
      Command(makeArguments(writePlan(makeProgram({.dp = 2, .crashes = true})))).wait();
  expectOneMessage(outcome, "rank 1 was killed by signal 11 (Segmentation fault)");
  EXPECT_LT(outcome.seconds, 5);
}

TEST(Failure, KilledSupervisorLeavesNobody) {
  std::string metrics = makeTemporaryFolder() + "/m.jsonl";
  Command command(
      makeArguments(writePlan(makeProgram({.dp = 2, .rests = true})), {"--metrics", metrics}));
  std::vector<pid_t> ranks = command.awaitRanks(2);
  Command::awaitLines(metrics, 1);
  ::kill(command.getPid(), SIGKILL);
  command.wait();
  for (int i = 0; i < 400 && (isRunning(ranks[0]) || isRunning(ranks[1])); ++i)
    ::usleep(10'000);
  EXPECT_FALSE(isRunning(ranks[0]));
  EXPECT_FALSE(isRunning(ranks[1]));
}

TEST(Failure, InterruptEndsAllRanks) {
  std::string metrics = makeTemporaryFolder() + "/m.jsonl";
  Command command(
      makeArguments(writePlan(makeProgram({.dp = 2, .rests = true})), {"--metrics", metrics}));
  std::vector<pid_t> ranks = command.awaitRanks(2);
  Command::awaitLines(metrics, 1);
  ::kill(command.getPid(), SIGINT);
  Outcome outcome = command.wait(std::chrono::seconds(10));
  EXPECT_EQ(outcome.code, 130);
  EXPECT_THAT(outcome.error, HasSubstr("ended by signal 2"));
  EXPECT_FALSE(isRunning(ranks[0]));
  EXPECT_FALSE(isRunning(ranks[1]));
}

TEST(Failure, PortInUse) {
  auto listener = listenOn("127.0.0.1", 0);
  std::string port = std::to_string(getLocalPort(*listener));
  Outcome outcome =
      Command(makeArguments(writePlan(makeProgram({.dp = 2}))), {{"MASTER_PORT", port}}).wait();
  expectOneMessage(outcome, "MASTER_PORT: port " + port + " on 127.0.0.1 is in use");
  EXPECT_LT(outcome.seconds, 5);
}

TEST(Failure, DamagedPlan) {
  std::string plan = writePlan(makeProgram({.dp = 2}));
  std::filesystem::resize_file(plan + "/program.fb", 100);
  expectOneMessage(Command(makeArguments(plan)).wait(), "program.fb is damaged");
}

TEST(Failure, BadWeights) {
  std::string plan = writePlan(makeProgram({.dp = 2})), data = writeLinearData(1);
  std::vector<float> four(4);
  std::string weights = writeTensorFile(
      {makeTensor("w", DType::F32, {2, 2}, four), makeTensor("b", DType::F32, {4}, four)});
  Outcome outcome = Command({plan, "--weights", weights, "--data", data}).wait();
  expectOneMessage(outcome, "rank 0: weights");
  EXPECT_THAT(outcome.error, HasSubstr("tensors that the model does not have: \"b\""));
  EXPECT_THAT(outcome.error, HasSubstr("\"w\" has shape [2, 2], the model wants [4]"));
  EXPECT_LT(outcome.seconds, 5);
}

TEST(Failure, TokenOutOfRangeNamesTheRankThatHasIt) {
  std::string plan = writePlan(makeTokenProgram());
  std::vector<int32_t> good(12, 1), bad(12, 1);
  bad[10] = 77;
  std::string data = writeTensorFile({makeTensor("batch0/ids", DType::I32, {4, 3}, good),
                                      makeTensor("batch0/next", DType::I32, {4, 3}, bad)});
  Outcome outcome = Command({plan, "--data", data}).wait();
  expectOneMessage(outcome, "rank 1: data " + data +
                                ": batch 0: \"next\" has value 77 at [3, 1], allowed is 0 to 49");
}

TEST(Failure, MissingOptionsAndFiles) {
  std::string plan = writePlan(makeProgram({})), data = writeLinearData(1);
  expectOneMessage(Command({plan, "--data", data}).wait(), "give --weights FILE or --init random");
  expectOneMessage(Command({plan, "--weights", data}).wait(), "give --data FILE");
  expectOneMessage(Command({plan, "--weights", data, "--data", "/nowhere.bin"}).wait(),
                   "cannot read data /nowhere.bin: No such file or directory");
}

TEST(Failure, AFullDiskIsNamedWithItsReason) {
  std::string plan = writePlan(makeProgram({.dp = 2}));
  for (const char *flag : {"--trace", "--metrics", "--save-weights"}) {
    Outcome outcome = Command(makeArguments(plan, {flag, "/dev/full"})).wait();
    EXPECT_EQ(outcome.code, 1) << flag;
    EXPECT_THAT(outcome.error, ContainsRegex("/dev/full: .*No space left on device")) << flag;
  }
}

} // namespace
} // namespace planwright::rt::test
