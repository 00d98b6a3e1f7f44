// manifest.json: the plan's name and the hashes of its files. What the planner wrote there for
// people is not read.

#ifndef PLANWRIGHT_RUNTIME_FORMAT_MANIFEST_H
#define PLANWRIGHT_RUNTIME_FORMAT_MANIFEST_H

#include "absl/status/status.h"
#include "absl/status/statusor.h"

#include <map>
#include <span>
#include <string>
#include <string_view>

namespace planwright::rt {

struct Manifest {
  std::string name;
  /// Path inside the plan's folder to "xxh64:<16 hex digits>".
  std::map<std::string, std::string, std::less<>> files;
};

/// Reads the text of a manifest.json.
absl::StatusOr<Manifest> parseManifest(std::string_view text);

/// "xxh64:" and XXH64 (seed 0) of the bytes as 16 lower-case hex digits.
std::string hashBytes(std::span<const std::byte> bytes);

/// Compares the bytes of `file` with what the manifest says of it.
absl::Status checkHash(const Manifest &manifest, std::string_view file,
                       std::span<const std::byte> bytes);

} // namespace planwright::rt

#endif // PLANWRIGHT_RUNTIME_FORMAT_MANIFEST_H
