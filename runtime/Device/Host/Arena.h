// One mapping that holds everything a rank computes with.

#ifndef PLANWRIGHT_RUNTIME_DEVICE_HOST_ARENA_H
#define PLANWRIGHT_RUNTIME_DEVICE_HOST_ARENA_H

#include "absl/status/statusor.h"

#include <cstddef>

namespace planwright::rt {

/// Zeroed, page-aligned memory. Move-only; unmaps on destruction.
class Arena {
public:
  /// `prefault` maps every page now, so that no step pays for it.
  static absl::StatusOr<Arena> create(size_t bytes, bool prefault);

  Arena() = default;
  Arena(Arena &&other) noexcept;
  Arena &operator=(Arena &&other) noexcept;
  ~Arena();

  std::byte *getData() const { return data; }

private:
  std::byte *data = nullptr;
  size_t size = 0;
};

} // namespace planwright::rt

#endif // PLANWRIGHT_RUNTIME_DEVICE_HOST_ARENA_H
