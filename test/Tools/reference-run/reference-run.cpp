// reference-run: runs a module in normal form on the reference interpreter and compares it with
// golden numbers, with finite differences, or with another module. Options and their order of work
// only.
//
//   reference-run main.mlir --data golden.safetensors --check-golden golden.json
//   reference-run derived.mlir --data golden.safetensors --check-golden golden.json
//   --check-gradients reference-run updated.mlir --data golden.safetensors --check-golden
//   golden.json --train adamw --steps 10 reference-run derived.mlir --finite-differences
//   reference-run sharded.mlir --ranks-from-mesh --against updated.mlir --f64

#include "Compare.h"
#include "FiniteDifferences.h"
#include "Golden.h"

#include "dialects/Comm/IR/Comm.h"
#include "dialects/Model/IR/Model.h"
#include "dialects/Plan/IR/Plan.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Support/FileUtilities.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/SourceMgr.h"

#include <cmath>

using namespace mlir;
using namespace planwright;
using namespace planwright::reference;

namespace {

namespace cl = llvm::cl;

/// All options; a local of main, so that there are no globals.
struct Options {
  cl::opt<std::string> input{cl::Positional, cl::desc("<module.mlir>"), cl::init("-")};
  cl::opt<std::string> data{"data", cl::desc("Weights and batches (safetensors); random without")};
  cl::opt<int64_t> integers{"random-integers", cl::desc("Random integers are below this"),
                            cl::init(4)};
  cl::opt<int64_t> batch{"batch", cl::desc("First batch of the data"), cl::init(0)};
  cl::opt<std::string> function{"function", cl::desc("Function, or its name before .fwd and .bwd"),
                                cl::init("main")};
  cl::opt<bool> f64{"f64", cl::desc("Keep and compute every float as f64")};
  cl::opt<std::string> golden{"check-golden", cl::desc("Compare losses with this golden.json")};
  cl::opt<bool> gradients{"check-gradients", cl::desc("Compare gradients with grad0/<name>")};
  cl::opt<std::string> train{"train", cl::desc("sgd, adamw, or sgd:lr=<rate> without @update")};
  cl::opt<int64_t> steps{"steps", cl::desc("Steps to run, each on the next batch"), cl::init(1)};
  cl::opt<bool> ranks{"ranks-from-mesh", cl::desc("Run plan.schedule on the ranks of plan.mesh")};
  cl::opt<std::string> against{"against", cl::desc("Compare with this unsharded module")};
  cl::opt<double> tolerance{"tolerance", cl::desc("Relative, for --against"), cl::init(0)};
  cl::opt<bool> differences{"finite-differences",
                            cl::desc("Compare gradients with differences of losses")};

  InterpreterOptions getInterpreterOptions() const { return {.floatsAsF64 = f64}; }
  double getTolerance() const { return tolerance > 0 ? tolerance : f64 ? 1e-11 : 1e-5; }
};

} // namespace

static llvm::Expected<OwningOpRef<ModuleOp>> parse(StringRef path, MLIRContext &context,
                                                   llvm::SourceMgr &sources) {
  std::string message;
  std::unique_ptr<llvm::MemoryBuffer> buffer = openInputFile(path, &message);
  if (!buffer)
    return llvm::createStringError(message);
  sources.AddNewSourceBuffer(std::move(buffer), llvm::SMLoc());
  OwningOpRef<ModuleOp> module = parseSourceFile<ModuleOp>(sources, &context);
  if (!module)
    return llvm::createStringError(path + ": is no valid module");
  return module;
}

/// The rate in `sgd:lr=<rate>`, 0 where none is given.
static llvm::Expected<double> getSgdRate(StringRef train) {
  double rate = 0;
  if (train.consume_front("sgd:lr=") && train.getAsDouble(rate))
    return llvm::createStringError("--train: \"" + train + "\" is no learning rate");
  return rate;
}

static llvm::Expected<DataSource> openData(const Options &options) {
  if (options.data.empty())
    return DataSource::makeRandom(options.integers);
  return DataSource::open(options.data);
}

/// The losses that golden.json has for what is run, and how close they must be.
static llvm::Error checkLosses(const Options &options, const Golden &golden,
                               ArrayRef<double> losses) {
  StringRef optimizer = StringRef(options.train).split(':').first;
  std::vector<double> expected = {golden.loss};
  double tolerance = 1e-5;
  if (!optimizer.empty()) {
    auto it = golden.losses.find(optimizer.str());
    if (it == golden.losses.end())
      return llvm::createStringError("golden.json has no losses of \"" + optimizer + "\"");
    expected = it->second;
    // AdamW divides rounding noise by itself: float32 against float64 is up to 2e-4 apart after ten
    // steps.
    tolerance = optimizer == "adamw" ? 5e-4 : 1e-5;
  }
  double worst = 0;
  for (auto [loss, target] : llvm::zip(losses, expected))
    worst = std::isnan(loss) ? NAN : std::fmax(worst, std::fabs(loss - target));
  llvm::outs() << llvm::format("losses differ from the golden ones by %.2e\n", worst);
  if (worst <= tolerance)
    return llvm::Error::success();
  return llvm::createStringError("the losses are too far from the golden ones");
}

static llvm::Error compareJobs(const Options &options, const Job &job, const Job &other) {
  double scale = std::fmax(1, std::fabs(other.getLoss()));
  double difference = std::fabs(job.getLoss() - other.getLoss());
  llvm::outs() << llvm::format("loss %.15g against %.15g\n", job.getLoss(), other.getLoss());
  if (!(difference <= options.getTolerance() * scale))
    return llvm::createStringError("the losses differ");
  // AdamW divides by the size of the gradient, so where that is rounding noise a parameter differs
  // by up to the rate.
  double loose = options.f64 ? 100 * options.getTolerance() : 2e-2;
  for (auto [what, actual, expected, tolerance] :
       {std::tuple("gradients", &job.getGradients(), &other.getGradients(), options.getTolerance()),
        {"parameters", &job.getParameters(), &other.getParameters(), loose}}) {
    if (expected->empty())
      continue;
    llvm::Expected<std::vector<Difference>> differences = compareAll(*actual, *expected, tolerance);
    if (!differences)
      return differences.takeError();
    llvm::outs() << what << ":\n";
    if (llvm::Error error = report(*differences, llvm::outs()))
      return error;
  }
  return llvm::Error::success();
}

/// Runs the steps and whatever comparisons were asked for.
static llvm::Error runSteps(const Options &options, const DataSource &data, Job &job, Job *other) {
  Golden golden;
  if (!options.golden.empty()) {
    llvm::Expected<Golden> read = Golden::read(options.golden);
    if (!read)
      return read.takeError();
    golden = *read;
  }
  SmallVector<double> losses;
  for (int64_t step = 0; step < options.steps; ++step) {
    if (llvm::Error error = job.runStep(options.batch + step))
      return error;
    losses.push_back(job.getLoss());
    llvm::outs() << llvm::format("step %lld loss %.9g\n", static_cast<long long>(step),
                                 job.getLoss());
    if (step == 0 && options.gradients) {
      llvm::Expected<std::vector<Difference>> differences =
          compareGolden(job.getGradients(), data, golden.vanishing);
      if (!differences)
        return differences.takeError();
      if (llvm::Error error = report(*differences, llvm::outs()))
        return error;
    }
    if (!other)
      continue;
    if (llvm::Error error = other->runStep(options.batch + step))
      return error;
    if (llvm::Error error = compareJobs(options, job, *other))
      return error;
  }
  return options.golden.empty() ? llvm::Error::success() : checkLosses(options, golden, losses);
}

static llvm::Error run(const Options &options, MLIRContext &context, llvm::SourceMgr &sources) {
  llvm::Expected<OwningOpRef<ModuleOp>> module = parse(options.input, context, sources);
  if (!module)
    return module.takeError();
  llvm::Expected<DataSource> data = openData(options);
  if (!data)
    return data.takeError();
  if (options.differences) {
    llvm::Expected<std::vector<Difference>> differences =
        compareWithDifferences(**module, options.function, *data, options.batch);
    return differences ? report(*differences, llvm::outs()) : differences.takeError();
  }
  llvm::Expected<double> rate = getSgdRate(options.train);
  if (!rate)
    return rate.takeError();
  InterpreterOptions interpreterOptions = options.getInterpreterOptions();
  llvm::Expected<std::unique_ptr<Job>> job =
      options.ranks ? makeShardedJob(**module, *data, interpreterOptions)
                    : makeWholeJob(**module, options.function, *data, interpreterOptions, *rate);
  if (!job)
    return job.takeError();
  if (options.against.empty())
    return runSteps(options, *data, **job, nullptr);
  llvm::SourceMgr otherSources;
  llvm::Expected<OwningOpRef<ModuleOp>> otherModule = parse(options.against, context, otherSources);
  if (!otherModule)
    return otherModule.takeError();
  llvm::Expected<std::unique_ptr<Job>> other =
      makeWholeJob(**otherModule, options.function, *data, interpreterOptions, *rate);
  return other ? runSteps(options, *data, **job, other->get()) : other.takeError();
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  Options options;
  cl::ParseCommandLineOptions(argc, argv, "Planwright's reference interpreter\n");
  DialectRegistry registry;
  registry
      .insert<arith::ArithDialect, func::FuncDialect, linalg::LinalgDialect, math::MathDialect,
              tensor::TensorDialect, comm::CommDialect, model::ModelDialect, plan::PlanDialect>();
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  context.printOpOnDiagnostic(false); // Whole functions would be printed.
  llvm::SourceMgr sources;
  SourceMgrDiagnosticHandler handler(sources, &context);
  if (llvm::Error error = run(options, context, sources)) {
    llvm::outs().flush(); // The table comes before the verdict.
    llvm::errs() << "reference-run: error: " << llvm::toString(std::move(error)) << "\n";
    return 1;
  }
  return 0;
}
