// The thread pool behind launches, copies and zeros; the null device.

#include "runtime/Device/Device.h"

#include "gtest/gtest.h"

#include <atomic>
#include <chrono>
#include <numeric>
#include <thread>

namespace planwright::rt {
namespace {

/// Counts how often each item ran and notes ranges that do not start at a multiple of 3.
struct Trace {
  std::vector<std::atomic<int>> runs = std::vector<std::atomic<int>>(100);
  std::atomic<bool> misaligned = false;
};

void traceKernel(void *const *operands, int64_t low, int64_t high) {
  Trace &trace = *static_cast<Trace *>(operands[0]);
  if (low % 3 != 0)
    trace.misaligned = true;
  for (int64_t i = low; i < high; ++i)
    ++trace.runs[i];
}

TEST(HostDevice, RunsEachItemOnceFromMultiplesOfTheGrain) {
  for (int threads : {1, 2, 3, 4, 7})
    for (int64_t count : {0, 1, 3, 4, 99, 100}) {
      auto device = createHostDevice(threads);
      Trace trace;
      void *operands[] = {&trace};
      for (int repeat = 0; repeat < 20; ++repeat)
        ASSERT_TRUE(device->launch(0, {traceKernel, operands, count, 3}).ok());
      EXPECT_FALSE(trace.misaligned);
      for (int64_t i = 0; i < 100; ++i)
        EXPECT_EQ(trace.runs[i], i < count ? 20 : 0);
    }
}

TEST(HostDevice, WorkersWakeAfterSleep) {
  auto device = createHostDevice(3);
  Trace trace;
  void *operands[] = {&trace};
  for (int repeat = 0; repeat < 5; ++repeat) {
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
    ASSERT_TRUE(device->launch(0, {traceKernel, operands, 100, 1}).ok());
  }
  for (auto &runs : trace.runs)
    EXPECT_EQ(runs, 5);
}

TEST(HostDevice, CopiesAndZeros) {
  auto device = createHostDevice(2);
  constexpr size_t size = 3 << 20;
  auto arena = device->allocate(2 * size);
  ASSERT_TRUE(arena.ok());
  EXPECT_EQ(reinterpret_cast<uintptr_t>(*arena) % 64, 0u);
  std::fill_n(*arena, size, std::byte(7));
  ASSERT_TRUE(device->copy(0, *arena + size, *arena, size).ok());
  EXPECT_EQ((*arena)[2 * size - 1], std::byte(7));
  ASSERT_TRUE(device->zero(0, *arena, size).ok());
  EXPECT_EQ(std::count(*arena, *arena + size, std::byte(0)), ptrdiff_t(size));
  // Overlapping ranges behave as with memmove.
  for (size_t i = 0; i < 100; ++i)
    (*arena)[i] = std::byte(i);
  ASSERT_TRUE(device->copy(0, *arena + 1, *arena, 99).ok());
  EXPECT_EQ((*arena)[99], std::byte(98));
}

TEST(HostDevice, CopiesInLoops) {
  // [2, 3, 4] to [3, 2, 4] in ints, innermost rows whole; big enough rows are dealt to threads.
  for (int64_t row : {4, 100'000}) {
    auto device = createHostDevice(3);
    int64_t elements = 2 * 3 * row, bytes = row * int64_t(sizeof(int));
    auto arena = device->allocate(2 * elements * sizeof(int));
    ASSERT_TRUE(arena.ok());
    int *from = reinterpret_cast<int *>(*arena), *to = from + elements;
    std::iota(from, to, 0);
    StridedCopyShape shape = {{{2, 3 * bytes, bytes}, {3, bytes, 2 * bytes}}, bytes};
    ASSERT_TRUE(device->stridedCopy(0, shape, to, from).ok());
    for (int64_t i = 0; i < 2; ++i)
      for (int64_t j = 0; j < 3; ++j)
        for (int64_t k : {int64_t(0), row - 1})
          EXPECT_EQ(to[(j * 2 + i) * row + k], (i * 3 + j) * row + k);
  }
}

TEST(HostDevice, RefusesMoreMemoryThanThereIs) {
  auto arena = createHostDevice(1)->allocate(size_t(1) << 46);
  EXPECT_EQ(arena.status().code(), absl::StatusCode::kResourceExhausted) << arena.status();
}

TEST(NullDevice, DoesNothing) {
  auto device = createNullDevice();
  auto arena = device->allocate(size_t(1) << 40);
  ASSERT_TRUE(arena.ok()) << arena.status();
  EXPECT_TRUE(device->zero(0, *arena, size_t(1) << 40).ok());
}

} // namespace
} // namespace planwright::rt
