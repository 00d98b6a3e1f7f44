// Integers and booleans of rank 0 that are known before the program runs.
//
//   ScalarEvaluator evaluator;
//   if (std::optional<APInt> trip = evaluator.evaluate(value)) ...
//
// Not here: whole tensors (IndexFacts.h), floats.
#ifndef PLANWRIGHT_DIALECTS_STABLEHLO_TRANSFORMS_SCALAREVALUATOR_H
#define PLANWRIGHT_DIALECTS_STABLEHLO_TRANSFORMS_SCALAREVALUATOR_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/Value.h"
#include "llvm/ADT/APInt.h"
#include "llvm/ADT/DenseMap.h"

#include <optional>

namespace planwright::stablehlo {

class ScalarEvaluator {
public:
  /// The value of `scalar`, or nothing if it depends on data. Looks through at most a few dozen
  /// operations.
  std::optional<llvm::APInt> evaluate(mlir::Value scalar, int depth = 64);
  /// States what a block argument is.
  void assume(mlir::Value scalar, std::optional<llvm::APInt> value);
  /// Must be called before an operation that was evaluated is erased: another one may come to lie at its address.
  void forget(mlir::Value scalar) { known.erase(scalar); }
  /// Evaluates the results of `op` from its operands alone; a later evaluate() of them is then
  /// immediate.
  void visit(mlir::Operation *op);

private:
  std::optional<llvm::APInt> compute(mlir::Operation *op, int depth);
  llvm::DenseMap<mlir::Value, std::optional<llvm::APInt>> known;
};

/// A constant of the type of `like`, whose element type is an integer, with every element `value`.
mlir::Value createSplat(mlir::OpBuilder &builder, mlir::Value like, const llvm::APInt &value);

} // namespace planwright::stablehlo

#endif // PLANWRIGHT_DIALECTS_STABLEHLO_TRANSFORMS_SCALAREVALUATOR_H
