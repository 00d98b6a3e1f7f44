// The derivative pass. Not here: derivatives of operations (lib/Interfaces/Derivative), the
// optimizer (BuildUpdate).
#ifndef PLANWRIGHT_LIB_TRANSFORMS_DERIVE_PASSES_H
#define PLANWRIGHT_LIB_TRANSFORMS_DERIVE_PASSES_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace planwright {

#define GEN_PASS_DECL
#include "lib/Transforms/Derive/Passes.h.inc"
#define GEN_PASS_REGISTRATION
#include "lib/Transforms/Derive/Passes.h.inc"

} // namespace planwright

#endif // PLANWRIGHT_LIB_TRANSFORMS_DERIVE_PASSES_H
