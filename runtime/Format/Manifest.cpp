// Reading of manifest.json and hashing.

#include "runtime/Format/Manifest.h"

#include "runtime/Format/StatusMacros.h"

#include "absl/strings/str_format.h"
#include "nlohmann/json.hpp"

#include <xxhash.h>

namespace planwright::rt {

/// The JSON parser recurses; a manifest is never deep.
static bool isTooDeep(std::string_view text) {
  int depth = 0;
  for (char c : text) {
    depth += (c == '{' || c == '[') - (c == '}' || c == ']');
    if (depth > 64)
      return true;
  }
  return false;
}

absl::StatusOr<Manifest> parseManifest(std::string_view text) {
  if (isTooDeep(text))
    return absl::InvalidArgumentError("manifest.json is nested too deeply");
  nlohmann::json json = nlohmann::json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (!json.is_object())
    return absl::InvalidArgumentError("manifest.json is damaged: it is not a JSON object");
  Manifest manifest;
  auto name = json.find("name");
  if (name != json.end() && name->is_string())
    manifest.name = name->get<std::string>();
  auto files = json.find("files");
  if (files == json.end() || !files->is_object())
    return absl::InvalidArgumentError("manifest.json is damaged: it has no object \"files\"");
  for (const auto &[path, hash] : files->items()) {
    if (!hash.is_string())
      return absl::InvalidArgumentError(
          absl::StrCat("manifest.json is damaged: the hash of \"", path, "\" is not a string"));
    manifest.files[path] = hash.get<std::string>();
  }
  return manifest;
}

std::string hashBytes(std::span<const std::byte> bytes) {
  return absl::StrFormat("xxh64:%016x", XXH64(bytes.data(), bytes.size(), 0));
}

absl::Status checkHash(const Manifest &manifest, std::string_view file,
                       std::span<const std::byte> bytes) {
  auto entry = manifest.files.find(file);
  if (entry == manifest.files.end())
    return absl::InvalidArgumentError(absl::StrCat("manifest.json has no hash of ", toAbsl(file)));
  std::string hash = hashBytes(bytes);
  if (hash != entry->second)
    return absl::DataLossError(absl::StrCat(
        toAbsl(file), " is damaged (", bytes.size(), " bytes): its hash is ", hash,
        ", manifest.json says ", entry->second, "; compile the plan again or copy it again"));
  return absl::OkStatus();
}

} // namespace planwright::rt
