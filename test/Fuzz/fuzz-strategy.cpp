// The text of a strategy: whatever it is, it ends in diagnostics, or in an attribute that prints
// and reads back; that one is then checked against a cluster, and its pins against a small module:
// each fits its argument, or is refused with a word.
//
//   ASAN_OPTIONS=detect_container_overflow=0:allow_user_poisoning=0
//   fuzz-strategy -dict=test/Fuzz/strategy.dict -max_total_time=120 NEW_FOLDER
//   test/Fuzz/seeds/strategy
#include "lib/Transforms/Sharding/TaskFunctions.h"
#include "planwright/Pipelines/Training.h"
#include "planwright/Transforms/Sharding/Passes.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"

using namespace mlir;
using namespace planwright;

static constexpr llvm::StringLiteral kModule = R"mlir(
  func.func @forward(%w1: tensor<4x6xf32> {plan.object = #plan.object<parameter, "w1">},
                     %w2: tensor<6x16xf32> {plan.object = #plan.object<parameter, "w2">},
                     %scale: tensor<f32> {plan.object = #plan.object<parameter, "scale">},
                     %x: tensor<8x4xf32> {plan.object = #plan.object<input, "x">})
      attributes {plan.task = #plan.task<forward>} {
    return
  }
  func.func @backward(%x: tensor<8x4xf32> {plan.object = #plan.object<input, "x">},
                      %w2: tensor<6x16xf32> {plan.object = #plan.object<parameter, "w2">})
      attributes {plan.task = #plan.task<backward>} {
    return
  }
)mlir";

static Cluster makeCluster() {
  Cluster cluster;
  cluster.devicesPerNode = 64;
  return cluster;
}

static FailureOr<plan::StrategyAttr> read(llvm::StringRef text, MLIRContext &context) {
  return parseStrategy(text, "fuzz", context);
}

static void checkRoundTrip(plan::StrategyAttr strategy, MLIRContext &context) {
  std::string printed;
  llvm::raw_string_ostream(printed) << strategy;
  FailureOr<plan::StrategyAttr> again = read(printed, context);
  if (failed(again) || *again != strategy) {
    llvm::errs() << printed << "\n";
    abort(); // what was printed reads differently
  }
  FailureOr<plan::StrategyAttr> rebuilt = makeStrategyAttr(getStrategy(strategy), context);
  if (failed(rebuilt) || *rebuilt != strategy)
    abort(); // a field is lost on the way
}

static LogicalResult pin(ModuleOp module) {
  PassManager manager(module.getContext());
  manager.addPass(createPinArguments());
  return manager.run(module);
}

/// Every argument that has a layout can lie so.
static void checkPinned(ModuleOp module, plan::MeshAttr mesh) {
  for (func::FuncOp task : getTasks(module))
    for (auto [index, type] : llvm::enumerate(task.getArgumentTypes()))
      if (plan::LayoutAttr layout = getArgumentLayout(task, index))
        if (!fitsType(layout, type, mesh))
          abort(); // a pin that does not fit was let through
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  MLIRContext context(MLIRContext::Threading::DISABLED);
  context.loadDialect<plan::PlanDialect, func::FuncDialect>();
  std::string said;
  ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
    said += diagnostic.str();
    return success();
  });
  auto strategy = read(llvm::StringRef(reinterpret_cast<const char *>(data), size), context);
  if (failed(strategy)) {
    if (said.empty())
      abort(); // refused without a word
    return 0;
  }
  if (!said.empty())
    abort(); // an error that did not count
  checkRoundTrip(*strategy, context);
  if (!checkStrategy(*strategy, makeCluster()).empty())
    return 0;
  auto module = parseSourceString<ModuleOp>(kModule, &context);
  plan::MeshAttr mesh = makeMesh(getStrategy(*strategy), &context);
  (*module)->setAttr(plan::kStrategyAttrName, *strategy);
  (*module)->setAttr(plan::kMeshAttrName, mesh);
  if (succeeded(pin(*module)) != said.empty())
    abort(); // refused without a word, or an error that did not count
  checkPinned(*module, mesh);
  return 0;
}
