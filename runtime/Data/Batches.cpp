// What all sources of batches share.

#include "runtime/Data/Batches.h"

#include "runtime/Format/ElementTypes.h"
#include "runtime/Format/StatusMacros.h"

#include <cstring>

namespace planwright::rt {

bool isInput(const fb::Argument &argument) {
  return argument.role() == fb::Role::input || argument.role() == fb::Role::label;
}

static int64_t loadInteger(const std::byte *bytes, size_t size) {
  // Little-endian and signed: sign-extend from the top byte.
  uint64_t value = 0;
  std::memcpy(&value, bytes, size);
  int shift = static_cast<int>(64 - 8 * size);
  return static_cast<int64_t>(value << shift) >> shift;
}

absl::Status checkRange(const fb::Argument &argument, const Box &box,
                        std::span<const std::byte> values) {
  fb::ElementType type = argument.element_type();
  if (!argument.has_range() || isFloat(type) || type == fb::ElementType::i1)
    return absl::OkStatus();
  size_t size = getByteSize(type);
  for (size_t i = 0; i < values.size() / size; ++i) {
    int64_t value = loadInteger(values.data() + i * size, size);
    if (value >= argument.range_low() && value < argument.range_high())
      continue;
    std::vector<int64_t> position(box.size.size());
    for (size_t d = position.size(), rest = i; d-- > 0; rest /= box.size[d])
      position[d] = box.start[d] + static_cast<int64_t>(rest % box.size[d]);
    return absl::OutOfRangeError(absl::StrCat(
        "\"", argument.name()->str(), "\" has value ", value, " at ", formatShape(position),
        ", allowed is ", argument.range_low(), " to ", argument.range_high() - 1));
  }
  return absl::OkStatus();
}

absl::Status fillMicroBatches(
    const fb::Buffer &buffer, const RankMemory &memory,
    absl::FunctionRef<absl::Status(const fb::Argument &, const Box &, std::span<std::byte>)>
        fillPart) {
  const fb::Argument &argument = *findArgument(memory.program, buffer.name()->str());
  int64_t microBatches = getMicroBatchCount(memory.program, buffer);
  std::span<std::byte> bytes = memory.getBytes(buffer);
  size_t size = bytes.size() / microBatches;
  for (int64_t microBatch = 0; microBatch < microBatches; ++microBatch) {
    Box box = getBox(memory.program, buffer, memory.rank, microBatch);
    std::span<std::byte> part = bytes.subspan(microBatch * size, size);
    PLANWRIGHT_RETURN_IF_ERROR(fillPart(argument, box, part));
    PLANWRIGHT_RETURN_IF_ERROR(checkRange(argument, box, part));
  }
  return absl::OkStatus();
}

static bool endsWith(std::string_view text, std::string_view end) {
  return text.size() >= end.size() && text.substr(text.size() - end.size()) == end;
}

absl::StatusOr<std::unique_ptr<BatchSource>>
openBatches(const std::string &path, const fb::Program &program, TokenType tokenType) {
  if (endsWith(path, ".safetensors"))
    return openSafetensorsBatches(path, program);
  if (endsWith(path, ".bin"))
    return openTokenBatches(path, program, tokenType);
  return absl::InvalidArgumentError(
      absl::StrCat("data ", path, ": neither a .safetensors nor a .bin file"));
}

} // namespace planwright::rt
