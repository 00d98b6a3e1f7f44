// A perfect loop nest over strided operands, and which of its loops become work items.
//
//   LoopNest nest = ...;                 // one loop per iteration dimension, strides from the maps
//   nest.simplify();                     // loops of one iteration dropped, adjacent ones merged
//   LoopSchedule schedule = planLoops(nest);
//
// Everything is decided from shapes and strides alone, so that no result depends on the number of
// threads. Not here: code (NestEmitter.h).
#ifndef PLANWRIGHT_LIB_CODEGEN_HOST_LOOPNEST_H
#define PLANWRIGHT_LIB_CODEGEN_HOST_LOOPNEST_H

#include "mlir/Support/LLVM.h"
#include "llvm/ADT/SmallVector.h"

#include <cstdint>
#include <optional>

namespace planwright::codegen {

/// The address of an operand's element, in elements: offset + sum of strides[loop] * iv[loop].
struct Access {
  int64_t offset = 0;
  llvm::SmallVector<int64_t> strides;
};

struct Loop {
  int64_t extent = 1;
  bool isReduction = false;
  /// The iteration dimension whose number the body asks for, if it does.
  std::optional<unsigned> indexOf;
};

struct LoopNest {
  llvm::SmallVector<Loop> loops;
  llvm::SmallVector<Access> inputs;
  llvm::SmallVector<Access> outputs;

  int64_t countIterations() const;
  /// Drops loops of one iteration, sorts the parallel loops by the strides of the first output and
  /// the reduction loops by those of the largest input, and merges neighbours that every operand
  /// walks as one.
  void simplify();
};

/// How a nest is cut and ordered.
struct LoopSchedule {
  /// Iterations of each loop in one work item. Reduction loops are never cut.
  llvm::SmallVector<int64_t> tiles;
  /// The loops in the order in which a work item runs them, outermost first.
  llvm::SmallVector<unsigned> order;
  /// The last loop of the order is parallel and runs inside the reduction loops: sums are kept in a
  /// buffer of its tile.
  bool sumsInBuffer = false;

  int64_t countItems(const LoopNest &nest) const;
};

LoopSchedule planLoops(const LoopNest &nest);

} // namespace planwright::codegen

#endif // PLANWRIGHT_LIB_CODEGEN_HOST_LOOPNEST_H
