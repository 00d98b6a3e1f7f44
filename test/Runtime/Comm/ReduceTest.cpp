// Element-wise combination: rounding of half types, NaN, wrap-around.

#include "runtime/Comm/Reduce.h"

#include "gtest/gtest.h"

#include <cmath>
#include <limits>

namespace planwright::rt {
namespace {

using fb::ElementType;
using fb::Reduction;

TEST(Reduce, Bfloat16RoundsToNearestEven) {
  EXPECT_EQ(floatToBfloat16(1.0f), 0x3f80);
  EXPECT_EQ(floatToBfloat16(1.00390625f), 0x3f80); // Half way between 1 and the next: to even.
  EXPECT_EQ(floatToBfloat16(1.01171875f), 0x3f82); // Half way between the next two: to even.
  EXPECT_TRUE(std::isnan(bfloat16ToFloat(floatToBfloat16(NAN))));
  uint16_t a = floatToBfloat16(256.0f), b = floatToBfloat16(1.0f);
  reduceInto(&a, &b, 1, ElementType::bf16, Reduction::sum);
  EXPECT_EQ(bfloat16ToFloat(a), 256.0f); // Eight bits of mantissa cannot hold 257.
}

TEST(Reduce, HalfConverts) {
  EXPECT_EQ(halfToFloat(floatToHalf(0.333251953125f)), 0.333251953125f);
  EXPECT_EQ(floatToHalf(65504.0f), 0x7bff);
}

TEST(Reduce, NanWinsMaxAndMin) {
  for (Reduction reduction : {Reduction::max, Reduction::min}) {
    float a = NAN, b = 1, c = 1, d = NAN;
    reduceInto(&a, &b, 1, ElementType::f32, reduction);
    reduceInto(&c, &d, 1, ElementType::f32, reduction);
    EXPECT_TRUE(std::isnan(a));
    EXPECT_TRUE(std::isnan(c));
  }
}

TEST(Reduce, IntegersWrap) {
  int32_t a = std::numeric_limits<int32_t>::max(), b = 1;
  reduceInto(&a, &b, 1, ElementType::i32, Reduction::sum);
  EXPECT_EQ(a, std::numeric_limits<int32_t>::min());
}

} // namespace
} // namespace planwright::rt
