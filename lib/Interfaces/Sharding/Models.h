// The families of sharding models, and what they share.
#ifndef PLANWRIGHT_LIB_INTERFACES_SHARDING_MODELS_H
#define PLANWRIGHT_LIB_INTERFACES_SHARDING_MODELS_H

#include "planwright/Interfaces/Sharding/ShardingRuleOpInterface.h"

#include "mlir/IR/DialectRegistry.h"

namespace planwright {

void registerLinalgShardingModels(mlir::DialectRegistry &registry);
void registerTensorShardingModels(mlir::DialectRegistry &registry);
void registerModelShardingModels(mlir::DialectRegistry &registry);

} // namespace planwright

#endif // PLANWRIGHT_LIB_INTERFACES_SHARDING_MODELS_H
