// What computes: memory and the five actions that need no other rank. Collectives are the
// communicator's.
//
// A back end is this class filled: copy Device/Null and go on from there. All memory comes from
// `allocate` before the first action; an action allocates nothing, looks nothing up and returns
// when its work is queued (Host: done).

#ifndef PLANWRIGHT_RUNTIME_DEVICE_DEVICE_H
#define PLANWRIGHT_RUNTIME_DEVICE_DEVICE_H

#include "absl/status/status.h"
#include "absl/status/statusor.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace planwright::rt {

/// Work items [low, high) of [0, count) on operands.
using KernelFunction = void (*)(void *const *operands, int64_t low, int64_t high);

/// One kernel call with addresses resolved.
struct LaunchAction {
  KernelFunction function = nullptr;
  void *const *operands = nullptr;
  int64_t count = 0;
  int64_t grain = 1; // Chunks start at its multiples.
};

struct GemmLoopShape {
  int64_t extent = 1;
  int64_t aStride = 0; // Elements.
  int64_t bStride = 0;
  int64_t cStride = 0; // 0: a reduction loop.
};

/// A contraction without its addresses. Meaning as in the schema's Gemm.
struct GemmShape {
  bool isDouble = false;
  int64_t m = 1, n = 1, k = 1;
  int64_t aMStride = 1, aKStride = 1;
  int64_t bKStride = 1, bNStride = 1;
  int64_t cMStride = 1, cNStride = 1;
  std::vector<GemmLoopShape> loops; // Outermost first, reduction loops last.
  bool accumulate = false;
};

/// What a device makes of a shape before the run: how it is cut, which algorithm.
class PreparedGemm {
public:
  virtual ~PreparedGemm() = default;
};

struct CopyLoopShape {
  int64_t extent = 1;
  int64_t sourceStride = 0; // Bytes.
  int64_t destinationStride = 0;
};

/// `bytes` bytes for each iteration of `loops`, outermost first.
struct StridedCopyShape {
  std::vector<CopyLoopShape> loops;
  int64_t bytes = 0;
};

class Device {
public:
  virtual ~Device() = default;

  /// "host", "null".
  virtual const char *getName() const = 0;

  /// The arena: `bytes` of zeros, 64-byte aligned, owned by the device. Called once.
  virtual absl::StatusOr<std::byte *> allocate(size_t bytes) = 0;

  virtual std::unique_ptr<PreparedGemm> prepareGemm(const GemmShape &shape) = 0;

  virtual absl::Status launch(int stream, const LaunchAction &action) = 0;
  virtual absl::Status gemm(int stream, const PreparedGemm &prepared, const void *a, const void *b,
                            void *c) = 0;
  virtual absl::Status copy(int stream, void *destination, const void *source, size_t bytes) = 0;
  /// Source and destination do not overlap.
  virtual absl::Status stridedCopy(int stream, const StridedCopyShape &shape, void *destination,
                                   const void *source) = 0;
  virtual absl::Status zero(int stream, void *destination, size_t bytes) = 0;

  /// Marks this point of `stream` as `event`.
  virtual absl::Status record(int stream, uint32_t event) = 0;
  /// Nothing after this on `stream` starts before `event` was reached.
  virtual absl::Status wait(int stream, uint32_t event) = 0;

  /// Returns when everything is done.
  virtual absl::Status synchronize() = 0;
};

/// This machine's CPU with `threads` threads, the calling one among them. Actions run in the order
/// of the calls, whatever their stream, so events need no work.
std::unique_ptr<Device> createHostDevice(int threads);

/// Allocates address space and does nothing else.
std::unique_ptr<Device> createNullDevice();

} // namespace planwright::rt

#endif // PLANWRIGHT_RUNTIME_DEVICE_DEVICE_H
