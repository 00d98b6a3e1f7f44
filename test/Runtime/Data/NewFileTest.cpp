// A file appears whole or not at all, whatever stops its writer.

#include "runtime/Data/NewFile.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

#include <csignal>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <sys/resource.h>
#include <unistd.h>

namespace planwright::rt {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

class NewFileTest : public testing::Test {
protected:
  NewFileTest() { fs::create_directory(folder); }
  ~NewFileTest() override { fs::remove_all(folder); }

  std::string read() const {
    std::stringstream text;
    text << std::ifstream(path).rdbuf();
    return text.str();
  }
  size_t countFiles() const {
    return std::distance(fs::directory_iterator(folder), fs::directory_iterator());
  }

  fs::path folder = fs::temp_directory_path() / ("new-file-test-" + std::to_string(::getpid()));
  std::string path = folder / "file";
};

/// No file grows beyond `bytes` while this lives: a full disk, as far as a writer can tell.
struct FileSizeLimit {
  explicit FileSizeLimit(rlim_t bytes) {
    ::getrlimit(RLIMIT_FSIZE, &before);
    rlimit limit = {bytes, before.rlim_max};
    ::setrlimit(RLIMIT_FSIZE, &limit);
    handler = std::signal(SIGXFSZ, SIG_IGN);
  }
  ~FileSizeLimit() {
    ::setrlimit(RLIMIT_FSIZE, &before);
    std::signal(SIGXFSZ, handler);
  }
  rlimit before;
  void (*handler)(int);
};

TEST_F(NewFileTest, ReplacesAnOlderFileAtTheEndOnly) {
  std::ofstream(path) << "old";
  NewFile file(path);
  file.write("new ");
  file.write("words");
  EXPECT_EQ(read(), "old");
  EXPECT_TRUE(file.commit().ok());
  EXPECT_EQ(read(), "new words");
  EXPECT_EQ(countFiles(), 1u);
}

TEST_F(NewFileTest, LeavesNothingWithoutCommit) {
  NewFile(path).write("half");
  EXPECT_EQ(countFiles(), 0u);
}

TEST_F(NewFileTest, AFullDiskLeavesTheOlderFile) {
  std::ofstream(path) << "old";
  // Once the bytes do not fit while they are written, once only when the last of them are flushed.
  for (size_t size : {1000000, 3000}) {
    FileSizeLimit limit(2048);
    NewFile file(path);
    file.write(std::string(size, 'x'));
    EXPECT_EQ(file.commit().message(), path + ": cannot write: File too large");
  }
  EXPECT_EQ(read(), "old");
  EXPECT_EQ(countFiles(), 1u);
}

TEST_F(NewFileTest, DevicesAreWrittenToAndStay) {
  NewFile full("/dev/full");
  full.write("words");
  EXPECT_EQ(full.commit().message(), "/dev/full: cannot write: No space left on device");
  EXPECT_TRUE(fs::is_character_file("/dev/full"));
}

TEST_F(NewFileTest, ALinkStaysALink) {
  fs::create_symlink("behind", path);
  std::ofstream(folder / "behind") << "old";
  NewFile file(path);
  file.write("new");
  EXPECT_TRUE(file.commit().ok());
  EXPECT_TRUE(fs::is_symlink(path));
  EXPECT_EQ(read(), "new");
}

TEST_F(NewFileTest, AMissingFolderIsNamed) {
  NewFile file(path + "/deeper");
  file.write("words");
  EXPECT_EQ(file.commit().message(), path + "/deeper: cannot create: No such file or directory");
  EXPECT_EQ(NewFile(folder).commit().message(),
            folder.string() + ": cannot create: Is a directory");
}

} // namespace
} // namespace planwright::rt
