// Everything that could not be converted, said at once.
//
//   Refusals refusals;
//   ... refusals.note(op, "its start is computed while the program runs");   // in a pattern
//   if (failed(refusals.report(module))) ...
#ifndef PLANWRIGHT_LIB_CONVERSION_STABLEHLOTOLINALG_REPORT_H
#define PLANWRIGHT_LIB_CONVERSION_STABLEHLOTOLINALG_REPORT_H

#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/DenseMap.h"

namespace planwright {

class Refusals {
public:
  /// Remembers why a pattern refused an operation; the last reason counts.
  void note(mlir::Operation *op, const llvm::Twine &why);
  /// One error for each kind of operation and reason that is left, with the number of them and the
  /// first place.
  mlir::LogicalResult report(mlir::ModuleOp module) const;

private:
  std::string explain(mlir::Operation *op) const;
  llvm::DenseMap<mlir::Operation *, std::string> reasons;
};

} // namespace planwright

#endif // PLANWRIGHT_LIB_CONVERSION_STABLEHLOTOLINALG_REPORT_H
