// From one layout of a value to another: which exchanges, and the ops that do them.
//
//   for (const ReshardStep &step : planReshard(from, to))
//     local = applyStep(builder, loc, local, step, mesh);
//
// Not here: which layouts are wanted.
#ifndef PLANWRIGHT_LIB_TRANSFORMS_SHARDING_RESHARD_H
#define PLANWRIGHT_LIB_TRANSFORMS_SHARDING_RESHARD_H

#include "planwright/Interfaces/Sharding/ShardingRule.h"

#include "mlir/IR/Builders.h"

namespace planwright {

enum class ReshardKind {
  ReduceScatter, ///< partial becomes divided along `dim`
  AllReduce,     ///< partial becomes whole
  AllToAll,      ///< axes move from `otherDim` to `dim`
  AllGather,     ///< divided along `dim` becomes whole
  Share,         ///< whole becomes a sum of equal shares; nothing is exchanged
  AllSlice       ///< whole becomes divided along `dim`; nothing is exchanged
};

struct ReshardStep {
  ReshardKind kind;
  Axes axes;
  int64_t dim = -1;
  int64_t otherDim = -1;
  plan::Combiner combiner = plan::Combiner::sum;
};

/// The steps, at most one exchange per run of neighbouring axes. Reductions come first (a scattered
/// value is smaller), gathers before slices.
llvm::SmallVector<ReshardStep> planReshard(plan::LayoutAttr from, plan::LayoutAttr to);

/// Does the step need values of other ranks, or of other micro-batches?
bool isExchange(const ReshardStep &step);

mlir::Value applyStep(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value local,
                      const ReshardStep &step, plan::MeshAttr mesh);

} // namespace planwright

#endif // PLANWRIGHT_LIB_TRANSFORMS_SHARDING_RESHARD_H
