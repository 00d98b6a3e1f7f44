// The pass that marks the entry function's arguments.
#ifndef PLANWRIGHT_LIB_FRONTEND_SIGNATURE_PASSES_H
#define PLANWRIGHT_LIB_FRONTEND_SIGNATURE_PASSES_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace planwright {

#define GEN_PASS_DECL
#include "lib/Frontend/Signature/Passes.h.inc"
#define GEN_PASS_REGISTRATION
#include "lib/Frontend/Signature/Passes.h.inc"

} // namespace planwright

#endif // PLANWRIGHT_LIB_FRONTEND_SIGNATURE_PASSES_H
