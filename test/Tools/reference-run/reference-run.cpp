// reference-run: runs a module in normal form on the reference interpreter and compares it with
// golden numbers, with finite differences, or with another module. Options and their order of work
// only.

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
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/SourceMgr.h"

#include <cmath>

using namespace mlir;
using namespace planwright;
using namespace planwright::reference;

namespace {

namespace cl = llvm::cl;

/// All options; a local of main, so that libraries have no globals.
struct Options {
  cl::opt<std::string> input{cl::Positional, cl::desc("<module.mlir>"), cl::init("-")};
  cl::opt<std::string> data{"data", cl::desc("Weights and batches (safetensors)")};
  cl::opt<int64_t> batch{"batch", cl::desc("Which batch of the data file"), cl::init(0)};
  cl::opt<std::string> function{
      "function", cl::desc("Function to run, or its name before .fwd and .bwd"), cl::init("main")};
  cl::opt<bool> f64{"f64", cl::desc("Keep and compute every float as f64")};
  cl::opt<std::string> golden{"check-golden", cl::desc("Compare the loss with this golden.json")};
  cl::opt<bool> gradients{"check-gradients",
                          cl::desc("Compare gradients with grad0/<name> of the data file")};
};

} // namespace

static constexpr double lossTolerance = 1e-5;

static LogicalResult fail(llvm::Error error) {
  llvm::errs() << "reference-run: error: " << llvm::toString(std::move(error)) << "\n";
  return failure();
}

static OwningOpRef<ModuleOp> parse(StringRef path, MLIRContext &context, llvm::SourceMgr &sources) {
  std::string message;
  std::unique_ptr<llvm::MemoryBuffer> buffer = openInputFile(path, &message);
  if (!buffer) {
    llvm::errs() << message << "\n";
    return nullptr;
  }
  sources.AddNewSourceBuffer(std::move(buffer), llvm::SMLoc());
  return parseSourceFile<ModuleOp>(sources, &context);
}

/// Compares loss and gradients with golden numbers as far as the options ask for it.
static LogicalResult checkGolden(const Options &options, const TrainingStep &step,
                                 const StepResult &result, const rt::SafetensorsFile &file) {
  Golden golden;
  if (!options.golden.empty()) {
    llvm::Expected<Golden> read = Golden::read(options.golden);
    if (!read)
      return fail(read.takeError());
    golden = *read;
    double difference = std::fabs(result.loss - golden.loss);
    llvm::outs() << llvm::format("golden loss %.9g, difference %.2e\n", golden.loss, difference);
    if (!(difference <= lossTolerance))
      return fail(llvm::createStringError("the loss is too far from the golden one"));
  }
  if (!options.gradients)
    return success();
  llvm::Expected<std::vector<Difference>> differences =
      compareGradients(result, step.getArguments(), file, golden);
  if (!differences)
    return fail(differences.takeError());
  return success(report(*differences, llvm::outs()));
}

static LogicalResult runOnData(const Options &options, ModuleOp module) {
  llvm::Expected<rt::SafetensorsFile> file = openTensors(options.data);
  if (!file)
    return fail(file.takeError());
  FailureOr<TrainingStep> step = TrainingStep::find(module, options.function);
  if (failed(step))
    return failure();
  llvm::Expected<TensorList> values = readArguments(*file, step->getArguments(), options.batch);
  if (!values)
    return fail(values.takeError());
  Interpreter interpreter(module, {.floatsAsF64 = options.f64});
  FailureOr<StepResult> result = step->run(interpreter, *values);
  if (failed(result))
    return failure();
  llvm::outs() << llvm::format("loss %.9g\n", result->loss);
  return checkGolden(options, *step, *result, *file);
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
  llvm::SourceMgr sources;
  SourceMgrDiagnosticHandler handler(sources, &context);
  OwningOpRef<ModuleOp> module = parse(options.input, context, sources);
  if (!module)
    return 1;
  return failed(runOnData(options, *module));
}
