// Collectives among one group of ranks, and the world that groups are made from. Who is in a group
// and in which order collectives come was decided by the compiler; nothing here chooses.
//
//   std::unique_ptr<World> world = ...;                     // one per rank: InProcess, Gloo or
//   Recorder auto group = world->createGroup({1, 3});                // the same call on ranks 1
//   and 3 status = (*group)->allReduce(x, x, 128, fb::ElementType::f32, fb::Reduction::sum);
//
// All members call the same collectives in the same order. Results have the same bits on all
// members and for every implementation: sums are formed in the order of the group's ranks.

#ifndef PLANWRIGHT_RUNTIME_COMM_COMMUNICATOR_H
#define PLANWRIGHT_RUNTIME_COMM_COMMUNICATOR_H

#include "runtime/Format/program_generated.h"

#include "absl/status/status.h"
#include "absl/status/statusor.h"

#include <cstddef>
#include <memory>
#include <vector>

namespace planwright::rt {

class Communicator {
public:
  virtual ~Communicator() = default;

  /// This rank's place in the group, and the group's size.
  virtual int getRank() const = 0;
  virtual int getSize() const = 0;

  /// `count` is in elements of the source on one rank, as in the schema's Collective.
  ///
  ///     collective      source on rank r        destination on rank r      (3 ranks)
  ///     allReduce       r                       0+1+2
  ///     allGather       r                       0 1 2
  ///     reduceScatter   r0 r1 r2                0r+1r+2r
  ///     allToAll        r0 r1 r2                0r 1r 2r
  ///     broadcast       r                       0
  virtual absl::Status allReduce(void *destination, const void *source, size_t count,
                                 fb::ElementType type, fb::Reduction reduction) = 0;
  virtual absl::Status allGather(void *destination, const void *source, size_t count,
                                 fb::ElementType type) = 0;
  virtual absl::Status reduceScatter(void *destination, const void *source, size_t count,
                                     fb::ElementType type, fb::Reduction reduction) = 0;
  virtual absl::Status allToAll(void *destination, const void *source, size_t count,
                                fb::ElementType type) = 0;
  virtual absl::Status broadcast(void *destination, const void *source, size_t count,
                                 fb::ElementType type) = 0;
};

/// All ranks of a job as one of them sees it.
class World {
public:
  virtual ~World() = default;

  virtual int getRank() const = 0;
  virtual int getSize() const = 0;

  /// Memory that collectives will read and write; called before the first group is made.
  virtual absl::Status registerMemory(void *data, size_t bytes) = 0;

  /// A communicator among `ranks` (ascending, this rank among them). All members call this in the
  /// same order.
  virtual absl::StatusOr<std::unique_ptr<Communicator>> createGroup(std::vector<int> ranks) = 0;

  /// Bytes that communication holds beside the arena.
  virtual size_t getScratchBytes() const = 0;

  /// Outside of steps: hand a buffer to another rank. Any memory; both return when the bytes have
  /// moved.
  virtual absl::Status send(int destination, const void *data, size_t bytes) = 0;
  virtual absl::Status receive(int source, void *data, size_t bytes) = 0;

  /// Outside of steps: returns when all ranks have called it.
  virtual absl::Status barrier() = 0;

  /// Ends every call, now and later, with `status`. From any thread.
  virtual void abort(const absl::Status &status) = 0;
};

} // namespace planwright::rt

#endif // PLANWRIGHT_RUNTIME_COMM_COMMUNICATOR_H
