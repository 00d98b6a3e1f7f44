// The families of patterns of this conversion, and what they share.
//
// A pattern that refuses says why and what the user can do (notifyMatchFailure); Report.h collects
// the reasons. Not here: scalar functions (ScalarRules.h), builders (Build.h).
#ifndef PLANWRIGHT_LIB_CONVERSION_STABLEHLOTOLINALG_PATTERNS_H
#define PLANWRIGHT_LIB_CONVERSION_STABLEHLOTOLINALG_PATTERNS_H

#include "Build.h"
#include "Types.h"

#include "dialects/StableHLO/IR/Chlo.h"
#include "dialects/StableHLO/IR/StableHLO.h"
#include "dialects/StableHLO/Transforms/IndexFacts.h"

#include "mlir/Transforms/DialectConversion.h"

namespace planwright {

void populateElementwise(mlir::RewritePatternSet &patterns, const mlir::TypeConverter &converter);
void populateShape(mlir::RewritePatternSet &patterns, const mlir::TypeConverter &converter);
void populateMoreShape(mlir::RewritePatternSet &patterns, const mlir::TypeConverter &converter);
void populateContraction(mlir::RewritePatternSet &patterns, const mlir::TypeConverter &converter);
void populateConvolution(mlir::RewritePatternSet &patterns, const mlir::TypeConverter &converter);
void populateReduction(mlir::RewritePatternSet &patterns, const mlir::TypeConverter &converter);
void populateReduceWindow(mlir::RewritePatternSet &patterns, const mlir::TypeConverter &converter);
void populateBatchNorm(mlir::RewritePatternSet &patterns, const mlir::TypeConverter &converter);
void populateTopK(mlir::RewritePatternSet &patterns, const mlir::TypeConverter &converter);
/// Gathers look at what is known about their indices.
void populateGather(mlir::RewritePatternSet &patterns, const mlir::TypeConverter &converter,
                    const stablehlo::IndexAnalysis &analysis);
void populateScatter(mlir::RewritePatternSet &patterns, const mlir::TypeConverter &converter,
                     const stablehlo::IndexAnalysis &analysis);

/// The type that `value` is converted to.
template <typename Pattern>
mlir::RankedTensorType getNewType(const Pattern &pattern, mlir::Value value) {
  return pattern.getTypeConverter()->template convertType<mlir::RankedTensorType>(value.getType());
}

} // namespace planwright

#endif // PLANWRIGHT_LIB_CONVERSION_STABLEHLOTOLINALG_PATTERNS_H
