// Preparing, initialising and running a program.

#include "runtime/Executor/Executor.h"

#include "runtime/Format/StatusMacros.h"

#include <cstring>

namespace planwright::rt {

/// Tasks without bases run with this one.
static constexpr uint64_t noBases[] = {0};

const fb::Buffer *Executor::findBuffer(fb::BufferKind kind, std::string_view name) const {
  if (program.buffers())
    for (const fb::Buffer *buffer : *program.buffers())
      if (buffer->kind() == kind &&
          std::string_view(buffer->name()->data(), buffer->name()->size()) == name)
        return buffer;
  return nullptr;
}

absl::StatusOr<std::unique_ptr<Executor>> Executor::prepare(const fb::Program &program,
                                                            KernelLibraries libraries,
                                                            std::unique_ptr<Device> device,
                                                            World &world) {
  if (static_cast<int64_t>(program.ranks()) != world.getSize())
    return absl::FailedPreconditionError(absl::StrCat(
        "the plan is for ", program.ranks(), " ranks, but ", world.getSize(), " were started"));
  std::unique_ptr<Executor> executor(
      new Executor(program, std::move(libraries), std::move(device), world));
  PLANWRIGHT_ASSIGN_OR_RETURN(executor->subprograms,
                              resolveSubprograms(program, executor->libraries, *executor->device));
  size_t numTasks = program.tasks() ? program.tasks()->size() : 0;
  while (executor->firstUpdateTask < numTasks &&
         program.tasks()->Get(executor->firstUpdateTask)->kind() != fb::TaskKind::update)
    ++executor->firstUpdateTask;
  executor->loss = executor->findBuffer(fb::BufferKind::loss, "loss");
  executor->learningRate = executor->findBuffer(fb::BufferKind::scalar, "learning_rate");
  executor->gradientNorm = executor->findBuffer(fb::BufferKind::scalar, "grad_norm");
  executor->stepScalar = executor->findBuffer(fb::BufferKind::scalar, "step");
  executor->microBatchScalar = executor->findBuffer(fb::BufferKind::scalar, "mb");
  return executor;
}

absl::Status Executor::createCommunicators() {
  if (!program.communicators())
    return absl::OkStatus();
  Mesh mesh(program);
  for (const fb::Communicator *communicator : *program.communicators()) {
    std::vector<int> group = mesh.getGroup(toSpan(communicator->axes()), world.getRank());
    PLANWRIGHT_ASSIGN_OR_RETURN(std::unique_ptr<Communicator> created,
                                world.createGroup(std::move(group)));
    communicators.push_back(std::move(created));
  }
  return absl::OkStatus();
}

absl::Status Executor::initialize() {
  PLANWRIGHT_ASSIGN_OR_RETURN(context.arena, device->allocate(program.arena_bytes()));
  PLANWRIGHT_RETURN_IF_ERROR(world.registerMemory(context.arena, program.arena_bytes()));
  PLANWRIGHT_RETURN_IF_ERROR(createCommunicators());
  context.device = device.get();
  context.communicators = &communicators;
  context.operands.resize(getMaxOperands(program));
  context.coordinates = Mesh(program).getCoordinates(world.getRank());
  if (!program.buffers())
    return absl::OkStatus();
  for (const fb::Buffer *buffer : *program.buffers()) {
    auto literal = toSpan(buffer->data());
    if (buffer->kind() == fb::BufferKind::literal && !literal.empty())
      std::memcpy(getBytes(*buffer).data(), literal.data(), literal.size());
  }
  for (size_t i = 0; i < context.coordinates.size(); ++i)
    writeScalar(findBuffer(fb::BufferKind::scalar,
                           absl::StrCat("axis/", program.axes()->Get(i)->name()->str())),
                context.coordinates[i]);
  return absl::OkStatus();
}

std::span<std::byte> Executor::getBytes(const fb::Buffer &buffer) const {
  return {context.arena + buffer.offset(), static_cast<size_t>(buffer.size_bytes())};
}

void Executor::writeScalar(const fb::Buffer *buffer, int64_t value) {
  if (buffer)
    std::memcpy(context.arena + buffer->offset(), &value, sizeof(value));
}

std::optional<double> Executor::readScalar(const fb::Buffer *buffer) const {
  if (!buffer)
    return std::nullopt;
  const std::byte *bytes = context.arena + buffer->offset();
  if (buffer->element_type() == fb::ElementType::f64) {
    double value;
    std::memcpy(&value, bytes, sizeof(value));
    return value;
  }
  float value;
  std::memcpy(&value, bytes, sizeof(value));
  return value;
}

absl::Status Executor::runInstruction(const ResolvedInstruction &instruction,
                                      const fb::Task &task) {
  for (uint32_t event : instruction.waits)
    PLANWRIGHT_RETURN_IF_ERROR(device->wait(instruction.stream, event));
  if (observer) {
    auto begin = InstructionObserver::Clock::now();
    PLANWRIGHT_RETURN_IF_ERROR(instruction.action->run(context, instruction.stream));
    PLANWRIGHT_RETURN_IF_ERROR(device->synchronize());
    observer->observe(instruction.info, task, begin, InstructionObserver::Clock::now());
  } else {
    PLANWRIGHT_RETURN_IF_ERROR(instruction.action->run(context, instruction.stream));
  }
  if (instruction.record >= 0)
    return device->record(instruction.stream, static_cast<uint32_t>(instruction.record));
  return absl::OkStatus();
}

absl::Status Executor::runTask(int64_t step, size_t taskIndex) {
  const fb::Task &task = *program.tasks()->Get(static_cast<flatbuffers::uoffset_t>(taskIndex));
  place.enterTask(step, taskIndex);
  bool hasBases = task.bases() && task.bases()->size() != 0;
  context.bases = hasBases ? task.bases()->data() : noBases;
  if (task.micro_batch() >= 0)
    writeScalar(microBatchScalar, task.micro_batch());
  const ResolvedSubprogram &subprogram = subprograms[task.subprogram()];
  for (size_t i = 0; i < subprogram.instructions.size(); ++i) {
    place.enterInstruction(i);
    PLANWRIGHT_RETURN_IF_ERROR(runInstruction(subprogram.instructions[i], task));
  }
  return absl::OkStatus();
}

const InstructionInfo *Executor::findInstruction(const Place &place) const {
  if (place.instruction < 0)
    return nullptr;
  uint32_t subprogram = program.tasks()->Get(place.task)->subprogram();
  return &subprograms[subprogram].instructions[static_cast<size_t>(place.instruction)].info;
}

std::string Executor::describe(const Place &place) const {
  const InstructionInfo *instruction = findInstruction(place);
  std::string step = absl::StrCat("step ", place.step);
  if (!instruction)
    return place.task == 0 ? absl::StrCat(step, ", before its first task")
                           : absl::StrCat(step, ", before task ", place.task);
  const fb::Task &task = *program.tasks()->Get(place.task);
  std::string microBatch =
      task.micro_batch() >= 0 ? absl::StrCat(", micro-batch ", task.micro_batch()) : std::string();
  return absl::StrCat(step, ", task ", place.task, " (", fb::EnumNameTaskKind(task.kind()),
                      microBatch, "), instruction ", place.instruction, " (", instruction->label,
                      ")");
}

std::vector<int> Executor::getGroup(const Place &place) const {
  const InstructionInfo *instruction = findInstruction(place);
  if (!instruction || instruction->communicator < 0)
    return {};
  auto index = static_cast<flatbuffers::uoffset_t>(instruction->communicator);
  const fb::Communicator &communicator = *program.communicators()->Get(index);
  return Mesh(program).getGroup(toSpan(communicator.axes()), world.getRank());
}

absl::Status Executor::runTasks(int64_t step, size_t begin, size_t end) {
  absl::Status status;
  for (size_t i = begin; i < end && status.ok(); ++i)
    status = runTask(step, i);
  if (status.ok())
    status = device->synchronize();
  if (!status.ok())
    return annotate(status, describe(getPlace()));
  bool isStepDone = !program.tasks() || end == program.tasks()->size();
  place.enterTask(isStepDone ? step + 1 : step, isStepDone ? 0 : end);
  return absl::OkStatus();
}

absl::Status Executor::runUntilUpdate(int64_t step) {
  writeScalar(stepScalar, step + 1);
  return runTasks(step, 0, firstUpdateTask);
}

absl::Status Executor::runFromUpdate(int64_t step) {
  return runTasks(step, firstUpdateTask, program.tasks() ? program.tasks()->size() : 0);
}

absl::Status Executor::runStep(int64_t step) {
  PLANWRIGHT_RETURN_IF_ERROR(runUntilUpdate(step));
  return runFromUpdate(step);
}

} // namespace planwright::rt
