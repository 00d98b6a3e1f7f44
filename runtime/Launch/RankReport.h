// What a rank says of itself a few times a second while steps run: where it is, and whether it
// moves. Written by its Watchdog, read by the StallReporter of whoever holds the store.

#ifndef PLANWRIGHT_RUNTIME_LAUNCH_RANKREPORT_H
#define PLANWRIGHT_RUNTIME_LAUNCH_RANKREPORT_H

#include "runtime/Executor/Place.h"

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace planwright::rt {

struct RankReport {
  int rank = 0;
  Place place;
  std::string where;         // The place in words.
  uint64_t predictedNs = 0;  // Of the instruction there; 0: unknown.
  bool isStalled = false;    // It has been there longer than it may.
  double stalledSeconds = 0; // For how long, if it is stalled.
  std::vector<int> group;    // The ranks of the collective that it is stalled in; else nobody.
};

/// As bytes for a frame, and back; nothing if these are not the bytes of a report.
std::string packReport(const RankReport &report);
std::optional<RankReport> unpackReport(std::string_view payload);

} // namespace planwright::rt

#endif // PLANWRIGHT_RUNTIME_LAUNCH_RANKREPORT_H
