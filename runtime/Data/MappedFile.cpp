// open, fstat, mmap.

#include "runtime/Data/MappedFile.h"

#include "absl/strings/str_cat.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace planwright::rt {

namespace {

/// A file descriptor that closes itself.
struct Descriptor {
  int fd = -1;
  ~Descriptor() {
    if (fd >= 0)
      ::close(fd);
  }
};

} // namespace

static absl::Status makeError(const char *what) {
  return absl::UnavailableError(absl::StrCat(what, ": ", std::strerror(errno)));
}

absl::StatusOr<MappedFile> MappedFile::open(const std::string &path, const char *expected) {
  // A pipe without a writer would keep a blocking open waiting.
  Descriptor descriptor{::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)};
  if (descriptor.fd < 0)
    return makeError("cannot open");
  struct stat status;
  if (::fstat(descriptor.fd, &status) != 0)
    return makeError("cannot stat");
  if (!S_ISREG(status.st_mode))
    return absl::InvalidArgumentError(
        absl::StrCat(S_ISDIR(status.st_mode) ? "is a folder" : "is a pipe or a device",
                     ", expected ", expected));
  MappedFile file;
  auto size = static_cast<size_t>(status.st_size);
  if (size == 0)
    return file;
  void *address = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, descriptor.fd, 0);
  if (address == MAP_FAILED)
    return makeError("cannot map");
  file.bytes = std::span(static_cast<const std::byte *>(address), size);
  return file;
}

MappedFile::~MappedFile() {
  if (!bytes.empty())
    ::munmap(const_cast<std::byte *>(bytes.data()), bytes.size());
}

} // namespace planwright::rt
