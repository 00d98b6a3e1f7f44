// Batches stored as "batch<k>/<argument>": the global batch of step k, cycled through.

#include "runtime/Data/Batches.h"

#include "runtime/Format/StatusMacros.h"

namespace planwright::rt {

namespace {

class SafetensorsBatches : public BatchSource {
public:
  SafetensorsBatches(SafetensorsFile file, std::string path, int64_t count)
      : file(std::move(file)), path(std::move(path)), count(count) {}

  absl::Status fill(int64_t step, const RankMemory &memory) override;

private:
  absl::Status fillBuffer(const TensorView &tensor, const fb::Buffer &buffer,
                          const RankMemory &memory) const;

  SafetensorsFile file;
  std::string path;
  int64_t count;
};

} // namespace

static std::string getTensorName(int64_t batch, std::string_view argument) {
  return absl::StrCat("batch", batch, "/", toAbsl(argument));
}

absl::Status SafetensorsBatches::fillBuffer(const TensorView &tensor, const fb::Buffer &buffer,
                                            const RankMemory &memory) const {
  return fillMicroBatches(buffer, memory,
                          [&](const fb::Argument &, const Box &box, std::span<std::byte> part) {
                            return readSlice(tensor, box.start, box.size, part);
                          });
}

absl::Status SafetensorsBatches::fill(int64_t step, const RankMemory &memory) {
  if (!memory.program.buffers())
    return absl::OkStatus();
  for (const fb::Buffer *buffer : *memory.program.buffers()) {
    if (buffer->kind() != fb::BufferKind::input)
      continue;
    const TensorView &tensor = *file.find(getTensorName(step % count, buffer->name()->str()));
    PLANWRIGHT_RETURN_IF_ERROR(annotate(fillBuffer(tensor, *buffer, memory),
                                        absl::StrCat("data ", path, ": batch ", step % count)));
  }
  return absl::OkStatus();
}

/// One past the highest k of the names "batch<k>/...".
static int64_t countBatches(const SafetensorsFile &file) {
  int64_t count = 0;
  constexpr std::string_view prefix = "batch";
  for (const TensorView &tensor : file.getTensors()) {
    size_t slash = tensor.name.find('/');
    if (tensor.name.rfind(prefix, 0) != 0 || slash == std::string::npos)
      continue;
    std::string digits = tensor.name.substr(prefix.size(), slash - prefix.size());
    if (!digits.empty() && digits.size() < 10 &&
        digits.find_first_not_of("0123456789") == std::string::npos)
      count = std::max(count, int64_t(std::stoi(digits)) + 1);
  }
  return count;
}

static absl::Status checkBatch(const SafetensorsFile &file, int64_t batch,
                               const fb::Argument &argument) {
  std::string name = getTensorName(batch, argument.name()->str());
  const TensorView *tensor = file.find(name);
  if (!tensor)
    return absl::InvalidArgumentError(absl::StrCat("tensor \"", name, "\" is missing"));
  auto shape = toSpan(argument.shape());
  if (!std::equal(shape.begin(), shape.end(), tensor->shape.begin(), tensor->shape.end()))
    return absl::InvalidArgumentError(
        absl::StrCat("\"", name, "\" has shape ", formatShape(tensor->shape),
                     ", the model wants the global batch ", formatShape(shape)));
  if (tensor->dtype != toDType(argument.element_type()))
    return absl::InvalidArgumentError(
        absl::StrCat("\"", name, "\" has type ", toAbsl(getName(tensor->dtype)),
                     ", the model wants ", toAbsl(getName(toDType(argument.element_type())))));
  return absl::OkStatus();
}

/// Inputs that are used: a graph may have arguments that nothing reads.
static bool isUsed(const fb::Program &program, const fb::Argument &argument) {
  for (const fb::Buffer *buffer : *program.buffers())
    if (buffer->kind() == fb::BufferKind::input &&
        buffer->name()->string_view() == argument.name()->string_view())
      return true;
  return false;
}

absl::StatusOr<std::unique_ptr<BatchSource>> openSafetensorsBatches(const std::string &path,
                                                                    const fb::Program &program) {
  PLANWRIGHT_ASSIGN_OR_RETURN(SafetensorsFile file, SafetensorsFile::open(path));
  int64_t count = countBatches(file);
  if (count == 0)
    return absl::InvalidArgumentError(
        absl::StrCat("data ", path, ": it holds no batches (tensors named \"batch0/...\")"));
  if (program.arguments() && program.buffers())
    for (int64_t batch = 0; batch < count; ++batch)
      for (const fb::Argument *argument : *program.arguments())
        if (isInput(*argument) && isUsed(program, *argument))
          PLANWRIGHT_RETURN_IF_ERROR(
              annotate(checkBatch(file, batch, *argument), absl::StrCat("data ", path)));
  return std::make_unique<SafetensorsBatches>(std::move(file), path, count);
}

} // namespace planwright::rt
