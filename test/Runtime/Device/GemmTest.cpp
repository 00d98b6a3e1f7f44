// Contractions in every storage order against three plain loops, and their bits against the number
// of threads.

#include "runtime/Device/Device.h"

#include "gtest/gtest.h"

#include <random>
#include <string>

namespace planwright::rt {
namespace {

/// Storage orders, one character each for A, B, C: r(ows) or c(olumns).
GemmShape makeShape(const std::string &order, int64_t m, int64_t n, int64_t k) {
  GemmShape shape;
  shape.m = m, shape.n = n, shape.k = k;
  shape.aMStride = order[0] == 'r' ? k : 1, shape.aKStride = order[0] == 'r' ? 1 : m;
  shape.bKStride = order[1] == 'r' ? n : 1, shape.bNStride = order[1] == 'r' ? 1 : k;
  shape.cMStride = order[2] == 'r' ? n : 1, shape.cNStride = order[2] == 'r' ? 1 : m;
  return shape;
}

template <typename T> std::vector<T> makeRandom(size_t count, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<T> distribution(-1, 1);
  std::vector<T> values(count);
  for (T &value : values)
    value = distribution(random);
  return values;
}

/// The schema's words as loops.
template <typename T>
void runPlain(const GemmShape &shape, size_t loop, const T *a, const T *b, T *c, bool accumulate) {
  if (loop < shape.loops.size()) {
    const GemmLoopShape &l = shape.loops[loop];
    for (int64_t i = 0; i < l.extent; ++i)
      runPlain(shape, loop + 1, a + i * l.aStride, b + i * l.bStride, c + i * l.cStride,
               accumulate || (l.cStride == 0 && i != 0));
    return;
  }
  for (int64_t m = 0; m < shape.m; ++m)
    for (int64_t n = 0; n < shape.n; ++n) {
      T &element = c[m * shape.cMStride + n * shape.cNStride];
      double sum = accumulate ? element : 0.0;
      for (int64_t k = 0; k < shape.k; ++k)
        sum += double(a[m * shape.aMStride + k * shape.aKStride]) *
               b[k * shape.bKStride + n * shape.bNStride];
      element = static_cast<T>(sum);
    }
}

template <typename T>
void check(GemmShape shape, size_t aCount, size_t bCount, size_t cCount, double tolerance) {
  shape.isDouble = sizeof(T) == 8;
  std::vector<T> a = makeRandom<T>(aCount, 1), b = makeRandom<T>(bCount, 2);
  std::vector<T> expected = makeRandom<T>(cCount, 3), first;
  std::vector<T> initial = expected;
  runPlain(shape, 0, a.data(), b.data(), expected.data(), shape.accumulate);
  for (int threads : {1, 2, 3, 5}) {
    auto device = createHostDevice(threads);
    std::vector<T> c = initial;
    auto prepared = device->prepareGemm(shape);
    ASSERT_TRUE(device->gemm(0, *prepared, a.data(), b.data(), c.data()).ok());
    for (size_t i = 0; i < cCount; ++i)
      ASSERT_NEAR(c[i], expected[i], tolerance) << "element " << i << ", " << threads << " threads";
    if (first.empty())
      first = c;
    EXPECT_EQ(first, c) << "bits differ with " << threads << " threads";
  }
}

TEST(Gemm, AllStorageOrders) {
  for (const char *order : {"rrr", "rrc", "rcr", "rcc", "crr", "crc", "ccr", "ccc"})
    for (bool accumulate : {false, true}) {
      GemmShape shape = makeShape(order, 7, 5, 9);
      shape.accumulate = accumulate;
      SCOPED_TRACE(order);
      check<float>(shape, 63, 45, 35, 1e-5);
      check<double>(shape, 63, 45, 35, 1e-13);
    }
}

TEST(Gemm, VectorsAndScalars) {
  for (auto [m, n, k] : {std::tuple(1, 6, 4), {6, 1, 4}, {6, 4, 1}, {1, 1, 5}, {1, 1, 1}})
    for (const char *order : {"rrr", "ccc", "rcr"})
      check<float>(makeShape(order, m, n, k), m * k, k * n, m * n, 1e-5);
}

TEST(Gemm, LargeEnoughToBeCut) {
  check<float>(makeShape("rrr", 500, 130, 70), 35000, 9100, 65000, 1e-4);
  check<float>(makeShape("rcr", 130, 700, 64), 8320, 44800, 91000, 1e-4);
}

TEST(Gemm, LoopsAndReductions) {
  GemmShape shape = makeShape("rrr", 4, 6, 5);
  // Two heads, then a sum over three groups.
  shape.loops = {{2, 60, 90, 24}, {3, 20, 30, 0}};
  for (bool accumulate : {false, true}) {
    shape.accumulate = accumulate;
    check<float>(shape, 120, 180, 48, 1e-4);
  }
}

} // namespace
} // namespace planwright::rt
