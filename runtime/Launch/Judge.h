// When a job falls apart, many ranks complain. Which complaint is the cause?

#ifndef PLANWRIGHT_RUNTIME_LAUNCH_JUDGE_H
#define PLANWRIGHT_RUNTIME_LAUNCH_JUDGE_H

#include "runtime/Launch/Store.h"

namespace planwright::rt {

/// Collects events and names the cause once it is clear. A rank's own error, its death by a signal
/// or its silence is a cause; a closed connection is one if nothing better follows soon; a lost
/// peer only if nothing else does.
class Judge {
public:
  using Clock = std::chrono::steady_clock;

  void add(const StoreEvent &event, Clock::time_point now);

  /// A rank's process has ended: `message` says how.
  void addDeath(int rank, std::string message, Clock::time_point now);

  /// The message for the user, naming rank and cause, once there is one.
  std::optional<std::string> decide(Clock::time_point now) const;

private:
  struct Complaint {
    int rank;
    int weight; // 0 is the heaviest; also the index into the table of delays.
    std::string message;
    Clock::time_point due; // When it is believed if nothing heavier came.
  };
  void addComplaint(int rank, int weight, std::string message, Clock::time_point now);

  std::vector<Complaint> complaints;
  std::vector<int> missing;
};

} // namespace planwright::rt

#endif // PLANWRIGHT_RUNTIME_LAUNCH_JUDGE_H
