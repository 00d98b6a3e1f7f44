// Runs the program of one rank. Prepare counts and resolves, initialize gets all memory, then a
// step walks the list: no allocation, no lookup by name, no choice.
//
//   auto executor = Executor::prepare(plan.getProgram(), std::move(libraries), createHostDevice(2),
//   *world); status = (*executor)->initialize();
//   ... fill parameters and inputs through getBytes ...
//   status = (*executor)->runStep(0);
//   double loss = *(*executor)->readLoss();
//
// Steps count from 0 here, in files and in messages; the program's scalar "step" counts from 1, as
// optimizers do.

#ifndef PLANWRIGHT_RUNTIME_EXECUTOR_EXECUTOR_H
#define PLANWRIGHT_RUNTIME_EXECUTOR_EXECUTOR_H

#include "runtime/Comm/Communicator.h"
#include "runtime/Device/Device.h"
#include "runtime/Executor/KernelLibraries.h"
#include "runtime/Executor/Place.h"
#include "runtime/Executor/Resolve.h"
#include "runtime/Format/Mesh.h"

#include <chrono>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace planwright::rt {

/// Sees every instruction that has run; for profiles and traces. Without one the executor takes no
/// times.
class InstructionObserver {
public:
  using Clock = std::chrono::steady_clock;
  virtual ~InstructionObserver() = default;
  virtual void observe(const InstructionInfo &info, const fb::Task &task, Clock::time_point begin,
                       Clock::time_point end) = 0;
};

class Executor {
public:
  /// `program` (verified) and `world` outlive the executor.
  static absl::StatusOr<std::unique_ptr<Executor>> prepare(const fb::Program &program,
                                                           KernelLibraries libraries,
                                                           std::unique_ptr<Device> device,
                                                           World &world);

  /// The arena, communicators, literals and the rank's own scalars.
  absl::Status initialize();

  /// One whole step: all tasks in order.
  absl::Status runStep(int64_t step);

  /// The two halves of runStep, for who wants to see gradients: all before the first update task,
  /// and the rest.
  absl::Status runUntilUpdate(int64_t step);
  absl::Status runFromUpdate(int64_t step);

  /// The arena after initialize, and the bytes of a buffer in it.
  std::byte *getArena() const { return context.arena; }
  std::span<std::byte> getBytes(const fb::Buffer &buffer) const;

  /// The buffer of this kind and name, or null.
  const fb::Buffer *findBuffer(fb::BufferKind kind, std::string_view name) const;

  /// Values that the last step left; absent where the program has no such buffer.
  std::optional<double> readLoss() const { return readScalar(loss); }
  std::optional<double> readLearningRate() const { return readScalar(learningRate); }
  std::optional<double> readGradientNorm() const { return readScalar(gradientNorm); }

  const fb::Program &getProgram() const { return program; }
  World &getWorld() const { return world; }

  /// Where this rank is now. This and the next three may be called from any thread.
  Place getPlace() const { return place.get(); }

  /// "step 3, task 1 (forward, micro-batch 0), instruction 17 (all_reduce loss.mlir:88)".
  std::string describe(const Place &place) const;

  /// The instruction at a place; null between tasks.
  const InstructionInfo *findInstruction(const Place &place) const;

  /// The ranks that run the collective at a place together; nobody if there is none.
  std::vector<int> getGroup(const Place &place) const;

  /// Null stops observing.
  void setObserver(InstructionObserver *newObserver) { observer = newObserver; }

private:
  Executor(const fb::Program &program, KernelLibraries libraries, std::unique_ptr<Device> device,
           World &world)
      : program(program), libraries(std::move(libraries)), device(std::move(device)), world(world) {
  }

  absl::Status createCommunicators();
  absl::Status runTasks(int64_t step, size_t begin, size_t end);
  absl::Status runTask(int64_t step, size_t taskIndex);
  absl::Status runInstruction(const ResolvedInstruction &instruction, const fb::Task &task);
  std::optional<double> readScalar(const fb::Buffer *buffer) const;
  void writeScalar(const fb::Buffer *buffer, int64_t value);

  const fb::Program &program;
  KernelLibraries libraries;
  std::unique_ptr<Device> device;
  World &world;

  std::vector<ResolvedSubprogram> subprograms;
  std::vector<std::unique_ptr<Communicator>> communicators;
  ActionContext context;
  size_t firstUpdateTask = 0;
  PublishedPlace place;
  InstructionObserver *observer = nullptr;

  const fb::Buffer *loss = nullptr;
  const fb::Buffer *learningRate = nullptr;
  const fb::Buffer *gradientNorm = nullptr;
  const fb::Buffer *stepScalar = nullptr;
  const fb::Buffer *microBatchScalar = nullptr;
};

} // namespace planwright::rt

#endif // PLANWRIGHT_RUNTIME_EXECUTOR_EXECUTOR_H
