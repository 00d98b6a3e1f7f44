// One handler. What it does not take goes on to the handler before it.
#include "PlainErrors.h"

#include "llvm/Support/raw_ostream.h"

using namespace mlir;

static llvm::StringRef getName(DiagnosticSeverity severity) {
  switch (severity) {
  case DiagnosticSeverity::Error:
    return "error";
  case DiagnosticSeverity::Warning:
    return "warning";
  case DiagnosticSeverity::Note:
    return "note";
  case DiagnosticSeverity::Remark:
    return "remark";
  }
  llvm_unreachable("every severity has its name");
}

static LogicalResult print(const Diagnostic &diagnostic) {
  if (!isa<UnknownLoc>(diagnostic.getLocation()))
    return failure();
  llvm::errs() << getName(diagnostic.getSeverity()) << ": " << diagnostic << "\n";
  for (const Diagnostic &note : diagnostic.getNotes())
    llvm::errs() << getName(note.getSeverity()) << ": " << note << "\n";
  return success();
}

planwright::PlainErrors::PlainErrors(MLIRContext &context)
    : ScopedDiagnosticHandler(&context, print) {}
