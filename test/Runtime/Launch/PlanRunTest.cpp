// plan-run when all is well: the numbers, the files it writes, the same bits however it is run.

#include "runtime/Data/Safetensors.h"
#include "test/Runtime/Launch/Command.h"
#include "test/Runtime/Support/TestPlan.h"

#include "nlohmann/json.hpp"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

#include <sstream>

namespace planwright::rt::test {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

/// "loss" of each line of a metrics file.
std::vector<double> readLosses(const std::string &path) {
  std::vector<double> losses;
  std::istringstream text(readText(path));
  for (std::string line; std::getline(text, line);)
    losses.push_back(nlohmann::json::parse(line)["loss"].get<double>());
  return losses;
}

std::vector<float> readTensor(const std::string &path, const std::string &name) {
  auto file = SafetensorsFile::open(path);
  const TensorView *tensor = file.ok() ? file->find(name) : nullptr;
  if (!tensor)
    return {};
  auto *values = reinterpret_cast<const float *>(tensor->bytes.data());
  return {values, values + tensor->bytes.size() / 4};
}

struct Training {
  Outcome outcome;
  std::vector<double> losses;
  std::vector<float> weights;
};

Training train(const TestPlanOptions &options, std::vector<std::string> extra = {}) {
  std::string plan = writePlan(makeProgram(options)), data = writeLinearData(3);
  std::string folder = makeTemporaryFolder();
  std::vector<std::string> arguments = {plan,
                                        "--weights",
                                        data,
                                        "--data=" + data,
                                        "--steps",
                                        "5",
                                        "--metrics",
                                        folder + "/m.jsonl",
                                        "--save-weights",
                                        folder + "/w.safetensors"};
  arguments.insert(arguments.end(), extra.begin(), extra.end());
  Training run;
  run.outcome = Command(arguments).wait();
  run.losses = readLosses(folder + "/m.jsonl");
  run.weights = readTensor(folder + "/w.safetensors", "w");
  return run;
}

TEST(PlanRun, TrainsOnEveryNumberOfRanks) {
  std::vector<double> weights;
  std::vector<double> expected = trainLinear(5, 3, weights);
  for (int64_t dp : {1, 2, 4}) {
    Training run = train({.dp = dp, .microBatches = 2});
    EXPECT_EQ(run.outcome.code, 0) << run.outcome.error;
    EXPECT_EQ(run.outcome.error, "");
    ASSERT_EQ(run.losses.size(), 5u);
    for (size_t i = 0; i < 5; ++i)
      EXPECT_NEAR(run.losses[i], expected[i], 1e-6);
    ASSERT_EQ(run.weights.size(), 4u);
    for (size_t i = 0; i < 4; ++i)
      EXPECT_NEAR(run.weights[i], weights[i], 1e-6);
  }
}

TEST(PlanRun, SameBitsInProcessWithGlooAndWithMoreThreads) {
  Training gloo = train({.dp = 4}), threads = train({.dp = 4}, {"--threads=3"}),
           inProcess = train({.dp = 4}, {"--in-process"});
  EXPECT_EQ(gloo.losses, threads.losses);
  EXPECT_EQ(gloo.weights, threads.weights);
  EXPECT_EQ(gloo.losses, inProcess.losses);
  EXPECT_EQ(gloo.weights, inProcess.weights);
}

TEST(PlanRun, PrintsMemoryAndProgressUnlessQuiet) {
  Training loud = train({.dp = 2});
  EXPECT_THAT(loud.outcome.output, HasSubstr("linear: 2 ranks, 1 micro-batches; memory per rank: "
                                             "arena"));
  EXPECT_THAT(loud.outcome.output, HasSubstr("step 1/5  loss"));
  EXPECT_THAT(loud.outcome.output, HasSubstr("step 5/5  loss"));
  EXPECT_EQ(train({.dp = 2}, {"--quiet"}).outcome.output, "");
}

TEST(PlanRun, SavesGradientsOfStepZero) {
  std::string plan = writePlan(makeProgram({.dp = 2})), data = writeLinearData(1);
  std::string saved = makeTemporaryFolder() + "/g.safetensors";
  Outcome outcome =
      Command({plan, "--weights", data, "--data", data, "--save-gradients", saved, "--steps=1"})
          .wait();
  ASSERT_EQ(outcome.code, 0) << outcome.error;
  std::vector<double> weights;
  trainLinear(1, 1, weights);
  std::vector<float> gradient = readTensor(saved, "grad0/w");
  ASSERT_EQ(gradient.size(), 4u);
  for (size_t i = 0; i < 4; ++i)
    EXPECT_NEAR(getLinearWeights()[i] - 0.1 * gradient[i], weights[i], 1e-6);
}

TEST(PlanRun, RandomWeightsDependOnTheSeedOnly) {
  auto start = [](int64_t dp, const std::string &seed) {
    std::string plan = writePlan(makeProgram({.dp = dp})), data = writeLinearData(1);
    std::string saved = makeTemporaryFolder() + "/w.safetensors";
    Outcome outcome = Command({plan, "--init", "random", "--seed", seed, "--data", data,
                               "--steps=0", "--save-weights", saved})
                          .wait();
    EXPECT_EQ(outcome.code, 0) << outcome.error;
    return readTensor(saved, "w");
  };
  EXPECT_EQ(start(1, "7"), start(2, "7"));
  EXPECT_NE(start(1, "7"), start(1, "8"));
}

TEST(PlanRun, ProfilesAndTraces) {
  std::string trace = makeTemporaryFolder() + "/trace.json";
  Training run = train({.dp = 2}, {"--profile", "--trace", trace});
  EXPECT_THAT(run.outcome.output, HasSubstr("linear"));
  EXPECT_THAT(run.outcome.output, HasSubstr("all_reduce"));
  auto json = nlohmann::json::parse(readText(trace), nullptr, false);
  ASSERT_TRUE(json.is_object());
  std::set<int> ranks;
  for (auto &event : json["traceEvents"])
    ranks.insert(event["pid"].get<int>());
  EXPECT_EQ(ranks, (std::set<int>{0, 1}));
}

TEST(PlanRun, AWrongCommandLineEndsWithTwo) {
  struct {
    std::vector<std::string> arguments;
    const char *message;
  } calls[] = {
      {{}, "expected one plan folder, found 0"},
      {{"a.plan", "b.plan"}, "expected one plan folder, found 2"},
      {{"a.plan", "--", "--steps"}, "expected one plan folder, found 2"},
      {{"a.plan", "--stepps=3"}, "there is no flag --stepps"},
      {{"a.plan", "--nosteps"}, "there is no flag --nosteps"},
      {{"a.plan", "--steps"}, "--steps needs a value"},
      {{"a.plan", "--steps=three"}, "--steps cannot be 'three'"},
      {{"a.plan", "--in-process=perhaps"}, "--in-process cannot be 'perhaps'"},
      {{"a.plan", "--steps", "-1"}, "--steps cannot be negative"},
      {{"a.plan", "--threads=100000000"}, "--threads is 100000000, expected 0 to "},
      {{"a.plan", "--threads=-1"}, "--threads is -1, expected 0 to "},
      {{"a.plan", "--join-timeout=0"}, "--join-timeout must be at least 1"},
      {{"a.plan", "--token-type=byte"}, "--token-type is auto, uint16 or uint32"},
      {{"a.plan", "--save-gradients=g", "--steps=2"}, "--save-gradients goes with --steps 1"},
      {{"a.plan", "--weights=w", "--init=random"}, "give --weights or --init random, not both"},
      {{"a.plan", "--init=zeros"}, "--init knows only \"random\""},
  };
  for (auto &call : calls) {
    Outcome outcome = Command(call.arguments).wait();
    EXPECT_EQ(outcome.code, 2) << call.message;
    EXPECT_THAT(outcome.error, StartsWith(std::string("plan-run: ") + call.message));
    EXPECT_THAT(outcome.error, HasSubstr("see plan-run --help"));
  }
}

TEST(PlanRun, HelpNamesEveryFlagAsItIsWritten) {
  Outcome outcome = Command({"--help"}).wait();
  EXPECT_EQ(outcome.code, 0);
  EXPECT_THAT(outcome.output, HasSubstr("--save-weights\n"));
  EXPECT_THAT(outcome.output, HasSubstr("number of steps (default: 1)"));
  EXPECT_THAT(outcome.output, Not(HasSubstr("flagfile")));
}

} // namespace
} // namespace planwright::rt::test
