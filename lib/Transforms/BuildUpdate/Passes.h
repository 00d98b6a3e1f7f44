// The pass that adds the optimizer's update. Not here: gradients (lib/Transforms/Derive).
#ifndef PLANWRIGHT_LIB_TRANSFORMS_BUILDUPDATE_PASSES_H
#define PLANWRIGHT_LIB_TRANSFORMS_BUILDUPDATE_PASSES_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace planwright {

#define GEN_PASS_DECL
#include "lib/Transforms/BuildUpdate/Passes.h.inc"
#define GEN_PASS_REGISTRATION
#include "lib/Transforms/BuildUpdate/Passes.h.inc"

} // namespace planwright

#endif // PLANWRIGHT_LIB_TRANSFORMS_BUILDUPDATE_PASSES_H
