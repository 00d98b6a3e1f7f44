// What each elementwise operation is on scalars: one rule an operation, used for whole tensors and
// for the regions of reductions alike.
//
//   if (ScalarRule rule = getScalarRule(op))
//     Value result = rule({b, loc, op, scalars, resultType});
//
// To add an operation, add its rule to one of the three tables (ScalarArithmetic, ScalarFunctions,
// ScalarLogic).
#ifndef PLANWRIGHT_LIB_CONVERSION_STABLEHLOTOLINALG_SCALARRULES_H
#define PLANWRIGHT_LIB_CONVERSION_STABLEHLOTOLINALG_SCALARRULES_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/StringMap.h"

namespace planwright {

/// An operation with its operands as scalars. Operations are created folded, so that the square
/// root of a constant is a constant.
struct ScalarOp {
  mlir::OpBuilder &b;
  mlir::Location loc;
  mlir::Operation *op;
  mlir::ValueRange x;
  mlir::Type type; // of the result, signless

  bool isFloat() const { return llvm::isa<mlir::FloatType>(x[0].getType()); }
  bool isBoolean() const { return x[0].getType().isInteger(1); }
  /// Booleans count as unsigned.
  bool isUnsigned(unsigned operand = 0) const;

  template <typename Op, typename... Args> mlir::Value make(Args &&...args) const {
    return b.createOrFold<Op>(loc, std::forward<Args>(args)...);
  }
  /// A constant of a scalar type.
  mlir::Value number(mlir::Type type, double value) const;
  mlir::Value number(double value) const { return number(type, value); }
};

/// Gives the scalar result, or null where the operation has none on this type.
using ScalarRule = mlir::Value (*)(const ScalarOp &);
using ScalarTable = llvm::StringMap<ScalarRule>;

ScalarRule getScalarRule(mlir::Operation *op);

void addArithmeticRules(ScalarTable &table);
void addFunctionRules(ScalarTable &table);
void addLogicRules(ScalarTable &table);

/// Emits the operations of a region of scalars. Block arguments stand for `arguments`; constants
/// from outside are copied in. Fails, saying why, where an operation has no rule or a value comes
/// from outside.
llvm::FailureOr<llvm::SmallVector<mlir::Value>>
emitRegion(mlir::OpBuilder &b, mlir::Block &block, mlir::ValueRange arguments,
           llvm::function_ref<void(const llvm::Twine &)> refuse);

/// Whether every operation of the region has a rule; says why not. Nothing is emitted.
llvm::LogicalResult checkRegion(mlir::Block &block,
                                llvm::function_ref<void(const llvm::Twine &)> refuse);

} // namespace planwright

#endif // PLANWRIGHT_LIB_CONVERSION_STABLEHLOTOLINALG_SCALARRULES_H
