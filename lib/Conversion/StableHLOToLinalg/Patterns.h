// The families of patterns of this conversion, and what they share.
//
// A pattern that refuses says why and what the user can do (notifyMatchFailure); Report.h collects
// the reasons. Not here: scalar functions (ScalarRules.h), builders (Build.h).
#ifndef PLANWRIGHT_LIB_CONVERSION_STABLEHLOTOLINALG_PATTERNS_H
#define PLANWRIGHT_LIB_CONVERSION_STABLEHLOTOLINALG_PATTERNS_H

#include "Build.h"
#include "Report.h"
#include "Types.h"

#include "dialects/StableHLO/IR/Chlo.h"
#include "dialects/StableHLO/IR/StableHLO.h"
#include "dialects/StableHLO/Transforms/IndexFacts.h"

#include "mlir/Transforms/DialectConversion.h"

namespace planwright {

/// What every pattern is given.
struct Reading {
  const mlir::TypeConverter &converter;
  /// What is known about indices.
  const stablehlo::IndexAnalysis &analysis;
  Refusals &refusals;

  /// The failure of a pattern, with the reason and what the user can do. LLVM without assertions
  /// drops what is told to notifyMatchFailure, so reasons have a way of their own.
  mlir::LogicalResult refuse(mlir::Operation *op, const llvm::Twine &why) const {
    refusals.note(op, why);
    return mlir::failure();
  }
};

/// A pattern for one operation.
template <typename Op> class Lowering : public mlir::OpConversionPattern<Op> {
public:
  Lowering(const Reading &reading, mlir::MLIRContext *context)
      : mlir::OpConversionPattern<Op>(reading.converter, context), reading(reading) {}

protected:
  mlir::LogicalResult refuse(mlir::Operation *op, const llvm::Twine &why) const {
    return reading.refuse(op, why);
  }
  Reading reading;
};

void populateElementwise(mlir::RewritePatternSet &patterns, const Reading &reading);
void populateShape(mlir::RewritePatternSet &patterns, const Reading &reading);
void populateMoreShape(mlir::RewritePatternSet &patterns, const Reading &reading);
void populateContraction(mlir::RewritePatternSet &patterns, const Reading &reading);
void populateConvolution(mlir::RewritePatternSet &patterns, const Reading &reading);
void populateReduction(mlir::RewritePatternSet &patterns, const Reading &reading);
void populateReduceWindow(mlir::RewritePatternSet &patterns, const Reading &reading);
void populateBatchNorm(mlir::RewritePatternSet &patterns, const Reading &reading);
void populateTopK(mlir::RewritePatternSet &patterns, const Reading &reading);
void populateGather(mlir::RewritePatternSet &patterns, const Reading &reading);
void populateScatter(mlir::RewritePatternSet &patterns, const Reading &reading);

/// The type that `value` is converted to.
template <typename Pattern>
mlir::RankedTensorType getNewType(const Pattern &pattern, mlir::Value value) {
  return pattern.getTypeConverter()->template convertType<mlir::RankedTensorType>(value.getType());
}

} // namespace planwright

#endif // PLANWRIGHT_LIB_CONVERSION_STABLEHLOTOLINALG_PATTERNS_H
