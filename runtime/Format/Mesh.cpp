// Arithmetic of Mesh.h.

#include "runtime/Format/Mesh.h"

#include <algorithm>

namespace planwright::rt {

Mesh::Mesh(const fb::Program &program) {
  size_t count = program.axes() ? program.axes()->size() : 0;
  sizes.resize(count);
  strides.resize(count);
  int64_t stride = 1;
  for (size_t i = count; i-- > 0;) {
    const fb::Axis &axis = *program.axes()->Get(i);
    bool isMicroBatch = axis.name()->string_view() == "mb";
    if (isMicroBatch)
      microBatchAxis = static_cast<int>(i);
    sizes[i] = isMicroBatch ? 1 : axis.size();
    strides[i] = stride;
    stride *= sizes[i];
  }
}

std::vector<int64_t> Mesh::getCoordinates(int64_t rank) const {
  std::vector<int64_t> coordinates(sizes.size());
  for (size_t i = 0; i < sizes.size(); ++i)
    coordinates[i] = rank / strides[i] % sizes[i];
  return coordinates;
}

std::vector<int> Mesh::getGroup(std::span<const uint32_t> axes, int64_t rank) const {
  std::vector<int64_t> coordinates = getCoordinates(rank);
  int64_t first = rank;
  for (uint32_t axis : axes)
    first -= coordinates[axis] * strides[axis];
  std::vector<int> group = {static_cast<int>(first)};
  for (uint32_t axis : axes) {
    std::vector<int> wider;
    for (int member : group)
      for (int64_t i = 0; i < sizes[axis]; ++i)
        wider.push_back(static_cast<int>(member + i * strides[axis]));
    group = std::move(wider);
  }
  std::sort(group.begin(), group.end());
  return group;
}

int64_t Mesh::getGroupSize(std::span<const uint32_t> axes) const {
  int64_t size = 1;
  for (uint32_t axis : axes)
    size *= sizes[axis];
  return size;
}

} // namespace planwright::rt
