// Which dimensions travel together through the ops of all tasks, and what they count: examples,
// positions, or something that parameters have.
//
//   DimClasses classes(tasks);
//   classes.getTag(value, 1) == DimTag::Weight   // heads, hidden units, vocabulary, experts ...
//
// Two dimensions are in one class if some op runs over both with one loop, or an exchange cuts one
// into blocks of the other: it works on global shapes and on those of one rank. What is computed
// from no argument joins nothing: one zero tensor may stand for many. Not here: which of them lie
// on an axis.
#ifndef PLANWRIGHT_LIB_TRANSFORMS_SHARDING_DIMCLASSES_H
#define PLANWRIGHT_LIB_TRANSFORMS_SHARDING_DIMCLASSES_H

#include "lib/Transforms/Sharding/ValueOrigins.h"

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
  /// Do elements of an input pick along it: does it count what is in a vocabulary?
  bool isVocabulary(mlir::Value value, int64_t dim) const;

  /// Has it a dimension of a vocabulary and one of inputs? Positions are as good as the batch: they
  /// are what is left of it where one example is flattened.
  bool isLogits(mlir::Value value) const;
  /// Has it two dimensions of positions, as scores of attention have?
  bool isScores(mlir::Value value) const;

private:
  void addValue(mlir::Value value);
  void joinObjects(mlir::func::FuncOp task, const ValueOrigins &origins,
                   llvm::DenseMap<plan::ObjectAttr, mlir::Value> &objects);
  void joinFactors(mlir::Operation *op, const ValueOrigins &origins);
  void joinBlocks(mlir::Operation *op);
  void setTags(mlir::func::FuncOp task);
  void setVocabularies(mlir::func::FuncOp task, const ValueOrigins &origins);
  void raise(unsigned node, DimTag tag);
  unsigned getNode(mlir::Value value, int64_t dim) const { return nodes.lookup(value) + dim; }

  llvm::DenseMap<mlir::Value, unsigned> nodes; ///< of the first dimension of each value
  unsigned numNodes = 0;
  llvm::IntEqClasses classes;
  llvm::DenseMap<unsigned, DimTag> tags; ///< by leader
  llvm::DenseSet<unsigned> vocabularies; ///< leaders
};

/// The factor that decides how a dimension is cut: the outermost of more than one element.
std::optional<unsigned> getLeadingFactor(const ShardingRule &rule, const DimFactors &dim);

} // namespace planwright

#endif // PLANWRIGHT_LIB_TRANSFORMS_SHARDING_DIMCLASSES_H
