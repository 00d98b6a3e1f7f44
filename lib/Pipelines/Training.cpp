// Pass order, and why each pass stands where it does.
#include "planwright/Pipelines/Training.h"

#include "dialects/Exec/Transforms/Passes.h"
#include "dialects/StableHLO/Transforms/Passes.h"
#include "lib/Conversion/StableHLOToLinalg/Passes.h"
#include "lib/Conversion/TasksToExec/Passes.h"
#include "lib/Transforms/BuildUpdate/Passes.h"
#include "lib/Transforms/Derive/Passes.h"
#include "lib/Transforms/FormKernels/Passes.h"
#include "lib/Transforms/Normalize/Passes.h"
#include "lib/Transforms/OutlineLayers/Passes.h"
#include "planwright/Frontend/Signature.h"
#include "planwright/Transforms/Sharding/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace planwright;

plan::MeshAttr planwright::makeMesh(const Strategy &strategy, MLIRContext *context) {
  Builder builder(context);
  SmallVector<StringAttr> names = {builder.getStringAttr("dp")};
  SmallVector<int64_t> sizes = {strategy.dp};
  if (strategy.tp > 1) {
    names.push_back(builder.getStringAttr("tp"));
    sizes.push_back(strategy.tp);
  }
  names.push_back(builder.getStringAttr(plan::kMicroBatchAxis));
  sizes.push_back(strategy.microBatches);
  return plan::MeshAttr::get(context, names, sizes);
}

TensorParallelCosts planwright::getTensorParallelCosts(const Strategy &strategy,
                                                       const Cluster &cluster) {
  TensorParallelCosts costs;
  if (const LinkLevel *level = cluster.findLevel(strategy.tp)) {
    costs.bytesPerSecond = level->bytesPerSecond;
    costs.latencyNs = static_cast<double>(level->latencyNs);
  }
  // The fastest type: what matters is how it compares with the links.
  for (auto &[type, flops] : cluster.flopsPerSecond)
    costs.flopsPerSecond = std::max(costs.flopsPerSecond, flops);
  if (cluster.memoryBytesPerSecond > 0)
    costs.memoryBytesPerSecond = cluster.memoryBytesPerSecond;
  return costs;
}

MachineRates planwright::getMachineRates(const Cluster &cluster) {
  MachineRates rates;
  rates.memoryBytesPerSecond = cluster.memoryBytesPerSecond;
  // Kernels of host plans compute in f32.
  if (auto f32 = cluster.flopsPerSecond.find("f32"); f32 != cluster.flopsPerSecond.end())
    rates.flopsPerSecond = f32->second;
  for (const LinkLevel &level : cluster.levels)
    rates.links.push_back(
        {level.devices, {level.bytesPerSecond, static_cast<double>(level.latencyNs)}});
  return rates;
}

//===----------------------------------------------------------------------===//
// Stages 1 and 2: read and shape
//===----------------------------------------------------------------------===//

/// Common subexpressions, for stages in normal form: CSE makes constants in bodies one with equal
/// ones outside, so bodies are closed again right behind it.
static void addCse(OpPassManager &manager) {
  manager.addPass(createCSEPass());
  manager.addPass(createModelCloseBodies());
}

void planwright::buildReadPipeline(OpPassManager &manager) {
  //===--------------------------------------------------------------------===//
  // One flat function of StableHLO
  //===--------------------------------------------------------------------===//

  // First, because everything behind it may rely on a scalar loss.
  manager.addPass(stablehlo::createStableHLOCheckEntry());
  // Before loops: their bodies call functions, and slices at the counter are in those.
  manager.addPass(stablehlo::createStableHLOInlineCalls());
  manager.addPass(stablehlo::createStableHLOUnrollWhile());
  // JAX writes a constant wherever it uses one; with them made one, facts about masks are found
  // once.
  manager.addPass(createCSEPass());
  manager.addPass(stablehlo::createStableHLOFoldIndices());

  //===--------------------------------------------------------------------===//
  // Out of StableHLO
  //===--------------------------------------------------------------------===//

  // NOTE: no canonicalisation of linalg may run behind this; broadcasts would be folded into forms
  // that are no maps.
  manager.addPass(createConvertStableHLOToLinalg());
  manager.addPass(createModelFoldBroadcasts());
  manager.addPass(createModelUnstackParameters());
  // Behind folding: the bias of a fused projection is then read by the addition itself.
  manager.addPass(createModelSplitFused());
  // Last, because folding makes equal what was different: one mask, one rotary table for all
  // layers.
  addCse(manager);
  manager.addPass(createModelVerifyNormalForm());
}

void planwright::buildModelPipeline(OpPassManager &manager, const TrainingOptions &options) {
  // Arguments are marked while they have the types that the signature speaks of.
  AttachSignaturePassOptions signature;
  signature.file = options.signaturePath;
  manager.addPass(createAttachSignaturePass(signature));
  buildReadPipeline(manager);
  manager.addPass(createModelPadVocabulary({options.vocabularyMultiple}));
  // From here on work grows with the number of distinct layers: they are derived once, however
  // often they are called.
  manager.addPass(createOutlineLayersPass());
}

//===----------------------------------------------------------------------===//
// Stage 3: derive
//===----------------------------------------------------------------------===//

void planwright::buildDerivePipeline(OpPassManager &manager, const TrainingOptions &options) {
  manager.addPass(createDerivePass());
  // The backward function computes cheap values again; equal ones are computed once.
  addCse(manager);
  BuildUpdatePassOptions update;
  update.optimizer = options.optimizer;
  update.schedule = options.learningRateSchedule;
  update.clipNorm = options.clipNorm;
  update.noDecay = options.noDecay;
  manager.addPass(createBuildUpdatePass(update));
}

//===----------------------------------------------------------------------===//
// Stages 5 and 6: tasks and shards
//===----------------------------------------------------------------------===//

void planwright::buildShardPipeline(OpPassManager &manager, const TrainingOptions &options) {
  // Calls of layer functions are flattened: layouts are decided op by op.
  manager.addPass(createInlinerPass());
  manager.addPass(createFormTasks());
  // What the user decided, before anything is chosen beside it.
  manager.addPass(createPinArguments());
  // Then where cp and tp lie, which is a choice; dp and micro-batches then follow from the inputs.
  // Of a dimension on both, tp is the inner one: its exchanges are the frequent ones.
  ShardChooseOptions choose;
  choose.bytesPerSecond = options.costs.bytesPerSecond;
  choose.latencyNs = options.costs.latencyNs;
  choose.flopsPerSecond = options.costs.flopsPerSecond;
  choose.memoryBytesPerSecond = options.costs.memoryBytesPerSecond;
  choose.axis = plan::kContextAxis.str();
  choose.positionsOnly = true;
  manager.addPass(createShardChoose(choose));
  choose.axis = "tp";
  choose.positionsOnly = false;
  choose.sequenceParallel = options.sequenceParallel;
  manager.addPass(createShardChoose(choose));
  // Behind the choice: storage takes the dimensions that work leaves free.
  manager.addPass(createDivideParameters());
  manager.addPass(createShardPropagate());
  manager.addPass(createShardMaterialize({options.bucketBytes}));
  addCse(manager);
  manager.addPass(createVerifyTasks());
  // Last: it relies on objects that are one in all tasks.
  manager.addPass(createShardVerify());
}

//===----------------------------------------------------------------------===//
// Stage 8: kernels and the program
//===----------------------------------------------------------------------===//

void planwright::buildSchedulePipeline(OpPassManager &manager) {
  // Splitting first: the parts of a split reduction fuse with what produces their operand.
  manager.addNestedPass<func::FuncOp>(createKernelSplitReductions());
  manager.addNestedPass<func::FuncOp>(createKernelFuse());
  // NOTE: no CSE from here on: it would merge the empty tensors that stand for different places.
  manager.addPass(createConvertTasksToExec());
  manager.addPass(exec::createExecAssignOffsets());
  manager.addPass(exec::createExecVerify());
}

ArrayRef<Stage> planwright::getTrainingStages() {
  static constexpr Stage kStages[] = {
      {"read", buildModelPipeline},
      {"derive", buildDerivePipeline},
      {"shard", buildShardPipeline},
      {"schedule",
       [](OpPassManager &manager, const TrainingOptions &) { buildSchedulePipeline(manager); }}};
  return kStages;
}

namespace {

struct DerivePipelineOptions : PassPipelineOptions<DerivePipelineOptions> {
  Option<std::string> optimizer{*this, "optimizer", llvm::cl::desc("Optimizer and its numbers"),
                                llvm::cl::init(TrainingOptions().optimizer)};
};

struct ShardPipelineOptions : PassPipelineOptions<ShardPipelineOptions> {
  Option<bool> sequenceParallel{*this, "sequence-parallel",
                                llvm::cl::desc("Let tp divide positions too"),
                                llvm::cl::init(TrainingOptions().sequenceParallel)};
};

} // namespace

void planwright::registerTrainingPipelines() {
  PassPipelineRegistration<>("model-read", "Stages 1 and 2: StableHLO to linalg in normal form",
                             buildReadPipeline);
  PassPipelineRegistration<DerivePipelineOptions>(
      "model-differentiate", "Stage 3: forward, backward and update functions",
      [](OpPassManager &manager, const DerivePipelineOptions &options) {
        TrainingOptions training;
        training.optimizer = options.optimizer;
        buildDerivePipeline(manager, training);
      });
  PassPipelineRegistration<ShardPipelineOptions>(
      "plan-shard", "Stages 5 and 6: tasks on local shapes",
      [](OpPassManager &manager, const ShardPipelineOptions &options) {
        TrainingOptions training;
        training.sequenceParallel = options.sequenceParallel;
        buildShardPipeline(manager, training);
      });
  PassPipelineRegistration<>("plan-schedule", "Stage 8: an exec program with offsets",
                             [](OpPassManager &manager) { buildSchedulePipeline(manager); });
}
