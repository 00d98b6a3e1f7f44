// The sharding interface's generated code, what its models share, and their registration.
#include "planwright/Interfaces/Sharding/ShardingRuleOpInterface.h"

#include "lib/Interfaces/Sharding/Models.h"

#include "mlir/Dialect/Utils/StructuredOpsUtils.h"

using namespace mlir;

#include "lib/Interfaces/Sharding/ShardingRuleOpInterface.cpp.inc"

Operation *planwright::cloneOnBlocks(OpBuilder &builder, Operation *op, ValueRange operands,
                                     TypeRange results) {
  Operation *local = mlir::clone(builder, op, results, operands);
  local->removeAttr(plan::kAssignmentAttrName);
  return local;
}

void planwright::registerShardingModels(DialectRegistry &registry) {
  registerLinalgShardingModels(registry);
  registerTensorShardingModels(registry);
  registerModelShardingModels(registry);
}
