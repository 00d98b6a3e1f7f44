// What a plan needs, read off its exec program: memory by class, collectives by kind.
//
//   MemoryTable memory = summarizeMemory(program);
//   errs() << memory.peakBytes;
//   for (const CollectiveRow &row : summarizeCollectives(program)) ...
//
// Not here: predictions (lib/Cost), printing (the driver).
#ifndef PLANWRIGHT_TARGET_PLAN_SUMMARY_H
#define PLANWRIGHT_TARGET_PLAN_SUMMARY_H

#include "dialects/Exec/IR/Exec.h"

#include <string>
#include <vector>

namespace planwright {

/// Bytes of one rank's arena. The classes add up to the peak, alignment included.
struct MemoryTable {
  int64_t parameterBytes = 0; ///< parameters and constants
  int64_t gradientBytes = 0;
  int64_t optimizerStateBytes = 0;
  int64_t inputBytes = 0; ///< of all micro-batches
  int64_t literalBytes = 0;
  int64_t otherBytes = 0;     ///< loss, scalars, prologue values
  int64_t temporaryBytes = 0; ///< residuals and temporaries, which share memory
  int64_t peakBytes = 0;
  int64_t lowerBoundBytes = 0; ///< no assignment of offsets has a lower peak
};

/// One kind of exchange in a step.
struct CollectiveRow {
  std::string kind;              ///< "all_reduce", ...
  std::vector<std::string> axes; ///< of the communicator
  int64_t bytes = 0;             ///< that each rank puts in, each time
  int64_t count = 0;             ///< per step
};

/// Needs offsets (exec-assign-offsets).
MemoryTable summarizeMemory(exec::ProgramOp program);

/// Rows that differ only in `count` are one; in the order in which a step first runs them.
std::vector<CollectiveRow> summarizeCollectives(exec::ProgramOp program);

} // namespace planwright

#endif // PLANWRIGHT_TARGET_PLAN_SUMMARY_H
