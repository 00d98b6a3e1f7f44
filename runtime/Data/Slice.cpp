// Boxes.

#include "runtime/Data/Slice.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <functional>
#include <numeric>

namespace planwright::rt {

Box getBox(const fb::Program &program, const fb::Buffer &buffer, int64_t rank, int64_t microBatch) {
  Mesh mesh(program);
  std::vector<int64_t> coordinates = mesh.getCoordinates(rank);
  if (mesh.getMicroBatchAxis() >= 0)
    coordinates[mesh.getMicroBatchAxis()] = microBatch;
  auto local = toSpan(buffer.local_shape());
  Box box;
  box.size.assign(local.begin(), local.end());
  for (size_t d = 0; d < local.size(); ++d) {
    int64_t index = 0;
    if (buffer.dimension_axes() && d < buffer.dimension_axes()->size())
      for (uint32_t axis : toSpan(buffer.dimension_axes()->Get(d)->axes()))
        index = index * program.axes()->Get(axis)->size() + coordinates[axis];
    box.start.push_back(index * local[d]);
  }
  return box;
}

int64_t getMicroBatchCount(const fb::Program &program, const fb::Buffer &buffer) {
  int axis = Mesh(program).getMicroBatchAxis();
  if (buffer.dimension_axes())
    for (const fb::AxisList *list : *buffer.dimension_axes())
      for (uint32_t used : toSpan(list->axes()))
        if (static_cast<int>(used) == axis)
          return program.micro_batches();
  return 1;
}

Box clip(const Box &box, std::span<const int64_t> shape) {
  Box clipped = box;
  for (size_t d = 0; d < shape.size(); ++d) {
    clipped.start[d] = std::min(box.start[d], shape[d]);
    clipped.size[d] = std::min(box.size[d], shape[d] - clipped.start[d]);
  }
  return clipped;
}

static int64_t countElements(std::span<const int64_t> shape) {
  return std::accumulate(shape.begin(), shape.end(), int64_t(1), std::multiplies<>());
}

std::string_view getArgumentName(const fb::Buffer &buffer) {
  const flatbuffers::String *name = buffer.argument() ? buffer.argument() : buffer.name();
  return {name->data(), name->size()};
}

ArgumentView getArgumentView(const fb::Program &program, const fb::Buffer &buffer,
                             std::span<const int64_t> argumentShape, int64_t rank) {
  ArgumentView view{{}, getBox(program, buffer, rank, 0)};
  if (buffer.part() >= 0) {
    view.shape.push_back(argumentShape[0]);
    argumentShape = argumentShape.subspan(1);
    view.box.start.insert(view.box.start.begin(), buffer.part());
    view.box.size.insert(view.box.size.begin(), 1);
  }
  auto global = toSpan(buffer.global_shape());
  auto seen = countElements(global) == countElements(argumentShape) ? global : argumentShape;
  view.shape.insert(view.shape.end(), seen.begin(), seen.end());
  return view;
}

/// Copies one dimension's slices, or one run of bytes where everything inside is contiguous in
/// both.
static void copyDimension(std::byte *destination, std::span<const int64_t> destinationShape,
                          const std::byte *source, std::span<const int64_t> sourceShape,
                          std::span<const int64_t> size, size_t elementSize) {
  bool whole = true;
  size_t destinationStride = elementSize, sourceStride = elementSize;
  for (size_t d = 1; d < size.size(); ++d) {
    destinationStride *= destinationShape[d];
    sourceStride *= sourceShape[d];
    whole = whole && size[d] == destinationShape[d] && size[d] == sourceShape[d];
  }
  if (size.empty() || whole) {
    std::memcpy(destination, source, size.empty() ? elementSize : size[0] * sourceStride);
    return;
  }
  for (int64_t i = 0; i < size[0]; ++i)
    copyDimension(destination + i * destinationStride, destinationShape.subspan(1),
                  source + i * sourceStride, sourceShape.subspan(1), size.subspan(1), elementSize);
}

/// Bytes before the first element of a box.
static size_t getOffset(std::span<const int64_t> shape, std::span<const int64_t> start,
                        size_t elementSize) {
  size_t offset = 0;
  for (size_t d = 0; d < shape.size(); ++d)
    offset = offset * shape[d] + start[d];
  return offset * elementSize;
}

void copyBox(std::byte *destination, std::span<const int64_t> destinationShape,
             std::span<const int64_t> destinationStart, const std::byte *source,
             std::span<const int64_t> sourceShape, std::span<const int64_t> sourceStart,
             std::span<const int64_t> size, size_t elementSize) {
  if (std::find(size.begin(), size.end(), 0) != size.end())
    return;
  copyDimension(destination + getOffset(destinationShape, destinationStart, elementSize),
                destinationShape, source + getOffset(sourceShape, sourceStart, elementSize),
                sourceShape, size, elementSize);
}

DType toDType(fb::ElementType type) {
  static constexpr std::array<DType, 9> types = {DType::Bool, DType::I8,  DType::I16,
                                                 DType::I32,  DType::I64, DType::F16,
                                                 DType::BF16, DType::F32, DType::F64};
  return types[static_cast<size_t>(type)];
}

std::string formatShape(std::span<const int64_t> shape) {
  return absl::StrCat("[", absl::StrJoin(shape, ", "), "]");
}

const fb::Argument *findArgument(const fb::Program &program, std::string_view name) {
  if (program.arguments())
    for (const fb::Argument *argument : *program.arguments())
      if (std::string_view(argument->name()->data(), argument->name()->size()) == name)
        return argument;
  return nullptr;
}

} // namespace planwright::rt
