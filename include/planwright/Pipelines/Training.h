// The road from a model's graph to an exec program, stage by stage. This is the only place that
// knows the order of passes and of stages.
//
//   module->setAttr(plan::kMeshAttrName, makeMesh(strategy, context));
//   for (const Stage &stage : getTrainingStages())
//     stage.build(passManager, options);
//
// Not here: what the passes do; files (Target/Plan); the command line (tools/plan-opt).
#ifndef PLANWRIGHT_PIPELINES_TRAINING_H
#define PLANWRIGHT_PIPELINES_TRAINING_H

#include "dialects/Plan/IR/Plan.h"
#include "planwright/Cost/Machine.h"
#include "planwright/Pipelines/Strategy.h"

#include "mlir/Pass/PassManager.h"

#include <string>

namespace planwright {

/// What tensor parallelism is chosen by. The defaults are those of one server CPU core, so that the
/// passes can be run without a cluster.
struct TensorParallelCosts {
  double bytesPerSecond = 8e9; ///< of the links that tp spans, per rank and direction
  double latencyNs = 5000;
  double flopsPerSecond = 1e11;
  double memoryBytesPerSecond = 1.5e10;
};
/// Of a cluster whose tp groups are neighbouring devices.
TensorParallelCosts getTensorParallelCosts(const Strategy &strategy, const Cluster &cluster);

/// What times of a plan's instructions are predicted from.
MachineRates getMachineRates(const Cluster &cluster);

struct TrainingOptions {
  std::string signaturePath;
  // As the command line spells them; see planwright/Transforms/Optimizer.h.
  std::string optimizer = "adamw:lr=3e-4";
  std::string learningRateSchedule = "constant";
  double clipNorm = 0;
  std::string noDecay;
  int64_t bucketBytes = 64 << 20; // gradients are reduced in buckets of at most this size
  bool sequenceParallel = false;
  int64_t vocabularyMultiple = 1; // vocabularies are padded to a multiple of it
  TensorParallelCosts costs;
};

/// The mesh that a strategy divides work over: only axes that divide something now, outermost
/// first.
plan::MeshAttr makeMesh(const Strategy &strategy, mlir::MLIRContext *context);

/// From StableHLO to linalg in normal form (pass model-verify-normal-form says what that is).
void buildReadPipeline(mlir::OpPassManager &manager);
/// Stages 1 and 2: arguments marked, the graph read, layers outlined.
void buildModelPipeline(mlir::OpPassManager &manager, const TrainingOptions &options);
/// Stage 3: forward, backward and update functions on global shapes.
void buildDerivePipeline(mlir::OpPassManager &manager, const TrainingOptions &options);
/// Stages 5 and 6: tasks on local shapes with explicit collectives. Needs plan.mesh on the module.
void buildShardPipeline(mlir::OpPassManager &manager, const TrainingOptions &options);
/// Stage 8: kernels formed, an exec program with offsets.
void buildSchedulePipeline(mlir::OpPassManager &manager);

/// A part of the road: its name for people, and what adds its passes.
struct Stage {
  const char *name;
  void (*build)(mlir::OpPassManager &, const TrainingOptions &);
};

/// All of them, in order.
llvm::ArrayRef<Stage> getTrainingStages();

/// Registers reading, and stages 3, 5 to 6 and 8, as `model-read`, `model-differentiate`,
/// `plan-shard` and `plan-schedule`.
void registerTrainingPipelines();

} // namespace planwright

#endif // PLANWRIGHT_PIPELINES_TRAINING_H
