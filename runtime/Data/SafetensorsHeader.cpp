// Parsing and checking of a safetensors header. The input may be hostile: nothing is used before it
// is checked.

#include "runtime/Data/SafetensorsHeader.h"

#include "absl/strings/str_cat.h"
#include "nlohmann/json.hpp"

#include <algorithm>
#include <limits>
#include <set>
#include <tuple>

namespace planwright::rt {

using Json = nlohmann::json;

static constexpr size_t lengthBytes = 8;

static absl::Status makeError(std::string_view name, std::string_view what) {
  return absl::InvalidArgumentError(
      absl::StrCat("tensor \"", absl::string_view(name.data(), name.size()),
                   "\": ", absl::string_view(what.data(), what.size())));
}

/// The header's text, between the length field and the data.
static absl::StatusOr<std::string_view> getHeaderText(std::span<const std::byte> contents) {
  if (contents.size() < lengthBytes)
    return absl::InvalidArgumentError(
        absl::StrCat("file of ", contents.size(), " bytes is too short for a safetensors header"));
  uint64_t length = 0;
  for (size_t i = lengthBytes; i-- > 0;)
    length = length << 8 | static_cast<uint64_t>(contents[i]);
  if (length > maxSafetensorsHeaderBytes)
    return absl::InvalidArgumentError(absl::StrCat("safetensors header of ", length,
                                                   " bytes exceeds the limit of ",
                                                   maxSafetensorsHeaderBytes));
  if (length > contents.size() - lengthBytes)
    return absl::InvalidArgumentError(absl::StrCat(
        "safetensors header of ", length, " bytes leaves the file of ", contents.size(), " bytes"));
  return std::string_view(reinterpret_cast<const char *>(contents.data()) + lengthBytes, length);
}

/// Parses JSON and refuses repeated keys and deep nesting, which a document tree would hide.
static absl::StatusOr<Json> parseObject(std::string_view text) {
  constexpr int maxDepth = 4; // object, tensor, shape, number
  std::vector<std::set<std::string>> keysOfLevel(maxDepth + 1);
  std::string problem;
  Json::parser_callback_t watch = [&](int depth, Json::parse_event_t event, Json &value) {
    if (!problem.empty())
      return false;
    if (depth > maxDepth)
      problem = "safetensors header is nested too deeply";
    else if (event == Json::parse_event_t::object_start)
      keysOfLevel[std::min(depth + 1, maxDepth)].clear();
    else if (event == Json::parse_event_t::key &&
             !keysOfLevel[depth].insert(value.get_ref<const std::string &>()).second)
      problem = absl::StrCat("safetensors header names \"", value.get_ref<const std::string &>(),
                             "\" twice");
    return problem.empty();
  };
  Json json = Json::parse(text.begin(), text.end(), watch, /*allow_exceptions=*/false);
  if (!problem.empty())
    return absl::InvalidArgumentError(problem);
  if (!json.is_object())
    return absl::InvalidArgumentError("safetensors header is not a JSON object");
  return json;
}

static absl::StatusOr<DType> readType(std::string_view name, const Json &entry) {
  auto it = entry.find("dtype");
  if (it == entry.end() || !it->is_string())
    return makeError(name, "has no dtype");
  const std::string &spelling = it->get_ref<const std::string &>();
  std::optional<DType> type = parseDType(spelling);
  if (!type)
    return makeError(name, absl::StrCat("unknown dtype \"", spelling, "\""));
  return *type;
}

/// An array of integers in [0, 2^63), under `key`.
static absl::StatusOr<std::vector<int64_t>> readIntegers(std::string_view name, const Json &entry,
                                                         const char *key) {
  auto it = entry.find(key);
  if (it == entry.end() || !it->is_array())
    return makeError(name, absl::StrCat("has no array \"", key, "\""));
  std::vector<int64_t> values;
  for (const Json &item : *it) {
    // Non-negative literals are "unsigned" to this parser; larger ones than 64 bits become floats.
    if (!item.is_number_unsigned() ||
        item.get<uint64_t>() > static_cast<uint64_t>(std::numeric_limits<int64_t>::max()))
      return makeError(name, absl::StrCat("\"", key, "\" holds something else than sizes"));
    values.push_back(static_cast<int64_t>(item.get<uint64_t>()));
  }
  return values;
}

/// Bytes of a tensor, or nothing where they do not fit 63 bits.
static std::optional<int64_t> countBytes(DType type, std::span<const int64_t> shape) {
  int64_t bytes = static_cast<int64_t>(getByteSize(type));
  bool overflow = false;
  for (int64_t size : shape) {
    // An empty tensor is empty however large its other dimensions are.
    if (size == 0)
      return 0;
    overflow |= __builtin_mul_overflow(bytes, size, &bytes);
  }
  return overflow ? std::nullopt : std::optional(bytes);
}

static absl::StatusOr<TensorView> readTensor(std::string_view name, const Json &entry,
                                             std::span<const std::byte> data) {
  if (!entry.is_object())
    return makeError(name, "is not described by an object");
  absl::StatusOr<DType> type = readType(name, entry);
  if (!type.ok())
    return type.status();
  absl::StatusOr<std::vector<int64_t>> shape = readIntegers(name, entry, "shape");
  if (!shape.ok())
    return shape.status();
  absl::StatusOr<std::vector<int64_t>> offsets = readIntegers(name, entry, "data_offsets");
  if (!offsets.ok())
    return offsets.status();
  if (offsets->size() != 2)
    return makeError(name, "\"data_offsets\" must be a begin and an end");
  int64_t begin = (*offsets)[0], end = (*offsets)[1];
  if (begin > end || static_cast<uint64_t>(end) > data.size())
    return makeError(name, absl::StrCat("offsets [", begin, ", ", end, ") leave the data of ",
                                        data.size(), " bytes"));
  std::optional<int64_t> bytes = countBytes(*type, *shape);
  if (!bytes)
    return makeError(name, "its size overflows");
  if (*bytes != end - begin)
    return makeError(name, absl::StrCat("shape and dtype need ", *bytes,
                                        " bytes, the offsets give ", end - begin));
  return TensorView{std::string(name), *type, *std::move(shape), data.subspan(begin, end - begin)};
}

static absl::Status readMetadata(const Json &entry, std::map<std::string, std::string> &metadata) {
  if (!entry.is_object())
    return absl::InvalidArgumentError("safetensors \"__metadata__\" is not an object");
  for (auto it = entry.begin(); it != entry.end(); ++it) {
    if (!it->is_string())
      return absl::InvalidArgumentError(
          absl::StrCat("safetensors metadata \"", it.key(), "\" is not a string"));
    metadata.emplace(it.key(), it->get_ref<const std::string &>());
  }
  return absl::OkStatus();
}

/// Tensors must follow each other without overlap and without holes, to the end of the data.
static absl::Status checkCoverage(std::span<const TensorView> tensors,
                                  std::span<const std::byte> data) {
  const std::byte *next = data.data();
  for (const TensorView &tensor : tensors) {
    if (tensor.bytes.data() != next)
      return makeError(tensor.name, tensor.bytes.data() < next ? "overlaps the tensor before it"
                                                               : "leaves a hole before it");
    next += tensor.bytes.size();
  }
  if (next != data.data() + data.size())
    return absl::InvalidArgumentError(absl::StrCat(
        data.data() + data.size() - next, " bytes at the end of the file belong to no tensor"));
  return absl::OkStatus();
}

absl::StatusOr<SafetensorsHeader> parseSafetensorsHeader(std::span<const std::byte> contents) {
  absl::StatusOr<std::string_view> text = getHeaderText(contents);
  if (!text.ok())
    return text.status();
  absl::StatusOr<Json> json = parseObject(*text);
  if (!json.ok())
    return json.status();
  std::span<const std::byte> data = contents.subspan(lengthBytes + text->size());
  SafetensorsHeader header;
  for (auto it = json->begin(); it != json->end(); ++it) {
    if (it.key() == "__metadata__") {
      absl::Status status = readMetadata(*it, header.metadata);
      if (!status.ok())
        return status;
      continue;
    }
    absl::StatusOr<TensorView> tensor = readTensor(it.key(), *it, data);
    if (!tensor.ok())
      return tensor.status();
    header.tensors.push_back(*std::move(tensor));
  }
  std::sort(header.tensors.begin(), header.tensors.end(),
            [](const TensorView &a, const TensorView &b) {
              return std::tuple(a.bytes.data(), a.bytes.size(), std::string_view(a.name)) <
                     std::tuple(b.bytes.data(), b.bytes.size(), std::string_view(b.name));
            });
  absl::Status status = checkCoverage(header.tensors, data);
  if (!status.ok())
    return status;
  return header;
}

} // namespace planwright::rt
