// A whole file in memory, for reading. Move-only; unmaps on destruction. Not here: what its bytes
// mean.
//
//   absl::StatusOr<MappedFile> file = MappedFile::open("tokens.bin", "a token file");
//   if (!file.ok())
//     return file.status();      // "cannot open: ...", "is a folder, expected a token file"
//   std::span<const std::byte> bytes = file->getBytes();

#ifndef PLANWRIGHT_RUNTIME_DATA_MAPPEDFILE_H
#define PLANWRIGHT_RUNTIME_DATA_MAPPEDFILE_H

#include "absl/status/statusor.h"

#include <cstddef>
#include <span>
#include <string>
#include <utility>

namespace planwright::rt {

class MappedFile {
public:
  /// Errors do not name the path; `expected` says what should have been there.
  static absl::StatusOr<MappedFile> open(const std::string &path, const char *expected);

  MappedFile() = default;
  MappedFile(MappedFile &&other) noexcept { *this = std::move(other); }
  MappedFile &operator=(MappedFile &&other) noexcept {
    std::swap(bytes, other.bytes);
    return *this;
  }
  ~MappedFile();

  /// None of an empty file.
  std::span<const std::byte> getBytes() const { return bytes; }

private:
  std::span<const std::byte> bytes;
};

} // namespace planwright::rt

#endif // PLANWRIGHT_RUNTIME_DATA_MAPPEDFILE_H
