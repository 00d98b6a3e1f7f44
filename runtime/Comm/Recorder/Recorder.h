// A world that moves nothing and remembers every call, and the proof that all ranks' calls fit
// together.
//
//   Recording recording(4);
//   ... run one executor per rank on createRecorderWorld(recording, rank), one after the other ...
//   status = recording.verify();

#ifndef PLANWRIGHT_RUNTIME_COMM_RECORDER_RECORDER_H
#define PLANWRIGHT_RUNTIME_COMM_RECORDER_RECORDER_H

#include "runtime/Comm/Communicator.h"

#include <string>

namespace planwright::rt {

/// One collective as a rank issued it.
struct RecordedCall {
  fb::CollectiveKind kind;
  fb::Reduction reduction;
  fb::ElementType type;
  size_t count;
  std::vector<int> ranks; // The group.

  /// Such as "all_reduce(sum, 128 x f32) among ranks 0, 1".
  std::string describe() const;
  bool operator==(const RecordedCall &) const = default;
};

/// The calls of all ranks, in the order of each.
class Recording {
public:
  explicit Recording(int ranks) : calls(ranks) {}

  std::vector<std::vector<RecordedCall>> calls;

  /// OK if running all ranks at once would end: whenever ranks of a group meet, they issue the same
  /// call. The error names two ranks, how many calls each had done, and what each wanted.
  absl::Status verify() const;
};

/// `recording` outlives the world. Destinations are left as they are.
std::unique_ptr<World> createRecorderWorld(Recording &recording, int rank);

} // namespace planwright::rt

#endif // PLANWRIGHT_RUNTIME_COMM_RECORDER_RECORDER_H
