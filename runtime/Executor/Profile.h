// Where the time of steps went: totals per kernel family, and a timeline. Writing them to a
// terminal or a file is here too; deciding to is not.

#ifndef PLANWRIGHT_RUNTIME_EXECUTOR_PROFILE_H
#define PLANWRIGHT_RUNTIME_EXECUTOR_PROFILE_H

#include "runtime/Executor/Executor.h"

#include <map>

namespace planwright::rt {

/// Observes instructions. Allocates while it does: a profiled step is a little slower.
class Profile : public InstructionObserver {
public:
  /// `keepTimeline` for formatTimeline.
  explicit Profile(bool keepTimeline) : keepTimeline(keepTimeline), origin(Clock::now()) {}

  void observe(const InstructionInfo &info, const fb::Task &task, Clock::time_point begin,
               Clock::time_point end) override;

  /// A table for people, the longest family first, with FLOP/s and bytes/s where they are known.
  std::string formatTable() const;

  /// Events of the Chrome trace format that Perfetto reads, without the enclosing brackets; `rank`
  /// is the process.
  std::string formatTimeline(int rank) const;

private:
  struct Total {
    double seconds = 0;
    uint64_t calls = 0;
    uint64_t flops = 0;
    uint64_t bytes = 0;
  };
  struct Event {
    const InstructionInfo *info;
    fb::TaskKind task;
    int microBatch;
    Clock::time_point begin, end;
  };

  bool keepTimeline;
  Clock::time_point origin;
  std::map<std::string, Total> totals;
  std::vector<Event> events;
};

} // namespace planwright::rt

#endif // PLANWRIGHT_RUNTIME_EXECUTOR_PROFILE_H
