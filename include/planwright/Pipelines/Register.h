// Everything that a tool of the compiler needs registered, in one call.
//
//   DialectRegistry registry;
//   registerPlanwright(registry);
#ifndef PLANWRIGHT_PIPELINES_REGISTER_H
#define PLANWRIGHT_PIPELINES_REGISTER_H

#include "mlir/IR/DialectRegistry.h"

namespace planwright {

/// Dialects of Planwright with the interface models of upstream operations, and all passes and
/// pipelines of Planwright.
void registerPlanwright(mlir::DialectRegistry &registry);

} // namespace planwright

#endif // PLANWRIGHT_PIPELINES_REGISTER_H
