// The plan loader: bytes that the verifier accepts must be safe to prepare and to run. A device
// that touches the first and last byte of everything stands in for real work, on a heap block that
// AddressSanitizer fences.

#include "runtime/Comm/Recorder/Recorder.h"
#include "runtime/Data/Slice.h"
#include "runtime/Executor/Executor.h"
#include "runtime/Format/Plan.h"

using namespace planwright::rt;

namespace {

/// Larger programs are verified but not run.
constexpr uint64_t maxArena = 1 << 20;
constexpr uint64_t maxInstructions = 10'000;

struct TouchedGemm : PreparedGemm {
  explicit TouchedGemm(const GemmShape &shape) : shape(shape) {}
  GemmShape shape;
};

class TouchingDevice : public Device {
public:
  const char *getName() const override { return "touching"; }
  absl::StatusOr<std::byte *> allocate(size_t bytes) override {
    arena = std::make_unique<std::byte[]>(bytes);
    return arena.get();
  }
  std::unique_ptr<PreparedGemm> prepareGemm(const GemmShape &shape) override {
    return std::make_unique<TouchedGemm>(shape);
  }
  absl::Status launch(int, const LaunchAction &) override { return absl::OkStatus(); }
  absl::Status gemm(int, const PreparedGemm &prepared, const void *a, const void *b,
                    void *c) override {
    const GemmShape &shape = static_cast<const TouchedGemm &>(prepared).shape;
    int64_t lastA = (shape.m - 1) * shape.aMStride + (shape.k - 1) * shape.aKStride;
    int64_t lastB = (shape.k - 1) * shape.bKStride + (shape.n - 1) * shape.bNStride;
    int64_t lastC = (shape.m - 1) * shape.cMStride + (shape.n - 1) * shape.cNStride;
    for (const GemmLoopShape &loop : shape.loops) {
      lastA += (loop.extent - 1) * loop.aStride;
      lastB += (loop.extent - 1) * loop.bStride;
      lastC += (loop.extent - 1) * loop.cStride;
    }
    size_t size = shape.isDouble ? 8 : 4;
    touch(a, (lastA + 1) * size);
    touch(b, (lastB + 1) * size);
    touch(c, (lastC + 1) * size);
    return absl::OkStatus();
  }
  absl::Status copy(int, void *destination, const void *source, size_t bytes) override {
    touch(destination, bytes);
    touch(source, bytes);
    return absl::OkStatus();
  }
  absl::Status stridedCopy(int, const StridedCopyShape &shape, void *destination,
                           const void *source) override {
    int64_t lastSource = 0, lastDestination = 0;
    for (const CopyLoopShape &loop : shape.loops) {
      lastSource += (loop.extent - 1) * loop.sourceStride;
      lastDestination += (loop.extent - 1) * loop.destinationStride;
    }
    touch(source, lastSource + shape.bytes);
    touch(destination, lastDestination + shape.bytes);
    return absl::OkStatus();
  }
  absl::Status zero(int, void *destination, size_t bytes) override {
    touch(destination, bytes);
    return absl::OkStatus();
  }
  absl::Status record(int, uint32_t) override { return absl::OkStatus(); }
  absl::Status wait(int, uint32_t) override { return absl::OkStatus(); }
  absl::Status synchronize() override { return absl::OkStatus(); }

private:
  static void touch(const void *data, size_t bytes) {
    if (bytes == 0)
      return;
    const auto *first = static_cast<const volatile std::byte *>(data);
    (void)first[0];
    (void)first[bytes - 1];
  }

  std::unique_ptr<std::byte[]> arena;
};

} // namespace

static void noKernel(void *const *, int64_t, int64_t) {}

static uint64_t countInstructions(const fb::Program &program) {
  uint64_t count = 0;
  if (program.tasks())
    for (const fb::Task *task : *program.tasks()) {
      auto *instructions = program.subprograms()->Get(task->subprogram())->instructions();
      count += instructions ? instructions->size() : 0;
    }
  return count;
}

static void run(const fb::Program &program) {
  Recording recording(static_cast<int>(program.ranks()));
  auto world = createRecorderWorld(recording, static_cast<int>(program.ranks()) - 1);
  std::vector<KernelFunction> kernels(program.kernels() ? program.kernels()->size() : 0, noKernel);
  auto executor = Executor::prepare(program, KernelLibraries::fromFunctions(std::move(kernels)),
                                    std::make_unique<TouchingDevice>(), *world);
  if (executor.ok() && (*executor)->initialize().ok()) {
    (void)(*executor)->runStep(0);
    (void)(*executor)->readLoss();
  }
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  // The loader's own buffer is aligned, libFuzzer's may not be.
  std::vector<std::byte> bytes(reinterpret_cast<const std::byte *>(data),
                               reinterpret_cast<const std::byte *>(data) + size);
  auto program = parseProgram(bytes);
  if (!program.ok())
    return 0;
  if ((*program)->buffers())
    for (const fb::Buffer *buffer : *(*program)->buffers())
      (void)getBox(**program, *buffer, (*program)->ranks() - 1,
                   getMicroBatchCount(**program, *buffer) - 1);
  if ((*program)->arena_bytes() <= maxArena && (*program)->ranks() <= 64 &&
      countInstructions(**program) <= maxInstructions)
    run(**program);
  return 0;
}
