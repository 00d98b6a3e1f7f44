// Greedy best-fit assignment of arena offsets in several orders; the best is improved by trial.
#include "dialects/Exec/Transforms/Arena.h"

#include "dialects/Exec/IR/Exec.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
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

static double getArea(const Life &life) {
  return static_cast<double>(life.bytes) * static_cast<double>(life.last - life.first + 1);
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

/// Better layouts by trial: what ends highest is placed first next time. Ends at `goal` or when
/// tries run out.
static void improve(ArrayRef<Life> lives, SmallVector<size_t> order, ArenaLayout &best,
                    int64_t goal) {
  // Tries cost the square of the number of lives; together they stay well below a second.
  int64_t square = static_cast<int64_t>(lives.size() * lives.size()) + 1;
  int64_t tries = std::min<int64_t>(64, 200'000'000 / square);
  ArenaLayout layout = assignInOrder(lives, order);
  for (; tries > 0 && best.bytes > goal; --tries) {
    auto *highest = llvm::find_if(order, [&](size_t index) {
      return layout.offsets[index] + alignBytes(lives[index].bytes) == layout.bytes;
    });
    std::rotate(order.begin(), highest, highest + 1);
    layout = assignInOrder(lives, order);
    if (layout.bytes < best.bytes)
      best = layout;
  }
}

ArenaLayout planwright::exec::assignArena(ArrayRef<Life> lives) {
  // Large ones first leaves small ones to fill gaps; long-lived ones first keeps them together at
  // the bottom; area is between the two. None wins always, all three are cheap.
  using Less = bool (*)(const Life &, const Life &);
  static constexpr Less orders[] = {
      [](const Life &a, const Life &b) { return a.bytes > b.bytes; },
      [](const Life &a, const Life &b) { return getArea(a) > getArea(b); },
      [](const Life &a, const Life &b) { return a.last - a.first > b.last - b.first; }};
  int64_t goal = arenaLowerBound(lives);
  ArenaLayout best;
  SmallVector<size_t> bestOrder;
  for (Less comesBefore : orders) {
    SmallVector<size_t> order(lives.size());
    std::iota(order.begin(), order.end(), 0);
    llvm::sort(order, [&](size_t a, size_t b) { // a total order: always the same
      return comesBefore(lives[a], lives[b]) || (!comesBefore(lives[b], lives[a]) && a < b);
    });
    ArenaLayout layout = assignInOrder(lives, order);
    if (bestOrder.empty() || layout.bytes < best.bytes) {
      best = std::move(layout);
      bestOrder = std::move(order);
    }
  }
  improve(lives, std::move(bestOrder), best, goal);
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
