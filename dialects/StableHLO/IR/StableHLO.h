// The stablehlo dialect: the graphs that frameworks hand over, until they become linalg.
//
//   auto dot = dyn_cast<stablehlo::DotGeneralOp>(op);
//   ArrayRef<int64_t> batch = dot.getDotDimensionNumbers().getLhsBatchingDimensions();
//
// An operation that verified is consistent: its result's shape follows from its operands and
// attributes, every dimension number exists, every region has the arguments and results that its
// operation says. Not here: reading files (lib/Frontend/StableHLO), conversions (lib/Conversion),
// CHLO (Chlo.h).
#ifndef PLANWRIGHT_DIALECTS_STABLEHLO_IR_STABLEHLO_H
#define PLANWRIGHT_DIALECTS_STABLEHLO_IR_STABLEHLO_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace planwright::stablehlo {

namespace detail {
mlir::LogicalResult verifySameType(mlir::Operation *op);
mlir::LogicalResult verifySameShape(mlir::Operation *op);
mlir::LogicalResult verifyReturningRegions(mlir::Operation *op);
} // namespace detail

/// Operands and results all have one type.
template <typename Op> class SameType : public mlir::OpTrait::TraitBase<Op, SameType> {
public:
  static mlir::LogicalResult verifyTrait(mlir::Operation *op) { return detail::verifySameType(op); }
};

/// Operands and results all have one shape.
template <typename Op> class SameShape : public mlir::OpTrait::TraitBase<Op, SameShape> {
public:
  static mlir::LogicalResult verifyTrait(mlir::Operation *op) {
    return detail::verifySameShape(op);
  }
};

/// Each region is one block that ends in `stablehlo.return`.
template <typename Op>
class ReturningRegions : public mlir::OpTrait::TraitBase<Op, ReturningRegions> {
public:
  static mlir::LogicalResult verifyRegionTrait(mlir::Operation *op) {
    return detail::verifyReturningRegions(op);
  }
};

} // namespace planwright::stablehlo

#include "dialects/StableHLO/IR/StableHLODialect.h.inc"
#include "dialects/StableHLO/IR/StableHLOEnums.h.inc"
#define GET_ATTRDEF_CLASSES
#include "dialects/StableHLO/IR/StableHLOAttrs.h.inc"
#define GET_TYPEDEF_CLASSES
#include "dialects/StableHLO/IR/StableHLOTypes.h.inc"
#define GET_OP_CLASSES
#include "dialects/StableHLO/IR/StableHLOOps.h.inc"

#endif // PLANWRIGHT_DIALECTS_STABLEHLO_IR_STABLEHLO_H
