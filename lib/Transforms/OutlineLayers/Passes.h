// The pass that finds a model's repeated layers. Not here: what happens to them (Derive, Sharding).
#ifndef PLANWRIGHT_LIB_TRANSFORMS_OUTLINELAYERS_PASSES_H
#define PLANWRIGHT_LIB_TRANSFORMS_OUTLINELAYERS_PASSES_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace planwright {

#define GEN_PASS_DECL
#include "lib/Transforms/OutlineLayers/Passes.h.inc"
#define GEN_PASS_REGISTRATION
#include "lib/Transforms/OutlineLayers/Passes.h.inc"

} // namespace planwright

#endif // PLANWRIGHT_LIB_TRANSFORMS_OUTLINELAYERS_PASSES_H
