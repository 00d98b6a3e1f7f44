// convert-tasks-to-exec: task functions become an exec program.
#ifndef PLANWRIGHT_LIB_CONVERSION_TASKSTOEXEC_PASSES_H
#define PLANWRIGHT_LIB_CONVERSION_TASKSTOEXEC_PASSES_H

#include "dialects/Exec/IR/Exec.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace planwright {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "lib/Conversion/TasksToExec/Passes.h.inc"

} // namespace planwright

#endif // PLANWRIGHT_LIB_CONVERSION_TASKSTOEXEC_PASSES_H
