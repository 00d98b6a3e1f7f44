// Notices that a rank does not move. Instructions are not timed for it: a thread looks now and then
// whether the place that the executor publishes has changed.
//
//   Watchdog watchdog(*executor, rank, limits, [&](const RankReport &report) { ... });
//   ... run steps ...                       // reports stop with the watchdog's life
//
// Not here: what is said about it (StallReporter).

#ifndef PLANWRIGHT_RUNTIME_LAUNCH_WATCHDOG_H
#define PLANWRIGHT_RUNTIME_LAUNCH_WATCHDOG_H

#include "runtime/Executor/Executor.h"
#include "runtime/Launch/Options.h"
#include "runtime/Launch/RankReport.h"

#include <condition_variable>
#include <functional>
#include <map>
#include <mutex>
#include <thread>

namespace planwright::rt {

/// Measures how long a rank has been in one place.
class MotionClock {
public:
  using Clock = std::chrono::steady_clock;
  explicit MotionClock(const StallLimits &limits) : limits(limits) {}

  /// The rank is at `place` now, in `instruction` (null between tasks). Time in which nobody looked
  /// does not count: we were stopped, too.
  void look(const Place &place, const InstructionInfo *instruction, Clock::time_point now);

  double getSeconds() const { return seconds; }
  bool isStalled() const { return stalled; }

private:
  double getLimit() const;

  StallLimits limits;
  Place lastPlace;
  const InstructionInfo *lastInstruction = nullptr;
  std::optional<Clock::time_point> lastLook;
  double seconds = 0;
  bool stalled = false;
  /// What was stalled and went on by itself is not worth a second report until it takes twice as
  /// long: a machine that is only slow says so once.
  std::map<const InstructionInfo *, double> longestSeconds;
};

/// Watches from a thread of its own.
class Watchdog {
public:
  using Listener = std::function<void(const RankReport &)>;

  /// `listener` is called from the watchdog's thread at once, at every tick, and at the end.
  Watchdog(const Executor &executor, int rank, const StallLimits &limits, Listener listener);
  ~Watchdog();
  Watchdog(const Watchdog &) = delete;

private:
  void watch();
  void look();
  RankReport makeReport(const Place &place) const;

  const Executor &executor;
  int rank;
  StallLimits limits;
  Listener listener;
  MotionClock clock;
  std::mutex mutex; // Guards `stopping`.
  std::condition_variable stopped;
  bool stopping = false;
  std::thread thread;
};

} // namespace planwright::rt

#endif // PLANWRIGHT_RUNTIME_LAUNCH_WATCHDOG_H
