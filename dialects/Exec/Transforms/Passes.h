// Passes of the exec dialect: exec-assign-offsets, exec-verify.
#ifndef PLANWRIGHT_DIALECTS_EXEC_TRANSFORMS_PASSES_H
#define PLANWRIGHT_DIALECTS_EXEC_TRANSFORMS_PASSES_H

#include "dialects/Exec/IR/Exec.h"

#include "mlir/Pass/Pass.h"

namespace planwright::exec {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "dialects/Exec/Transforms/Passes.h.inc"

} // namespace planwright::exec

#endif // PLANWRIGHT_DIALECTS_EXEC_TRANSFORMS_PASSES_H
