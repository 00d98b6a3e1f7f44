// The CPU as a device: one arena, one pool of threads.

#include "runtime/Device/Device.h"
#include "runtime/Device/Host/Arena.h"
#include "runtime/Device/Host/Gemm.h"
#include "runtime/Device/Host/ThreadPool.h"

#include <algorithm>
#include <cblas.h>
#include <cstring>

namespace planwright::rt {

namespace {

/// Pieces in which long copies and zeros are dealt to threads.
constexpr int64_t copyGrain = 256 << 10;

struct GemmContext {
  const HostGemm &gemm;
  const void *a;
  const void *b;
  void *c;
};

struct StridedCopyContext {
  const StridedCopyShape &shape;
  std::byte *destination;
  const std::byte *source;
};

struct CopyContext {
  std::byte *destination;
  const std::byte *source; // Null: zeros.
};

class HostDevice : public Device {
public:
  explicit HostDevice(int threads) : pool(threads) {}

  const char *getName() const override { return "host"; }
  absl::StatusOr<std::byte *> allocate(size_t bytes) override;
  std::unique_ptr<PreparedGemm> prepareGemm(const GemmShape &shape) override {
    return std::make_unique<HostGemm>(shape);
  }
  absl::Status launch(int, const LaunchAction &action) override;
  absl::Status gemm(int, const PreparedGemm &prepared, const void *a, const void *b,
                    void *c) override;
  absl::Status copy(int, void *destination, const void *source, size_t bytes) override;
  absl::Status stridedCopy(int, const StridedCopyShape &shape, void *destination,
                           const void *source) override;
  absl::Status zero(int, void *destination, size_t bytes) override;
  absl::Status record(int, uint32_t) override { return absl::OkStatus(); }
  absl::Status wait(int, uint32_t) override { return absl::OkStatus(); }
  absl::Status synchronize() override { return absl::OkStatus(); }

private:
  Arena arena;
  ThreadPool pool;
};

} // namespace

absl::StatusOr<std::byte *> HostDevice::allocate(size_t bytes) {
  absl::StatusOr<Arena> created = Arena::create(bytes, /*prefault=*/true);
  if (!created.ok())
    return created.status();
  arena = std::move(*created);
  return arena.getData();
}

absl::Status HostDevice::launch(int, const LaunchAction &action) {
  pool.run(
      [](const void *context, int64_t low, int64_t high) {
        const auto &launch = *static_cast<const LaunchAction *>(context);
        launch.function(launch.operands, low, high);
      },
      &action, action.count, action.grain);
  return absl::OkStatus();
}

absl::Status HostDevice::gemm(int, const PreparedGemm &prepared, const void *a, const void *b,
                              void *c) {
  GemmContext context = {static_cast<const HostGemm &>(prepared), a, b, c};
  pool.run(
      [](const void *opaque, int64_t low, int64_t high) {
        const auto &context = *static_cast<const GemmContext *>(opaque);
        for (int64_t task = low; task < high; ++task)
          context.gemm.runTask(task, context.a, context.b, context.c);
      },
      &context, context.gemm.getNumTasks(), 1);
  return absl::OkStatus();
}

static void copyPiece(const void *opaque, int64_t low, int64_t high) {
  const auto &context = *static_cast<const CopyContext *>(opaque);
  if (context.source)
    std::memcpy(context.destination + low, context.source + low, high - low);
  else
    std::memset(context.destination + low, 0, high - low);
}

absl::Status HostDevice::copy(int, void *destination, const void *source, size_t bytes) {
  auto *to = static_cast<std::byte *>(destination);
  const auto *from = static_cast<const std::byte *>(source);
  // Pieces of overlapping ranges must not run at the same time.
  if (to < from + bytes && from < to + bytes) {
    std::memmove(to, from, bytes);
    return absl::OkStatus();
  }
  CopyContext context = {to, from};
  pool.run(copyPiece, &context, static_cast<int64_t>(bytes), copyGrain);
  return absl::OkStatus();
}

/// Iterations [low, high) of all loops together, the innermost one fastest.
static void copyIterations(const void *opaque, int64_t low, int64_t high) {
  const auto &context = *static_cast<const StridedCopyContext *>(opaque);
  const std::vector<CopyLoopShape> &loops = context.shape.loops;
  for (int64_t iteration = low; iteration < high; ++iteration) {
    int64_t rest = iteration, source = 0, destination = 0;
    for (size_t i = loops.size(); i-- > 0;) {
      int64_t index = rest % loops[i].extent;
      rest /= loops[i].extent;
      source += index * loops[i].sourceStride;
      destination += index * loops[i].destinationStride;
    }
    std::memcpy(context.destination + destination, context.source + source, context.shape.bytes);
  }
}

absl::Status HostDevice::stridedCopy(int, const StridedCopyShape &shape, void *destination,
                                     const void *source) {
  StridedCopyContext context = {shape, static_cast<std::byte *>(destination),
                                static_cast<const std::byte *>(source)};
  int64_t iterations = 1;
  for (const CopyLoopShape &loop : shape.loops)
    iterations *= loop.extent;
  int64_t grain = std::max<int64_t>(copyGrain / std::max<int64_t>(shape.bytes, 1), 1);
  pool.run(copyIterations, &context, iterations, grain);
  return absl::OkStatus();
}

absl::Status HostDevice::zero(int, void *destination, size_t bytes) {
  CopyContext context = {static_cast<std::byte *>(destination), nullptr};
  pool.run(copyPiece, &context, static_cast<int64_t>(bytes), copyGrain);
  return absl::OkStatus();
}

std::unique_ptr<Device> createHostDevice(int threads) {
  // Threads are ours: the BLAS works in whoever calls it.
  openblas_set_num_threads(1);
  return std::make_unique<HostDevice>(std::max(threads, 1));
}

} // namespace planwright::rt
