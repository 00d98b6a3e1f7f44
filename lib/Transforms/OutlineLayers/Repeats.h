// Repetitions in a sequence of numbers.
//
//   for (Repeat r : findRepeats({.labels = {7, 1, 2, 3, 1, 2, 3, 8}, ...}))  // start 1, period 3,
//   count 2
//
// Sees numbers only. Not here: what they stand for (LayerSequence.h).
#ifndef PLANWRIGHT_LIB_TRANSFORMS_OUTLINELAYERS_REPEATS_H
#define PLANWRIGHT_LIB_TRANSFORMS_OUTLINELAYERS_REPEATS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"

#include <cstdint>

namespace planwright {

struct RepeatProblem {
  /// Equal numbers are equal operations.
  llvm::ArrayRef<unsigned> labels;
  /// Cost of a cut before each operation, and behind the last.
  llvm::ArrayRef<int64_t> cutCosts;
  /// Heavy operations; a repetition without one is not worth a function.
  llvm::ArrayRef<bool> isHeavy;
  /// Shortest period looked for.
  size_t leastPeriod = 8;
};

/// `count` times the same `period` labels from `start` on.
struct Repeat {
  size_t start = 0, period = 0, count = 0;

  size_t getLength() const { return period * count; }
};

/// Repetitions that do not overlap, in order: first the one that covers most, then those beside it.
llvm::SmallVector<Repeat> findRepeats(const RepeatProblem &problem);

} // namespace planwright

#endif // PLANWRIGHT_LIB_TRANSFORMS_OUTLINELAYERS_REPEATS_H
