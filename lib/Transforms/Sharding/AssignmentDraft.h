// One op's assignment while it is being decided, axis by axis.
//
//   AssignmentDraft draft(op, rule, mesh, operandLayouts);
//   if (!draft.assignToFactor(axis)) draft.passPartial(axis);
//   plan::AssignmentAttr assignment = draft.get();
//
// Not here: the order in which ops are visited (Propagation.cpp).
#ifndef PLANWRIGHT_LIB_TRANSFORMS_SHARDING_ASSIGNMENTDRAFT_H
#define PLANWRIGHT_LIB_TRANSFORMS_SHARDING_ASSIGNMENTDRAFT_H

#include "planwright/Interfaces/Sharding/ShardingRuleOpInterface.h"

namespace planwright {

class AssignmentDraft {
public:
  struct Uneven {
    unsigned operand;
    mlir::StringAttr axis;
    int64_t size;
  };

  AssignmentDraft(ShardingRuleOpInterface op, const ShardingRule &rule, plan::MeshAttr mesh,
                  llvm::ArrayRef<plan::LayoutAttr> operands, plan::AssignmentAttr start = {});

  /// Operands that can be known over the whole batch before the first micro-batch: where not all
  /// partial operands can stay partial, these are the ones to be completed.
  void setEarly(llvm::BitVector operands) { early = std::move(operands); }

  /// Puts `axis` on the factor on which most bytes of operands carry it, if that factor may be
  /// divided; among other axes in the order in which the largest of these operands carries them.
  bool assignToFactor(mlir::StringAttr axis);
  /// Takes operands that are sums over `axis` as they are, if the op is linear in them. A whole
  /// summand beside a partial one is taken partial too: every rank then adds its share of it.
  bool passPartial(mlir::StringAttr axis);
  /// Puts axes on factors so that the single result gets `dims`. False, and nothing done, where
  /// that cannot be or changes nothing.
  bool adoptResult(llvm::ArrayRef<plan::AxesAttr> dims);

  bool takesPartial(unsigned operand, mlir::StringAttr axis) const;
  /// Operands whose dimension carries an axis that the op's factor cannot take, for its size.
  llvm::ArrayRef<Uneven> getUneven() const { return uneven; }
  plan::AssignmentAttr get() const;

private:
  struct Place {
    unsigned factor;
    Axes axes;
  };

  std::optional<Place> findPlace(unsigned operand, mlir::StringAttr axis);
  bool canTake(unsigned factor, mlir::StringAttr axis) const;
  bool isJoinable(llvm::ArrayRef<Axes> factorAxes) const;
  bool isLinearIn(const llvm::BitVector &partial) const;
  bool mayBecomePartial(unsigned operand, mlir::StringAttr axis) const;
  std::optional<llvm::BitVector> extendToLinear(const llvm::BitVector &partial,
                                                mlir::StringAttr axis) const;
  llvm::SmallVector<llvm::BitVector> getSubsets(const llvm::BitVector &partial) const;

  mutable ShardingRuleOpInterface op; // op handles have no const methods
  const ShardingRule &rule;
  plan::MeshAttr mesh;
  llvm::ArrayRef<plan::LayoutAttr> operands;
  llvm::SmallVector<Axes> factors; ///< per factor
  llvm::SmallVector<Axes> partial; ///< per operand
  llvm::SmallVector<Uneven> uneven;
  llvm::BitVector early; ///< per operand
};

} // namespace planwright

#endif // PLANWRIGHT_LIB_TRANSFORMS_SHARDING_ASSIGNMENTDRAFT_H
