// Values of the forward function that the backward function reads: which are saved, which are
// computed again.
//
//   Residuals residuals(forward, backward, active, /*recomputePointwise=*/true);
//   Value x = residuals.get(v);          // while the backward function is built: a placeholder
//   SmallVector<Value> saved = residuals.finish();  // decides, replaces placeholders
//
// Not here: why a value is read (lib/Interfaces/Derivative).
#ifndef PLANWRIGHT_LIB_TRANSFORMS_DERIVE_RESIDUALS_H
#define PLANWRIGHT_LIB_TRANSFORMS_DERIVE_RESIDUALS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"

namespace planwright {

class Residuals {
public:
  /// `active` holds the values of `forward` that depend on an argument with a gradient.
  Residuals(mlir::func::FuncOp forward, mlir::func::FuncOp backward,
            const llvm::DenseSet<mlir::Value> &active, bool recomputePointwise)
      : forward(forward), backward(backward), active(active),
        recomputePointwise(recomputePointwise) {}

  /// `value` of the forward function, in the backward function.
  mlir::Value get(mlir::Value value);

  /// Replaces all placeholders. Returns the values to save, in program order; for each the backward
  /// function has got one more argument, the first at position `forward.getNumArguments()`.
  llvm::SmallVector<mlir::Value> finish();

private:
  bool isRead(mlir::Operation &op) const;
  bool mustRecompute(mlir::Operation &op) const;
  bool mayRecompute(mlir::Operation &op) const;
  bool hasSmallerInputs(mlir::Operation &op) const;
  void dropUnused(mlir::Operation &op);
  void requireOperands();
  llvm::DenseSet<mlir::Operation *> findRecomputable();
  void recompute(mlir::Operation &op);
  void numberOperations();
  unsigned getFirstUser(mlir::Operation &op);

  mlir::func::FuncOp forward, backward;
  const llvm::DenseSet<mlir::Value> &active;
  bool recomputePointwise;
  /// Placeholders in the backward function by the value that they stand for.
  llvm::DenseMap<mlir::Value, mlir::Value> placeholders;
  /// Operations of the backward function by number; a clone has the number of the operation that it
  /// stands before.
  llvm::DenseMap<mlir::Operation *, unsigned> numbers;
  /// By number, the first of the clones before the operation, or the operation itself.
  llvm::SmallVector<mlir::Operation *> firstOfNumber;
};

} // namespace planwright

#endif // PLANWRIGHT_LIB_TRANSFORMS_DERIVE_RESIDUALS_H
