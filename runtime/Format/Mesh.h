// The ranks of a program as a grid of named axes: coordinates and groups. "mb" lies in time, not on
// this grid.

#ifndef PLANWRIGHT_RUNTIME_FORMAT_MESH_H
#define PLANWRIGHT_RUNTIME_FORMAT_MESH_H

#include "runtime/Format/program_generated.h"

#include <cstdint>
#include <span>
#include <vector>

namespace planwright::rt {

/// Coordinates count row-major over all axes but "mb". For axes dp = 2, tp = 2:
///
///     rank  0      1      2      3
///     dp tp 0 0    0 1    1 0    1 1
///
/// The group of rank 1 over {dp} is {1, 3}, over {tp} {0, 1}.
class Mesh {
public:
  explicit Mesh(const fb::Program &program);

  /// One coordinate for each axis of the program; 0 for "mb".
  std::vector<int64_t> getCoordinates(int64_t rank) const;

  /// The ranks that differ from `rank` in the given axes only, in ascending order.
  std::vector<int> getGroup(std::span<const uint32_t> axes, int64_t rank) const;

  /// Number of ranks of such a group.
  int64_t getGroupSize(std::span<const uint32_t> axes) const;

  /// Index of the axis "mb", or -1.
  int getMicroBatchAxis() const { return microBatchAxis; }

private:
  std::vector<int64_t> sizes; // 1 for "mb".
  std::vector<int64_t> strides;
  int microBatchAxis = -1;
};

/// A FlatBuffers vector as a span; empty where the file has none.
template <typename T> std::span<const T> toSpan(const flatbuffers::Vector<T> *vector) {
  return vector ? std::span<const T>(vector->data(), vector->size()) : std::span<const T>();
}

} // namespace planwright::rt

#endif // PLANWRIGHT_RUNTIME_FORMAT_MESH_H
