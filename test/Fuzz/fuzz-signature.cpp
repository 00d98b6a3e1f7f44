// Whatever stands in a signature, reading it ends in a signature or in diagnostics.
#include "planwright/Frontend/Signature.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  context.getDiagEngine().registerHandler([](mlir::Diagnostic &) { return mlir::success(); });
  llvm::StringRef text(reinterpret_cast<const char *>(data), size);
  (void)planwright::parseSignature(llvm::MemoryBufferRef(text, "fuzz.json"), context);
  return 0;
}
