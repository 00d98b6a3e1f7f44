// Putting divided tensors together again.

#include "runtime/Data/SaveTensors.h"

#include "runtime/Comm/InProcess/InProcess.h"
#include "runtime/Data/Weights.h"
#include "test/Runtime/Support/TestPlan.h"

#include "gtest/gtest.h"

#include <thread>

namespace planwright::rt {
namespace {

/// Loads weights from `file` on two ranks, gathers and writes them, and reads the file.
std::vector<float> roundTrip(const fb::ProgramT &plan,
                             const std::string &file = test::writeLinearData(0)) {
  std::vector<std::byte> bytes = test::serialize(plan);
  const fb::Program &program = *fb::GetProgram(bytes.data());
  std::string saved = test::makeTemporaryFolder() + "/w.safetensors";
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
  fb::ProgramT plan = test::makeProgram({.dp = 2, .divideWeight = true});
  EXPECT_EQ(roundTrip(plan), test::getLinearWeights());
}

TEST(SaveTensors, Replicated) {
  EXPECT_EQ(roundTrip(test::makeProgram({.dp = 2})), test::getLinearWeights());
}

/// "w" of [2, 4] as two buffers of [4], of which each rank has half.
TEST(SaveTensors, PartsOfAStackedParameter) {
  fb::ProgramT plan = test::makeProgram({.dp = 2, .divideWeight = true});
  plan.arguments[0]->shape = {2, 4};
  plan.buffers.push_back(std::make_unique<fb::BufferT>(*plan.buffers[0]));
  fb::BufferT *parts[] = {plan.buffers[0].get(), plan.buffers.back().get()};
  for (int64_t part : {0, 1}) {
    parts[part]->name = "w[" + std::to_string(part) + "]";
    parts[part]->argument = "w";
    parts[part]->part = part;
  }
  parts[1]->offset = plan.arena_bytes;
  plan.arena_bytes += 64;
  std::vector<float> values = {1, 2, 3, 4, 5, 6, 7, 8};
  std::string file = test::writeTensorFile({test::makeTensor("w", DType::F32, {2, 4}, values)});
  EXPECT_EQ(roundTrip(plan, file), values);
}

} // namespace
} // namespace planwright::rt
