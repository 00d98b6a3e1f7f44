// Builders of operations in the normal form: what every pattern of this conversion is written in.
//
//   Value sum = buildReduction(b, loc, {{x, inMap}}, resultType, outMap, loops, zero, body);
//   Value y = buildContraction(b, loc, {x, {B, S, K}}, {w, {K, N}}, {B, S, N}, f32);
//
// Not here: anything that knows a StableHLO operation.
#ifndef PLANWRIGHT_LIB_CONVERSION_STABLEHLOTOLINALG_BUILD_H
#define PLANWRIGHT_LIB_CONVERSION_STABLEHLOTOLINALG_BUILD_H

#include "planwright/Interfaces/GenericBuilder.h" // getSplat

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Builders.h"

namespace planwright {

/// A tensor that a generic reads, and where.
struct Read {
  mlir::Value tensor;
  mlir::AffineMap map;
};

/// Gives the scalar results of a body from its scalar arguments.
using Body = llvm::function_ref<llvm::SmallVector<mlir::Value>(mlir::OpBuilder &, mlir::Location,
                                                               mlir::ValueRange)>;

/// A map from `rank` loops to the loops listed.
mlir::AffineMap getLoopMap(mlir::MLIRContext *context, int64_t rank, llvm::ArrayRef<int64_t> loops);

/// `value` as the only element of a tensor constant or as a scalar constant.
mlir::Value buildScalarConstant(mlir::OpBuilder &b, mlir::Location loc, mlir::TypedAttr value);
/// A constant tensor with every element `value`.
mlir::Value buildSplat(mlir::OpBuilder &b, mlir::Location loc, llvm::ArrayRef<int64_t> shape,
                       mlir::TypedAttr value);
/// A fill, as the start of a reduction.
mlir::Value buildFill(mlir::OpBuilder &b, mlir::Location loc, llvm::ArrayRef<int64_t> shape,
                      mlir::TypedAttr value);

/// A generic whose loops are the result's dimensions, in order.
mlir::Value buildPointwise(mlir::OpBuilder &b, mlir::Location loc, llvm::ArrayRef<Read> reads,
                           mlir::RankedTensorType resultType, Body body);
/// `result[i...] = source[map(i...)]`.
mlir::Value buildMovement(mlir::OpBuilder &b, mlir::Location loc, mlir::Value source,
                          mlir::AffineMap map, mlir::RankedTensorType resultType);

/// Results of a generic that combines over the loops that are no dimension of the result. Loops
/// come in the order dimensions of the result, then `reducedSizes`. The body's arguments are those
/// of `reads`, then one accumulator per initial value.
llvm::SmallVector<mlir::Value> buildReduction(mlir::OpBuilder &b, mlir::Location loc,
                                              llvm::ArrayRef<Read> reads,
                                              llvm::ArrayRef<int64_t> resultShape,
                                              llvm::ArrayRef<int64_t> reducedSizes,
                                              llvm::ArrayRef<mlir::TypedAttr> inits, Body body);
/// The sum of `reads[0]` over the loops that follow the result's dimensions.
mlir::Value buildSum(mlir::OpBuilder &b, mlir::Location loc, Read read,
                     llvm::ArrayRef<int64_t> resultShape, llvm::ArrayRef<int64_t> reducedSizes);

/// A factor of a product: dimension i of the tensor is named labels[i].
struct Factor {
  mlir::Value tensor;
  llvm::SmallVector<int64_t> labels;
};
/// The sum over every label that is not in `result` of the product of both factors. A product
/// without a sum is pointwise. Labels of size one have been dropped before.
mlir::Value buildContraction(mlir::OpBuilder &b, mlir::Location loc, const Factor &lhs,
                             const Factor &rhs, llvm::ArrayRef<int64_t> result,
                             mlir::Type elementType, bool isUnsigned = false);

/// The same elements in another shape, as expand_shape, collapse_shape or one of each.
mlir::Value buildReshape(mlir::OpBuilder &b, mlir::Location loc, mlir::Value source,
                         llvm::ArrayRef<int64_t> shape);

/// One dimension of a slice.
struct SliceDim {
  int64_t offset, size, stride = 1;
};
/// A slice; dimensions of size one are dropped where `dropUnits` says so.
mlir::Value buildSlice(mlir::OpBuilder &b, mlir::Location loc, mlir::Value source,
                       llvm::ArrayRef<SliceDim> dims, bool dropUnits = true);
/// `target` with `source` (without dimensions of size one, if those were dropped) in the place of a
/// slice.
mlir::Value buildInsert(mlir::OpBuilder &b, mlir::Location loc, mlir::Value source,
                        mlir::Value target, llvm::ArrayRef<SliceDim> dims);
/// Constant elements before and after; nothing negative.
mlir::Value buildPad(mlir::OpBuilder &b, mlir::Location loc, mlir::Value source,
                     llvm::ArrayRef<int64_t> low, llvm::ArrayRef<int64_t> high,
                     mlir::TypedAttr value);

/// StableHLO's padding: gaps between elements, then edges, which cut elements off where they are
/// negative.
mlir::Value buildEdges(mlir::OpBuilder &b, mlir::Location loc, mlir::Value source,
                       llvm::ArrayRef<int64_t> low, llvm::ArrayRef<int64_t> high,
                       llvm::ArrayRef<int64_t> gaps, mlir::TypedAttr value);

/// lhs + rhs of scalars, whatever their type; for booleans, or.
mlir::Value buildScalarSum(mlir::OpBuilder &b, mlir::Location loc, mlir::Value lhs,
                           mlir::Value rhs);
/// lhs * rhs of scalars.
mlir::Value buildScalarProduct(mlir::OpBuilder &b, mlir::Location loc, mlir::Value lhs,
                               mlir::Value rhs);
/// 0 of any type.
mlir::TypedAttr getZero(mlir::Type type);

} // namespace planwright

#endif // PLANWRIGHT_LIB_CONVERSION_STABLEHLOTOLINALG_BUILD_H
