// Writing of safetensors files. Not here: how a file comes to its place (NewFile.h).

#include "runtime/Data/NewFile.h"
#include "runtime/Data/Safetensors.h"

#include "absl/strings/str_cat.h"
#include "nlohmann/json.hpp"

namespace planwright::rt {

using Json = nlohmann::ordered_json;

/// What the header says of one tensor whose bytes begin at `offset`.
static Json describe(const TensorView &tensor, uint64_t offset) {
  Json entry;
  entry["dtype"] = std::string(getName(tensor.dtype));
  entry["shape"] = tensor.shape;
  entry["data_offsets"] = {offset, offset + tensor.bytes.size()};
  return entry;
}

static absl::Status checkBytes(const TensorView &tensor) {
  uint64_t bytes = getByteSize(tensor.dtype);
  for (int64_t size : tensor.shape)
    if (size < 0 || __builtin_mul_overflow(bytes, static_cast<uint64_t>(size), &bytes))
      return absl::InvalidArgumentError(
          absl::StrCat("tensor \"", tensor.name, "\" has an impossible shape"));
  if (bytes != tensor.bytes.size())
    return absl::InvalidArgumentError(absl::StrCat("tensor \"", tensor.name, "\" has ",
                                                   tensor.bytes.size(), " bytes, its shape needs ",
                                                   bytes));
  return absl::OkStatus();
}

static absl::StatusOr<std::string> makeHeader(std::span<const TensorView> tensors,
                                              const std::map<std::string, std::string> &metadata) {
  Json header = Json::object();
  if (!metadata.empty())
    header["__metadata__"] = metadata;
  uint64_t offset = 0;
  for (const TensorView &tensor : tensors) {
    absl::Status status = checkBytes(tensor);
    if (!status.ok())
      return status;
    if (header.contains(tensor.name) || tensor.name == "__metadata__")
      return absl::InvalidArgumentError(absl::StrCat("tensor name \"", tensor.name, "\" is taken"));
    header[tensor.name] = describe(tensor, offset);
    offset += tensor.bytes.size();
  }
  // Names that are not UTF-8 are replaced rather than thrown at.
  std::string text = header.dump(-1, ' ', false, Json::error_handler_t::replace);
  // The data begins at a multiple of eight, so that a mapped tensor is aligned.
  text.resize((text.size() + 7) / 8 * 8, ' ');
  return text;
}

absl::Status writeSafetensors(const std::string &path, std::span<const TensorView> tensors,
                              const std::map<std::string, std::string> &metadata) {
  absl::StatusOr<std::string> header = makeHeader(tensors, metadata);
  if (!header.ok())
    return header.status();
  NewFile file(path);
  std::byte length[8];
  for (int i = 0; i < 8; ++i)
    length[i] = static_cast<std::byte>(header->size() >> 8 * i);
  file.write(length);
  file.write(*header);
  for (const TensorView &tensor : tensors)
    file.write(tensor.bytes);
  return file.commit();
}

} // namespace planwright::rt
