// The search for repetitions. A period is tried only if some stretch of labels comes back after
// that distance for the first time; each is then one walk over the sequence. Numbers only.
#include "lib/Transforms/OutlineLayers/Repeats.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/Hashing.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"

#include <limits>

namespace planwright {

namespace {

/// The search within labels [low, high).
class Search {
public:
  Search(const RepeatProblem &problem, size_t low, size_t high)
      : problem(problem), low(low), high(high) {}

  /// The repetition that covers most; of equal ones that with the shortest period. Count 0 if there
  /// is none.
  Repeat findBest() const;

private:
  /// Most periods that are tried, those with the most evidence.
  static constexpr size_t kMostPeriods = 32;

  llvm::SmallVector<size_t> findPeriods() const;
  Repeat findBestOfPeriod(size_t period) const;
  Repeat cutRun(size_t start, size_t end, size_t period) const;

  const RepeatProblem &problem;
  size_t low, high;
};

} // namespace

/// Distances at which a stretch of `leastPeriod` labels comes back, most frequent first.
llvm::SmallVector<size_t> Search::findPeriods() const {
  size_t length = problem.leastPeriod;
  llvm::DenseMap<uint64_t, size_t> last;
  llvm::MapVector<size_t, size_t> evidence;
  for (size_t i = low; i + length <= high; ++i) {
    auto stretch = problem.labels.slice(i, length);
    uint64_t hash = llvm::hash_combine_range(stretch.begin(), stretch.end()) >> 1;
    auto [entry, isNew] = last.try_emplace(hash, i);
    if (!isNew) {
      size_t distance = i - entry->second;
      if (distance >= length)
        ++evidence[distance];
      entry->second = i;
    }
  }
  auto ranked = evidence.takeVector();
  llvm::sort(ranked, [](const auto &a, const auto &b) {
    return a.second != b.second ? a.second > b.second : a.first < b.first;
  });
  ranked.resize(std::min(ranked.size(), kMostPeriods));
  return llvm::map_to_vector(ranked, [](const auto &entry) { return entry.first; });
}

/// The best way to cut a run, labels [start, end) of which each equals that one period later: as
/// many repetitions as fit, and of the places to start the one whose cuts, one at each end of a
/// repetition, cost least together.
Repeat Search::cutRun(size_t start, size_t end, size_t period) const {
  size_t count = (end - start) / period;
  if (count < 2)
    return {};
  size_t best = start;
  int64_t least = std::numeric_limits<int64_t>::max();
  for (size_t first = start; first + count * period <= end; ++first) {
    int64_t cost = 0;
    for (size_t cut = 0; cut <= count; ++cut)
      cost += problem.cutCosts[first + cut * period];
    if (cost < least) {
      least = cost;
      best = first;
    }
  }
  if (llvm::none_of(problem.isHeavy.slice(best, period), [](bool isHeavy) { return isHeavy; }))
    return {};
  return {best, period, count};
}

Repeat Search::findBestOfPeriod(size_t period) const {
  Repeat best;
  size_t start = low;
  for (size_t i = low; i + period <= high; ++i) {
    bool goesOn = i + period < high && problem.labels[i] == problem.labels[i + period];
    if (goesOn)
      continue;
    Repeat found = cutRun(start, i + period, period);
    if (found.getLength() > best.getLength())
      best = found;
    start = i + 1;
  }
  return best;
}

Repeat Search::findBest() const {
  Repeat best;
  for (size_t period : findPeriods()) {
    Repeat found = findBestOfPeriod(period);
    bool isShorter = found.getLength() == best.getLength() && found.period < best.period;
    if (found.getLength() > best.getLength() || isShorter)
      best = found;
  }
  return best;
}

static void findWithin(const RepeatProblem &problem, size_t low, size_t high,
                       llvm::SmallVectorImpl<Repeat> &repeats) {
  if (high - low < 2 * problem.leastPeriod)
    return;
  Repeat best = Search(problem, low, high).findBest();
  if (best.count == 0)
    return;
  findWithin(problem, low, best.start, repeats);
  repeats.push_back(best);
  findWithin(problem, best.start + best.getLength(), high, repeats);
}

llvm::SmallVector<Repeat> findRepeats(const RepeatProblem &problem) {
  llvm::SmallVector<Repeat> repeats;
  findWithin(problem, 0, problem.labels.size(), repeats);
  return repeats;
}

} // namespace planwright
