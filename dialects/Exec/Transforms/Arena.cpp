// Greedy best-fit assignment of arena offsets, in several orders, of which the best is kept.
#include "dialects/Exec/Transforms/Arena.h"

#include "dialects/Exec/IR/Exec.h"

#include "llvm/ADT/STLExtras.h"

#include <map>
#include <numeric>

using namespace llvm;
using namespace planwright::exec;

namespace {
/// A life that has its place.
struct Placed {
  int64_t offset, end, first, last;
};
} // namespace

/// The lowest offset of the smallest gap between `placed` lives (sorted by offset) that meet
/// `life`.
static int64_t findGap(ArrayRef<Placed> placed, const Life &life, int64_t bytes) {
  int64_t bestOffset = -1, bestGap = INT64_MAX, freeFrom = 0;
  for (const Placed &other : placed) {
    if (other.last < life.first || life.last < other.first)
      continue;
    int64_t gap = other.offset - freeFrom;
    if (gap >= bytes && gap < bestGap) {
      bestGap = gap;
      bestOffset = freeFrom;
    }
    freeFrom = std::max(freeFrom, other.end);
  }
  return bestOffset >= 0 ? bestOffset : freeFrom;
}

static ArenaLayout assignInOrder(ArrayRef<Life> lives, ArrayRef<size_t> order) {
  ArenaLayout layout;
  layout.offsets.resize(lives.size());
  SmallVector<Placed> placed;
  for (size_t index : order) {
    const Life &life = lives[index];
    int64_t bytes = alignBytes(life.bytes);
    int64_t offset = findGap(placed, life, bytes);
    layout.offsets[index] = offset;
    layout.bytes = std::max(layout.bytes, offset + bytes);
    Placed entry{offset, offset + bytes, life.first, life.last};
    placed.insert(
        llvm::upper_bound(placed, entry,
                          [](const Placed &a, const Placed &b) { return a.offset < b.offset; }),
        entry);
  }
  return layout;
}

ArenaLayout planwright::exec::assignArena(ArrayRef<Life> lives) {
  // Large ones first leaves small ones to fill gaps; long-lived ones first keeps them together at
  // the bottom; by time is best when lives nest like a stack. None wins always, all three are
  // cheap.
  auto bySize = [&](size_t a, size_t b) { return lives[a].bytes > lives[b].bytes; };
  auto byArea = [&](size_t a, size_t b) {
    auto area = [](const Life &life) {
      return static_cast<double>(life.bytes) * static_cast<double>(life.last - life.first + 1);
    };
    return area(lives[a]) > area(lives[b]);
  };
  auto byLength = [&](size_t a, size_t b) {
    return lives[a].last - lives[a].first > lives[b].last - lives[b].first;
  };
  ArenaLayout best;
  auto consider = [&](auto comesBefore) {
    SmallVector<size_t> order(lives.size());
    std::iota(order.begin(), order.end(), 0);
    llvm::sort(order, [&](size_t a, size_t b) {
      return comesBefore(a, b) || (!comesBefore(b, a) && a < b); // a total order: always the same
    });
    ArenaLayout layout = assignInOrder(lives, order);
    if (best.offsets.size() != lives.size() || layout.bytes < best.bytes)
      best = std::move(layout);
  };
  consider(bySize);
  consider(byArea);
  consider(byLength);
  return best;
}

int64_t planwright::exec::arenaLowerBound(ArrayRef<Life> lives) {
  std::map<int64_t, int64_t>
      change; // at an instruction: bytes that come into use, minus those that leave
  for (const Life &life : lives) {
    change[life.first] += alignBytes(life.bytes);
    change[life.last + 1] -= alignBytes(life.bytes);
  }
  int64_t used = 0, most = 0;
  for (auto [instruction, bytes] : change)
    most = std::max(most, used += bytes);
  return most;
}
