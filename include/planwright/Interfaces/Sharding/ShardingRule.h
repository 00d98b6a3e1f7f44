// What an op tells about its loop dimensions, so that it can be cut without knowing what it is.
//
//   ShardingRule rule = cast<ShardingRuleOpInterface>(op).getShardingRule();
//   LayoutAttr wanted = rule.getOperandLayout(0, assignment, mesh);
//
// A factor is a loop dimension. Each dimension of each operand and result is one factor, or several
// (major first) where a reshape splits or joins dimensions. Not here: which factor gets an axis
// (lib/Transforms/Sharding).
#ifndef PLANWRIGHT_INTERFACES_SHARDING_SHARDINGRULE_H
#define PLANWRIGHT_INTERFACES_SHARDING_SHARDINGRULE_H

#include "dialects/Plan/IR/Plan.h"

#include "llvm/ADT/SmallVector.h"

#include <optional>

namespace planwright {

enum class FactorKind {
  Parallel, ///< may be divided; blocks are independent
  Reduced,  ///< may be divided; results are then partial, to be combined as the factor says
  Whole     ///< must not be divided
};

struct Factor {
  int64_t size;
  FactorKind kind = FactorKind::Parallel;
  /// Of a reduced factor only.
  plan::Combiner combiner = plan::Combiner::sum;
  /// The operand whose elements say which iterations count, as tokens do of the rows of a table and
  /// labels of classes; absent where all do.
  std::optional<unsigned> picker = std::nullopt;
};

/// The factors that one dimension consists of, major first.
using DimFactors = llvm::SmallVector<unsigned, 1>;
/// One entry per dimension of a value; scalars have none.
using ValueFactors = llvm::SmallVector<DimFactors, 4>;
/// Axes on one dimension or factor, outermost first.
using Axes = llvm::SmallVector<mlir::StringAttr, 2>;

/// What a result is as a function of those operands that are sums of parts, all others being fixed.
enum class Linearity {
  Independent, ///< does not depend on them
  Linear,      ///< the sum of the parts' results is the result of the sums
  Nonlinear    ///< anything else
};

struct ShardingRule {
  llvm::SmallVector<Factor> factors;
  llvm::SmallVector<ValueFactors> operands;
  llvm::SmallVector<ValueFactors> results;

  unsigned addFactor(int64_t size, FactorKind kind = FactorKind::Parallel);

  /// Splits the axes on one dimension over the dimension's factors: an axis lies on the first
  /// factor that is not used up yet. Absent where an axis would straddle two factors or does not
  /// divide.
  std::optional<llvm::SmallVector<Axes>> split(llvm::ArrayRef<mlir::StringAttr> axes,
                                               const DimFactors &dim, plan::MeshAttr mesh) const;
  /// The reverse: axes on one dimension, given those on all factors. Absent where the blocks would
  /// not be contiguous.
  std::optional<Axes> join(const DimFactors &dim, llvm::ArrayRef<Axes> factorAxes,
                           plan::MeshAttr mesh) const;

  /// The layout that `assignment` demands of an operand; null where the assignment does not fit the
  /// rule.
  plan::LayoutAttr getOperandLayout(unsigned operand, plan::AssignmentAttr assignment,
                                    plan::MeshAttr mesh) const;
  /// The layout that `assignment` gives to a result that is `linearity` in the operands taken
  /// partial.
  plan::LayoutAttr getResultLayout(unsigned result, plan::AssignmentAttr assignment,
                                   Linearity linearity, plan::MeshAttr mesh) const;
};

/// Axes of size above one in the order in which they are assigned: ranks first, then "mb".
llvm::SmallVector<mlir::StringAttr> getDividingAxes(plan::MeshAttr mesh);

} // namespace planwright

#endif // PLANWRIGHT_INTERFACES_SHARDING_SHARDINGRULE_H
