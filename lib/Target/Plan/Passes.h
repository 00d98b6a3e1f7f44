// exec-emit-plan.
#ifndef PLANWRIGHT_LIB_TARGET_PLAN_PASSES_H
#define PLANWRIGHT_LIB_TARGET_PLAN_PASSES_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace planwright {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "lib/Target/Plan/Passes.h.inc"

} // namespace planwright

#endif // PLANWRIGHT_LIB_TARGET_PLAN_PASSES_H
