// The least that a transport must do to carry our collectives: start sends and receives, wait for
// all of them.

#ifndef PLANWRIGHT_RUNTIME_COMM_WIRE_H
#define PLANWRIGHT_RUNTIME_COMM_WIRE_H

#include "runtime/Comm/Communicator.h"

namespace planwright::rt {

/// One rank's end. Used by one thread at a time, but for `abort`. Messages between two ranks match
/// by tag; both sides name the same number of bytes.
class Wire {
public:
  virtual ~Wire() = default;

  virtual int getRank() const = 0;
  virtual int getSize() const = 0;

  /// Memory in which messages will begin and end; a transport that does not care does nothing.
  virtual absl::Status registerMemory(void *data, size_t bytes) = 0;

  virtual absl::Status send(int destination, uint64_t tag, const void *data, size_t bytes) = 0;
  virtual absl::Status receive(int source, uint64_t tag, void *data, size_t bytes) = 0;

  /// Returns when every send and receive started before has ended.
  virtual absl::Status wait() = 0;

  /// Ends `wait`, now and later, with `status`.
  virtual void abort(const absl::Status &status) = 0;
};

/// A world whose collectives run on `wire`. Every exchange is direct (each rank talks to each other
/// one of its group), in segments so that the scratch memory stays small.
std::unique_ptr<World> createWorld(std::unique_ptr<Wire> wire);

} // namespace planwright::rt

#endif // PLANWRIGHT_RUNTIME_COMM_WIRE_H
