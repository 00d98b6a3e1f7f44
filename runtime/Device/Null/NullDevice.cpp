// A device that does nothing: what is left of a step is the executor. Also the template for the
// next back end.

#include "runtime/Device/Device.h"
#include "runtime/Device/Host/Arena.h"

namespace planwright::rt {

namespace {

class NullDevice : public Device {
public:
  const char *getName() const override { return "null"; }
  absl::StatusOr<std::byte *> allocate(size_t bytes) override;
  std::unique_ptr<PreparedGemm> prepareGemm(const GemmShape &) override {
    return std::make_unique<PreparedGemm>();
  }
  absl::Status launch(int, const LaunchAction &) override { return absl::OkStatus(); }
  absl::Status gemm(int, const PreparedGemm &, const void *, const void *, void *) override {
    return absl::OkStatus();
  }
  absl::Status copy(int, void *, const void *, size_t) override { return absl::OkStatus(); }
  absl::Status stridedCopy(int, const StridedCopyShape &, void *, const void *) override {
    return absl::OkStatus();
  }
  absl::Status zero(int, void *, size_t) override { return absl::OkStatus(); }
  absl::Status record(int, uint32_t) override { return absl::OkStatus(); }
  absl::Status wait(int, uint32_t) override { return absl::OkStatus(); }
  absl::Status synchronize() override { return absl::OkStatus(); }

private:
  Arena arena;
};

} // namespace

absl::StatusOr<std::byte *> NullDevice::allocate(size_t bytes) {
  // Address space only: no page is touched unless the caller touches it.
  absl::StatusOr<Arena> created = Arena::create(bytes, /*prefault=*/false);
  if (!created.ok())
    return created.status();
  arena = std::move(*created);
  return arena.getData();
}

std::unique_ptr<Device> createNullDevice() { return std::make_unique<NullDevice>(); }

} // namespace planwright::rt
