// Which rows a rank and micro-batch get, and copying of boxes.

#include "runtime/Data/Slice.h"
#include "test/Runtime/Support/TestPlan.h"

#include "gtest/gtest.h"

#include <cstring>

namespace planwright::rt {
namespace {

TEST(Slice, RanksThenMicroBatches) {
  std::vector<std::byte> bytes = test::serialize(test::makeProgram({.dp = 2, .microBatches = 2}));
  const fb::Program &program = *fb::GetProgram(bytes.data());
  const fb::Buffer &x = *program.buffers()->Get(1);
  EXPECT_EQ(getMicroBatchCount(program, x), 2);
  EXPECT_EQ(getMicroBatchCount(program, *program.buffers()->Get(0)), 1);
  int64_t first = 0;
  for (int64_t rank : {0, 1})
    for (int64_t mb : {0, 1}) {
      Box box = getBox(program, x, rank, mb);
      EXPECT_EQ(box.start, (std::vector<int64_t>{first, 0}));
      EXPECT_EQ(box.size, (std::vector<int64_t>{2, 4}));
      first += 2;
    }
}

TEST(Slice, CopiesABoxBetweenShapes) {
  std::vector<int32_t> from(4 * 5), to(3 * 3, -1);
  for (int i = 0; i < 20; ++i)
    from[i] = i;
  copyBox(reinterpret_cast<std::byte *>(to.data()), std::vector<int64_t>{3, 3},
          std::vector<int64_t>{1, 0}, reinterpret_cast<const std::byte *>(from.data()),
          std::vector<int64_t>{4, 5}, std::vector<int64_t>{2, 3}, std::vector<int64_t>{2, 2}, 4);
  EXPECT_EQ(to, (std::vector<int32_t>{-1, -1, -1, 13, 14, -1, 18, 19, -1}));
}

TEST(Slice, ParametersAreSeenInTheShapeOfTheBuffer) {
  fb::ProgramT plan = test::makeProgram({.dp = 2});
  auto getShape = [&](std::vector<int64_t> global, std::vector<int64_t> ofFile) {
    plan.buffers[0]->global_shape = std::move(global);
    std::vector<std::byte> bytes = test::serialize(plan);
    return getViewedShape(*fb::GetProgram(bytes.data())->buffers()->Get(0), ofFile);
  };
  EXPECT_EQ(getShape({3, 4, 5}, {12, 5}), (std::vector<int64_t>{3, 4, 5}));
  EXPECT_EQ(getShape({14, 5}, {12, 5}), (std::vector<int64_t>{12, 5})); // padded
}

TEST(Slice, ClipsPadding) {
  Box box = clip({{4, 0}, {4, 3}}, std::vector<int64_t>{6, 3});
  EXPECT_EQ(box.start, (std::vector<int64_t>{4, 0}));
  EXPECT_EQ(box.size, (std::vector<int64_t>{2, 3}));
  EXPECT_EQ(clip({{8}, {4}}, std::vector<int64_t>{6}).size, (std::vector<int64_t>{0}));
}

} // namespace
} // namespace planwright::rt
