// Worker threads, each with its own MLIR context, that turn kernel texts into object files.
#include "ObjectCompiler.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/TargetParser/Host.h"

#include <atomic>
#include <mutex>
#include <thread>

using namespace mlir;
using namespace planwright::codegen;

static void initializeTargets() {
  static std::once_flag once;
  std::call_once(once, [] {
    llvm::InitializeNativeTarget();
    llvm::InitializeNativeTargetAsmPrinter();
  });
}

static std::unique_ptr<llvm::TargetMachine> createMachine(const HostTarget &target,
                                                          std::string &error) {
  llvm::Triple triple(llvm::sys::getDefaultTargetTriple());
  const llvm::Target *description = llvm::TargetRegistry::lookupTarget(triple, error);
  if (!description)
    return nullptr;
  return std::unique_ptr<llvm::TargetMachine>(description->createTargetMachine(
      triple, target.cpu, target.features, llvm::TargetOptions(), llvm::Reloc::PIC_, std::nullopt,
      llvm::CodeGenOptLevel::Aggressive));
}

namespace {
/// What one thread needs, made once and used for many kernels.
class Worker {
public:
  explicit Worker(const HostTarget &target) : context(MLIRContext::Threading::DISABLED) {
    DialectRegistry registry;
    registry
        .insert<arith::ArithDialect, cf::ControlFlowDialect, func::FuncDialect, LLVM::LLVMDialect,
                math::MathDialect, memref::MemRefDialect, scf::SCFDialect, vector::VectorDialect>();
    registerBuiltinDialectTranslation(registry);
    registerLLVMDialectTranslation(registry);
    context.appendDialectRegistry(registry);
    context.loadAllAvailableDialects();
    machine = createMachine(target, error);
  }

  /// Empty when all is well.
  std::string compile(const KernelSource &kernel, std::string &object) {
    if (!machine)
      return error;
    std::string messages;
    ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
      messages += diagnostic.str() + "; ";
      return success();
    });
    OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(kernel.text, &context);
    if (module && succeeded(lowerKernel(*module)) &&
        succeeded(emitObject(*module, kernel.symbol, *machine, object)))
      return "";
    return "kernel " + kernel.symbol + " does not compile: " + messages;
  }

private:
  MLIRContext context;
  std::unique_ptr<llvm::TargetMachine> machine;
  std::string error;
};
} // namespace

static unsigned countThreads(const HostTarget &target, size_t kernels) {
  unsigned wanted =
      target.threads ? target.threads : std::max(1u, std::thread::hardware_concurrency());
  return std::min<size_t>(wanted, kernels);
}

LogicalResult planwright::codegen::compileObjects(ArrayRef<KernelSource> kernels,
                                                  const HostTarget &target,
                                                  std::vector<std::string> &objects,
                                                  ReportError reportError) {
  initializeTargets();
  objects.assign(kernels.size(), "");
  std::vector<std::string> errors(kernels.size());
  std::atomic<size_t> next = 0;
  auto work = [&] {
    Worker worker(target);
    for (size_t number = next++; number < kernels.size(); number = next++)
      errors[number] = worker.compile(kernels[number], objects[number]);
  };
  std::vector<std::thread> threads;
  for (unsigned number = 1; number < countThreads(target, kernels.size()); ++number)
    threads.emplace_back(work);
  work();
  for (std::thread &thread : threads)
    thread.join();
  bool allCompiled = true;
  for (const std::string &error : errors) {
    if (error.empty())
      continue;
    reportError(error);
    allCompiled = false;
  }
  return success(allCompiled);
}
