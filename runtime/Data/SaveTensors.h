// Putting divided tensors together again and writing them to one file.

#ifndef PLANWRIGHT_RUNTIME_DATA_SAVETENSORS_H
#define PLANWRIGHT_RUNTIME_DATA_SAVETENSORS_H

#include "runtime/Comm/Communicator.h"
#include "runtime/Data/Slice.h"

#include "absl/status/status.h"

#include <string>
#include <vector>

namespace planwright::rt {

/// A full tensor on rank 0; on other ranks only its shape counts.
struct FullTensor {
  std::string name;
  DType dtype = DType::F32;
  std::vector<int64_t> shape;
  std::vector<std::byte> bytes;
};

/// Gathers on rank 0 every buffer of `kind`, named `prefix` + its own name. All ranks call this
/// together. Padding is cut off.
absl::StatusOr<std::vector<FullTensor>> gatherTensors(fb::BufferKind kind,
                                                      const std::string &prefix,
                                                      const RankMemory &memory, World &world);

/// Writes them; rank 0's business.
absl::Status writeTensors(const std::string &path, const std::vector<FullTensor> &tensors);

} // namespace planwright::rt

#endif // PLANWRIGHT_RUNTIME_DATA_SAVETENSORS_H
