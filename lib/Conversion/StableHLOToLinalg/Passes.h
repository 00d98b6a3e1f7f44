// The conversion from StableHLO to linalg.
// Not here: passes that stay inside the stablehlo dialect (dialects/StableHLO/Transforms).
#ifndef PLANWRIGHT_LIB_CONVERSION_STABLEHLOTOLINALG_PASSES_H
#define PLANWRIGHT_LIB_CONVERSION_STABLEHLOTOLINALG_PASSES_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace planwright {

#define GEN_PASS_DECL
#include "lib/Conversion/StableHLOToLinalg/Passes.h.inc"
#define GEN_PASS_REGISTRATION
#include "lib/Conversion/StableHLOToLinalg/Passes.h.inc"

} // namespace planwright

#endif // PLANWRIGHT_LIB_CONVERSION_STABLEHLOTOLINALG_PASSES_H
