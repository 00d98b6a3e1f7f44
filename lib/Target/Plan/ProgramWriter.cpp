// exec.program to FlatBuffers, table by table. The order of everything is the order of the IR.
// Not here: instructions (InstructionWriter.cpp), words (FormatTypes.cpp).
#include "ProgramWriter.h"
#include "FormatTypes.h"
#include "InstructionWriter.h"

#include "dialects/Plan/IR/Plan.h"

using namespace mlir;
using namespace planwright;
using namespace planwright::exec;
namespace fb = planwright::rt::fb;

namespace {

/// Writes one program. Tables come before those that refer to them.
class ProgramWriter {
public:
  ProgramWriter(ProgramOp program, const EmitOptions &options)
      : program(program), options(options), symbols(program),
        instructions(output, program, symbols, options.rates) {}

  FailureOr<std::string> write();

private:
  template <typename T> using Tables = std::vector<flatbuffers::Offset<T>>;

  flatbuffers::Offset<fb::Argument> writeArgument(const PlanArgument &argument,
                                                  fb::ElementType type);
  LogicalResult writeArguments();
  /// One part of a stacked argument.
  struct Part {
    StringRef argument;
    int64_t index;
  };
  std::optional<Part> findPart(BufferOp buffer) const;
  LogicalResult writeBuffer(BufferOp buffer);
  LogicalResult writeBuffers();
  void writeFrame();
  LogicalResult writeSubprograms();
  void writeTasks();

  ProgramOp program;
  const EmitOptions &options;
  SymbolTable symbols;
  flatbuffers::FlatBufferBuilder output;
  InstructionWriter instructions;

  Tables<fb::Axis> axes;
  Tables<fb::Argument> arguments;
  Tables<fb::Buffer> buffers;
  Tables<fb::Communicator> communicators;
  Tables<fb::Kernel> kernels;
  Tables<fb::Subprogram> subprograms;
  Tables<fb::Task> tasks;
};

} // namespace

//===----------------------------------------------------------------------===//
// Arguments and buffers
//===----------------------------------------------------------------------===//

static fb::Role toFormat(ArgumentRole role) {
  switch (role) {
  case ArgumentRole::parameter:
    return fb::Role::parameter;
  case ArgumentRole::input:
    return fb::Role::input;
  case ArgumentRole::label:
    return fb::Role::label;
  case ArgumentRole::constant:
    return fb::Role::constant;
  }
  llvm_unreachable("every role is known");
}

static fb::InitKind toFormat(ArgumentInit init) {
  switch (init) {
  case ArgumentInit::none:
    return fb::InitKind::none;
  case ArgumentInit::zeros:
    return fb::InitKind::zeros;
  case ArgumentInit::ones:
    return fb::InitKind::ones;
  case ArgumentInit::normal:
    return fb::InitKind::normal;
  }
  llvm_unreachable("every kind of initial value is known");
}

static fb::TokenSource toFormat(ArgumentTokens tokens) {
  switch (tokens) {
  case ArgumentTokens::none:
    return fb::TokenSource::none;
  case ArgumentTokens::tokens:
    return fb::TokenSource::tokens;
  case ArgumentTokens::nextTokens:
    return fb::TokenSource::next_tokens;
  }
  llvm_unreachable("every source of tokens is known");
}

flatbuffers::Offset<fb::Argument> ProgramWriter::writeArgument(const PlanArgument &argument,
                                                               fb::ElementType type) {
  auto name = output.CreateString(argument.name);
  auto shape = output.CreateVector(argument.type.getShape().vec());
  fb::ArgumentBuilder table(output);
  table.add_name(name);
  table.add_role(::toFormat(argument.role));
  table.add_element_type(type);
  table.add_shape(shape);
  table.add_batch_dim(argument.batchDim);
  table.add_trainable(argument.trainable);
  table.add_init(::toFormat(argument.init));
  table.add_init_standard_deviation(argument.standardDeviation);
  table.add_has_range(argument.range.has_value());
  if (argument.range) {
    table.add_range_low(argument.range->first);
    table.add_range_high(argument.range->second);
  }
  table.add_token_source(::toFormat(argument.tokens));
  return table.Finish();
}

LogicalResult ProgramWriter::writeArguments() {
  for (const PlanArgument &argument : options.arguments) {
    auto type = planwright::toFormat(argument.type.getElementType());
    if (!type)
      return program.emitError() << "argument \"" << argument.name << "\" of type " << argument.type
                                 << " cannot be written";
    arguments.push_back(writeArgument(argument, *type));
  }
  return success();
}

/// What a buffer that has no argument of its own name is a part of.
std::optional<ProgramWriter::Part> ProgramWriter::findPart(BufferOp buffer) const {
  auto hasName = [](StringRef name) {
    return [name](const PlanArgument &argument) { return argument.name == name; };
  };
  auto part = plan::parsePartName(buffer.getName());
  bool isWeight = llvm::is_contained(
      {BufferKind::parameter, BufferKind::constant, BufferKind::gradient}, buffer.getKind());
  if (!isWeight || !part || llvm::any_of(options.arguments, hasName(buffer.getName())) ||
      llvm::none_of(options.arguments, hasName(part->first)))
    return std::nullopt;
  return Part{part->first, part->second};
}

LogicalResult ProgramWriter::writeBuffer(BufferOp buffer) {
  std::optional<fb::BufferKind> kind = planwright::toFormat(buffer.getKind());
  if (!kind)
    return success();
  RankedTensorType tensor = buffer.getTensorType();
  auto type = planwright::toFormat(tensor.getElementType());
  auto data = dyn_cast_if_present<DenseElementsAttr>(buffer.getDataAttr());
  if (!type || (buffer.getDataAttr() && !data))
    return buffer.emitError("cannot be written: ") << tensor;
  std::vector<flatbuffers::Offset<fb::AxisList>> lists;
  if (buffer.getDimensionAxes())
    for (auto names : buffer.getDimensionAxes()->getAsRange<ArrayAttr>())
      lists.push_back(fb::CreateAxisList(output, output.CreateVector(instructions.getAxes(names))));
  auto name = output.CreateString(buffer.getName().str());
  std::optional<Part> part = findPart(buffer);
  auto argument =
      part ? output.CreateString(part->argument.str()) : flatbuffers::Offset<flatbuffers::String>();
  auto local = output.CreateVector(tensor.getShape().vec());
  auto global = output.CreateVector(buffer.getGlobalShape().value_or(tensor.getShape()).vec());
  auto dimensionAxes = output.CreateVector(lists);
  flatbuffers::Offset<flatbuffers::Vector<uint8_t>> bytes;
  if (data)
    bytes = output.CreateVector(getLiteralBytes(data));
  fb::BufferBuilder table(output);
  table.add_kind(*kind);
  table.add_name(name);
  table.add_element_type(*type);
  table.add_offset(*buffer.getOffset());
  table.add_size_bytes(buffer.getSize());
  table.add_global_shape(global);
  table.add_local_shape(local);
  table.add_dimension_axes(dimensionAxes);
  if (part) {
    table.add_argument(argument);
    table.add_part(part->index);
  }
  if (data)
    table.add_data(bytes);
  buffers.push_back(table.Finish());
  return success();
}

LogicalResult ProgramWriter::writeBuffers() {
  for (BufferOp buffer : program.getOps<BufferOp>()) {
    if (!buffer.getOffset())
      return buffer.emitError("has no offset: run exec-assign-offsets");
    if (failed(writeBuffer(buffer)))
      return failure();
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Everything else
//===----------------------------------------------------------------------===//

void ProgramWriter::writeFrame() {
  for (auto [name, size] :
       llvm::zip_equal(program.getAxes().getAsValueRange<StringAttr>(), program.getSizes()))
    axes.push_back(fb::CreateAxis(output, output.CreateString(name.str()), size));
  for (CommunicatorOp communicator : program.getOps<CommunicatorOp>())
    communicators.push_back(fb::CreateCommunicator(
        output, output.CreateVector(instructions.getAxes(communicator.getAxes()))));
  for (KernelOp kernel : program.getOps<KernelOp>()) {
    auto symbol = output.CreateString(kernel.getSymName().str());
    auto library = output.CreateSharedString(kernel.getLibrary().str());
    auto family = output.CreateSharedString(kernel.getFamily().str());
    kernels.push_back(fb::CreateKernel(output, symbol, library, family));
  }
}

LogicalResult ProgramWriter::writeSubprograms() {
  for (SubprogramOp subprogram : program.getOps<SubprogramOp>()) {
    std::vector<flatbuffers::Offset<fb::Instruction>> steps;
    for (auto step : subprogram.getOps<StepOpInterface>()) {
      auto written = instructions.write(step);
      if (failed(written))
        return failure();
      steps.push_back(*written);
    }
    auto name = output.CreateString(subprogram.getSymName().str());
    subprograms.push_back(fb::CreateSubprogram(output, name, output.CreateVector(steps)));
  }
  return success();
}

/// A safe point runs an empty subprogram: the format gives every task one.
void ProgramWriter::writeTasks() {
  llvm::DenseMap<StringAttr, uint32_t> indices;
  for (SubprogramOp subprogram : program.getOps<SubprogramOp>())
    indices.insert({subprogram.getSymNameAttr(), indices.size()});
  std::optional<uint32_t> empty;
  for (TaskOp task : program.getOps<TaskOp>()) {
    uint32_t index = 0;
    if (task.getSubprogramAttr()) {
      index = indices.lookup(task.getSubprogramAttr().getAttr());
    } else {
      if (!empty) {
        empty = subprograms.size();
        auto name = output.CreateString("safe_point");
        auto none = output.CreateVector(std::vector<flatbuffers::Offset<fb::Instruction>>());
        subprograms.push_back(fb::CreateSubprogram(output, name, none));
      }
      index = *empty;
    }
    ArrayRef<int64_t> bases = task.getBases().value_or(ArrayRef<int64_t>());
    auto written = output.CreateVector(std::vector<uint64_t>(bases.begin(), bases.end()));
    int32_t microBatch = task.getMicroBatch() ? static_cast<int32_t>(*task.getMicroBatch()) : -1;
    tasks.push_back(
        fb::CreateTask(output, planwright::toFormat(task.getKind()), index, microBatch, written));
  }
}

/// Elements of the first argument that is filled from a stream of tokens.
static uint64_t countTokens(ArrayRef<PlanArgument> arguments) {
  for (const PlanArgument &argument : arguments)
    if (argument.tokens == ArgumentTokens::tokens)
      return argument.type.getNumElements();
  return 0;
}

FailureOr<std::string> ProgramWriter::write() {
  if (!program.getArenaBytes())
    return program.emitError("has no arena: run exec-assign-offsets");
  if (failed(writeArguments()) || failed(writeBuffers()))
    return failure();
  writeFrame();
  if (failed(writeSubprograms()))
    return failure();
  writeTasks();
  auto name = output.CreateString(options.name);
  auto cpu = output.CreateString(options.target.cpu);
  auto features = output.CreateString(options.target.features);
  auto writtenAxes = output.CreateVector(axes);
  auto writtenArguments = output.CreateVector(arguments);
  auto writtenBuffers = output.CreateVector(buffers);
  auto writtenCommunicators = output.CreateVector(communicators);
  auto writtenKernels = output.CreateVector(kernels);
  auto writtenSubprograms = output.CreateVector(subprograms);
  auto writtenTasks = output.CreateVector(tasks);
  fb::ProgramBuilder table(output);
  table.add_format_version(kFormatVersion);
  table.add_name(name);
  table.add_axes(writtenAxes);
  table.add_ranks(program.getNumRanks());
  table.add_micro_batches(program.getMicroBatches());
  table.add_arena_bytes(*program.getArenaBytes());
  table.add_arguments(writtenArguments);
  table.add_buffers(writtenBuffers);
  table.add_communicators(writtenCommunicators);
  table.add_kernels(writtenKernels);
  table.add_events(program.getEvents());
  table.add_subprograms(writtenSubprograms);
  table.add_tasks(writtenTasks);
  table.add_tokens_per_step(countTokens(options.arguments));
  table.add_target_cpu(cpu);
  table.add_target_features(features);
  fb::FinishProgramBuffer(output, table.Finish());
  return std::string(reinterpret_cast<const char *>(output.GetBufferPointer()), output.GetSize());
}

FailureOr<std::string> planwright::writeProgram(ProgramOp program, const EmitOptions &options) {
  return ProgramWriter(program, options).write();
}
