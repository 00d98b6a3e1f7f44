// Looking, and the limit of each place.

#include "runtime/Launch/Watchdog.h"

#include <algorithm>

namespace planwright::rt {

std::chrono::milliseconds StallLimits::getTick() const {
  return std::chrono::milliseconds(static_cast<int64_t>(std::clamp(seconds * 100, 10.0, 500.0)));
}

/// Of the place where the rank is.
double MotionClock::getLimit() const {
  double predicted = lastInstruction ? static_cast<double>(lastInstruction->predictedNs) * 1e-9 : 0;
  auto longest = longestSeconds.find(lastInstruction);
  return std::max({limits.seconds, limits.timesPredicted * predicted,
                   longest != longestSeconds.end() ? 2 * longest->second : 0});
}

void MotionClock::look(const Place &place, const InstructionInfo *instruction,
                       Clock::time_point now) {
  bool hasMoved = !lastLook || place != lastPlace;
  if (hasMoved && stalled)
    longestSeconds[lastInstruction] = seconds;
  auto sinceLastLook = lastLook ? now - *lastLook : Clock::duration::zero();
  Clock::duration counted = std::min<Clock::duration>(sinceLastLook, 2 * limits.getTick());
  seconds = hasMoved ? 0 : seconds + std::chrono::duration<double>(counted).count();
  lastPlace = place;
  lastInstruction = instruction;
  lastLook = now;
  stalled = seconds > getLimit();
}

Watchdog::Watchdog(const Executor &executor, int rank, const StallLimits &limits, Listener listener)
    : executor(executor), rank(rank), limits(limits), listener(std::move(listener)), clock(limits),
      thread([this] { watch(); }) {}

Watchdog::~Watchdog() {
  {
    std::lock_guard lock(mutex);
    stopping = true;
  }
  stopped.notify_all();
  thread.join();
}

RankReport Watchdog::makeReport(const Place &place) const {
  const InstructionInfo *instruction = executor.findInstruction(place);
  RankReport report;
  report.rank = rank;
  report.place = place;
  report.where = executor.describe(place);
  report.predictedNs = instruction ? instruction->predictedNs : 0;
  report.isStalled = clock.isStalled();
  if (report.isStalled) {
    report.stalledSeconds = clock.getSeconds();
    report.group = executor.getGroup(place);
  }
  return report;
}

void Watchdog::look() {
  Place place = executor.getPlace();
  clock.look(place, executor.findInstruction(place), MotionClock::Clock::now());
  listener(makeReport(place));
}

void Watchdog::watch() {
  std::unique_lock lock(mutex);
  do
    look();
  while (!stopped.wait_for(lock, limits.getTick(), [&] { return stopping; }));
  look();
}

} // namespace planwright::rt
