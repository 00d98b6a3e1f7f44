// Verification of arguments and buffers: shapes, axes, sizes, places in the arena.

#include "runtime/Format/ElementTypes.h"
#include "runtime/Format/Mesh.h"
#include "runtime/Format/StatusMacros.h"
#include "runtime/Format/Verify.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <optional>
#include <set>

namespace planwright::rt {

using fb::BufferKind;

/// Bytes of a dense tensor, if the shape is sane.
static std::optional<uint64_t> countBytes(std::span<const int64_t> shape, fb::ElementType type) {
  uint64_t bytes = getByteSize(type);
  for (int64_t size : shape)
    if (size < 0 || __builtin_mul_overflow(bytes, static_cast<uint64_t>(size), &bytes) ||
        bytes > uint64_t(1) << 60)
      return std::nullopt;
  return bytes;
}

static absl::Status verifyArgument(const fb::Argument &argument) {
  if (!isValid(argument.role(), fb::Role::MAX) || !isValid(argument.init(), fb::InitKind::MAX) ||
      !isValid(argument.element_type(), fb::ElementType::MAX) ||
      !isValid(argument.token_source(), fb::TokenSource::MAX))
    return absl::DataLossError("a field has an unknown value");
  auto shape = toSpan(argument.shape());
  if (!countBytes(shape, argument.element_type()))
    return absl::DataLossError("impossible shape");
  if (argument.batch_dim() < -1 || argument.batch_dim() >= static_cast<int64_t>(shape.size()))
    return absl::DataLossError(absl::StrCat("batch dimension ", argument.batch_dim(), " of ",
                                            shape.size(), " dimensions"));
  if (argument.has_range() && argument.range_low() >= argument.range_high())
    return absl::DataLossError("empty range");
  double deviation = argument.init_standard_deviation();
  if (!std::isfinite(deviation) || deviation < 0)
    return absl::DataLossError("impossible standard deviation");
  return absl::OkStatus();
}

absl::Status verifyArguments(const fb::Program &program) {
  std::set<std::string_view> names;
  if (!program.arguments())
    return absl::OkStatus();
  for (const fb::Argument *argument : *program.arguments()) {
    std::string_view name(argument->name()->data(), argument->name()->size());
    std::string where = absl::StrCat("argument \"", toAbsl(name), "\"");
    if (name.empty() || !names.insert(name).second)
      return absl::DataLossError(absl::StrCat(where, " has no name or has it twice"));
    PLANWRIGHT_RETURN_IF_ERROR(annotate(verifyArgument(*argument), where));
  }
  return absl::OkStatus();
}

namespace {

using ArgumentMap = std::map<std::string_view, const fb::Argument *>;

/// One buffer and what it is measured against.
struct BufferVerifier {
  const fb::Program &program;
  const ArgumentMap &arguments;
  const fb::Buffer &buffer;

  absl::Status verify() const;
  absl::Status verifyLayout(bool &hasMicroBatches) const;
  absl::Status verifyArgumentOf() const;
  absl::Status verifyScalar() const;

  std::string_view getName() const { return {buffer.name()->data(), buffer.name()->size()}; }
};

} // namespace

/// Each dimension: local size times the sizes of its axes is the global size, and no axis is used
/// twice.
absl::Status BufferVerifier::verifyLayout(bool &hasMicroBatches) const {
  auto global = toSpan(buffer.global_shape());
  auto local = toSpan(buffer.local_shape());
  size_t numAxes = program.axes() ? program.axes()->size() : 0;
  size_t numLists = buffer.dimension_axes() ? buffer.dimension_axes()->size() : 0;
  if (global.size() != local.size() || (numLists != 0 && numLists != local.size()))
    return absl::DataLossError("global shape, local shape and axes differ in rank");
  std::set<uint32_t> used;
  for (size_t d = 0; d < local.size(); ++d) {
    int64_t size = local[d];
    auto axes =
        numLists ? toSpan(buffer.dimension_axes()->Get(d)->axes()) : std::span<const uint32_t>();
    for (size_t i = 0; i < axes.size(); ++i) {
      if (axes[i] >= numAxes || !used.insert(axes[i]).second)
        return absl::DataLossError(
            absl::StrCat("axis ", axes[i], " does not exist or is used twice"));
      const fb::Axis &axis = *program.axes()->Get(axes[i]);
      if (axis.name()->string_view() == "mb") {
        if (buffer.kind() != BufferKind::input || i + 1 != axes.size())
          return absl::DataLossError("\"mb\" must be the innermost axis of an input's dimension");
        hasMicroBatches = true;
      }
      if (__builtin_mul_overflow(size, axis.size(), &size))
        return absl::DataLossError("impossible shape");
    }
    if (size != global[d])
      return absl::DataLossError(absl::StrCat("dimension ", d, " has global size ", global[d],
                                              ", but local size times axes is ", size));
  }
  return absl::OkStatus();
}

/// As many elements, or the same dimensions, padded: never smaller.
static bool isViewOf(std::span<const int64_t> global, std::span<const int64_t> shape) {
  std::optional<uint64_t> own = countBytes(global, fb::ElementType::i8);
  if (own && own == countBytes(shape, fb::ElementType::i8))
    return true;
  return std::equal(global.begin(), global.end(), shape.begin(), shape.end(),
                    std::greater_equal<>());
}

/// A buffer that belongs to an argument agrees with it.
absl::Status BufferVerifier::verifyArgumentOf() const {
  BufferKind kind = buffer.kind();
  bool isInput = kind == BufferKind::input;
  bool isWeight =
      kind == BufferKind::parameter || kind == BufferKind::constant || kind == BufferKind::gradient;
  bool isPart = buffer.argument() || buffer.part() != -1;
  if (isPart && (!isWeight || !buffer.argument()))
    return absl::DataLossError("only parameters, constants and gradients have parts");
  if (!isInput && !isWeight)
    return absl::OkStatus();
  auto it = arguments.find(isPart ? buffer.argument()->string_view() : getName());
  if (it == arguments.end())
    return absl::DataLossError("there is no argument of this name");
  const fb::Argument &argument = *it->second;
  bool argumentIsInput = argument.role() == fb::Role::input || argument.role() == fb::Role::label;
  if (isInput != argumentIsInput)
    return absl::DataLossError("the argument has another role");
  auto shape = toSpan(argument.shape());
  auto global = toSpan(buffer.global_shape());
  if (isPart) {
    if (shape.empty() || buffer.part() < 0 || buffer.part() >= shape[0])
      return absl::DataLossError(absl::StrCat("the argument has no part ", buffer.part()));
    shape = shape.subspan(1);
  }
  bool fits = isInput ? std::equal(global.begin(), global.end(), shape.begin(), shape.end())
                      : isViewOf(global, shape);
  if (!fits)
    return absl::DataLossError("the argument has another shape");
  if (isInput && argument.element_type() != buffer.element_type())
    return absl::DataLossError("the argument has another element type");
  return absl::OkStatus();
}

/// The scalars that the executor writes are i64; those it reads are floats.
absl::Status BufferVerifier::verifyScalar() const {
  bool isScalar = buffer.kind() == BufferKind::scalar;
  if (!isScalar && buffer.kind() != BufferKind::loss)
    return absl::OkStatus();
  if (buffer.size_bytes() != getByteSize(buffer.element_type()))
    return absl::DataLossError("it must have one element");
  std::string_view name = getName();
  bool isInteger = isScalar && (name == "step" || name == "mb" || name.substr(0, 5) == "axis/");
  bool isRead = !isScalar || name == "learning_rate" || name == "grad_norm";
  if (isInteger && buffer.element_type() != fb::ElementType::i64)
    return absl::DataLossError("it must be i64");
  if (isRead && buffer.element_type() != fb::ElementType::f32 &&
      buffer.element_type() != fb::ElementType::f64)
    return absl::DataLossError("it must be f32 or f64");
  if (isScalar && name.substr(0, 5) == "axis/") {
    bool found = false;
    if (program.axes())
      for (const fb::Axis *axis : *program.axes())
        found |= axis->name()->string_view() == name.substr(5);
    if (!found)
      return absl::DataLossError("there is no such axis");
  }
  return absl::OkStatus();
}

absl::Status BufferVerifier::verify() const {
  if (!isValid(buffer.kind(), BufferKind::MAX) ||
      !isValid(buffer.element_type(), fb::ElementType::MAX))
    return absl::DataLossError("a field has an unknown value");
  bool hasMicroBatches = false;
  PLANWRIGHT_RETURN_IF_ERROR(verifyLayout(hasMicroBatches));
  std::optional<uint64_t> bytes = countBytes(toSpan(buffer.local_shape()), buffer.element_type());
  if (!bytes)
    return absl::DataLossError("impossible shape");
  uint64_t wanted = *bytes * (hasMicroBatches ? program.micro_batches() : 1);
  if (buffer.size_bytes() != wanted)
    return absl::DataLossError(
        absl::StrCat("its shape needs ", wanted, " bytes, it has ", buffer.size_bytes()));
  if (buffer.offset() % getByteSize(buffer.element_type()) != 0)
    return absl::DataLossError(absl::StrCat("offset ", buffer.offset(), " is not aligned"));
  if (buffer.size_bytes() > program.arena_bytes() ||
      buffer.offset() > program.arena_bytes() - buffer.size_bytes())
    return absl::DataLossError(absl::StrCat("bytes [", buffer.offset(), ", +", buffer.size_bytes(),
                                            ") leave the arena of ", program.arena_bytes()));
  if (buffer.kind() == BufferKind::literal && toSpan(buffer.data()).size() != buffer.size_bytes())
    return absl::DataLossError("a literal's bytes do not fill it");
  PLANWRIGHT_RETURN_IF_ERROR(verifyArgumentOf());
  return verifyScalar();
}

static std::string describe(const fb::Buffer &buffer) {
  return absl::StrCat("buffer ", fb::EnumNameBufferKind(buffer.kind()), " \"", buffer.name()->str(),
                      "\"");
}

/// True for what must keep its bytes from step to step.
static bool livesAlways(const fb::Buffer &buffer) {
  BufferKind kind = buffer.kind();
  return kind != BufferKind::gradient && kind != BufferKind::loss && kind != BufferKind::input &&
         buffer.size_bytes() != 0;
}

static absl::Status verifyDisjoint(std::vector<const fb::Buffer *> buffers) {
  std::sort(buffers.begin(), buffers.end(),
            [](auto *a, auto *b) { return a->offset() < b->offset(); });
  for (size_t i = 1; i < buffers.size(); ++i)
    if (buffers[i - 1]->offset() + buffers[i - 1]->size_bytes() > buffers[i]->offset())
      return absl::DataLossError(
          absl::StrCat(describe(*buffers[i - 1]), " and ", describe(*buffers[i]), " overlap"));
  return absl::OkStatus();
}

absl::Status verifyBuffers(const fb::Program &program) {
  if (!program.buffers())
    return absl::OkStatus();
  ArgumentMap arguments;
  if (program.arguments())
    for (const fb::Argument *argument : *program.arguments())
      arguments[{argument->name()->data(), argument->name()->size()}] = argument;
  std::set<std::pair<BufferKind, std::string_view>> names;
  std::vector<const fb::Buffer *> permanent;
  for (const fb::Buffer *buffer : *program.buffers()) {
    PLANWRIGHT_RETURN_IF_ERROR(
        annotate(BufferVerifier{program, arguments, *buffer}.verify(), describe(*buffer)));
    std::string_view name(buffer->name()->data(), buffer->name()->size());
    if (!names.insert({buffer->kind(), name}).second)
      return absl::DataLossError(absl::StrCat(describe(*buffer), " is there twice"));
    if (livesAlways(*buffer))
      permanent.push_back(buffer);
  }
  return verifyDisjoint(std::move(permanent));
}

} // namespace planwright::rt
