// The interface through which ops are cut, and its models for upstream ops and the model dialect.
//
//   registerShardingModels(registry);
//   if (auto shardable = dyn_cast<ShardingRuleOpInterface>(op)) shardable.getShardingRule();
//
// Not here: layouts of values (lib/Transforms/Sharding).
#ifndef PLANWRIGHT_INTERFACES_SHARDING_SHARDINGRULEOPINTERFACE_H
#define PLANWRIGHT_INTERFACES_SHARDING_SHARDINGRULEOPINTERFACE_H

#include "planwright/Interfaces/Sharding/ShardingRule.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/OpDefinition.h"
#include "llvm/ADT/BitVector.h"

namespace planwright {

/// `op` with other operands and result types, and without its assignment: all that most ops need on
/// blocks.
mlir::Operation *cloneOnBlocks(mlir::OpBuilder &builder, mlir::Operation *op,
                               mlir::ValueRange operands, mlir::TypeRange results);

/// Is `value` known to hold zeros only: a splat constant, or filled with one? Zeros are as good
/// whole as partial.
bool isKnownZero(mlir::Value value);

/// Attaches the interface to linalg, tensor, arith and model ops.
void registerShardingModels(mlir::DialectRegistry &registry);

} // namespace planwright

#include "lib/Interfaces/Sharding/ShardingRuleOpInterface.h.inc"

#endif // PLANWRIGHT_INTERFACES_SHARDING_SHARDINGRULEOPINTERFACE_H
