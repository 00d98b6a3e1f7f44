// Batches from both kinds of file, and what a bad file is told.

#include "runtime/Data/Batches.h"

#include "test/Runtime/Support/TestPlan.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

#include <filesystem>
#include <fstream>

namespace planwright::rt {
namespace {

using test::makeTensor;
using testing::HasSubstr;

/// A rank of some program, and what its input buffers hold.
struct Rank {
  Rank(const fb::ProgramT &program, int rank)
      : bytes(test::serialize(program)), arena(program.arena_bytes),
        memory{*fb::GetProgram(bytes.data()), rank, arena.data()} {}

  template <typename T> std::vector<T> get(const std::string &name) const {
    for (const fb::Buffer *buffer : *memory.program.buffers())
      if (buffer->kind() == fb::BufferKind::input && buffer->name()->str() == name) {
        auto *values = reinterpret_cast<const T *>(arena.data() + buffer->offset());
        return {values, values + buffer->size_bytes() / sizeof(T)};
      }
    return {};
  }

  absl::Status fill(const std::string &path, int64_t step, TokenType type = TokenType::Auto) {
    auto source = openBatches(path, memory.program, type);
    return source.ok() ? (*source)->fill(step, memory) : source.status();
  }

  std::vector<std::byte> bytes;
  std::vector<std::byte> arena;
  RankMemory memory;
};

TEST(SafetensorsBatches, EachRankGetsItsRowsAndTheFileIsCycled) {
  std::string path = test::writeLinearData(2);
  Rank rank(test::makeProgram({.dp = 2, .microBatches = 2}), 1);
  ASSERT_TRUE(rank.fill(path, 3).ok());
  std::vector<float> all = test::getLinearT(1);
  EXPECT_EQ(rank.get<float>("t"), std::vector<float>(all.begin() + 4, all.end()));
}

TEST(SafetensorsBatches, BadFilesAreExplained) {
  Rank rank(test::makeProgram({}), 0);
  EXPECT_THAT(rank.fill(test::writeLinearData(0), 0).ToString(), HasSubstr("holds no batches"));
  EXPECT_THAT(rank.fill("/tmp/data.txt", 0).ToString(), HasSubstr("neither a .safetensors nor"));
  std::vector<float> x(32), t(8);
  std::string missing = test::writeTensorFile({makeTensor("batch0/x", DType::F32, {8, 4}, x)});
  EXPECT_THAT(rank.fill(missing, 0).ToString(), HasSubstr("\"batch0/t\" is missing"));
  std::string shape = test::writeTensorFile(
      {makeTensor("batch0/x", DType::F32, {4, 8}, x), makeTensor("batch0/t", DType::F32, {8}, t)});
  EXPECT_THAT(rank.fill(shape, 0).ToString(),
              HasSubstr("\"batch0/x\" has shape [4, 8], the model wants the global batch [8, 4]"));
}

/// 0, 1, 2, ... below `count`, as tokens of `T`.
template <typename T> std::string writeTokens(size_t count, T offset = 0) {
  std::string path = test::makeTemporaryFolder() + "/tokens.bin";
  std::vector<T> tokens(count);
  for (size_t i = 0; i < count; ++i)
    tokens[i] = static_cast<T>(i + offset);
  std::ofstream(path, std::ios::binary)
      .write(reinterpret_cast<const char *>(tokens.data()), std::streamsize(count * sizeof(T)));
  return path;
}

TEST(TokenBatches, WindowsFollowEachOther) {
  // 4 rows of 3; rank 1 has rows 2 (micro-batch 0) and 3 (micro-batch 1).
  std::string path = writeTokens<uint16_t>(26);
  Rank rank(test::makeTokenProgram(), 1);
  ASSERT_TRUE(rank.fill(path, 0).ok()) << rank.fill(path, 0);
  EXPECT_EQ(rank.get<int32_t>("ids"), (std::vector<int32_t>{6, 7, 8, 9, 10, 11}));
  EXPECT_EQ(rank.get<int32_t>("next"), (std::vector<int32_t>{7, 8, 9, 10, 11, 12}));
  ASSERT_TRUE(rank.fill(path, 1).ok());
  EXPECT_EQ(rank.get<int32_t>("ids"), (std::vector<int32_t>{18, 19, 20, 21, 22, 23}));
  // 26 tokens hold 8 windows; the ninth is the first again.
  ASSERT_TRUE(rank.fill(path, 2).ok());
  EXPECT_EQ(rank.get<int32_t>("ids"), (std::vector<int32_t>{6, 7, 8, 9, 10, 11}));
}

TEST(TokenBatches, FourByteTokensAreNoticed) {
  std::string path = writeTokens<uint32_t>(49);
  Rank rank(test::makeTokenProgram(), 0);
  ASSERT_TRUE(rank.fill(path, 0).ok());
  EXPECT_EQ(rank.get<int32_t>("ids"), (std::vector<int32_t>{0, 1, 2, 3, 4, 5}));
  auto source = openBatches(path, rank.memory.program, TokenType::Auto);
  EXPECT_THAT((*source)->getRemark(), HasSubstr("looks like uint32"));
  ASSERT_TRUE(rank.fill(path, 0, TokenType::Uint32).ok());
}

TEST(TokenBatches, ATokenOutOfRangeIsLocated) {
  Rank rank(test::makeTokenProgram(), 1);
  EXPECT_THAT(rank.fill(writeTokens<uint16_t>(26, 40), 0).ToString(),
              HasSubstr("step 0: \"ids\" has value 50 at [3, 1], allowed is 0 to 49"));
}

TEST(TokenBatches, BadFilesAreExplained) {
  Rank rank(test::makeTokenProgram(), 0);
  EXPECT_THAT(rank.fill("/nowhere.bin", 0).ToString(), HasSubstr("cannot open"));
  std::string folder = test::makeTemporaryFolder() + "/folder.bin";
  std::filesystem::create_directory(folder);
  EXPECT_THAT(rank.fill(folder, 0).ToString(),
              HasSubstr("data " + folder + ": is a folder, expected a file of tokens"));
  EXPECT_THAT(rank.fill(writeTokens<uint16_t>(0), 0).ToString(),
              HasSubstr("it has 0 tokens, a sequence needs 4"));
  EXPECT_THAT(rank.fill(writeTokens<uint16_t>(3), 0).ToString(),
              HasSubstr("it has 3 tokens, a sequence needs 4"));
  EXPECT_THAT(rank.fill(writeTokens<uint8_t>(25), 0).ToString(), HasSubstr("no whole number"));
  fb::ProgramT silent = test::makeTokenProgram();
  silent.arguments[0]->token_source = fb::TokenSource::none;
  EXPECT_THAT(Rank(silent, 0).fill(writeTokens<uint16_t>(26), 0).ToString(),
              HasSubstr("does not say how tokens fill \"ids\""));
}

TEST(Range, NegativeLabelsMayBeAllowed) {
  fb::ProgramT program = test::makeTokenProgram();
  program.arguments[1]->range_low = -100;
  Rank rank(program, 0);
  std::vector<int32_t> ids(12, 3), next(12, -100);
  auto write = [&] {
    return test::writeTensorFile({makeTensor("batch0/ids", DType::I32, {4, 3}, ids),
                                  makeTensor("batch0/next", DType::I32, {4, 3}, next)});
  };
  EXPECT_TRUE(rank.fill(write(), 0).ok());
  next[2] = -101;
  EXPECT_THAT(rank.fill(write(), 0).ToString(),
              HasSubstr("batch 0: \"next\" has value -101 at [0, 2], allowed is -100 to 49"));
}

} // namespace
} // namespace planwright::rt
