// Reads StableHLO text, as frameworks print it or compressed, without ever trusting it.
//
//   OwningOpRef<ModuleOp> module = readStableHLO("loss.mlir.xz", context);
//   if (!module)
//     return failure();   // everything was said through the context's diagnostics, with file, line
//     and column
//
// Text goes through a scan (Prescan.h in lib/Frontend/StableHLO) before MLIR's parser sees it,
// because that parser can be made to overflow. What comes back is verified and holds only
// operations of func, stablehlo and chlo; attributes of any dialect are kept. Not here: the passes
// behind the parser (Pipelines/Training.h).
#ifndef PLANWRIGHT_FRONTEND_STABLEHLO_READER_H
#define PLANWRIGHT_FRONTEND_STABLEHLO_READER_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/Support/MemoryBuffer.h"

namespace planwright {

/// Reads the file at `path`, or standard input for "-". Null after an error. Loads the dialects it
/// needs into the context and lets it allow unregistered dialects, for the attributes of
/// frameworks.
mlir::OwningOpRef<mlir::ModuleOp> readStableHLO(llvm::StringRef path, mlir::MLIRContext &context);

/// The same from memory; the buffer's identifier stands in messages.
mlir::OwningOpRef<mlir::ModuleOp> readStableHLO(std::unique_ptr<llvm::MemoryBuffer> buffer,
                                                mlir::MLIRContext &context);

/// Reports all operations inside `module` that are not supported in one error: how often each kind
/// is there, where first, and what can be done about it. The regions of an operation that is not
/// supported are not looked at.
mlir::LogicalResult checkSupported(mlir::ModuleOp module,
                                   llvm::function_ref<bool(mlir::Operation *)> isSupported);

} // namespace planwright

#endif // PLANWRIGHT_FRONTEND_STABLEHLO_READER_H
