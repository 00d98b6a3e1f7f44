// From reports to sentences.

#include "runtime/Launch/StallReporter.h"

#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"

#include <algorithm>
#include <tuple>

namespace planwright::rt {

StallReporter::StallReporter(std::chrono::milliseconds tick)
    : patience(2 * tick),
      silentAfter(std::max<std::chrono::milliseconds>(4 * tick, std::chrono::milliseconds(500))) {}

void StallReporter::add(RankReport report, Clock::time_point now) {
  int rank = report.rank;
  ranks[rank] = {std::move(report), now};
}

//===----------------------------------------------------------------------===//
// Who waits for whom
//===----------------------------------------------------------------------===//

bool StallReporter::isSilent(int rank, Clock::time_point now) const {
  return now - ranks.at(rank).heard > silentAfter;
}

/// The last of those that a rank waits for in its collective: members that are not there yet, or
/// have stopped talking.
std::optional<int> StallReporter::findBehind(int rank, Clock::time_point now) const {
  const RankReport &own = ranks.at(rank).report;
  std::optional<int> behind;
  if (!own.isStalled || isSilent(rank, now))
    return behind;
  auto getPlace = [&](int member) { return ranks.at(member).report.place; };
  for (int member : own.group) {
    if (member == rank || ranks.count(member) == 0)
      continue;
    bool isBehind =
        getPlace(member) < own.place || (getPlace(member) == own.place && isSilent(member, now));
    if (isBehind && (!behind || getPlace(member) < getPlace(*behind)))
      behind = member;
  }
  return behind;
}

/// Ends: each step goes to an earlier place, or to a silent rank.
int StallReporter::findCause(int rank, Clock::time_point now) const {
  while (std::optional<int> behind = findBehind(rank, now))
    rank = *behind;
  return rank;
}

/// False while a member is in the collective that has not been there for long: it may have come
/// just now, and the reports of the others are from before.
bool StallReporter::isGroupComplete(int rank) const {
  const RankReport &own = ranks.at(rank).report;
  return std::all_of(own.group.begin(), own.group.end(), [&](int member) {
    auto state = ranks.find(member);
    return state == ranks.end() || state->second.report.isStalled ||
           state->second.report.place != own.place;
  });
}

/// A late rank and those that are as late.
void StallReporter::addLate(int cause, std::set<int> &late, Clock::time_point now) const {
  for (const auto &[rank, state] : ranks)
    if (state.report.place == ranks.at(cause).report.place && !state.report.isStalled &&
        isSilent(rank, now) == isSilent(cause, now))
      late.insert(rank);
}

std::vector<StallReporter::Stall> StallReporter::findStalls(const std::set<int> &stalledRanks,
                                                            Clock::time_point now) const {
  std::map<Place, Stall> stalls;
  for (int rank : stalledRanks) {
    int cause = findCause(rank, now);
    const RankReport &causing = ranks.at(cause).report;
    Stall &stall = stalls[causing.place];
    stall.place = causing.place;
    if (cause != rank)
      stall.waiting.insert(rank);
    if (!causing.isStalled)
      addLate(cause, stall.late, now);
    else if (isGroupComplete(cause))
      stall.stalled.insert(cause);
  }
  std::vector<Stall> result;
  for (auto &[place, stall] : stalls)
    if (!stall.getNamed().empty())
      result.push_back(std::move(stall));
  return result;
}

//===----------------------------------------------------------------------===//
// Sentences
//===----------------------------------------------------------------------===//

/// "rank 2", "ranks 0, 1", "ranks 0-6, 9".
static std::string formatRanks(const std::set<int> &ranks) {
  std::vector<std::string> runs;
  for (auto begin = ranks.begin(); begin != ranks.end();) {
    auto end = std::next(begin);
    while (end != ranks.end() && *end == *std::prev(end) + 1)
      ++end;
    bool isLong = std::distance(begin, end) > 2;
    if (isLong)
      runs.push_back(absl::StrCat(*begin, "-", *std::prev(end)));
    for (; begin != end; ++begin)
      if (!isLong)
        runs.push_back(absl::StrCat(*begin));
  }
  return absl::StrCat(ranks.size() == 1 ? "rank " : "ranks ", absl::StrJoin(runs, ", "));
}

static std::string formatSeconds(double seconds) {
  return seconds < 9.95 ? absl::StrFormat("%.1f s", seconds) : absl::StrFormat("%.0f s", seconds);
}

/// ", predicted 1.2 ms", or nothing.
static std::string formatPrediction(uint64_t nanoseconds) {
  if (nanoseconds == 0)
    return "";
  auto value = static_cast<double>(nanoseconds);
  if (value < 1e3)
    return absl::StrFormat(", predicted %.3g ns", value);
  if (value < 1e6)
    return absl::StrFormat(", predicted %.3g us", value * 1e-3);
  if (value < 1e9)
    return absl::StrFormat(", predicted %.3g ms", value * 1e-6);
  return absl::StrFormat(", predicted %.3g s", value * 1e-9);
}

double StallReporter::getSeconds(const std::set<int> &stalledRanks) const {
  double seconds = 0;
  for (int rank : stalledRanks)
    seconds = std::max(seconds, ranks.at(rank).report.stalledSeconds);
  return seconds;
}

std::string StallReporter::formatStall(const Stall &stall, Clock::time_point now) const {
  const std::set<int> &named = stall.getNamed();
  const RankReport &first = ranks.at(*named.begin()).report;
  bool isOne = named.size() == 1;
  std::string line = formatRanks(named);
  if (!stall.stalled.empty()) {
    absl::StrAppend(&line, isOne ? " has" : " have", " not moved for ",
                    formatSeconds(getSeconds(named)), ": ", first.where,
                    formatPrediction(first.predictedNs));
    if (first.group.size() > 1)
      absl::StrAppend(&line, "; none of its ranks is behind");
  } else {
    absl::StrAppend(&line, isOne ? " is" : " are", " behind: last seen in ", first.where);
    if (isSilent(*named.begin(), now))
      absl::StrAppend(&line, ", and silent since");
  }
  if (stall.waiting.empty())
    return line;
  const RankReport &waiter = ranks.at(*stall.waiting.begin()).report;
  absl::StrAppend(&line, "; ", formatRanks(stall.waiting),
                  stall.waiting.size() == 1 ? " waits" : " wait", " for ", isOne ? "it" : "them");
  bool isOnePlace = std::all_of(stall.waiting.begin(), stall.waiting.end(), [&](int rank) {
    return ranks.at(rank).report.place == waiter.place;
  });
  if (isOnePlace)
    absl::StrAppend(&line, " in ", waiter.where);
  if (stall.stalled.empty())
    absl::StrAppend(&line, ", since ", formatSeconds(getSeconds(stall.waiting)));
  return line;
}

//===----------------------------------------------------------------------===//
// Saying each thing once
//===----------------------------------------------------------------------===//

/// Late ranks move, slowly: that somebody waits for them is told once.
bool StallReporter::isTold(const Stall &stall) const {
  return std::any_of(told.begin(), told.end(), [&](const Told &other) {
    if (stall.stalled.empty())
      return other.stall.stalled.empty();
    return !other.stall.stalled.empty() && other.stall.place == stall.place;
  });
}

StallReporter::Told StallReporter::makeTold(Stall stall, Clock::time_point now) const {
  const std::set<int> &stuck = stall.stalled.empty() ? stall.waiting : stall.stalled;
  Told result;
  for (int rank : stuck)
    result.places[rank] = ranks.at(rank).report.place;
  stall.begin = now - std::chrono::duration_cast<Clock::duration>(
                          std::chrono::duration<double>(getSeconds(stuck)));
  result.stall = std::move(stall);
  return result;
}

void StallReporter::tellEnds(Clock::time_point now, std::vector<std::string> &lines) {
  auto isOver = [&](const Told &one) {
    return std::all_of(one.places.begin(), one.places.end(), [&](const auto &rankAndPlace) {
      return ranks.at(rankAndPlace.first).report.place != rankAndPlace.second;
    });
  };
  for (const Told &one : told) {
    if (!isOver(one))
      continue;
    const std::set<int> &named = one.stall.getNamed();
    const char *verb = one.stall.stalled.empty()
                           ? (named.size() == 1 ? " has caught up" : " have caught up")
                       : named.size() == 1 ? " goes on"
                                           : " go on";
    std::chrono::duration<double> duration = now - one.stall.begin;
    lines.push_back(
        absl::StrCat(formatRanks(named), verb, ", after ", formatSeconds(duration.count())));
  }
  told.erase(std::remove_if(told.begin(), told.end(), isOver), told.end());
}

std::vector<std::string> StallReporter::takeLines(Clock::time_point now) {
  std::vector<std::string> lines;
  tellEnds(now, lines);
  std::set<int> stalledRanks;
  for (const auto &[rank, state] : ranks)
    if (state.report.isStalled)
      stalledRanks.insert(rank);
  if (stalledRanks != lastStalled) {
    lastStalled = stalledRanks;
    lastChange = now;
  }
  if (stalledRanks.empty() || now - lastChange < patience || now - lastSearch < patience / 2)
    return lines;
  lastSearch = now;
  for (Stall &stall : findStalls(stalledRanks, now)) {
    if (isTold(stall))
      continue;
    lines.push_back(formatStall(stall, now));
    told.push_back(makeTold(std::move(stall), now));
  }
  return lines;
}

} // namespace planwright::rt
