// fopen, fwrite, rename.

#include "runtime/Data/NewFile.h"

#include "absl/strings/str_cat.h"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <unistd.h>
#include <utility>

namespace planwright::rt {

namespace fs = std::filesystem;

void NewFile::fail(const char *what) {
  if (status.ok())
    status = absl::UnavailableError(absl::StrCat(path, ": ", what, ": ", std::strerror(errno)));
}

NewFile::NewFile(const std::string &path) : path(path), destination(path) {
  std::error_code error;
  // A link stays a link: what it leads to is replaced.
  if (fs::path real = fs::canonical(path, error); !error)
    destination = real.string();
  bool isSpecial = fs::exists(destination, error) && !fs::is_regular_file(destination, error);
  written = isSpecial ? destination : absl::StrCat(destination, ".new", ::getpid());
  file = std::fopen(written.c_str(), "wb");
  if (!file)
    fail("cannot create");
}

NewFile::~NewFile() {
  if (!file)
    return;
  std::fclose(file);
  if (!isDirect())
    std::remove(written.c_str());
}

void NewFile::write(std::span<const std::byte> bytes) {
  if (status.ok() && std::fwrite(bytes.data(), 1, bytes.size(), file) != bytes.size())
    fail("cannot write");
}

absl::Status NewFile::commit() {
  // Flushed first, so that the destructor still owns a file whose last bytes did not fit.
  if (status.ok() && std::fflush(file) != 0)
    fail("cannot write");
  if (!status.ok())
    return status;
  if (std::fclose(std::exchange(file, nullptr)) != 0)
    fail("cannot write");
  else if (!isDirect() && std::rename(written.c_str(), destination.c_str()) != 0)
    fail("cannot create");
  if (!status.ok() && !isDirect())
    std::remove(written.c_str());
  return status;
}

} // namespace planwright::rt
