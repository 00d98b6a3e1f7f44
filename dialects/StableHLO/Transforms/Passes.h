// Passes of the stablehlo dialect alone.
// Not here: the conversion out of the dialect (lib/Conversion/StableHLOToLinalg).
#ifndef PLANWRIGHT_DIALECTS_STABLEHLO_TRANSFORMS_PASSES_H
#define PLANWRIGHT_DIALECTS_STABLEHLO_TRANSFORMS_PASSES_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace planwright::stablehlo {

#define GEN_PASS_DECL
#include "dialects/StableHLO/Transforms/Passes.h.inc"
#define GEN_PASS_REGISTRATION
#include "dialects/StableHLO/Transforms/Passes.h.inc"

} // namespace planwright::stablehlo

#endif // PLANWRIGHT_DIALECTS_STABLEHLO_TRANSFORMS_PASSES_H
