// kernel-run FILE: each function of FILE as host kernels against the reference interpreter, which
// computes in f64. kernel-run FILE --time REPEATS: instead prints the best time of each kernel with
// one thread.
//
// Arguments are made up; those marked `test.special` hold infinities and NaN too. A function may
// say how far floats may be off, relative to 1 + their size: `attributes {test.tolerance = 1e-5}`.
// Results must be equal, bit for bit, however the work items are divided.
#include "KernelProgram.h"

#include "dialects/Model/IR/Model.h"
#include "lib/Transforms/FormKernels/Passes.h"
#include "planwright/Reference/Interpreter.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Support/FileUtilities.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/SourceMgr.h"

#include <chrono>
#include <cmath>

using namespace mlir;
using namespace planwright;
using reference::ElementType;
using reference::Tensor;
using test::KernelProgram;
using test::TensorList;

static llvm::cl::opt<std::string> inputFile(llvm::cl::Positional, llvm::cl::Required,
                                            llvm::cl::desc("FILE"));
static llvm::cl::opt<bool> fuse("fuse", llvm::cl::desc("form fused kernels first"));
static llvm::cl::opt<int> timeRepeats("time", llvm::cl::desc("measure, with this many runs"));

static TensorList makeArguments(func::FuncOp function) {
  TensorList arguments;
  for (BlockArgument argument : function.getArguments()) {
    unsigned number = argument.getArgNumber();
    Tensor tensor = test::makeInput(argument.getType(), number);
    if (function.getArgAttr(number, "test.special"))
      tensor = test::withSpecialValues(tensor);
    arguments.push_back(tensor);
  }
  return arguments;
}

//===----------------------------------------------------------------------===//
// Checking
//===----------------------------------------------------------------------===//

static double getTolerance(func::FuncOp function, ElementType type) {
  if (auto given = function->getAttrOfType<FloatAttr>("test.tolerance"))
    return given.getValueAsDouble();
  switch (type) {
  case ElementType::F16:
    return 2e-3;
  case ElementType::BF16:
    return 1e-2;
  case ElementType::F32:
    return 2e-6;
  case ElementType::F64:
    return 1e-13;
  default:
    return 0;
  }
}

static bool isClose(double actual, double expected, double tolerance) {
  if (std::isnan(actual) || std::isnan(expected))
    return std::isnan(actual) == std::isnan(expected);
  if (std::isinf(actual) || std::isinf(expected))
    return actual == expected;
  return std::abs(actual - expected) <= tolerance * (1 + std::abs(expected));
}

static LogicalResult compare(func::FuncOp function, unsigned number, const Tensor &actual,
                             const Tensor &expected) {
  double tolerance = getTolerance(function, actual.getType());
  for (int64_t index = 0; index < actual.getNumElements(); ++index)
    if (!isClose(actual.getAsDouble(index), expected.getAsDouble(index), tolerance))
      return function.emitError("result ")
             << number << ", element " << index << " is " << actual.getAsDouble(index)
             << ", expected " << expected.getAsDouble(index);
  return success();
}

static bool isSameBits(const Tensor &left, const Tensor &right) {
  return memcmp(left.getData(), right.getData(), left.getNumBytes()) == 0;
}

/// The function whose kernels are run, in a module of its own: `function` or, with --fuse, what
/// fusion makes of it.
static OwningOpRef<ModuleOp> formKernels(func::FuncOp function) {
  OwningOpRef<ModuleOp> module = ModuleOp::create(function.getLoc());
  module->push_back(function.clone());
  PassManager passes(function.getContext());
  if (fuse) {
    passes.addNestedPass<func::FuncOp>(createKernelSplitReductions());
    passes.addNestedPass<func::FuncOp>(createKernelFuse());
  }
  return succeeded(passes.run(*module)) ? std::move(module) : OwningOpRef<ModuleOp>();
}

static FailureOr<KernelProgram> compile(ModuleOp module) {
  return KernelProgram::compile(*module.getOps<func::FuncOp>().begin(),
                                codegen::HostTarget::native());
}

static LogicalResult check(func::FuncOp function, const reference::Interpreter &interpreter) {
  OwningOpRef<ModuleOp> formed = formKernels(function);
  FailureOr<KernelProgram> program = formed ? compile(*formed) : FailureOr<KernelProgram>();
  if (failed(program))
    return failure();
  TensorList arguments = makeArguments(function);
  FailureOr<TensorList> expected = interpreter.run(function, arguments);
  if (failed(expected))
    return failure();
  TensorList whole = program->run(arguments, 1);
  for (auto [number, actual] : llvm::enumerate(whole))
    if (failed(compare(function, number, actual, (*expected)[number])))
      return failure();
  for (int64_t chunks : {2, 3, 1000})
    for (auto [number, actual] : llvm::enumerate(program->run(arguments, chunks)))
      if (!isSameBits(actual, whole[number]))
        return function.emitError("result ")
               << number << " differs when run in " << chunks << " chunks";
  return success();
}

//===----------------------------------------------------------------------===//
// Measuring
//===----------------------------------------------------------------------===//

static double countBytes(const codegen::HostKernel &kernel) {
  double bytes = 0;
  for (const codegen::HostOperand &operand : kernel.operands)
    for (Value value : {operand.read, operand.written})
      if (value)
        bytes += cast<ShapedType>(value.getType()).getNumElements() *
                 std::max(1u, getElementTypeOrSelf(value).getIntOrFloatBitWidth() / 8);
  return bytes;
}

static LogicalResult measure(func::FuncOp function) {
  auto start = std::chrono::steady_clock::now();
  OwningOpRef<ModuleOp> formed = formKernels(function);
  FailureOr<KernelProgram> program = formed ? compile(*formed) : FailureOr<KernelProgram>();
  if (failed(program))
    return failure();
  std::chrono::duration<double, std::milli> compileTime = std::chrono::steady_clock::now() - start;
  llvm::outs() << function.getSymName() << ": "
               << llvm::format("%zu kernels compiled in %.0f ms\n", program->countKernels(),
                               compileTime.count());
  TensorList arguments = makeArguments(function);
  for (int repeat = 0; repeat < timeRepeats; ++repeat)
    program->run(arguments, 1);
  for (const KernelProgram::Launch &launch : program->getLaunches())
    llvm::outs() << llvm::format("%9.3f ms %7.1f GB/s %6ld items  ", launch.bestSeconds * 1e3,
                                 countBytes(launch.kernel) / launch.bestSeconds * 1e-9,
                                 launch.kernel.count)
                 << launch.kernel.symbol << "\n";
  return success();
}

int main(int argc, char **argv) {
  llvm::cl::ParseCommandLineOptions(argc, argv, "Runs functions in normal form as host kernels\n");
  DialectRegistry registry;
  codegen::HostKernelBuilder::registerDependentDialects(registry);
  registry.insert<linalg::LinalgDialect, tensor::TensorDialect, model::ModelDialect>();
  MLIRContext context(registry);
  context.loadAllAvailableDialects();
  llvm::SourceMgr sources;
  std::string message;
  std::unique_ptr<llvm::MemoryBuffer> text = openInputFile(inputFile, &message);
  if (!text) {
    llvm::errs() << message << "\n";
    return 1;
  }
  sources.AddNewSourceBuffer(std::move(text), llvm::SMLoc());
  SourceMgrDiagnosticHandler diagnostics(sources, &context);
  OwningOpRef<ModuleOp> module = parseSourceFile<ModuleOp>(sources, &context);
  if (!module)
    return 1;
  reference::Interpreter interpreter(*module, {.floatsAsF64 = true});
  unsigned failures = 0, functions = 0;
  for (auto function : module->getOps<func::FuncOp>()) {
    ++functions;
    failures += failed(timeRepeats ? measure(function) : check(function, interpreter));
  }
  llvm::outs() << functions << " functions, " << failures << " failed\n";
  return failures != 0;
}
