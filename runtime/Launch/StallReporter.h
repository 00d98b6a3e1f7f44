// When one rank stalls, all others soon wait for it. Which of them is to be named?
//
//   StallReporter reporter(limits.getTick());
//   reporter.add(report, now);                  // from every rank, a few times a second
//   for (const std::string &line : reporter.takeLines(now)) ...
//
// It only talks: the job goes on. Ranks that die or fall silent for long are the Judge's business.

#ifndef PLANWRIGHT_RUNTIME_LAUNCH_STALLREPORTER_H
#define PLANWRIGHT_RUNTIME_LAUNCH_STALLREPORTER_H

#include "runtime/Launch/RankReport.h"

#include <map>
#include <set>

namespace planwright::rt {

/// Follows stalled ranks to who they wait for. A rank that is stalled in a collective waits for the
/// members of its group that have not got there; those may wait for others in turn.
///
///     rank 0  all_reduce over {0, 1}    waits for 1
///     rank 1  all_reduce over {1, 3}    waits for 3
///     rank 3  in a kernel               is named; 0 and 1 wait for it
class StallReporter {
public:
  using Clock = std::chrono::steady_clock;

  /// `tick` is the time from one report of a rank to the next.
  explicit StallReporter(std::chrono::milliseconds tick);

  void add(RankReport report, Clock::time_point now);

  /// What there is to say now and has not been said: who is stalled, and who goes on.
  std::vector<std::string> takeLines(Clock::time_point now);

private:
  struct RankState {
    RankReport report;
    Clock::time_point heard;
  };

  /// Ranks in one place and who waits for them. Late ones still moved when they last reported.
  struct Stall {
    Place place;
    std::set<int> stalled, late, waiting;
    Clock::time_point begin;
    const std::set<int> &getNamed() const { return stalled.empty() ? late : stalled; }
  };
  /// A stall that has been told, and the places whose leaving ends it.
  struct Told {
    Stall stall;
    std::map<int, Place> places;
  };

  bool isSilent(int rank, Clock::time_point now) const;
  std::optional<int> findBehind(int rank, Clock::time_point now) const;
  int findCause(int rank, Clock::time_point now) const;
  bool isGroupComplete(int rank) const;
  void addLate(int cause, std::set<int> &late, Clock::time_point now) const;
  std::vector<Stall> findStalls(const std::set<int> &stalledRanks, Clock::time_point now) const;
  bool isTold(const Stall &stall) const;
  std::string formatStall(const Stall &stall, Clock::time_point now) const;
  double getSeconds(const std::set<int> &stalledRanks) const;
  Told makeTold(Stall stall, Clock::time_point now) const;
  void tellEnds(Clock::time_point now, std::vector<std::string> &lines);

  std::chrono::milliseconds patience;    // Reports of one moment arrive this close together.
  std::chrono::milliseconds silentAfter; // Without a report.
  std::map<int, RankState> ranks;
  std::set<int> lastStalled; // Stalled ranks, and since when they have been the same.
  Clock::time_point lastChange;
  Clock::time_point lastSearch; // Who waits for whom is looked for once a tick.
  std::vector<Told> told;
};

} // namespace planwright::rt

#endif // PLANWRIGHT_RUNTIME_LAUNCH_STALLREPORTER_H
