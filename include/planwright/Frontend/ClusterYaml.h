// Reads cluster files (docs/cluster-files.md) into the cluster dialect.
//
//   FailureOr<OwningOpRef<ModuleOp>> module = readClusterFile("c.yaml", context);
//   auto cluster = *module->getOps<cluster::ClusterOp>().begin();
//
// Every error of a file is reported, each with file, line and column; unknown keys come with the
// nearest known one.
#ifndef PLANWRIGHT_FRONTEND_CLUSTERYAML_H
#define PLANWRIGHT_FRONTEND_CLUSTERYAML_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/Support/MemoryBufferRef.h"

namespace planwright {

/// Reads the cluster file at `path`. The module holds one cluster.cluster.
mlir::FailureOr<mlir::OwningOpRef<mlir::ModuleOp>> readClusterFile(llvm::StringRef path,
                                                                   mlir::MLIRContext &context);

/// The same from memory; the buffer's identifier stands in messages.
mlir::FailureOr<mlir::OwningOpRef<mlir::ModuleOp>> readClusterYaml(llvm::MemoryBufferRef buffer,
                                                                   mlir::MLIRContext &context);

} // namespace planwright

#endif // PLANWRIGHT_FRONTEND_CLUSTERYAML_H
