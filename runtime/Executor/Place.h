// Where a rank is in its job, for messages and for whoever watches that it moves.

#ifndef PLANWRIGHT_RUNTIME_EXECUTOR_PLACE_H
#define PLANWRIGHT_RUNTIME_EXECUTOR_PLACE_H

#include <atomic>
#include <compare>
#include <cstdint>

namespace planwright::rt {

/// Places are ordered as a rank passes them.
struct Place {
  int64_t step = 0;
  uint32_t task = 0;
  int32_t instruction = -1; // Of the task's subprogram; -1: before the first one.

  friend auto operator<=>(const Place &, const Place &) = default;
};

/// Written by the thread that runs instructions, read by any. Entering an instruction costs one
/// store without a fence; a reader may see it a moment later.
class PublishedPlace {
public:
  /// Before the first instruction of a task.
  void enterTask(int64_t newStep, size_t task) {
    step.store(newStep, std::memory_order_relaxed);
    taskBits = static_cast<uint64_t>(task) << 32;
    inside.store(taskBits, std::memory_order_relaxed);
  }

  void enterInstruction(size_t instruction) {
    inside.store(taskBits | (instruction + 1), std::memory_order_relaxed);
  }

  Place get() const {
    uint64_t bits = inside.load(std::memory_order_relaxed);
    return {step.load(std::memory_order_relaxed), static_cast<uint32_t>(bits >> 32),
            static_cast<int32_t>(bits & 0xffffffff) - 1};
  }

private:
  uint64_t taskBits = 0; // Of the writing thread only.
  std::atomic<int64_t> step = 0;
  std::atomic<uint64_t> inside = 0; // Task in the upper half, instruction + 1 in the lower.
};

} // namespace planwright::rt

#endif // PLANWRIGHT_RUNTIME_EXECUTOR_PLACE_H
