// The ways in which one op can take one axis: on a loop, not at all, or in passing partial sums on;
// and the states in which operands and results then lie.
//
//   AxisChooser chooser(classes, mesh, options);
//   for (const AxisChoice &choice : chooser.getChoices(op)) ...
//
// Not here: which way is best (AxisProblem.h).
#ifndef PLANWRIGHT_LIB_TRANSFORMS_SHARDING_AXISCHOICES_H
#define PLANWRIGHT_LIB_TRANSFORMS_SHARDING_AXISCHOICES_H

#include "lib/Transforms/Sharding/AxisState.h"
#include "lib/Transforms/Sharding/DimClasses.h"

#include "planwright/Interfaces/Sharding/ShardingRuleOpInterface.h"

namespace planwright {

struct AxisOptions {
  mlir::StringAttr axis;
  bool dividesWeights = true;    ///< may the axis lie on dimensions of parameters?
  bool dividesPositions = false; ///< may it lie on positions?
  AxisCosts costs;
};

struct AxisChoice {
  plan::AssignmentAttr assignment; ///< null for an op without sharding rule
  llvm::SmallVector<AxisState> operands, results;
  Cost cost = 0; ///< of running the op on one rank
};

class AxisChooser {
public:
  /// `chosen` are the axes that were chosen before; what ops and arguments have of others is not
  /// looked at.
  AxisChooser(const DimClasses &classes, plan::MeshAttr mesh, const AxisOptions &options,
              llvm::ArrayRef<mlir::StringAttr> chosen);

  /// At least one. An op that multiplies by a parameter must be divided along a dimension of the
  /// parameter where one divides: `--tp` divides work, it is not a hint. If the axis does not
  /// divide weights, then along positions. Added to axes chosen before.
  llvm::SmallVector<AxisChoice> getChoices(mlir::Operation *op) const;
  /// The loops of a product, over heads, hidden units and the like, that keep the axis from
  /// dividing it at all: there are some, all have at least as many iterations as the axis has
  /// ranks, and none divides. Empty for an op that can be divided or need not be.
  llvm::SmallVector<unsigned> getUnevenFactors(mlir::Operation *op, const ShardingRule &rule) const;
  /// May the axis lie on this dimension, by what it counts and by its size?
  bool mayDivide(mlir::Value value, int64_t dim) const;
  /// Is it computed from nothing? It is then to be had in any state for nothing.
  bool isGenerated(mlir::Value value) const { return generated.contains(value); }
  /// Is it a parameter, or computed from parameters alone?
  bool isParameter(mlir::Value value) const { return parameters.contains(value); }
  /// Bytes of `value` on a rank that has all of the axis, of one micro-batch; axes that were chosen
  /// before divide it.
  int64_t getBytes(mlir::Value value) const;

  /// To be called on each argument and op in order, before getChoices. `layout` is that of axes
  /// chosen before, or null.
  void addArgument(mlir::Value argument, bool isParameter, plan::LayoutAttr layout);
  void addOp(mlir::Operation *op);

private:
  bool mayTake(DimTag tag, int64_t size) const;
  llvm::SmallDenseSet<unsigned> getSharedFactors(mlir::Operation *op,
                                                 const ShardingRule &rule) const;
  bool multipliesByParameter(mlir::Operation *op, const ShardingRule &rule,
                             llvm::SmallDenseSet<unsigned> &parameterFactors) const;
  plan::AssignmentAttr getKnown(mlir::Operation *op) const;
  std::optional<AxisChoice> makeChoice(ShardingRuleOpInterface op, const ShardingRule &rule,
                                       std::optional<unsigned> factor,
                                       const llvm::BitVector &partial) const;
  void setBlocks(mlir::Value value, plan::LayoutAttr layout);
  double getFlops(mlir::Operation *op, const ShardingRule &rule) const;
  /// Bytes that an op moves for one of its values, as if it were whole: none for what is computed
  /// where it is used or stays inside a kernel; and those who read one value share the reading, as
  /// query, key and value do.
  double getTraffic(mlir::Value value, bool isRead) const;
  void addFactorChoices(ShardingRuleOpInterface op, const ShardingRule &rule,
                        llvm::SmallVectorImpl<AxisChoice> &choices) const;
  void addPartialChoices(ShardingRuleOpInterface op, const ShardingRule &rule,
                         llvm::SmallVectorImpl<AxisChoice> &choices) const;

  const DimClasses &classes;
  AxisOptions options;
  Axes chosen;                                      ///< before this one
  plan::MeshAttr mesh, axisMesh;                    ///< the second one has the one axis alone
  int64_t batchBlocks;                              ///< into which other axes divide the batch
  llvm::DenseMap<mlir::Value, int64_t> knownBlocks; ///< into which axes chosen before divide it
  llvm::DenseSet<mlir::Value> generated, parameters;
};

} // namespace planwright

#endif // PLANWRIGHT_LIB_TRANSFORMS_SHARDING_AXISCHOICES_H
