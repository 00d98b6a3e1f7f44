// Coordinates and groups of ranks.

#include "runtime/Format/Mesh.h"
#include "test/Runtime/Support/TestPlan.h"

#include "gtest/gtest.h"

namespace planwright::rt {
namespace {

TEST(Mesh, CountsRowMajorWithoutMicroBatches) {
  fb::ProgramT program;
  for (auto [name, size] : {std::pair("dp", 2), std::pair("mb", 5), std::pair("tp", 3)}) {
    program.axes.push_back(std::make_unique<fb::AxisT>());
    program.axes.back()->name = name;
    program.axes.back()->size = size;
  }
  std::vector<std::byte> bytes = test::serialize(program);
  Mesh mesh(*fb::GetProgram(bytes.data()));
  EXPECT_EQ(mesh.getMicroBatchAxis(), 1);
  EXPECT_EQ(mesh.getCoordinates(5), (std::vector<int64_t>{1, 0, 2}));
  EXPECT_EQ(mesh.getGroup(std::vector<uint32_t>{0}, 4), (std::vector<int>{1, 4}));
  EXPECT_EQ(mesh.getGroup(std::vector<uint32_t>{2}, 4), (std::vector<int>{3, 4, 5}));
  EXPECT_EQ(mesh.getGroup(std::vector<uint32_t>{2, 0}, 4), (std::vector<int>{0, 1, 2, 3, 4, 5}));
  EXPECT_EQ(mesh.getGroup({}, 4), (std::vector<int>{4}));
  EXPECT_EQ(mesh.getGroupSize(std::vector<uint32_t>{0, 2}), 6);
}

} // namespace
} // namespace planwright::rt
