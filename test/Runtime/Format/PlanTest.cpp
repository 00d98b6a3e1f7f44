// Loading plan folders: whole ones, damaged ones, and bytes that were never a plan.

#include "runtime/Format/Plan.h"
#include "test/Runtime/Support/TestPlan.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

#include <filesystem>
#include <fstream>
#include <random>

namespace planwright::rt {
namespace {

using testing::HasSubstr;

std::string loadError(const std::string &folder) { return Plan::load(folder).status().ToString(); }

TEST(Plan, LoadsWhatWasWritten) {
  auto plan = Plan::load(test::writePlan(test::makeProgram({.dp = 2, .microBatches = 2})));
  ASSERT_TRUE(plan.ok()) << plan.status();
  EXPECT_EQ(plan->getProgram().ranks(), 2u);
  EXPECT_EQ(plan->getManifest().name, "linear");
}

TEST(Plan, NamesAMissingFolderOrFile) {
  EXPECT_THAT(loadError("/nowhere.plan"), HasSubstr("/nowhere.plan: there is no such plan folder"));
  for (const char *file : {"manifest.json", "program.fb", "kernels/host.so"}) {
    std::string folder = test::writePlan(test::makeProgram({}));
    std::filesystem::remove(std::filesystem::path(folder) / file);
    EXPECT_THAT(loadError(folder), HasSubstr(folder + ": " + file + " is missing"));
    std::filesystem::create_directory(std::filesystem::path(folder) / file);
    EXPECT_THAT(loadError(folder),
                HasSubstr(folder + ": " + file + " is a folder, expected a file"));
  }
  std::string folder = test::writePlan(test::makeProgram({}));
  EXPECT_THAT(loadError(folder + "/program.fb"),
              HasSubstr("/program.fb: is a file, expected a plan folder"));
}

TEST(Plan, NoticesTruncationAndChange) {
  for (const char *file : {"program.fb", "kernels/host.so"}) {
    std::string folder = test::writePlan(test::makeProgram({}));
    std::filesystem::path path = std::filesystem::path(folder) / file;
    std::filesystem::resize_file(path, std::filesystem::file_size(path) / 2);
    EXPECT_THAT(loadError(folder), HasSubstr(std::string(file) + " is damaged"));
  }
}

TEST(Plan, TruncatedBytesNeverPass) {
  std::vector<std::byte> bytes = test::serialize(test::makeProgram({.dp = 2}));
  for (size_t size = 0; size < bytes.size(); size += 13)
    (void)parseProgram(std::vector<std::byte>(bytes.begin(), bytes.begin() + size));
  EXPECT_FALSE(parseProgram(std::span(bytes).first(bytes.size() / 2)).ok());
}

TEST(Plan, FlippedBitsNeverCrash) {
  std::vector<std::byte> bytes = test::serialize(test::makeProgram({.dp = 2, .microBatches = 2}));
  std::mt19937 random(1);
  for (int i = 0; i < 3000; ++i) {
    std::vector<std::byte> damaged = bytes;
    for (int flips = 0; flips <= i % 3; ++flips)
      damaged[random() % damaged.size()] ^= std::byte(1 << random() % 8);
    (void)parseProgram(damaged);
  }
}

} // namespace
} // namespace planwright::rt
