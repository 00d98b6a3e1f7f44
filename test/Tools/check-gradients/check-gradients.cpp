// check-gradients: derives every public function of a module and compares the gradients of all
// float arguments with finite differences, in f64 on the reference interpreter.
//
//   func.func @f(%x: tensor<4xf64> {test.range = array<f64: 0.5, 2.0>}) -> tensor<4xf64>
//
// Arguments get numbers in `test.range`, or the `test.values`. A function with `test.gradients =
// [dense<...>, ...]` is compared with these instead (where there is a kink), with gradients of one
// for all results. Prints `f: ok`, or what differs; fails if anything does. Not here: one
// function's check (FunctionCheck.cpp).
#include "FunctionCheck.h"

#include "dialects/Comm/IR/Comm.h"
#include "dialects/Model/IR/Model.h"
#include "dialects/Plan/IR/Plan.h"
#include "lib/Transforms/Derive/Passes.h"
#include "planwright/Interfaces/DifferentiableOpInterface.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Support/FileUtilities.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/SourceMgr.h"

using namespace mlir;
using namespace planwright;

namespace cl = llvm::cl;

/// Adds @f.fwd and @f.bwd in a copy of `module`; the original functions stay in `module`.
static OwningOpRef<ModuleOp> derive(ModuleOp module, StringRef recompute) {
  OwningOpRef<ModuleOp> derived(module.clone());
  PassManager manager(module.getContext());
  DerivePassOptions options;
  options.recompute = recompute.str();
  manager.addPass(createDerivePass(options));
  if (failed(manager.run(*derived)))
    return nullptr;
  return derived;
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  cl::opt<std::string> input(cl::Positional, cl::desc("<module.mlir>"), cl::init("-"));
  cl::opt<std::string> recompute("recompute", cl::desc("Option of model-derive"),
                                 cl::init("pointwise"));
  cl::ParseCommandLineOptions(argc, argv, "Compares gradients with finite differences\n");
  DialectRegistry registry;
  registry
      .insert<arith::ArithDialect, func::FuncDialect, linalg::LinalgDialect, math::MathDialect,
              tensor::TensorDialect, comm::CommDialect, model::ModelDialect, plan::PlanDialect>();
  registerDerivativeModels(registry);
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  context.allowUnregisteredDialects(); // test.range and its like
  llvm::SourceMgr sources;
  SourceMgrDiagnosticHandler handler(sources, &context);
  std::string message;
  std::unique_ptr<llvm::MemoryBuffer> buffer = openInputFile(input, &message);
  if (!buffer) {
    llvm::errs() << message << "\n";
    return 1;
  }
  sources.AddNewSourceBuffer(std::move(buffer), llvm::SMLoc());
  OwningOpRef<ModuleOp> module = parseSourceFile<ModuleOp>(sources, &context);
  if (!module)
    return 1;
  OwningOpRef<ModuleOp> derived = derive(*module, recompute);
  if (!derived)
    return 1;
  bool isRight = true;
  for (auto function : module->getOps<func::FuncOp>())
    if (function.isPublic())
      isRight &= reference::checkFunction(function, *derived, llvm::outs());
  return isRight ? 0 : 1;
}
