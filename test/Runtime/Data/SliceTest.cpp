// Which rows a rank and micro-batch get, and copying of boxes.

#include "runtime/Data/Slice.h"
#include "test/Runtime/Support/TestPlan.h"

#include "gtest/gtest.h"

#include <cstring>
#include <functional>

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

/// How the weight of a plan whose buffer was `changed` sees a tensor of `shape`.
ArgumentView getView(const std::function<void(fb::BufferT &)> &change, std::vector<int64_t> shape,
                     int64_t rank = 0) {
  fb::ProgramT plan = test::makeProgram({.dp = 2});
  change(*plan.buffers[0]);
  std::vector<std::byte> bytes = test::serialize(plan);
  const fb::Program &program = *fb::GetProgram(bytes.data());
  return getArgumentView(program, *program.buffers()->Get(0), shape, rank);
}

TEST(Slice, ParametersAreSeenInTheShapeOfTheBuffer) {
  auto see = [](std::vector<int64_t> global) {
    return [global](fb::BufferT &buffer) { buffer.global_shape = buffer.local_shape = global; };
  };
  EXPECT_EQ(getView(see({3, 4, 5}), {12, 5}).shape, (std::vector<int64_t>{3, 4, 5}));
  EXPECT_EQ(getView(see({14, 5}), {12, 5}).shape, (std::vector<int64_t>{12, 5})); // padded
}

TEST(Slice, APartIsABoxOfItsArgument) {
  auto change = [](fb::BufferT &buffer) {
    buffer.argument = "w";
    buffer.part = 2;
    buffer.global_shape = {3, 4};
    buffer.local_shape = {3, 2};
    buffer.dimension_axes.resize(2);
    for (auto &list : buffer.dimension_axes)
      list = std::make_unique<fb::AxisListT>();
    buffer.dimension_axes[1]->axes = {0};
  };
  ArgumentView view = getView(change, {5, 12}, /*rank=*/1);
  EXPECT_EQ(view.shape, (std::vector<int64_t>{5, 3, 4}));
  EXPECT_EQ(view.box.start, (std::vector<int64_t>{2, 0, 2}));
  EXPECT_EQ(view.box.size, (std::vector<int64_t>{1, 3, 2}));
}

TEST(Slice, ClipsPadding) {
  Box box = clip({{4, 0}, {4, 3}}, std::vector<int64_t>{6, 3});
  EXPECT_EQ(box.start, (std::vector<int64_t>{4, 0}));
  EXPECT_EQ(box.size, (std::vector<int64_t>{2, 3}));
  EXPECT_EQ(clip({{8}, {4}}, std::vector<int64_t>{6}).size, (std::vector<int64_t>{0}));
}

} // namespace
} // namespace planwright::rt
