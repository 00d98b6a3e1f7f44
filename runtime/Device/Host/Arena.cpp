// Mapping of the arena.

#include "runtime/Device/Host/Arena.h"

#include "absl/strings/str_cat.h"

#include <cerrno>
#include <cstring>
#include <fstream>
#include <string>
#include <sys/mman.h>
#include <utility>

namespace planwright::rt {

/// Bytes that the kernel could hand out without swapping, or 0 if it does not say.
static size_t readAvailableBytes() {
  std::ifstream file("/proc/meminfo");
  for (std::string key; file >> key;) {
    size_t kilobytes = 0;
    file >> kilobytes;
    if (key == "MemAvailable:")
      return kilobytes * 1024;
    file.ignore(256, '\n');
  }
  return 0;
}

absl::StatusOr<Arena> Arena::create(size_t bytes, bool prefault) {
  Arena arena;
  arena.size = bytes == 0 ? 1 : bytes;
  // Linux promises more than it has and kills later; asking first gives a message instead.
  size_t available = readAvailableBytes();
  if (prefault && available != 0 && bytes > available)
    return absl::ResourceExhaustedError(
        absl::StrCat("the plan needs ", bytes, " bytes on each rank, but this machine has only ",
                     available, " available"));
  void *address = ::mmap(nullptr, arena.size, PROT_READ | PROT_WRITE,
                         MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (address == MAP_FAILED) {
    arena.size = 0;
    return absl::ResourceExhaustedError(
        absl::StrCat("cannot map ", bytes, " bytes: ", std::strerror(errno)));
  }
  arena.data = static_cast<std::byte *>(address);
  // Advice only: a kernel without either still works.
  ::madvise(address, arena.size, MADV_HUGEPAGE);
  if (prefault)
    ::madvise(address, arena.size, MADV_POPULATE_WRITE);
  return arena;
}

Arena::Arena(Arena &&other) noexcept { *this = std::move(other); }

Arena &Arena::operator=(Arena &&other) noexcept {
  std::swap(data, other.data);
  std::swap(size, other.size);
  return *this;
}

Arena::~Arena() {
  if (data)
    ::munmap(data, size);
}

} // namespace planwright::rt
