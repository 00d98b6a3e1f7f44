// Weights: what a bad file is told, slices and padding, and random numbers that no layout changes.

#include "runtime/Data/Weights.h"

#include "test/Runtime/Support/TestPlan.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

#include <cmath>
#include <numeric>

namespace planwright::rt {
namespace {

using test::makeTensor;
using testing::HasSubstr;

/// A rank of the linear model with its own memory.
struct Rank {
  Rank(const test::TestPlanOptions &options, int rank) : Rank(test::makeProgram(options), rank) {}
  Rank(const fb::ProgramT &program, int rank)
      : bytes(test::serialize(program)), arena(program.arena_bytes),
        memory{*fb::GetProgram(bytes.data()), rank, arena.data()} {}

  std::vector<float> getWeight() const {
    const fb::Buffer &buffer = *memory.program.buffers()->Get(0);
    auto *values = reinterpret_cast<const float *>(arena.data() + buffer.offset());
    return {values, values + buffer.size_bytes() / 4};
  }

  std::vector<std::byte> bytes;
  std::vector<std::byte> arena;
  RankMemory memory;
};

std::string loadError(const std::vector<test::OwnedTensor> &tensors) {
  return loadWeights(test::writeTensorFile(tensors), Rank(test::TestPlanOptions(), 0).memory)
      .ToString();
}

TEST(Weights, AreReadAndNamesWithASlashIgnored) {
  Rank rank(test::TestPlanOptions(), 0);
  EXPECT_TRUE(loadWeights(test::writeLinearData(1), rank.memory).ok());
  EXPECT_EQ(rank.getWeight(), test::getLinearWeights());
}

TEST(Weights, EachRankReadsItsSlice) {
  std::string file = test::writeLinearData(1);
  for (int r : {0, 1}) {
    Rank rank({.dp = 2, .divideWeight = true}, r);
    ASSERT_TRUE(loadWeights(file, rank.memory).ok());
    std::vector<float> all = test::getLinearWeights();
    EXPECT_EQ(rank.getWeight(), std::vector<float>(all.begin() + 2 * r, all.begin() + 2 * r + 2));
  }
}

TEST(Weights, APartIsReadFromItsStack) {
  fb::ProgramT program = test::makeProgram({});
  program.arguments[0]->shape = {3, 4};
  program.buffers[0]->name = "w[1]";
  program.buffers[0]->argument = "w";
  program.buffers[0]->part = 1;
  Rank rank(program, 0);
  std::vector<float> stacked(12);
  std::iota(stacked.begin(), stacked.end(), 0.0f);
  ASSERT_TRUE(loadWeights(test::writeTensorFile({makeTensor("w", DType::F32, {3, 4}, stacked)}),
                          rank.memory)
                  .ok());
  EXPECT_EQ(rank.getWeight(), (std::vector<float>{4, 5, 6, 7}));
}

TEST(Weights, PaddingIsZero) {
  fb::ProgramT program = test::makeProgram({});
  program.arguments[0]->shape = {3}; // The buffer stays at 4.
  Rank rank(program, 0);
  std::vector<float> three = {1, 2, 3};
  std::fill(rank.arena.begin(), rank.arena.end(), std::byte(1));
  ASSERT_TRUE(
      loadWeights(test::writeTensorFile({makeTensor("w", DType::F32, {3}, three)}), rank.memory)
          .ok());
  EXPECT_EQ(rank.getWeight(), (std::vector<float>{1, 2, 3, 0}));
}

TEST(Weights, MasterCopiesOfHalfWeights) {
  fb::ProgramT program = test::makeProgram({});
  program.arguments[0]->element_type = fb::ElementType::bf16; // The model's; the plan keeps f32.
  Rank rank(program, 0);
  std::vector<uint16_t> halves = {0x3f80, 0x4000, 0xbf80, 0};
  auto status =
      loadWeights(test::writeTensorFile({makeTensor("w", DType::BF16, {4}, halves)}), rank.memory);
  ASSERT_TRUE(status.ok()) << status;
  EXPECT_EQ(rank.getWeight(), (std::vector<float>{1, 2, -1, 0}));
}

TEST(Weights, EveryProblemIsListed) {
  std::vector<float> four(4);
  std::string error =
      loadError({makeTensor("v", DType::F32, {4}, four), makeTensor("x", DType::F32, {4}, four)});
  EXPECT_THAT(error, HasSubstr("missing tensors: \"w\""));
  EXPECT_THAT(error, HasSubstr("tensors that the model does not have: \"v\", \"x\""));
}

TEST(Weights, WrongShapeAndType) {
  std::vector<float> six(6);
  EXPECT_THAT(loadError({makeTensor("w", DType::F32, {2, 3}, six)}),
              HasSubstr("\"w\" has shape [2, 3], the model wants [4]"));
  std::vector<int32_t> four(4);
  EXPECT_THAT(loadError({makeTensor("w", DType::I32, {4}, four)}),
              HasSubstr("\"w\" has type I32, the model wants F32"));
}

TEST(RandomWeights, DoNotDependOnTheLayout) {
  Rank whole(test::TestPlanOptions(), 0);
  ASSERT_TRUE(initializeRandomly(5, whole.memory).ok());
  for (int r : {0, 1}) {
    Rank half({.dp = 2, .divideWeight = true}, r);
    ASSERT_TRUE(initializeRandomly(5, half.memory).ok());
    EXPECT_EQ(half.getWeight()[0], whole.getWeight()[2 * r]);
    EXPECT_EQ(half.getWeight()[1], whole.getWeight()[2 * r + 1]);
  }
  Rank other(test::TestPlanOptions(), 0);
  ASSERT_TRUE(initializeRandomly(6, other.memory).ok());
  EXPECT_NE(other.getWeight(), whole.getWeight());
}

TEST(RandomWeights, AreNormal) {
  double sum = 0, squares = 0, fourths = 0;
  constexpr int count = 100'000;
  for (int i = 0; i < count; ++i) {
    double value = drawNormal(1, "w", i);
    sum += value;
    squares += value * value;
    fourths += std::pow(value, 4);
  }
  EXPECT_NEAR(sum / count, 0, 0.015);
  EXPECT_NEAR(squares / count, 1, 0.02);
  EXPECT_NEAR(fourths / count, 3, 0.15);
}

TEST(RandomWeights, WantARule) {
  fb::ProgramT program = test::makeProgram({});
  program.arguments[0]->init = fb::InitKind::none;
  EXPECT_THAT(initializeRandomly(0, Rank(program, 0).memory).ToString(),
              HasSubstr("no \"init\" for parameter \"w\""));
}

} // namespace
} // namespace planwright::rt
