// The road from a model's graph to an exec program, as one pass pipeline. This is the only place
// that knows pass order.
//
//   module->setAttr(plan::kMeshAttrName, makeMesh(strategy, context));
//   buildTrainingPipeline(passManager, options);
//
// Not here: what the passes do; files (Target/Plan); the command line (tools/plan-opt).
#ifndef PLANWRIGHT_PIPELINES_TRAINING_H
#define PLANWRIGHT_PIPELINES_TRAINING_H

#include "dialects/Plan/IR/Plan.h"
#include "planwright/Pipelines/Strategy.h"

#include "mlir/Pass/PassManager.h"

#include <string>

namespace planwright {

struct TrainingOptions {
  std::string signaturePath;
  // As the command line spells them; see planwright/Transforms/Optimizer.h.
  std::string optimizer = "adamw:lr=3e-4";
  std::string learningRateSchedule = "constant";
  double clipNorm = 0;
  std::string noDecay;
  int64_t bucketBytes = 64 << 20; // gradients are reduced in buckets of at most this size
};

/// The mesh that a strategy divides work over: only axes that divide something now, outermost
/// first.
plan::MeshAttr makeMesh(const Strategy &strategy, mlir::MLIRContext *context);

/// Stages 1 and 2: StableHLO to linalg in normal form, arguments marked.
void buildModelPipeline(mlir::OpPassManager &manager, const TrainingOptions &options);
/// Stage 3: forward, backward and update functions on global shapes.
void buildDerivePipeline(mlir::OpPassManager &manager, const TrainingOptions &options);
/// Stages 5 and 6: tasks on local shapes with explicit collectives. Needs plan.mesh on the module.
void buildShardPipeline(mlir::OpPassManager &manager, const TrainingOptions &options);
/// Stage 8: kernels formed, an exec program with offsets.
void buildSchedulePipeline(mlir::OpPassManager &manager);

/// All of them, in order.
void buildTrainingPipeline(mlir::OpPassManager &manager, const TrainingOptions &options);

/// Registers stages 3, 5 to 6 and 8 as `model-differentiate`, `plan-shard` and `plan-schedule`.
void registerTrainingPipelines();

} // namespace planwright

#endif // PLANWRIGHT_PIPELINES_TRAINING_H
