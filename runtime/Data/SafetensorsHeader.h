// The text at the head of a safetensors file and the checks that make it safe to believe. Internal
// to runtime/Data.

#ifndef PLANWRIGHT_RUNTIME_DATA_SAFETENSORSHEADER_H
#define PLANWRIGHT_RUNTIME_DATA_SAFETENSORSHEADER_H

#include "runtime/Data/Safetensors.h"

namespace planwright::rt {

/// What the header says, with each view already pointing into the file's bytes.
struct SafetensorsHeader {
  std::vector<TensorView> tensors; // In the order of their bytes.
  std::map<std::string, std::string> metadata;
};

/// Largest header that is read, as in the format's own reader.
inline constexpr uint64_t maxSafetensorsHeaderBytes = 100'000'000;

/// Reads and checks the header of a whole file:
///
/// 1. eight bytes of length, and the header's text lies inside the file and under the limit;
/// 2. the text is a JSON object, without a key twice, each value an object of `dtype`, `shape`,
/// `data_offsets`;
/// 3. shapes are non-negative and their byte count does not overflow;
/// 4. offsets lie inside the file and span exactly the tensor's bytes;
/// 5. tensors cover the data without overlap and without holes.
absl::StatusOr<SafetensorsHeader> parseSafetensorsHeader(std::span<const std::byte> contents);

} // namespace planwright::rt

#endif // PLANWRIGHT_RUNTIME_DATA_SAFETENSORSHEADER_H
