// Which CPUs are refused for which targets.

#include "runtime/Format/TargetCheck.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace planwright::rt {
namespace {

const std::set<std::string> haswell = {"pni",  "ssse3", "sse4_1", "sse4_2", "popcnt",
                                       "cx16", "avx",   "avx2",   "bmi1",   "bmi2",
                                       "f16c", "fma",   "abm",    "movbe"};

TEST(TargetCheck, AcceptsWhatTheCpuHas) {
  EXPECT_TRUE(checkTarget("x86-64-v3", "", haswell).ok());
  EXPECT_TRUE(checkTarget("haswell", "+avx2,+fma,-avx512f,+64bit", haswell).ok());
  EXPECT_TRUE(checkTarget("", "", haswell).ok());
}

TEST(TargetCheck, NamesWhatIsMissing) {
  EXPECT_THAT(checkTarget("x86-64-v4", "", haswell).ToString(),
              testing::HasSubstr("lacks avx512f, avx512bw"));
  EXPECT_THAT(checkTarget("znver4", "+avx2,+avx512bf16", haswell).ToString(),
              testing::HasSubstr("lacks avx512bf16;"));
}

TEST(TargetCheck, AsksNothingOfAnUnknownMachine) {
  EXPECT_TRUE(checkTarget("x86-64-v4", "", {}).ok());
}

} // namespace
} // namespace planwright::rt
