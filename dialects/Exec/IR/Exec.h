// The exec dialect: what one rank does in a training step, in order, on one arena.
//
//   for (auto step : subprogram.getOps<exec::StepOpInterface>()) {
//     SmallVector<exec::OperandAttr> operands;
//     step.getOperandRegions(operands);
//   }
//
// Not here: how the program came to be (lib/Conversion/TasksToExec), how it is written
// (lib/Target/Plan).
#ifndef PLANWRIGHT_DIALECTS_EXEC_IR_EXEC_H
#define PLANWRIGHT_DIALECTS_EXEC_IR_EXEC_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/RegionKindInterface.h"
#include "mlir/IR/SymbolTable.h"

#include "dialects/Exec/IR/ExecDialect.h.inc"
#include "dialects/Exec/IR/ExecEnums.h.inc"
#define GET_ATTRDEF_CLASSES
#include "dialects/Exec/IR/ExecAttrs.h.inc"

#include "dialects/Exec/IR/ExecInterfaces.h.inc"
#define GET_OP_CLASSES
#include "dialects/Exec/IR/ExecOps.h.inc"

namespace planwright::exec {

/// Every buffer begins at a multiple of this many bytes.
inline constexpr int64_t kAlignment = 64;

/// `bytes` rounded up to a whole number of alignment units.
inline int64_t alignBytes(int64_t bytes) {
  return (bytes + kAlignment - 1) / kAlignment * kAlignment;
}

/// Bytes of one element in the arena; i1 takes a whole byte.
int64_t getElementBytes(mlir::Type elementType);
/// Bytes of a tensor in the arena, row-major without gaps.
int64_t getTensorBytes(mlir::RankedTensorType type);

} // namespace planwright::exec

#endif // PLANWRIGHT_DIALECTS_EXEC_IR_EXEC_H
