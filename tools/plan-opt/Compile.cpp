// plan-opt compile: a model and a cluster become a .plan folder that plan-run executes.
// Not here: pass order (lib/Pipelines), what the passes do, the files of a plan (lib/Target/Plan).
#include "CompileReport.h"
#include "PlainErrors.h"
#include "Verbs.h"

#include "dialects/Cluster/IR/Cluster.h"
#include "planwright/Frontend/ClusterYaml.h"
#include "planwright/Frontend/StableHLO/Reader.h"
#include "planwright/Pipelines/Strategy.h"
#include "planwright/Pipelines/Training.h"
#include "planwright/Target/Plan/EmitPlan.h"
#include "planwright/Topology/Cluster.h"
#include "planwright/Transforms/Optimizer.h"

#include "mlir/IR/MLIRContext.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace planwright;
namespace cl = llvm::cl;

static cl::SubCommand compileVerb("compile", "Compile a model for a cluster into a .plan folder");

static cl::opt<std::string> modelPath(cl::Positional, cl::sub(compileVerb), cl::desc("MODEL"),
                                      cl::value_desc("StableHLO text: .mlir, .mlir.gz, .mlir.xz"));
static cl::opt<std::string> outputPath("o", cl::sub(compileVerb), cl::desc("Folder to write"),
                                       cl::value_desc("JOB.plan"));
static cl::opt<std::string> clusterPath("cluster", cl::sub(compileVerb),
                                        cl::desc("Cluster file (docs/cluster-files.md)"),
                                        cl::value_desc("file"));
static cl::opt<std::string>
    signaturePath("signature", cl::sub(compileVerb),
                  cl::desc("What the arguments are; default: signature.json beside MODEL"),
                  cl::value_desc("file"));
static cl::opt<std::string> strategyText("strategy", cl::sub(compileVerb),
                                         cl::desc("All of the strategy (docs/strategy.md), in "
                                                  "place of --dp and the like"),
                                         cl::value_desc("#plan.strategy<...>"));
static cl::opt<int64_t> dp("dp", cl::sub(compileVerb), cl::desc("Data-parallel ranks"),
                           cl::init(1));
static cl::opt<int64_t> tp("tp", cl::sub(compileVerb), cl::desc("Tensor-parallel ranks"),
                           cl::init(1));
static cl::opt<int64_t> pp("pp", cl::sub(compileVerb), cl::desc("Pipeline stages"), cl::init(1));
static cl::opt<int64_t> cp("cp", cl::sub(compileVerb), cl::desc("Context-parallel ranks"),
                           cl::init(1));
static cl::opt<int64_t> ep("ep", cl::sub(compileVerb), cl::desc("Expert-parallel ranks"),
                           cl::init(1));
static cl::opt<int64_t> microBatches("micro-batches", cl::sub(compileVerb),
                                     cl::desc("Micro-batches a step"), cl::init(1));
static cl::opt<int64_t> microBatch("micro-batch", cl::sub(compileVerb),
                                   cl::desc("Sequences per rank and micro-batch"));
static cl::opt<bool> sequenceParallel("sequence-parallel", cl::sub(compileVerb),
                                      cl::desc("Let --tp divide positions too, between layers' "
                                               "matrix products"));
static cl::opt<std::string>
    optimizer("optimizer", cl::sub(compileVerb), cl::init("adamw:lr=3e-4"),
              cl::desc("sgd:lr=..,momentum=.. or "
                       "adamw:lr=..,beta1=..,beta2=..,eps=..,weight-decay=.."),
              cl::value_desc("spec"));
static cl::opt<std::string> lrSchedule("lr-schedule", cl::sub(compileVerb), cl::init("constant"),
                                       cl::desc("constant or cosine:warmup=..,steps=..,min=.."),
                                       cl::value_desc("spec"));
static cl::opt<double> clipNorm("clip-norm", cl::sub(compileVerb), cl::init(0),
                                cl::desc("Scale gradients down to this global norm; 0: never"));
static cl::opt<std::string> noDecay("no-decay", cl::sub(compileVerb),
                                    cl::desc("Parameters without weight decay"),
                                    cl::value_desc("regex"));
static cl::opt<bool> allowOverCapacity("allow-over-capacity", cl::sub(compileVerb),
                                       cl::desc("Emit a plan that does not fit, with a warning"));
static cl::opt<bool> quiet("quiet", cl::sub(compileVerb), cl::desc("Print errors only"));
static cl::opt<bool> json("json", cl::sub(compileVerb), cl::desc("Print the plan as JSON"));

/// Reports a wrong call and returns its exit code.
static int reportWrongCall(const llvm::Twine &message) {
  llvm::errs() << "plan-opt compile: " << message << "\n";
  return kWrongCall;
}

/// The flags that spell a part of the strategy.
static cl::Option *const kStrategyParts[] = {&dp, &tp,           &pp,         &cp,
                                             &ep, &microBatches, &microBatch, &sequenceParallel};

/// What is wrong with how the strategy is given. Nothing given means that the planner should
/// choose, which it cannot do yet.
static std::optional<std::string> checkStrategyFlags() {
  if (strategyText.getNumOccurrences()) {
    for (const cl::Option *part : kStrategyParts)
      if (part->getNumOccurrences())
        return "give --strategy or --" + part->ArgStr.str() + ", not both";
    return std::nullopt;
  }
  bool isGiven = dp.getNumOccurrences() || tp.getNumOccurrences() || pp.getNumOccurrences() ||
                 cp.getNumOccurrences();
  if (!isGiven)
    return "choosing a strategy does not work yet: give --strategy or at least one of --dp, --tp, "
           "--pp, --cp (the others are then 1)";
  if (microBatch.getNumOccurrences() && microBatches.getNumOccurrences())
    return "give --micro-batch or --micro-batches, not both: one follows from the other";
  return std::nullopt;
}

/// The strategy that the flags spell; diagnostics say what is wrong with it.
static FailureOr<plan::StrategyAttr> readStrategy(llvm::SourceMgr &sources, MLIRContext &context) {
  if (strategyText.getNumOccurrences()) {
    constexpr llvm::StringLiteral kName = "--strategy";
    sources.AddNewSourceBuffer(llvm::MemoryBuffer::getMemBufferCopy(strategyText, kName), {});
    return parseStrategy(strategyText, kName, context);
  }
  return makeStrategyAttr({dp, tp, pp, cp, ep, microBatches, sequenceParallel}, context);
}

/// The signature's path: as given, or beside the model.
static std::string findSignature() {
  if (!signaturePath.empty())
    return signaturePath;
  llvm::SmallString<128> path(llvm::sys::path::parent_path(modelPath));
  llvm::sys::path::append(path, "signature.json");
  return path.str().str();
}

/// Checks what can be wrong with the call itself.
static std::optional<std::string> checkCall() {
  if (modelPath.empty())
    return "no MODEL given; usage: plan-opt compile MODEL --cluster C.yaml --dp N -o JOB.plan";
  if (llvm::StringRef(modelPath).ends_with(".json"))
    return "a config.json as MODEL does not work yet: give a StableHLO text";
  if (clusterPath.empty())
    return "no --cluster given; examples are in examples/clusters";
  if (outputPath.empty())
    return "no -o given: where should the plan go?";
  if (std::string problem = checkPlanDestination(outputPath); !problem.empty())
    return problem;
  return std::nullopt;
}

/// Sequences in the global batch: the size of the batch dimension of the first argument that has
/// one; 0 without any.
static int64_t getGlobalBatch(ArrayRef<PlanArgument> arguments) {
  for (const PlanArgument &argument : arguments)
    if (argument.batchDim >= 0)
      return argument.type.getDimSize(argument.batchDim);
  return 0;
}

/// Replaces --micro-batch by the number of micro-batches that follows from it.
static std::optional<std::string> resolveMicroBatch(Strategy &strategy, int64_t globalBatch) {
  if (!microBatch.getNumOccurrences())
    return std::nullopt;
  int64_t perRound = microBatch > 0 && microBatch <= globalBatch ? strategy.dp * microBatch : 0;
  if (perRound <= 0 || globalBatch % perRound != 0)
    return "--micro-batch=" + std::to_string(microBatch) +
           " on dp = " + std::to_string(strategy.dp) + " does not divide the batch of " +
           std::to_string(globalBatch);
  strategy.microBatches = globalBatch / perRound;
  return std::nullopt;
}

/// Reads the cluster file; diagnostics say what is wrong.
static FailureOr<Cluster> readCluster(MLIRContext &context) {
  FailureOr<OwningOpRef<ModuleOp>> module = readClusterFile(clusterPath, context);
  if (failed(module))
    return failure();
  return getCluster(*(*module)->getOps<cluster::ClusterOp>().begin());
}

/// The machine that host kernels are compiled for: the cluster's, or this one.
static codegen::HostTarget getTarget(const Cluster &cluster) {
  if (cluster.targetCpu.empty())
    return codegen::HostTarget::native();
  codegen::HostTarget target;
  target.cpu = cluster.targetCpu;
  target.features = cluster.targetFeatures;
  return target;
}

/// Says on a terminal which stage is running.
static void showProgress(const char *stage) {
  if (!quiet && llvm::errs().is_displayed())
    llvm::errs() << "plan-opt compile: " << stage << "\n";
}

static LogicalResult runStage(const Stage &stage, ModuleOp module, const TrainingOptions &options) {
  showProgress(stage.name);
  PassManager manager(module.getContext());
  stage.build(manager, options);
  return manager.run(module);
}

static void print(const CompileReport &report) {
  if (json)
    printJson(report, llvm::outs());
  else if (!quiet)
    printTables(report, llvm::outs());
}

int planwright::runCompile(DialectRegistry &registry) {
  if (std::optional<std::string> problem = checkCall())
    return reportWrongCall(*problem);
  if (std::optional<std::string> problem = checkStrategyFlags())
    return reportWrongCall(*problem);

  TrainingOptions options;
  options.signaturePath = findSignature();
  options.optimizer = optimizer;
  options.learningRateSchedule = lrSchedule;
  options.clipNorm = clipNorm;
  options.noDecay = noDecay;
  std::string message;
  if (failed(parseOptimizer(
          {options.optimizer, options.learningRateSchedule, options.clipNorm, options.noDecay},
          message)))
    return reportWrongCall(message);

  MLIRContext context(registry);
  context.loadAllAvailableDialects();
  // Users speak of lines of their model, not of our operations.
  context.printOpOnDiagnostic(false);
  llvm::SourceMgr sources;
  SourceMgrDiagnosticHandler diagnostics(sources, &context);
  PlainErrors plainErrors(context);
  FailureOr<plan::StrategyAttr> given = readStrategy(sources, context);
  if (failed(given))
    return kWrongCall;
  FailureOr<Cluster> cluster = readCluster(context);
  if (failed(cluster))
    return kWrongInput;
  if (std::string problem = checkStrategy(*given, *cluster); !problem.empty()) {
    llvm::errs() << "plan-opt compile: " << problem << "\n";
    return kWrongInput;
  }
  Strategy strategy = getStrategy(*given);
  if (cluster->hasGpus && !quiet)
    llvm::errs() << "plan-opt compile: cluster '" << cluster->name
                 << "' has GPUs, for which this version makes no kernels yet: the plan says what "
                    "its ranks keep and exchange, and has kernels for this machine's CPU\n";
  if (!quiet && strategy.getNumRanks() < cluster->getNumDevices())
    llvm::errs() << "plan-opt compile: " << strategy.getNumRanks() << " ranks use the first "
                 << strategy.getNumRanks() << " of " << cluster->getNumDevices() << " devices\n";

  options.vocabularyMultiple = strategy.tp;
  showProgress("parse");
  OwningOpRef<ModuleOp> module = readStableHLO(modelPath, context);
  ArrayRef<Stage> stages = getTrainingStages();
  if (!module || failed(runStage(stages.front(), *module, options)))
    return kWrongInput;
  std::vector<PlanArgument> arguments = getPlanArguments(*module);
  int64_t globalBatch = getGlobalBatch(arguments);
  if (std::optional<std::string> problem = resolveMicroBatch(strategy, globalBatch))
    return reportWrongCall(*problem);
  FailureOr<plan::StrategyAttr> resolved = makeStrategyAttr(strategy, context);
  if (failed(resolved))
    return kWrongCall;
  (*module)->setAttr(plan::kStrategyAttrName, *resolved);
  (*module)->setAttr(plan::kMeshAttrName, makeMesh(strategy, &context));
  options.sequenceParallel = strategy.sequenceParallel;
  options.costs = getTensorParallelCosts(strategy, *cluster);
  for (const Stage &stage : stages.drop_front())
    if (failed(runStage(stage, *module, options)))
      return kWrongInput;

  auto program = *module->getOps<exec::ProgramOp>().begin();
  MemoryTable memory = summarizeMemory(program);
  bool fits = memory.peakBytes <= cluster->deviceMemoryBytes;
  CompileReport report{strategy,  *cluster, globalBatch, memory, summarizeCollectives(program),
                       outputPath};
  bool isEmitted = fits || allowOverCapacity;
  if (!isEmitted) {
    report.planPath.reset();
    print(report);
  }
  if (!fits)
    llvm::errs() << "plan-opt compile: " << describeShortage(report) << "\n";
  if (!isEmitted) {
    llvm::errs() << "plan-opt compile: --allow-over-capacity emits the plan anyway\n";
    return kNoPlanFits;
  }

  showProgress("emit");
  EmitOptions emit;
  emit.name = llvm::sys::path::filename(llvm::sys::path::parent_path(modelPath)).str();
  if (emit.name.empty())
    emit.name = llvm::sys::path::stem(modelPath).str();
  emit.arguments = std::move(arguments);
  emit.target = getTarget(*cluster);
  emit.rates = getMachineRates(*cluster);
  emit.cluster = cluster->name;
  emit.optimizer = options.optimizer;
  if (failed(emitPlan(*module, outputPath, emit)))
    return kWrongInput;
  print(report);
  return kDone;
}
