// Weights from a file.

#include "runtime/Data/Weights.h"

#include "runtime/Comm/Reduce.h"
#include "runtime/Format/ElementTypes.h"
#include "runtime/Format/StatusMacros.h"

#include "absl/strings/str_join.h"

#include <cstring>

namespace planwright::rt {

/// At most this many complaints of one kind are listed.
static constexpr size_t maxListed = 8;

static bool isWeight(const fb::Argument &argument) {
  return argument.role() == fb::Role::parameter || argument.role() == fb::Role::constant;
}

static bool isWeight(const fb::Buffer &buffer) {
  return buffer.kind() == fb::BufferKind::parameter || buffer.kind() == fb::BufferKind::constant;
}

/// A buffer that holds some of the argument `name`.
static const fb::Buffer *findWeightBuffer(const fb::Program &program, std::string_view name) {
  if (program.buffers())
    for (const fb::Buffer *buffer : *program.buffers())
      if (isWeight(*buffer) && getArgumentName(*buffer) == name)
        return buffer;
  return nullptr;
}

static double loadElement(const std::byte *bytes, DType type) {
  uint16_t half;
  float single;
  double value;
  std::memcpy(&half, bytes, 2);
  switch (type) {
  case DType::BF16:
    return bfloat16ToFloat(half);
  case DType::F16:
    return halfToFloat(half);
  case DType::F32:
    std::memcpy(&single, bytes, 4);
    return single;
  default:
    std::memcpy(&value, bytes, 8);
    return value;
  }
}

static void storeElement(std::byte *bytes, fb::ElementType type, double value) {
  auto store = [&](auto stored) { std::memcpy(bytes, &stored, sizeof(stored)); };
  if (type == fb::ElementType::bf16)
    store(floatToBfloat16(static_cast<float>(value)));
  else if (type == fb::ElementType::f16)
    store(floatToHalf(static_cast<float>(value)));
  else if (type == fb::ElementType::f32)
    store(static_cast<float>(value));
  else
    store(value);
}

/// A box of a tensor in the buffer's element type. Only floats are ever converted (see
/// `checkTensor`).
static absl::StatusOr<std::vector<std::byte>> readConverted(const TensorView &tensor,
                                                            const Box &box, fb::ElementType type) {
  size_t elements = 1;
  for (int64_t size : box.size)
    elements *= size;
  size_t from = getByteSize(tensor.dtype), to = getByteSize(type);
  std::vector<std::byte> raw(elements * from);
  PLANWRIGHT_RETURN_IF_ERROR(readSlice(tensor, box.start, box.size, raw));
  if (tensor.dtype == toDType(type))
    return raw;
  std::vector<std::byte> converted(elements * to);
  for (size_t i = 0; i < elements; ++i)
    storeElement(converted.data() + i * to, type, loadElement(raw.data() + i * from, tensor.dtype));
  return converted;
}

static absl::Status loadTensor(TensorView tensor, const fb::Buffer &buffer,
                               const RankMemory &memory) {
  auto [shape, whole] = getArgumentView(memory.program, buffer, tensor.shape, memory.rank);
  tensor.shape = shape;
  Box box = clip(whole, tensor.shape);
  std::span<std::byte> bytes = memory.getBytes(buffer);
  if (box.size == whole.size && tensor.dtype == toDType(buffer.element_type()))
    return readSlice(tensor, box.start, box.size, bytes);
  // What the file does not have is padding.
  std::memset(bytes.data(), 0, bytes.size());
  PLANWRIGHT_ASSIGN_OR_RETURN(std::vector<std::byte> data,
                              readConverted(tensor, box, buffer.element_type()));
  std::vector<int64_t> origin(box.size.size(), 0);
  copyBox(bytes.data(), whole.size, origin, data.data(), box.size, origin, box.size,
          getByteSize(buffer.element_type()));
  return absl::OkStatus();
}

/// What is wrong with a tensor of the right name, or nothing.
static std::string checkTensor(const TensorView &tensor, const fb::Argument &argument,
                               const fb::Buffer &buffer) {
  auto shape = toSpan(argument.shape());
  if (!std::equal(shape.begin(), shape.end(), tensor.shape.begin(), tensor.shape.end()))
    return absl::StrCat("\"", tensor.name, "\" has shape ", formatShape(tensor.shape),
                        ", the model wants ", formatShape(shape));
  bool ofModel = tensor.dtype == toDType(argument.element_type());
  bool ofPlan = tensor.dtype == toDType(buffer.element_type());
  bool convertible = isFloat(argument.element_type()) && isFloat(buffer.element_type());
  if (!ofPlan && !(ofModel && convertible))
    return absl::StrCat("\"", tensor.name, "\" has type ", toAbsl(getName(tensor.dtype)),
                        ", the model wants ", toAbsl(getName(toDType(argument.element_type()))));
  return "";
}

/// "; missing: "a", "b" and 3 more" or nothing.
static void appendList(std::string &message, std::string_view title,
                       const std::vector<std::string> &items) {
  if (items.empty())
    return;
  std::vector<std::string> shown(items.begin(), items.begin() + std::min(items.size(), maxListed));
  absl::StrAppend(&message, message.empty() ? "" : "; ", toAbsl(title), absl::StrJoin(shown, ", "));
  if (items.size() > maxListed)
    absl::StrAppend(&message, " and ", items.size() - maxListed, " more");
}

static absl::Status checkNames(const SafetensorsFile &file, const fb::Program &program) {
  std::vector<std::string> missing, extra, wrong;
  if (program.arguments())
    for (const fb::Argument *argument : *program.arguments()) {
      const fb::Buffer *buffer = findWeightBuffer(program, argument->name()->str());
      if (!isWeight(*argument) || !buffer)
        continue;
      const TensorView *tensor = file.find(argument->name()->str());
      if (!tensor)
        missing.push_back(absl::StrCat("\"", argument->name()->str(), "\""));
      else if (std::string problem = checkTensor(*tensor, *argument, *buffer); !problem.empty())
        wrong.push_back(problem);
    }
  for (const TensorView &tensor : file.getTensors()) {
    if (tensor.name.find('/') != std::string::npos)
      continue;
    const fb::Argument *argument = findArgument(program, tensor.name);
    if (!argument || !isWeight(*argument))
      extra.push_back(absl::StrCat("\"", tensor.name, "\""));
  }
  std::string message;
  appendList(message, "missing tensors: ", missing);
  appendList(message, "tensors that the model does not have: ", extra);
  appendList(message, "", wrong);
  return message.empty() ? absl::OkStatus() : absl::InvalidArgumentError(message);
}

static absl::Status loadFrom(const SafetensorsFile &file, const RankMemory &memory) {
  PLANWRIGHT_RETURN_IF_ERROR(checkNames(file, memory.program));
  if (!memory.program.buffers())
    return absl::OkStatus();
  for (const fb::Buffer *buffer : *memory.program.buffers())
    if (const TensorView *tensor =
            isWeight(*buffer) ? file.find(getArgumentName(*buffer)) : nullptr)
      PLANWRIGHT_RETURN_IF_ERROR(loadTensor(*tensor, *buffer, memory));
  return absl::OkStatus();
}

absl::Status loadWeights(const std::string &path, const RankMemory &memory) {
  PLANWRIGHT_ASSIGN_OR_RETURN(SafetensorsFile file, SafetensorsFile::open(path));
  return annotate(loadFrom(file, memory), absl::StrCat("weights ", path));
}

} // namespace planwright::rt
