// The safetensors file: lookup, slices. The header's text is SafetensorsHeader.cpp's,
// writing is SafetensorsWriter.cpp's.

#include "runtime/Data/Safetensors.h"

#include "runtime/Data/SafetensorsHeader.h"

#include "absl/strings/str_cat.h"

#include <array>
#include <cstring>

namespace planwright::rt {

namespace {

struct TypeRow {
  DType type;
  std::string_view name;
  size_t byteSize;
};

constexpr std::array<TypeRow, 13> typeTable = {{{DType::Bool, "BOOL", 1},
                                                {DType::I8, "I8", 1},
                                                {DType::U8, "U8", 1},
                                                {DType::I16, "I16", 2},
                                                {DType::U16, "U16", 2},
                                                {DType::I32, "I32", 4},
                                                {DType::U32, "U32", 4},
                                                {DType::I64, "I64", 8},
                                                {DType::U64, "U64", 8},
                                                {DType::F16, "F16", 2},
                                                {DType::BF16, "BF16", 2},
                                                {DType::F32, "F32", 4},
                                                {DType::F64, "F64", 8}}};

} // namespace

static const TypeRow &getRow(DType type) { return typeTable[static_cast<size_t>(type)]; }

size_t getByteSize(DType type) { return getRow(type).byteSize; }

std::string_view getName(DType type) { return getRow(type).name; }

std::optional<DType> parseDType(std::string_view name) {
  for (const TypeRow &row : typeTable)
    if (row.name == name)
      return row.type;
  return std::nullopt;
}

absl::StatusOr<SafetensorsFile> SafetensorsFile::open(const std::string &path) {
  absl::StatusOr<MappedFile> mapping = MappedFile::open(path, "a safetensors file");
  absl::StatusOr<SafetensorsFile> file =
      mapping.ok() ? parse(mapping->getBytes()) : absl::StatusOr<SafetensorsFile>(mapping.status());
  if (!file.ok())
    return absl::Status(file.status().code(), absl::StrCat(path, ": ", file.status().message()));
  file->mapping = *std::move(mapping);
  return file;
}

absl::StatusOr<SafetensorsFile> SafetensorsFile::parse(std::span<const std::byte> contents) {
  absl::StatusOr<SafetensorsHeader> header = parseSafetensorsHeader(contents);
  if (!header.ok())
    return header.status();
  SafetensorsFile file;
  file.tensors = std::move(header->tensors);
  file.metadata = std::move(header->metadata);
  for (size_t i = 0; i < file.tensors.size(); ++i)
    file.indexOfName.emplace(file.tensors[i].name, i);
  return file;
}

const TensorView *SafetensorsFile::find(std::string_view name) const {
  auto it = indexOfName.find(name);
  return it == indexOfName.end() ? nullptr : &tensors[it->second];
}

static absl::Status checkSlice(const TensorView &tensor, std::span<const int64_t> start,
                               std::span<const int64_t> size, size_t destinationBytes) {
  size_t rank = tensor.shape.size();
  if (start.size() != rank || size.size() != rank)
    return absl::InvalidArgumentError(absl::StrCat("slice of \"", tensor.name, "\" has rank ",
                                                   start.size(), ", the tensor ", rank));
  size_t bytes = getByteSize(tensor.dtype);
  for (size_t d = 0; d < rank; ++d) {
    int64_t extent = tensor.shape[d];
    // Written so that no sum can overflow.
    if (start[d] < 0 || size[d] < 0 || start[d] > extent || size[d] > extent - start[d])
      return absl::OutOfRangeError(absl::StrCat("slice of \"", tensor.name, "\": [", start[d],
                                                ", +", size[d], ") leaves dimension ", d,
                                                " of size ", extent));
    bytes *= static_cast<size_t>(size[d]);
  }
  if (destinationBytes != bytes)
    return absl::InvalidArgumentError(absl::StrCat("slice of \"", tensor.name, "\" has ", bytes,
                                                   " bytes, the destination ", destinationBytes));
  return absl::OkStatus();
}

absl::Status readSlice(const TensorView &tensor, std::span<const int64_t> start,
                       std::span<const int64_t> size, std::span<std::byte> destination) {
  absl::Status status = checkSlice(tensor, start, size, destination.size());
  if (!status.ok() || destination.empty())
    return status;
  // Trailing dimensions that are taken whole, and the first one before them, form one contiguous
  // run.
  size_t outer = tensor.shape.size();
  size_t run = getByteSize(tensor.dtype);
  while (outer > 0) {
    --outer;
    run *= static_cast<size_t>(size[outer]);
    if (size[outer] != tensor.shape[outer])
      break;
  }
  std::vector<size_t> strides(tensor.shape.size());
  size_t stride = getByteSize(tensor.dtype);
  size_t source = 0;
  for (size_t d = tensor.shape.size(); d-- > 0; stride *= static_cast<size_t>(tensor.shape[d])) {
    strides[d] = stride;
    source += static_cast<size_t>(start[d]) * stride;
  }
  std::vector<int64_t> position(outer, 0);
  for (size_t written = 0;;) {
    std::memcpy(destination.data() + written, tensor.bytes.data() + source, run);
    written += run;
    size_t d = outer;
    for (; d-- > 0;) {
      source += strides[d];
      if (++position[d] < size[d])
        break;
      source -= strides[d] * static_cast<size_t>(size[d]);
      position[d] = 0;
    }
    if (written == destination.size())
      return absl::OkStatus();
  }
}

} // namespace planwright::rt
