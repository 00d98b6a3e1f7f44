// Passes around the normal form.
#ifndef PLANWRIGHT_LIB_TRANSFORMS_NORMALIZE_PASSES_H
#define PLANWRIGHT_LIB_TRANSFORMS_NORMALIZE_PASSES_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace planwright {

#define GEN_PASS_DECL
#include "lib/Transforms/Normalize/Passes.h.inc"
#define GEN_PASS_REGISTRATION
#include "lib/Transforms/Normalize/Passes.h.inc"

} // namespace planwright

#endif // PLANWRIGHT_LIB_TRANSFORMS_NORMALIZE_PASSES_H
