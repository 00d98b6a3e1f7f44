// Ranks as processes that talk TCP through Gloo. Gloo's headers and exceptions end in this folder.

#ifndef PLANWRIGHT_RUNTIME_COMM_GLOO_GLOOWORLD_H
#define PLANWRIGHT_RUNTIME_COMM_GLOO_GLOOWORLD_H

#include "runtime/Comm/Communicator.h"

#include <chrono>
#include <string>

namespace planwright::rt {

/// Where ranks leave their addresses for each other.
class KeyValueStore {
public:
  virtual ~KeyValueStore() = default;
  virtual absl::Status set(const std::string &key, const std::string &value) = 0;
  /// Waits until `key` has been set.
  virtual absl::StatusOr<std::string> get(const std::string &key) = 0;
};

struct GlooOptions {
  int rank = 0;
  int size = 1;
  std::string address = "127.0.0.1"; // Of this machine, as the other ranks reach it.
  std::chrono::milliseconds timeout = std::chrono::minutes(10); // Of one message.
};

/// Connects to all other ranks. `store` is used only during this call. An error of a message that
/// says that the other side is gone is kAborted: most likely that rank has the better story to
/// tell.
absl::StatusOr<std::unique_ptr<World>> createGlooWorld(const GlooOptions &options,
                                                       KeyValueStore &store);

} // namespace planwright::rt

#endif // PLANWRIGHT_RUNTIME_COMM_GLOO_GLOOWORLD_H
