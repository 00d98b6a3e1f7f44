// Simplification and scheduling of strided loop nests.
#include "LoopNest.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>
#include <cstdlib>

using namespace planwright::codegen;
using llvm::SmallVector;

// Elements that one work item handles at least: some microseconds, so that dispatch and address
// arithmetic vanish.
static constexpr int64_t kItemElements = 4096;
// Columns that a work item sums side by side: at least four cache lines of f32, at most what fits
// into L1 with room.
static constexpr int64_t kMinColumns = 64, kMaxColumns = 512;
// Items that are enough for any number of threads.
static constexpr int64_t kManyItems = 256;
// A copy that turns rows into columns does so in tiles of this many elements of each.
static constexpr int64_t kTurnTile = 32;
// A parallel loop shorter than this is no use as a vector.
static constexpr int64_t kShortLoop = 8;

//===----------------------------------------------------------------------===//
// LoopNest
//===----------------------------------------------------------------------===//

int64_t LoopNest::countIterations() const {
  int64_t count = 1;
  for (const Loop &loop : loops)
    count *= loop.extent;
  return count;
}

template <typename Function> static void forEachAccess(LoopNest &nest, Function function) {
  for (Access &access : nest.inputs)
    function(access);
  for (Access &access : nest.outputs)
    function(access);
}

/// Elements that an access touches.
static int64_t footprint(const LoopNest &nest, const Access &access) {
  int64_t count = 1;
  for (auto [loop, stride] : llvm::zip_equal(nest.loops, access.strides))
    if (stride != 0)
      count *= loop.extent;
  return count;
}

static const Access *largestInput(const LoopNest &nest) {
  const Access *largest = nullptr;
  for (const Access &access : nest.inputs)
    if (!largest || footprint(nest, access) > footprint(nest, *largest))
      largest = &access;
  return largest;
}

static void permute(LoopNest &nest, llvm::ArrayRef<unsigned> order) {
  auto apply = [&](auto &list) {
    auto old = list;
    list.clear();
    for (unsigned from : order)
      list.push_back(old[from]);
  };
  forEachAccess(nest, [&](Access &access) { apply(access.strides); });
  apply(nest.loops);
}

static void dropSingleIterations(LoopNest &nest) {
  SmallVector<unsigned> kept;
  for (auto [number, loop] : llvm::enumerate(nest.loops))
    if (loop.extent != 1)
      kept.push_back(number);
  permute(nest, kept);
}

static void sortLoops(LoopNest &nest) {
  const Access *input = largestInput(nest);
  auto stride = [&](unsigned loop) {
    const Access *access =
        nest.loops[loop].isReduction || nest.outputs.empty() ? input : &nest.outputs.front();
    return access ? std::abs(access->strides[loop]) : 0;
  };
  SmallVector<unsigned> order = llvm::to_vector(llvm::seq<unsigned>(0, nest.loops.size()));
  llvm::sort(order, [&](unsigned left, unsigned right) {
    bool leftReduction = nest.loops[left].isReduction,
         rightReduction = nest.loops[right].isReduction;
    if (leftReduction != rightReduction)
      return rightReduction;
    if (stride(left) != stride(right))
      return stride(left) > stride(right);
    return left < right;
  });
  permute(nest, order);
}

static bool canMerge(LoopNest &nest, unsigned outer) {
  const Loop &left = nest.loops[outer], &right = nest.loops[outer + 1];
  if (left.isReduction != right.isReduction || left.indexOf || right.indexOf)
    return false;
  bool mergeable = true;
  forEachAccess(nest, [&](Access &access) {
    mergeable &= access.strides[outer] == access.strides[outer + 1] * right.extent;
  });
  return mergeable;
}

static void mergeNeighbours(LoopNest &nest) {
  for (unsigned outer = 0; outer + 1 < nest.loops.size();) {
    if (!canMerge(nest, outer)) {
      ++outer;
      continue;
    }
    nest.loops[outer + 1].extent *= nest.loops[outer].extent;
    nest.loops.erase(nest.loops.begin() + outer);
    forEachAccess(nest,
                  [&](Access &access) { access.strides.erase(access.strides.begin() + outer); });
    outer = outer ? outer - 1 : 0;
  }
}

void LoopNest::simplify() {
  dropSingleIterations(*this);
  sortLoops(*this);
  mergeNeighbours(*this);
}

//===----------------------------------------------------------------------===//
// LoopSchedule
//===----------------------------------------------------------------------===//

int64_t LoopSchedule::countItems(const LoopNest &nest) const {
  int64_t count = 1;
  for (auto [loop, tile] : llvm::zip_equal(nest.loops, tiles))
    if (!loop.isReduction)
      count *= llvm::divideCeil(loop.extent, std::max<int64_t>(tile, 1));
  return count;
}

namespace {
/// A schedule in the making: tiles grow until a work item has enough to do.
class Planner {
public:
  explicit Planner(const LoopNest &nest) : nest(nest) {
    for (const Loop &loop : nest.loops)
      schedule.tiles.push_back(loop.isReduction ? loop.extent : 1);
    schedule.order = llvm::to_vector(llvm::seq<unsigned>(0, nest.loops.size()));
  }

  LoopSchedule plan() {
    if (std::optional<unsigned> vector = findVectorLoop(); vector && hasReduction())
      nest.loops[*vector].isReduction ? planRows(*vector) : planColumns(*vector);
    else if (std::optional<unsigned> turned = findTurnedLoop())
      planTurn(*turned);
    else
      growAll(nest.loops.size());
    return schedule;
  }

private:
  bool hasReduction() const {
    return llvm::any_of(nest.loops, [](const Loop &loop) { return loop.isReduction; });
  }

  /// The loop along which most elements lie side by side.
  std::optional<unsigned> findVectorLoop() const {
    SmallVector<int64_t> score(nest.loops.size(), 0);
    auto count = [&](const Access &access) {
      for (auto [loop, stride] : llvm::enumerate(access.strides))
        if (std::abs(stride) == 1)
          score[loop] += footprint(nest, access);
    };
    llvm::for_each(nest.inputs, count);
    llvm::for_each(nest.outputs, count);
    std::optional<unsigned> best;
    for (unsigned loop = 0; loop < score.size(); ++loop) {
      bool isShort = !nest.loops[loop].isReduction && nest.loops[loop].extent < kShortLoop;
      if (hasReduction() && isShort)
        continue;
      // Of equals a reduction: its sums stay in registers.
      if (!best || score[loop] > score[*best] ||
          (score[loop] == score[*best] && nest.loops[loop].isReduction))
        best = loop;
    }
    return best;
  }

  /// The loop along which an input lies contiguously while the output does not.
  std::optional<unsigned> findTurnedLoop() const {
    if (nest.loops.size() < 2 || nest.outputs.empty())
      return std::nullopt;
    unsigned last = nest.loops.size() - 1;
    const Access *input = largestInput(nest);
    if (!input || nest.outputs.front().strides[last] != 1 || input->strides[last] == 1)
      return std::nullopt;
    for (unsigned loop = 0; loop < last; ++loop)
      if (input->strides[loop] == 1 && nest.loops[loop].extent > 1)
        return loop;
    return std::nullopt;
  }

  int64_t itemElements() const {
    int64_t count = 1;
    for (int64_t tile : schedule.tiles)
      count *= tile;
    return count;
  }

  /// Lets a tile grow so that the item has kItemElements, or to the whole loop.
  void grow(unsigned loop) {
    int64_t &tile = schedule.tiles[loop];
    int64_t others = itemElements() / std::max<int64_t>(tile, 1);
    int64_t wanted = llvm::divideCeil(kItemElements, std::max<int64_t>(others, 1));
    tile = std::min(nest.loops[loop].extent, std::max(tile, wanted));
  }

  /// The same for all parallel loops before `end`, innermost first.
  void growAll(unsigned end) {
    for (unsigned loop = end; loop-- > 0;)
      if (!nest.loops[loop].isReduction)
        grow(loop);
  }

  void moveLast(unsigned loop) {
    schedule.order.erase(llvm::find(schedule.order, loop));
    schedule.order.push_back(loop);
  }

  void planRows(unsigned vector) {
    moveLast(vector);
    growAll(nest.loops.size());
  }

  void planColumns(unsigned vector) {
    moveLast(vector);
    schedule.sumsInBuffer = true;
    int64_t extent = nest.loops[vector].extent, items = 1;
    for (auto [number, loop] : llvm::enumerate(nest.loops))
      if (!loop.isReduction)
        items *= loop.extent;
    int64_t columns = llvm::alignTo(llvm::divideCeil(items, kManyItems), kMinColumns);
    schedule.tiles[vector] = std::min(extent, std::clamp(columns, kMinColumns, kMaxColumns));
    grow(vector);
    schedule.tiles[vector] = std::min(schedule.tiles[vector], kMaxColumns);
    for (unsigned loop = nest.loops.size(); loop-- > 0;)
      if (!nest.loops[loop].isReduction && loop != vector)
        grow(loop);
  }

  void planTurn(unsigned turned) {
    unsigned last = nest.loops.size() - 1;
    moveLast(turned);
    moveLast(last);
    for (unsigned loop : {turned, last})
      schedule.tiles[loop] = std::min(nest.loops[loop].extent, kTurnTile);
    grow(turned);
    growAll(last);
  }

  const LoopNest &nest;
  LoopSchedule schedule;
};
} // namespace

LoopSchedule planwright::codegen::planLoops(const LoopNest &nest) { return Planner(nest).plan(); }
