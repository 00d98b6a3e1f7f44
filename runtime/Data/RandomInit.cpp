// Weights from nothing: a hash of (seed, name, index) is the only source of randomness.

#include "runtime/Comm/Reduce.h"
#include "runtime/Data/Weights.h"
#include "runtime/Format/ElementTypes.h"
#include "runtime/Format/StatusMacros.h"

#include <cmath>
#include <cstring>
#include <numbers>
#include <xxhash.h>

namespace planwright::rt {

/// A bijective scrambling of 64 bits with good avalanche (multiply-xorshift, constants of the
/// splitmix64 generator).
static uint64_t scramble(uint64_t x) {
  x += 0x9e3779b97f4a7c15u;
  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
  x = (x ^ x >> 27) * 0x94d049bb133111ebu;
  return x ^ x >> 31;
}

/// The stream of one tensor.
static uint64_t getStream(uint64_t seed, std::string_view name) {
  return XXH64(name.data(), name.size(), scramble(seed));
}

/// Box-Muller on two uniform numbers: a pair of elements shares them, one takes the cosine, the
/// other the sine.
static double drawFromStream(uint64_t stream, uint64_t index) {
  uint64_t pair = index / 2;
  uint64_t a = scramble(stream + 2 * pair), b = scramble(stream + 2 * pair + 1);
  double radius = std::sqrt(-2.0 * std::log((static_cast<double>(a >> 11) + 1.0) * 0x1p-53));
  double angle = 2.0 * std::numbers::pi * static_cast<double>(b >> 11) * 0x1p-53;
  return radius * (index % 2 == 0 ? std::cos(angle) : std::sin(angle));
}

double drawNormal(uint64_t seed, std::string_view name, uint64_t index) {
  return drawFromStream(getStream(seed, name), index);
}

/// Calls `body(local index, global index)` for each element of `box` that lies in `shape`.
template <typename Body>
static void forEachElement(const Box &box, std::span<const int64_t> shape, Body body) {
  size_t elements = 1;
  for (int64_t size : box.size)
    elements *= size;
  std::vector<int64_t> position(box.size.size(), 0);
  for (size_t local = 0; local < elements; ++local) {
    uint64_t global = 0;
    bool inside = true;
    for (size_t d = 0; d < shape.size(); ++d) {
      int64_t index = box.start[d] + position[d];
      inside = inside && index < shape[d];
      global = global * shape[d] + index;
    }
    if (inside)
      body(local, global);
    for (size_t d = position.size(); d-- > 0 && ++position[d] == box.size[d];)
      position[d] = 0;
  }
}

static void store(std::byte *bytes, size_t index, fb::ElementType type, double value) {
  auto put = [&](auto stored) {
    std::memcpy(bytes + index * sizeof(stored), &stored, sizeof(stored));
  };
  if (type == fb::ElementType::f32)
    put(static_cast<float>(value));
  else if (type == fb::ElementType::f64)
    put(value);
  else if (type == fb::ElementType::bf16)
    put(floatToBfloat16(static_cast<float>(value)));
  else
    put(floatToHalf(static_cast<float>(value)));
}

static absl::Status initializeTensor(uint64_t seed, const fb::Argument &argument,
                                     const fb::Buffer &buffer, const RankMemory &memory) {
  std::string name = argument.name()->str();
  if (argument.role() == fb::Role::constant)
    return absl::InvalidArgumentError(
        absl::StrCat("--init random cannot make up constant \"", name, "\"; give --weights"));
  if (argument.init() == fb::InitKind::none || !isFloat(buffer.element_type()))
    return absl::InvalidArgumentError(absl::StrCat("the signature has no \"init\" for parameter \"",
                                                   name, "\"; add one or give --weights"));
  std::byte *bytes = memory.getBytes(buffer).data();
  std::memset(bytes, 0, buffer.size_bytes());
  if (argument.init() == fb::InitKind::zeros)
    return absl::OkStatus();
  bool isNormal = argument.init() == fb::InitKind::normal;
  double deviation = argument.init_standard_deviation();
  uint64_t stream = getStream(seed, name);
  ArgumentView view =
      getArgumentView(memory.program, buffer, toSpan(argument.shape()), memory.rank);
  forEachElement(view.box, view.shape, [&](size_t local, uint64_t global) {
    double value = isNormal ? deviation * drawFromStream(stream, global) : 1.0;
    store(bytes, local, buffer.element_type(), value);
  });
  return absl::OkStatus();
}

absl::Status initializeRandomly(uint64_t seed, const RankMemory &memory) {
  if (!memory.program.buffers())
    return absl::OkStatus();
  for (const fb::Buffer *buffer : *memory.program.buffers()) {
    if (buffer->kind() != fb::BufferKind::parameter && buffer->kind() != fb::BufferKind::constant)
      continue;
    const fb::Argument *argument = findArgument(memory.program, getArgumentName(*buffer));
    PLANWRIGHT_RETURN_IF_ERROR(initializeTensor(seed, *argument, *buffer, memory));
  }
  return absl::OkStatus();
}

} // namespace planwright::rt
