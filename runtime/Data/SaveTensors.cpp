// Each slice travels once, from the first rank that holds it.

#include "runtime/Data/SaveTensors.h"

#include "runtime/Format/ElementTypes.h"
#include "runtime/Format/StatusMacros.h"

#include <algorithm>
#include <set>

namespace planwright::rt {

/// True if `rank` is the first among those that hold the same slice.
static bool isFirstHolder(const fb::Program &program, const fb::Buffer &buffer, int64_t rank) {
  std::set<uint32_t> dividing;
  if (buffer.dimension_axes())
    for (const fb::AxisList *list : *buffer.dimension_axes())
      for (uint32_t axis : toSpan(list->axes()))
        dividing.insert(axis);
  std::vector<int64_t> coordinates = Mesh(program).getCoordinates(rank);
  for (size_t axis = 0; axis < coordinates.size(); ++axis)
    if (!dividing.count(static_cast<uint32_t>(axis)) && coordinates[axis] != 0)
      return false;
  return true;
}

/// Puts one rank's slice into the full tensor.
static void insertSlice(FullTensor &full, const fb::Buffer &buffer, const fb::Program &program,
                        int64_t rank, const std::byte *local) {
  auto [shape, whole] = getArgumentView(program, buffer, full.shape, rank);
  Box box = clip(whole, shape);
  std::vector<int64_t> origin(box.size.size(), 0);
  copyBox(full.bytes.data(), shape, box.start, local, whole.size, origin, box.size,
          getByteSize(buffer.element_type()));
}

static absl::Status gatherTensor(FullTensor &full, const fb::Buffer &buffer,
                                 const RankMemory &memory, World &world) {
  std::span<std::byte> mine = memory.getBytes(buffer);
  if (memory.rank != 0)
    return isFirstHolder(memory.program, buffer, memory.rank)
               ? world.send(0, mine.data(), mine.size())
               : absl::OkStatus();
  size_t bytes = getByteSize(buffer.element_type());
  for (int64_t size : full.shape)
    bytes *= size;
  full.bytes.resize(bytes);
  insertSlice(full, buffer, memory.program, 0, mine.data());
  std::vector<std::byte> received(mine.size());
  for (int rank = 1; rank < world.getSize(); ++rank) {
    if (!isFirstHolder(memory.program, buffer, rank))
      continue;
    PLANWRIGHT_RETURN_IF_ERROR(world.receive(rank, received.data(), received.size()));
    insertSlice(full, buffer, memory.program, rank, received.data());
  }
  return absl::OkStatus();
}

absl::StatusOr<std::vector<FullTensor>> gatherTensors(fb::BufferKind kind,
                                                      const std::string &prefix,
                                                      const RankMemory &memory, World &world) {
  std::vector<FullTensor> tensors;
  if (!memory.program.buffers())
    return tensors;
  for (const fb::Buffer *buffer : *memory.program.buffers()) {
    if (buffer->kind() != kind)
      continue;
    std::string name = prefix + std::string(getArgumentName(*buffer));
    // Parts of one argument go into one tensor.
    auto full = std::find_if(tensors.begin(), tensors.end(),
                             [&](const FullTensor &tensor) { return tensor.name == name; });
    if (full == tensors.end()) {
      const fb::Argument *argument = findArgument(memory.program, getArgumentName(*buffer));
      auto shape = toSpan(argument ? argument->shape() : buffer->global_shape());
      full = tensors.insert(
          full, {name, toDType(buffer->element_type()), {shape.begin(), shape.end()}, {}});
    }
    PLANWRIGHT_RETURN_IF_ERROR(gatherTensor(*full, *buffer, memory, world));
  }
  return tensors;
}

absl::Status writeTensors(const std::string &path, const std::vector<FullTensor> &tensors) {
  std::vector<TensorView> views;
  for (const FullTensor &tensor : tensors)
    views.push_back({tensor.name, tensor.dtype, tensor.shape, tensor.bytes});
  return writeSafetensors(path, views);
}

} // namespace planwright::rt
