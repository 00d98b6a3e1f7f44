// Kernel texts to object files in memory, several at once.
// Not here: linking (SharedObject.h).
#ifndef PLANWRIGHT_LIB_CODEGEN_HOST_OBJECTCOMPILER_H
#define PLANWRIGHT_LIB_CODEGEN_HOST_OBJECTCOMPILER_H

#include "planwright/Codegen/Host/HostKernels.h"

#include "mlir/IR/BuiltinOps.h"

namespace llvm {
class TargetMachine;
} // namespace llvm

namespace planwright::codegen {

using ReportError = llvm::function_ref<void(const llvm::Twine &)>;

/// objects[i] becomes the object file of kernels[i].
llvm::LogicalResult compileObjects(llvm::ArrayRef<KernelSource> kernels, const HostTarget &target,
                                   std::vector<std::string> &objects, ReportError reportError);

/// Loops over memrefs to the llvm dialect.
llvm::LogicalResult lowerKernel(mlir::ModuleOp module);

/// The llvm dialect to an object file that exports `symbol` with the kernel ABI.
llvm::LogicalResult emitObject(mlir::ModuleOp module, llvm::StringRef symbol,
                               llvm::TargetMachine &machine, std::string &object);

} // namespace planwright::codegen

#endif // PLANWRIGHT_LIB_CODEGEN_HOST_OBJECTCOMPILER_H
