// The model dialect: operations that linalg cannot say, and what the entry function's arguments
// are.
//
//   if (model::ArgumentAttr argument = model::getArgument(func, 0))
//     if (argument.getRole() == model::Role::parameter) ...
//
// Not here: anything about devices, axes or time.
#ifndef PLANWRIGHT_DIALECTS_MODEL_IR_MODEL_H
#define PLANWRIGHT_DIALECTS_MODEL_IR_MODEL_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "dialects/Model/IR/ModelDialect.h.inc"
#include "dialects/Model/IR/ModelEnums.h.inc"
#define GET_ATTRDEF_CLASSES
#include "dialects/Model/IR/ModelAttrs.h.inc"
#define GET_OP_CLASSES
#include "dialects/Model/IR/ModelOps.h.inc"

namespace planwright::model {

/// Name of the argument attribute that holds an ArgumentAttr.
inline constexpr llvm::StringLiteral kArgumentAttrName = "model.argument";

/// What argument `index` of `function` is, or null where it is not marked.
ArgumentAttr getArgument(mlir::func::FuncOp function, unsigned index);

} // namespace planwright::model

#endif // PLANWRIGHT_DIALECTS_MODEL_IR_MODEL_H
