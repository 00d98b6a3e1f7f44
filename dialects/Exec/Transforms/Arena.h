// Where buffers with lives lie in one arena: numbers in, numbers out.
//
//   SmallVector<exec::Life> lives = {{/*bytes=*/128, /*first=*/0, /*last=*/3}, ...};
//   exec::ArenaLayout layout = exec::assignArena(lives);
//   // layout.offsets[i], layout.bytes, exec::arenaLowerBound(lives)
//
// Not here: programs, instructions.
#ifndef PLANWRIGHT_DIALECTS_EXEC_TRANSFORMS_ARENA_H
#define PLANWRIGHT_DIALECTS_EXEC_TRANSFORMS_ARENA_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"

#include <cstdint>

namespace planwright::exec {

/// A buffer of `bytes` that is in use from instruction `first` to `last`, both included.
struct Life {
  int64_t bytes = 0;
  int64_t first = 0;
  int64_t last = 0;
};

struct ArenaLayout {
  llvm::SmallVector<int64_t> offsets; ///< one for each life, multiples of kAlignment
  int64_t bytes = 0;                  ///< size of the arena
};

/// Offsets such that lives that meet do not overlap in memory. The same for the same input.
ArenaLayout assignArena(llvm::ArrayRef<Life> lives);

/// The most bytes in use at one instruction: no assignment needs less.
int64_t arenaLowerBound(llvm::ArrayRef<Life> lives);

} // namespace planwright::exec

#endif // PLANWRIGHT_DIALECTS_EXEC_TRANSFORMS_ARENA_H
