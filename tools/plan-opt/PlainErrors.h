// Diagnostics that have no place in a file are printed without one: "error: cannot read m.mlir: No
// such file or directory", where MLIR's own handler begins with "<unknown>:0:".
//
//   SourceMgrDiagnosticHandler others(sources, &context);
//   PlainErrors plain(context);        // behind the other one: the last handler is asked first
#ifndef PLANWRIGHT_TOOLS_PLAN_OPT_PLAINERRORS_H
#define PLANWRIGHT_TOOLS_PLAN_OPT_PLAINERRORS_H

#include "mlir/IR/Diagnostics.h"

namespace planwright {

class PlainErrors : public mlir::ScopedDiagnosticHandler {
public:
  explicit PlainErrors(mlir::MLIRContext &context);
};

} // namespace planwright

#endif // PLANWRIGHT_TOOLS_PLAN_OPT_PLAINERRORS_H
