// Recording collectives and replaying them without data.

#include "runtime/Comm/Recorder/Recorder.h"

#include "runtime/Format/StatusMacros.h"

#include "absl/strings/str_join.h"

#include <algorithm>

namespace planwright::rt {

namespace {

class RecorderCommunicator : public Communicator {
public:
  RecorderCommunicator(std::vector<RecordedCall> &calls, std::vector<int> ranks, int rank)
      : calls(calls), ranks(std::move(ranks)), rank(rank) {}

  int getRank() const override { return rank; }
  int getSize() const override { return static_cast<int>(ranks.size()); }

  absl::Status allReduce(void *, const void *, size_t count, fb::ElementType type,
                         fb::Reduction reduction) override {
    return add(fb::CollectiveKind::all_reduce, count, type, reduction);
  }
  absl::Status allGather(void *, const void *, size_t count, fb::ElementType type) override {
    return add(fb::CollectiveKind::all_gather, count, type);
  }
  absl::Status reduceScatter(void *, const void *, size_t count, fb::ElementType type,
                             fb::Reduction reduction) override {
    return add(fb::CollectiveKind::reduce_scatter, count, type, reduction);
  }
  absl::Status allToAll(void *, const void *, size_t count, fb::ElementType type) override {
    return add(fb::CollectiveKind::all_to_all, count, type);
  }
  absl::Status broadcast(void *, const void *, size_t count, fb::ElementType type) override {
    return add(fb::CollectiveKind::broadcast, count, type);
  }

private:
  absl::Status add(fb::CollectiveKind kind, size_t count, fb::ElementType type,
                   fb::Reduction reduction = fb::Reduction::sum) {
    calls.push_back({kind, reduction, type, count, ranks});
    return absl::OkStatus();
  }

  std::vector<RecordedCall> &calls;
  std::vector<int> ranks;
  int rank;
};

class RecorderWorld : public World {
public:
  RecorderWorld(Recording &recording, int rank) : recording(recording), rank(rank) {}

  int getRank() const override { return rank; }
  int getSize() const override { return static_cast<int>(recording.calls.size()); }
  absl::Status registerMemory(void *, size_t) override { return absl::OkStatus(); }
  absl::StatusOr<std::unique_ptr<Communicator>> createGroup(std::vector<int> ranks) override {
    auto place = std::find(ranks.begin(), ranks.end(), rank) - ranks.begin();
    return std::make_unique<RecorderCommunicator>(recording.calls[rank], std::move(ranks),
                                                  static_cast<int>(place));
  }
  size_t getScratchBytes() const override { return 0; }
  absl::Status send(int, const void *, size_t) override { return absl::OkStatus(); }
  absl::Status receive(int, void *, size_t) override { return absl::OkStatus(); }
  absl::Status barrier() override { return absl::OkStatus(); }
  void abort(const absl::Status &) override {}

private:
  Recording &recording;
  int rank;
};

} // namespace

std::string RecordedCall::describe() const {
  return absl::StrCat(fb::EnumNameCollectiveKind(kind), "(", fb::EnumNameReduction(reduction), ", ",
                      count, " x ", fb::EnumNameElementType(type), ") among ranks ",
                      absl::StrJoin(ranks, ", "));
}

/// True if every member of the group of rank's next call wants that same call; fills `other` with
/// one that does not.
static bool canProceed(const Recording &recording, const std::vector<size_t> &next, int rank,
                       int &other) {
  const RecordedCall &call = recording.calls[rank][next[rank]];
  for (int member : call.ranks) {
    other = member;
    if (next[member] == recording.calls[member].size() ||
        !(recording.calls[member][next[member]] == call))
      return false;
  }
  return true;
}

static std::string describeNext(const Recording &recording, const std::vector<size_t> &next,
                                int rank) {
  bool ended = next[rank] == recording.calls[rank].size();
  return absl::StrCat("rank ", rank, " after ", next[rank], " calls ",
                      ended ? "is done" : recording.calls[rank][next[rank]].describe());
}

absl::Status Recording::verify() const {
  std::vector<size_t> next(calls.size(), 0);
  int stuck = -1, other = -1;
  for (bool progress = true; progress;) {
    progress = false;
    stuck = -1;
    for (int rank = 0; rank < static_cast<int>(calls.size()); ++rank) {
      while (next[rank] < calls[rank].size()) {
        int blocker = -1;
        if (!canProceed(*this, next, rank, blocker)) {
          if (stuck < 0)
            stuck = rank, other = blocker;
          break;
        }
        std::vector<int> group = calls[rank][next[rank]].ranks;
        for (int member : group)
          ++next[member];
        progress = true;
      }
    }
  }
  if (stuck < 0)
    return absl::OkStatus();
  return absl::InternalError(
      absl::StrCat("collectives do not match: ", describeNext(*this, next, stuck), "; ",
                   describeNext(*this, next, other)));
}

std::unique_ptr<World> createRecorderWorld(Recording &recording, int rank) {
  return std::make_unique<RecorderWorld>(recording, rank);
}

} // namespace planwright::rt
