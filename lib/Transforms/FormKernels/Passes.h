// The passes that form kernels. Not here: their code (lib/Codegen), where buffers lie
// (lib/Conversion).
#ifndef PLANWRIGHT_LIB_TRANSFORMS_FORMKERNELS_PASSES_H
#define PLANWRIGHT_LIB_TRANSFORMS_FORMKERNELS_PASSES_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/Pass.h"

namespace planwright {

#define GEN_PASS_DECL_KERNELSPLITREDUCTIONS
#define GEN_PASS_DECL_KERNELFUSE
#include "lib/Transforms/FormKernels/Passes.h.inc"
#define GEN_PASS_REGISTRATION
#include "lib/Transforms/FormKernels/Passes.h.inc"

} // namespace planwright

#endif // PLANWRIGHT_LIB_TRANSFORMS_FORMKERNELS_PASSES_H
