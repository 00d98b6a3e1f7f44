// Decides how every op of a function is cut, given how its arguments are: an analysis that edits
// nothing.
//
//   Propagation propagation(function, mesh, argumentLayouts);
//   propagation.getAssignment(op); propagation.getLayout(value);
//
// Per axis, only factors on which an operand already carries the axis are candidates; where
// operands disagree, the one with more bytes wins. Partial sums pass through ops that are linear in
// them. Then, from the last op to the first: an op whose users all want the same block computes
// only that block. Axes in the task's `plan.chosen_axes` lie as the ops' assignments say and
// nowhere else. A parameter's data axes are no candidates: they divide its storage, and it is
// gathered before use (update tasks work on blocks). Not here: exchanges (Reshard.h), edits (the
// passes).
#ifndef PLANWRIGHT_LIB_TRANSFORMS_SHARDING_PROPAGATION_H
#define PLANWRIGHT_LIB_TRANSFORMS_SHARDING_PROPAGATION_H

#include "planwright/Interfaces/Sharding/ShardingRuleOpInterface.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace planwright {

/// A use that needs a value complete which is partial over `axis`.
struct PartialUse {
  mlir::OpOperand *use;
  mlir::StringAttr axis;
};

/// A use that carries `axis` on a dimension which its op cannot divide, because `size` does not.
struct UnevenUse {
  mlir::OpOperand *use;
  mlir::StringAttr axis;
  int64_t size;
};

class Propagation {
public:
  Propagation(mlir::func::FuncOp function, plan::MeshAttr mesh,
              llvm::ArrayRef<plan::LayoutAttr> argumentLayouts);

  /// Layout of an argument or of a result of an op of the function.
  plan::LayoutAttr getLayout(mlir::Value value) const;
  /// Assignment of an op; null where it has no sharding rule.
  plan::AssignmentAttr getAssignment(mlir::Operation *op) const;
  /// Layout in which an op takes an operand: whole where it has no sharding rule.
  plan::LayoutAttr getOperandLayout(mlir::OpOperand &use) const;

  /// Layout in which a value is kept for the backward pass: complete over ranks where a use
  /// completes it anyway, so that it is not completed twice.
  plan::LayoutAttr getResidualLayout(mlir::Value value) const;

  llvm::ArrayRef<PartialUse> getPartialUses() const { return partialUses; }
  llvm::ArrayRef<UnevenUse> getUnevenUses() const { return unevenUses; }
  /// Ops that carry an assignment which is none of theirs: too few factors, one that must stay
  /// whole, uneven blocks.
  llvm::ArrayRef<mlir::Operation *> getMisfits() const { return misfits; }

private:
  void decide(mlir::Operation *op);
  void refine(mlir::Operation *op);
  void setAssignment(mlir::Operation *op, plan::AssignmentAttr assignment);
  bool isEarly(mlir::Value value) const { return !late.contains(value); }
  bool isChosen(mlir::StringAttr axis) const { return chosen && chosen.contains(axis); }
  std::optional<llvm::SmallVector<Axes>> getCommonDemand(mlir::Value value) const;

  plan::MeshAttr mesh;
  plan::AxesAttr chosen;                    ///< null if none
  llvm::SmallVector<mlir::StringAttr> axes; ///< to be decided
  llvm::DenseMap<mlir::Value, plan::LayoutAttr> layouts;
  llvm::DenseMap<mlir::Operation *, plan::AssignmentAttr> assignments;
  llvm::DenseMap<mlir::Operation *, ShardingRule> rules;
  llvm::DenseSet<mlir::Value>
      late; ///< computed from what changes between steps: parameters, residuals
  llvm::SmallVector<PartialUse> partialUses;
  llvm::SmallVector<UnevenUse> unevenUses;
  llvm::SmallVector<mlir::Operation *> misfits;
};

/// Is an object known before the first micro-batch, and not trained? Inputs, constants, what the
/// prologue gives.
bool isEarlyObject(plan::ObjectAttr object);
/// Rank of a tensor type, 0 of a scalar.
int64_t getRankOrZero(mlir::Type type);
/// Results of `op` as functions of the operands that `assignment` takes partial.
llvm::SmallVector<Linearity> getLinearity(ShardingRuleOpInterface op,
                                          plan::AssignmentAttr assignment);
/// Can `op` be cut as `assignment` says: as many factors, none of them whole-only, even blocks?
bool fits(ShardingRuleOpInterface op, const ShardingRule &rule, plan::AssignmentAttr assignment,
          plan::MeshAttr mesh);
/// The assignment that puts no axis anywhere.
plan::AssignmentAttr getEmptyAssignment(mlir::MLIRContext *context, const ShardingRule &rule);
bool isEmpty(plan::AssignmentAttr assignment);
/// The axes of both, those of `inner` inside; `outer` may be null.
plan::AssignmentAttr mergeAssignments(plan::AssignmentAttr outer, plan::AssignmentAttr inner);
/// What they say of the axes that `isKept` takes; null stays null.
plan::AssignmentAttr keepAxes(plan::AssignmentAttr assignment,
                              llvm::function_ref<bool(mlir::StringAttr)> isKept);
plan::LayoutAttr keepAxes(plan::LayoutAttr layout,
                          llvm::function_ref<bool(mlir::StringAttr)> isKept);

} // namespace planwright

#endif // PLANWRIGHT_LIB_TRANSFORMS_SHARDING_PROPAGATION_H
