// manifest.json: what is read and what is refused.

#include "runtime/Format/Manifest.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace planwright::rt {
namespace {

using testing::HasSubstr;

std::span<const std::byte> toBytes(std::string_view text) {
  return std::as_bytes(std::span(text.data(), text.size()));
}

TEST(Manifest, HashIsXxh64) {
  // Reference values of the algorithm's specification (seed 0).
  EXPECT_EQ(hashBytes(toBytes("")), "xxh64:ef46db3751d8e999");
  EXPECT_EQ(hashBytes(toBytes("a")), "xxh64:d24ec4f1a98c6e5b");
}

TEST(Manifest, ReadsFilesAndIgnoresTheRest) {
  auto manifest = parseManifest(
      R"({"name": "m", "strategy": {"dp": 2}, "files": {"program.fb": "xxh64:ef46db3751d8e999"}})");
  ASSERT_TRUE(manifest.ok()) << manifest.status();
  EXPECT_EQ(manifest->name, "m");
  EXPECT_TRUE(checkHash(*manifest, "program.fb", {}).ok());
  EXPECT_THAT(checkHash(*manifest, "program.fb", toBytes("a")).ToString(), HasSubstr("damaged"));
  EXPECT_THAT(checkHash(*manifest, "other", {}).ToString(), HasSubstr("no hash of other"));
}

TEST(Manifest, RefusesWhatIsNoManifest) {
  EXPECT_FALSE(parseManifest("").ok());
  EXPECT_FALSE(parseManifest("[]").ok());
  EXPECT_FALSE(parseManifest(R"({"files": 3})").ok());
  EXPECT_FALSE(parseManifest(R"({"files": {"program.fb": 3}})").ok());
  EXPECT_FALSE(parseManifest(std::string(100'000, '[')).ok());
}

} // namespace
} // namespace planwright::rt
