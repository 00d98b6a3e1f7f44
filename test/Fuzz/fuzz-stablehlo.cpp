// Fuzzes the reader of StableHLO text: whatever the bytes are, it either gives a module that can be
// printed and read again, or says why not.
//
//   fuzz-stablehlo -dict=test/Fuzz/stablehlo.dict -max_total_time=120 NEW_FOLDER
//   test/Fuzz/seeds/stablehlo
#include "planwright/Frontend/StableHLO/Reader.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"

using namespace mlir;
using namespace planwright;

static OwningOpRef<ModuleOp> read(llvm::StringRef text, MLIRContext &context) {
  return readStableHLO(llvm::MemoryBuffer::getMemBufferCopy(text, "fuzz.mlir"), context);
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  MLIRContext context(MLIRContext::Threading::DISABLED);
  std::string said;
  ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
    said += diagnostic.str();
    return success();
  });
  OwningOpRef<ModuleOp> module =
      read(llvm::StringRef(reinterpret_cast<const char *>(data), size), context);
  if (!module) {
    if (said.empty())
      abort(); // refused without a word
    return 0;
  }
  std::string printed;
  llvm::raw_string_ostream(printed) << *module;
  if (!read(printed, context)) {
    llvm::errs() << printed << said;
    abort(); // what was printed cannot be read
  }
  return 0;
}
