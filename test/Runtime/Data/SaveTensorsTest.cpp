// Putting divided tensors together again.

#include "runtime/Data/SaveTensors.h"

#include "runtime/Comm/InProcess/InProcess.h"
#include "runtime/Data/Weights.h"
#include "test/Runtime/Support/TestPlan.h"

#include "gtest/gtest.h"

#include <thread>

namespace planwright::rt {
namespace {

/// Loads the linear model's weights on two ranks, gathers and writes them, and reads the file.
std::vector<float> roundTrip(const test::TestPlanOptions &options) {
  std::vector<std::byte> bytes = test::serialize(test::makeProgram(options));
  const fb::Program &program = *fb::GetProgram(bytes.data());
  std::string file = test::writeLinearData(0),
              saved = test::makeTemporaryFolder() + "/w.safetensors";
  auto worlds = createInProcessWorlds(2, std::chrono::seconds(10));
  auto run = [&](int rank) {
    std::vector<std::byte> arena(program.arena_bytes());
    RankMemory memory = {program, rank, arena.data()};
    EXPECT_TRUE(loadWeights(file, memory).ok());
    auto tensors = gatherTensors(fb::BufferKind::parameter, "grad0/", memory, *worlds[rank]);
    ASSERT_TRUE(tensors.ok()) << tensors.status();
    if (rank == 0)
      EXPECT_TRUE(writeTensors(saved, *tensors).ok());
    EXPECT_TRUE(worlds[rank]->barrier().ok());
  };
  std::thread other(run, 1);
  run(0);
  other.join();
  auto result = SafetensorsFile::open(saved);
  const TensorView *tensor = result->find("grad0/w");
  if (!tensor)
    return {};
  auto *values = reinterpret_cast<const float *>(tensor->bytes.data());
  return {values, values + tensor->bytes.size() / 4};
}

TEST(SaveTensors, Divided) {
  EXPECT_EQ(roundTrip({.dp = 2, .divideWeight = true}), test::getLinearWeights());
}

TEST(SaveTensors, Replicated) { EXPECT_EQ(roundTrip({.dp = 2}), test::getLinearWeights()); }

} // namespace
} // namespace planwright::rt
