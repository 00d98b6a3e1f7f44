// Which part of a global tensor a rank's buffer holds, and copying such parts. No files here.

#ifndef PLANWRIGHT_RUNTIME_DATA_SLICE_H
#define PLANWRIGHT_RUNTIME_DATA_SLICE_H

#include "runtime/Data/Safetensors.h"
#include "runtime/Format/Mesh.h"
#include "runtime/Format/program_generated.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace planwright::rt {

/// A box in a tensor: first index and size in each dimension.
struct Box {
  std::vector<int64_t> start;
  std::vector<int64_t> size;
};

/// One rank's memory with the program that says what lies where.
struct RankMemory {
  const fb::Program &program;
  int rank;
  std::byte *arena;

  std::span<std::byte> getBytes(const fb::Buffer &buffer) const {
    return {arena + buffer.offset(), static_cast<size_t>(buffer.size_bytes())};
  }
};

/// The part of the global tensor that `rank` holds of micro-batch `microBatch` (0 for what has
/// none). For a batch dimension of 8 on axes (dp = 2, mb = 2), a micro-batch has 2 rows:
///
///     rows        0 1   2 3   4 5   6 7
///     dp, mb      0 0   0 1   1 0   1 1
Box getBox(const fb::Program &program, const fb::Buffer &buffer, int64_t rank, int64_t microBatch);

/// Micro-batches that lie one after the other in `buffer`: the program's, or 1.
int64_t getMicroBatchCount(const fb::Program &program, const fb::Buffer &buffer);

/// `box` cut off at `shape`: padding lies beyond. Sizes may become 0.
Box clip(const Box &box, std::span<const int64_t> shape);

/// The argument that `buffer` belongs to: the one of its own name, or the one that it is a part of.
std::string_view getArgumentName(const fb::Buffer &buffer);

/// How a buffer of a parameter, constant or gradient sees the tensor of its argument.
struct ArgumentView {
  /// The tensor's shape, with a dimension split where the buffer has it split.
  std::vector<int64_t> shape;
  /// What a rank's buffer holds of it; may reach beyond the tensor, into padding.
  Box box;
};
ArgumentView getArgumentView(const fb::Program &program, const fb::Buffer &buffer,
                             std::span<const int64_t> argumentShape, int64_t rank);

/// Copies `size` elements per dimension between two dense row-major tensors. Every box lies inside
/// its tensor.
void copyBox(std::byte *destination, std::span<const int64_t> destinationShape,
             std::span<const int64_t> destinationStart, const std::byte *source,
             std::span<const int64_t> sourceShape, std::span<const int64_t> sourceStart,
             std::span<const int64_t> size, size_t elementSize);

/// The file's name for an element type.
DType toDType(fb::ElementType type);

/// "[8, 64]".
std::string formatShape(std::span<const int64_t> shape);

/// The program's argument called `name`, or null.
const fb::Argument *findArgument(const fb::Program &program, std::string_view name);

} // namespace planwright::rt

#endif // PLANWRIGHT_RUNTIME_DATA_SLICE_H
