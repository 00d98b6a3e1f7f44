// Passes of stages 5 and 6: tasks, where axes lie, blocks.
//
//   pm.addPass(createFormTasks());
//   pm.addPass(createShardChoose());
//   pm.addPass(createDivideParameters());
//   pm.addPass(createShardPropagate());
//   pm.addPass(createShardMaterialize({.bucketBytes = 1 << 26}));
//   pm.addPass(createVerifyTasks());
#ifndef PLANWRIGHT_TRANSFORMS_SHARDING_PASSES_H
#define PLANWRIGHT_TRANSFORMS_SHARDING_PASSES_H

#include "dialects/Comm/IR/Comm.h"
#include "dialects/Plan/IR/Plan.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace planwright {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "lib/Transforms/Sharding/Passes.h.inc"

} // namespace planwright

#endif // PLANWRIGHT_TRANSFORMS_SHARDING_PASSES_H
