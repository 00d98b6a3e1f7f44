// Reading and writing safetensors files: a JSON header that names tensors, then their bytes.
// Nothing here knows what a tensor is for, and nothing allocates memory for a tensor's data.
//
//   absl::StatusOr<SafetensorsFile> file = SafetensorsFile::open("weights.safetensors");
//   if (!file.ok())
//     return file.status();
//   const TensorView *embedding = file->find("wte");          // null where there is none
//   std::vector<std::byte> rows(16 * 128 * 4);
//   absl::Status status = readSlice(*embedding, {{0, 0}}, {{16, 128}}, rows);
//
// A view stays valid as long as its file does.

#ifndef PLANWRIGHT_RUNTIME_DATA_SAFETENSORS_H
#define PLANWRIGHT_RUNTIME_DATA_SAFETENSORS_H

#include "runtime/Data/MappedFile.h"

#include "absl/status/status.h"
#include "absl/status/statusor.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace planwright::rt {

/// Element types as the format spells them: "BOOL", "I8", ..., "BF16", "F64".
enum class DType : uint8_t { Bool, I8, U8, I16, U16, I32, U32, I64, U64, F16, BF16, F32, F64 };

/// Bytes of one element.
size_t getByteSize(DType type);

/// The format's name of a type, such as "F32".
std::string_view getName(DType type);

/// The type that `name` spells, if it is one of ours.
std::optional<DType> parseDType(std::string_view name);

/// One named tensor: row-major, little-endian, dense.
struct TensorView {
  std::string name;
  DType dtype = DType::F32;
  std::vector<int64_t> shape;
  std::span<const std::byte> bytes;
};

/// A file in memory whose header was checked. Move-only.
class SafetensorsFile {
public:
  /// Maps `path` and validates its header. The file may come from anywhere: every error is a Status
  /// that names the path.
  static absl::StatusOr<SafetensorsFile> open(const std::string &path);

  /// The same on bytes that the caller keeps alive.
  static absl::StatusOr<SafetensorsFile> parse(std::span<const std::byte> contents);

  /// The tensor called `name`, or null.
  const TensorView *find(std::string_view name) const;

  /// All tensors in the order of their bytes.
  std::span<const TensorView> getTensors() const { return tensors; }

  /// The strings under "__metadata__".
  const std::map<std::string, std::string> &getMetadata() const { return metadata; }

private:
  SafetensorsFile() = default;

  MappedFile mapping; // Of no file where the caller keeps the bytes.
  std::vector<TensorView> tensors;
  std::map<std::string, size_t, std::less<>> indexOfName;
  std::map<std::string, std::string> metadata;
};

/// Copies the box that begins at `start` and has `size` elements per dimension into `destination`,
/// row-major. The destination must have exactly the box's bytes.
absl::Status readSlice(const TensorView &tensor, std::span<const int64_t> start,
                       std::span<const int64_t> size, std::span<std::byte> destination);

/// Writes `tensors` in the order given, replacing `path` as a whole or not at all. Names must
/// differ; bytes must match shape and type.
absl::Status writeSafetensors(const std::string &path, std::span<const TensorView> tensors,
                              const std::map<std::string, std::string> &metadata = {});

} // namespace planwright::rt

#endif // PLANWRIGHT_RUNTIME_DATA_SAFETENSORS_H
