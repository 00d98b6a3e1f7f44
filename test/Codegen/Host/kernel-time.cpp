// kernel-time FILE [repeats]: compiles the kernels of @main, runs them with one thread, prints the
// best time of each.
#include "KernelProgram.h"

#include "dialects/Model/IR/Model.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

#include <chrono>

using namespace mlir;
using namespace planwright;

static double bytesOf(const codegen::HostKernel &kernel) {
  double bytes = 0;
  for (const codegen::HostOperand &operand : kernel.operands)
    for (Value value : {operand.read, operand.written})
      if (value)
        bytes += cast<ShapedType>(value.getType()).getNumElements() *
                 std::max(1u, getElementTypeOrSelf(value).getIntOrFloatBitWidth() / 8);
  return bytes;
}

int main(int argc, char **argv) {
  if (argc < 2) {
    llvm::errs() << "usage: kernel-time FILE [repeats]\n";
    return 2;
  }
  DialectRegistry registry;
  codegen::HostKernelBuilder::registerDependentDialects(registry);
  registry.insert<linalg::LinalgDialect, tensor::TensorDialect, model::ModelDialect>();
  MLIRContext context(registry);
  context.loadAllAvailableDialects();
  OwningOpRef<ModuleOp> module = parseSourceFile<ModuleOp>(argv[1], &context);
  auto function = module ? module->lookupSymbol<func::FuncOp>("main") : nullptr;
  if (!function)
    return 1;
  auto start = std::chrono::steady_clock::now();
  FailureOr<test::KernelProgram> program =
      test::KernelProgram::compile(function, codegen::HostTarget::native());
  if (failed(program))
    return 1;
  std::chrono::duration<double, std::milli> compileTime = std::chrono::steady_clock::now() - start;
  llvm::outs() << llvm::format("%zu kernels compiled in %.0f ms\n", program->countKernels(),
                               compileTime.count());

  test::TensorList arguments;
  for (BlockArgument argument : function.getArguments())
    arguments.push_back(test::makeInput(argument.getType(), argument.getArgNumber()));
  for (int repeat = 0, repeats = argc > 2 ? atoi(argv[2]) : 10; repeat < repeats; ++repeat)
    program->run(arguments, 1);
  for (const test::KernelProgram::Launch &launch : program->getLaunches())
    llvm::outs() << llvm::format("%9.3f ms %7.1f GB/s %6ld items  ", launch.bestSeconds * 1e3,
                                 bytesOf(launch.kernel) / launch.bestSeconds * 1e-9,
                                 launch.kernel.count)
                 << launch.kernel.symbol << "\n";
  return 0;
}
