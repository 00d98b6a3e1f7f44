// Whatever stands in a cluster file, reading it ends in a cluster or in diagnostics.
#include "planwright/Frontend/ClusterYaml.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  context.getDiagEngine().registerHandler([](mlir::Diagnostic &) { return mlir::success(); });
  // LLVM's YAML scanner reads up to a terminating zero.
  std::string text(reinterpret_cast<const char *>(data), size);
  (void)planwright::readClusterYaml(llvm::MemoryBufferRef(text, "fuzz.yaml"), context);
  return 0;
}
