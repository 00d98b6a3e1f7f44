// Running programs: the linear model on 1, 2 and 4 ranks, what errors say, and the proof that
// ranks' collectives match.

#include "runtime/Executor/Executor.h"

#include "runtime/Comm/InProcess/InProcess.h"
#include "runtime/Comm/Recorder/Recorder.h"
#include "runtime/Data/Batches.h"
#include "runtime/Data/Weights.h"
#include "runtime/Executor/Profile.h"
#include "runtime/Format/StatusMacros.h"
#include "test/Runtime/Support/TestPlan.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

#include <thread>

namespace planwright::rt {
namespace {

using testing::HasSubstr;

absl::StatusOr<std::unique_ptr<Executor>> prepare(const fb::Program &program, World &world,
                                                  std::unique_ptr<Device> device) {
  PLANWRIGHT_ASSIGN_OR_RETURN(
      auto executor,
      Executor::prepare(program, test::openTestKernels(program), std::move(device), world));
  PLANWRIGHT_RETURN_IF_ERROR(executor->initialize());
  return executor;
}

/// Losses of rank 0 over `steps` steps.
absl::StatusOr<std::vector<double>> train(const fb::Program &program, World &world,
                                          const std::string &data, int64_t steps) {
  PLANWRIGHT_ASSIGN_OR_RETURN(auto executor, prepare(program, world, createHostDevice(2)));
  RankMemory memory = {program, world.getRank(), executor->getArena()};
  PLANWRIGHT_RETURN_IF_ERROR(loadWeights(data, memory));
  PLANWRIGHT_ASSIGN_OR_RETURN(auto batches, openBatches(data, program, TokenType::Auto));
  std::vector<double> losses;
  for (int64_t step = 0; step < steps; ++step) {
    PLANWRIGHT_RETURN_IF_ERROR(batches->fill(step, memory));
    PLANWRIGHT_RETURN_IF_ERROR(executor->runStep(step));
    losses.push_back(*executor->readLoss());
    EXPECT_FLOAT_EQ(*executor->readLearningRate(), 0.1f / float(step + 1));
    EXPECT_EQ(executor->readGradientNorm(), std::nullopt);
  }
  return losses;
}

class LinearModel : public testing::TestWithParam<std::tuple<int64_t, int64_t>> {};

TEST_P(LinearModel, TrainsAsOnPaper) {
  auto [dp, microBatches] = GetParam();
  std::vector<std::byte> bytes =
      test::serialize(test::makeProgram({.dp = dp, .microBatches = microBatches}));
  const fb::Program &program = *fb::GetProgram(bytes.data());
  std::string data = test::writeLinearData(3);
  auto worlds = createInProcessWorlds(int(dp), std::chrono::seconds(20));
  std::vector<absl::StatusOr<std::vector<double>>> results(dp, std::vector<double>());
  std::vector<std::thread> threads;
  for (int64_t rank = 0; rank < dp; ++rank)
    threads.emplace_back([&, rank] { results[rank] = train(program, *worlds[rank], data, 5); });
  for (std::thread &thread : threads)
    thread.join();
  std::vector<double> weights;
  std::vector<double> expected = test::trainLinear(5, 3, weights);
  for (auto &result : results) {
    ASSERT_TRUE(result.ok()) << result.status();
    for (size_t step = 0; step < 5; ++step)
      EXPECT_NEAR((*result)[step], expected[step], 1e-6);
    EXPECT_EQ(*result, *results[0]); // All ranks see the same bits.
  }
}

INSTANTIATE_TEST_SUITE_P(All, LinearModel,
                         testing::Combine(testing::Values(1, 2, 4), testing::Values(1, 2)),
                         [](const auto &info) {
                           return "dp" + std::to_string(std::get<0>(info.param)) + "mb" +
                                  std::to_string(std::get<1>(info.param));
                         });

TEST(Executor, RefusesAnotherNumberOfRanks) {
  std::vector<std::byte> bytes = test::serialize(test::makeProgram({.dp = 2}));
  auto worlds = createInProcessWorlds(3, std::chrono::seconds(1));
  auto executor = prepare(*fb::GetProgram(bytes.data()), *worlds[0], createNullDevice());
  EXPECT_THAT(executor.status().ToString(),
              HasSubstr("the plan is for 2 ranks, but 3 were started"));
}

TEST(Executor, ErrorsNameStepTaskAndInstruction) {
  std::vector<std::byte> bytes = test::serialize(test::makeProgram({.dp = 2}));
  auto worlds = createInProcessWorlds(2, std::chrono::milliseconds(20));
  auto executor = prepare(*fb::GetProgram(bytes.data()), *worlds[0], createHostDevice(1));
  ASSERT_TRUE(executor.ok()) << executor.status();
  EXPECT_THAT((*executor)->runStep(7).ToString(),
              HasSubstr("step 7, task 2 (reduce), instruction 0 (reduce gradient): "
                        "waited in vain for rank 1"));
}

TEST(Executor, RanksKnowTheirCoordinatesAndMicroBatch) {
  std::vector<std::byte> bytes = test::serialize(test::makeProgram({.dp = 4, .microBatches = 2}));
  const fb::Program &program = *fb::GetProgram(bytes.data());
  Recording recording(4);
  auto world = createRecorderWorld(recording, 3);
  auto executor = prepare(program, *world, createHostDevice(1));
  ASSERT_TRUE(executor.ok());
  ASSERT_TRUE((*executor)->runStep(0).ok());
  auto read = [&](const char *name) {
    const fb::Buffer *buffer = (*executor)->findBuffer(fb::BufferKind::scalar, name);
    return *reinterpret_cast<const int64_t *>((*executor)->getBytes(*buffer).data());
  };
  EXPECT_EQ(read("axis/dp"), 3);
  EXPECT_EQ(read("step"), 1);
  EXPECT_EQ(read("mb"), 1); // Of the last task that had one.
}

/// Where a rank was after each instruction, and with whom.
class PlaceRecorder : public InstructionObserver {
public:
  explicit PlaceRecorder(const Executor &executor) : executor(executor) {}
  void observe(const InstructionInfo &info, const fb::Task &, Clock::time_point,
               Clock::time_point) override {
    Place place = executor.getPlace();
    EXPECT_EQ(executor.findInstruction(place), &info);
    places.push_back(executor.describe(place));
    groups.push_back(executor.getGroup(place));
  }
  const Executor &executor;
  std::vector<std::string> places;
  std::vector<std::vector<int>> groups;
};

TEST(Executor, SaysWhereItIs) {
  fb::ProgramT plan = test::makeProgram({.dp = 2, .microBatches = 2});
  plan.subprograms[1]->instructions[0]->predicted_ns = 77;
  std::vector<std::byte> bytes = test::serialize(plan);
  Recording recording(2);
  auto world = createRecorderWorld(recording, 1);
  auto executor = prepare(*fb::GetProgram(bytes.data()), *world, createHostDevice(1));
  ASSERT_TRUE(executor.ok()) << executor.status();
  PlaceRecorder recorder(**executor);
  (*executor)->setObserver(&recorder);
  EXPECT_EQ((*executor)->describe((*executor)->getPlace()), "step 0, before its first task");
  ASSERT_TRUE((*executor)->runUntilUpdate(3).ok());
  EXPECT_EQ((*executor)->describe((*executor)->getPlace()), "step 3, before task 4");
  ASSERT_TRUE((*executor)->runFromUpdate(3).ok());
  EXPECT_EQ((*executor)->getPlace(), (Place{4, 0, -1}));
  EXPECT_THAT(
      recorder.places,
      testing::ElementsAre("step 3, task 0 (zero), instruction 0 (zero gradient)",
                           "step 3, task 0 (zero), instruction 1 (zero loss)",
                           "step 3, task 1 (forward, micro-batch 0), instruction 0 (linear)",
                           "step 3, task 2 (forward, micro-batch 1), instruction 0 (linear)",
                           "step 3, task 3 (reduce), instruction 0 (reduce gradient)",
                           "step 3, task 3 (reduce), instruction 1 (reduce loss)",
                           "step 3, task 4 (update), instruction 0 (update)"));
  EXPECT_THAT(recorder.groups[2], testing::IsEmpty());
  EXPECT_THAT(recorder.groups[4], testing::ElementsAre(0, 1));
  EXPECT_EQ((*executor)->findInstruction({3, 2, 0})->predictedNs, 77u);
}

TEST(Executor, PlacesAreOrderedAsTheyArePassed) {
  EXPECT_LT((Place{3, 1, 7}), (Place{3, 2, -1}));
  EXPECT_LT((Place{3, 2, -1}), (Place{3, 2, 0}));
  EXPECT_LT((Place{3, 9, 9}), (Place{4, 0, -1}));
}

TEST(Executor, StridedCopiesBeginAtTheRanksCoordinates) {
  fb::ProgramT plan = test::makeProgram({.dp = 4});
  fb::StridedCopyT copy;
  copy.source = std::make_unique<fb::Address>(0, 0);
  copy.destination = std::make_unique<fb::Address>(plan.arena_bytes, 0);
  copy.bytes = 2;
  copy.loops = {fb::CopyLoop(2, 8, 2)}; // 2 rows of 8 bytes, 2 of which are this rank's.
  copy.coordinates = {fb::CoordinateStride(0, 2)};
  auto instruction = std::make_unique<fb::InstructionT>();
  instruction->action.Set(std::move(copy));
  auto &first = plan.subprograms[0]->instructions;
  first.insert(first.begin(), std::move(instruction));
  uint64_t end = plan.arena_bytes;
  plan.arena_bytes += 64;
  std::vector<std::byte> bytes = test::serialize(plan);
  for (int rank = 0; rank < 4; ++rank) {
    Recording recording(4);
    auto world = createRecorderWorld(recording, rank);
    auto executor = prepare(*fb::GetProgram(bytes.data()), *world, createHostDevice(1));
    ASSERT_TRUE(executor.ok()) << executor.status();
    std::byte *arena = (*executor)->getArena();
    for (int i = 0; i < 16; ++i)
      arena[i] = std::byte(i);
    ASSERT_TRUE((*executor)->runUntilUpdate(0).ok());
    std::vector<int> block;
    for (int i = 0; i < 4; ++i)
      block.push_back(int(arena[end + i]));
    EXPECT_THAT(block, testing::ElementsAre(2 * rank, 2 * rank + 1, 2 * rank + 8, 2 * rank + 9));
  }
}

TEST(Executor, RecorderProvesThatRanksAgree) {
  std::vector<std::byte> bytes = test::serialize(test::makeProgram({.dp = 4}));
  Recording recording(4);
  for (int rank = 0; rank < 4; ++rank) {
    auto world = createRecorderWorld(recording, rank);
    auto executor = prepare(*fb::GetProgram(bytes.data()), *world, createNullDevice());
    ASSERT_TRUE(executor.ok()) << executor.status();
    ASSERT_TRUE((*executor)->runStep(0).ok());
  }
  EXPECT_EQ(recording.calls[2].size(), 2u);
  EXPECT_TRUE(recording.verify().ok()) << recording.verify();
}

TEST(Executor, MissingKernelIsNamed) {
  fb::ProgramT wrong = test::makeProgram({});
  wrong.kernels[0]->symbol = "no_such_kernel";
  std::vector<std::byte> bytes = test::serialize(wrong);
  auto plan = KernelLibraries::open(*fb::GetProgram(bytes.data()), test::writePlan(wrong));
  EXPECT_THAT(plan.status().ToString(), HasSubstr("kernels/host.so has no kernel no_such_kernel"));
}

TEST(Profile, AddsUpFamiliesAndDrawsATimeline) {
  std::vector<std::byte> bytes = test::serialize(test::makeProgram({.microBatches = 2}));
  auto worlds = createInProcessWorlds(1, std::chrono::seconds(1));
  auto executor = prepare(*fb::GetProgram(bytes.data()), *worlds[0], createHostDevice(1));
  ASSERT_TRUE(executor.ok());
  Profile profile(/*keepTimeline=*/true);
  (*executor)->setObserver(&profile);
  ASSERT_TRUE((*executor)->runStep(0).ok());
  EXPECT_THAT(profile.formatTable(), HasSubstr("linear"));
  EXPECT_THAT(profile.formatTable(), HasSubstr("all_reduce"));
  EXPECT_THAT(profile.formatTimeline(0), HasSubstr(R"("name":"reduce loss","cat":"all_reduce")"));
}

} // namespace
} // namespace planwright::rt
