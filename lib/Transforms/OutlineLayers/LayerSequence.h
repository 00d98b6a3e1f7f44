// A function as a sequence of numbers: what repeats, and what a cut costs. Decides nothing, changes
// nothing. Not here: the search (Repeats.h), the outlining (LayerFunction.h).
#ifndef PLANWRIGHT_LIB_TRANSFORMS_OUTLINELAYERS_LAYERSEQUENCE_H
#define PLANWRIGHT_LIB_TRANSFORMS_OUTLINELAYERS_LAYERSEQUENCE_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/DenseMap.h"

namespace planwright {

/// Where a value comes from.
enum class Origin {
  closed,   // depends on no argument: every layer may have its own copy
  outside,  // an argument, a value computed from the batch only, or a slice of a parameter
  computed, // depends on a parameter: part of a layer, or of what stands between layers
};

struct LayerSequence {
  explicit LayerSequence(mlir::func::FuncOp function);

  /// The operations with computed results, in program order.
  llvm::SmallVector<mlir::Operation *> operations;
  /// Per operation: equal numbers for operations that are equal but for their operands.
  llvm::SmallVector<unsigned> labels;
  /// Bytes of computed values that live across a cut before the operation.
  llvm::SmallVector<int64_t> liveBytes;
  llvm::SmallVector<bool> isContraction;
  llvm::DenseMap<mlir::Operation *, unsigned> positions;

  Origin getOrigin(mlir::Value value) const;

private:
  void classify(mlir::func::FuncOp function);
  void assignLabels();
  void countLiveBytes(mlir::Operation *terminator);

  llvm::DenseMap<mlir::Value, Origin> origins;
};

/// Values from outside of `op` that it or its regions use, in order.
llvm::SmallVector<mlir::Value> getExternalOperands(mlir::Operation *op);

} // namespace planwright

#endif // PLANWRIGHT_LIB_TRANSFORMS_OUTLINELAYERS_LAYERSEQUENCE_H
