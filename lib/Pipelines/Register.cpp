// One line for each dialect, interface and group of passes.
#include "planwright/Pipelines/Register.h"

#include "dialects/Cluster/IR/Cluster.h"
#include "dialects/Comm/IR/Comm.h"
#include "dialects/Exec/IR/Exec.h"
#include "dialects/Exec/Transforms/Passes.h"
#include "dialects/Model/IR/Model.h"
#include "dialects/Plan/IR/Plan.h"
#include "dialects/StableHLO/IR/Chlo.h"
#include "dialects/StableHLO/Transforms/Passes.h"
#include "lib/Conversion/StableHLOToLinalg/Passes.h"
#include "lib/Conversion/TasksToExec/Passes.h"
#include "lib/Target/Plan/Passes.h"
#include "lib/Transforms/BuildUpdate/Passes.h"
#include "lib/Transforms/Derive/Passes.h"
#include "lib/Transforms/FormKernels/Passes.h"
#include "lib/Transforms/Normalize/Passes.h"
#include "lib/Transforms/OutlineLayers/Passes.h"
#include "planwright/Frontend/Signature.h"
#include "planwright/Interfaces/DifferentiableOpInterface.h"
#include "planwright/Interfaces/Sharding/ShardingRuleOpInterface.h"
#include "planwright/Pipelines/Training.h"
#include "planwright/Transforms/Sharding/Passes.h"

#include "mlir/Dialect/Func/Extensions/InlinerExtension.h"

using namespace planwright;

void planwright::registerPlanwright(mlir::DialectRegistry &registry) {
  registry.insert<chlo::ChloDialect, cluster::ClusterDialect, comm::CommDialect, exec::ExecDialect,
                  model::ModelDialect, plan::PlanDialect, stablehlo::StableHLODialect>();
  // Calls of outlined layers are inlined before layouts are decided.
  mlir::func::registerInlinerExtension(registry);
  registerDerivativeModels(registry);
  registerShardingModels(registry);

  stablehlo::registerStableHLOPasses();
  registerStableHLOToLinalgPasses();
  registerNormalizePasses();
  registerSignaturePasses();
  registerOutlineLayersPasses();
  registerDerivePasses();
  registerBuildUpdatePasses();
  registerShardingPasses();
  registerFormKernelsPasses();
  registerTasksToExecPasses();
  exec::registerExecPasses();
  registerPlanTargetPasses();
  registerTrainingPipelines();
}
