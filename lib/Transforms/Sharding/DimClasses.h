// Which dimensions travel together through the ops of all tasks, and what they count: examples,
// positions, or something that parameters have.
//
//   DimClasses classes(tasks);
//   classes.getTag(value, 1) == DimTag::Weight   // heads, hidden units, vocabulary, experts ...
//
// Two dimensions are in one class if some op runs over both with one loop. Not here: which of them
// lie on an axis.
#ifndef PLANWRIGHT_LIB_TRANSFORMS_SHARDING_DIMCLASSES_H
#define PLANWRIGHT_LIB_TRANSFORMS_SHARDING_DIMCLASSES_H

#include "planwright/Interfaces/Sharding/ShardingRule.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/IntEqClasses.h"

namespace planwright {

/// What a class of dimensions counts; of several the last one holds.
enum class DimTag {
  None,     ///< nothing that a parameter or an input has
  Weight,   ///< a dimension of a parameter
  Position, ///< a dimension of an input that is not its batch
  Batch     ///< the batch dimension of an input
};

class DimClasses {
public:
  explicit DimClasses(llvm::ArrayRef<mlir::func::FuncOp> tasks);

  DimTag getTag(mlir::Value value, int64_t dim) const;
  /// Of a loop of an op; None where no dimension of an operand or result is led by it.
  DimTag getTag(mlir::Operation *op, const ShardingRule &rule, unsigned factor) const;
  bool hasBatch(mlir::Value value) const;

private:
  void addValue(mlir::Value value);
  void joinObjects(llvm::ArrayRef<mlir::func::FuncOp> tasks);
  void joinFactors(mlir::Operation *op);
  void setTags(mlir::func::FuncOp task);
  void raise(unsigned node, DimTag tag);
  unsigned getNode(mlir::Value value, int64_t dim) const { return nodes.lookup(value) + dim; }

  llvm::DenseMap<mlir::Value, unsigned> nodes; ///< of the first dimension of each value
  unsigned numNodes = 0;
  llvm::IntEqClasses classes;
  llvm::DenseMap<unsigned, DimTag> tags; ///< by leader
};

/// The factor that decides how a dimension is cut: the outermost of more than one element.
std::optional<unsigned> getLeadingFactor(const ShardingRule &rule, const DimFactors &dim);

} // namespace planwright

#endif // PLANWRIGHT_LIB_TRANSFORMS_SHARDING_DIMCLASSES_H
