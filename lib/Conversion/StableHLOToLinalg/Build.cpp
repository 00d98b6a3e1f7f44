// Builders of operations in the normal form. Not here: slices and reshapes (Slices.cpp).
#include "Build.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace planwright {

AffineMap getLoopMap(MLIRContext *context, int64_t rank, ArrayRef<int64_t> loops) {
  SmallVector<AffineExpr> results;
  for (int64_t loop : loops)
    results.push_back(getAffineDimExpr(loop, context));
  return AffineMap::get(rank, 0, results, context);
}

TypedAttr getZero(Type type) {
  return cast<TypedAttr>(Builder(type.getContext()).getZeroAttr(type));
}

Value buildScalarConstant(OpBuilder &b, Location loc, TypedAttr value) {
  return arith::ConstantOp::create(b, loc, value);
}

Value buildSplat(OpBuilder &b, Location loc, ArrayRef<int64_t> shape, TypedAttr value) {
  auto type = RankedTensorType::get(shape, value.getType());
  return arith::ConstantOp::create(b, loc, DenseElementsAttr::get(type, value));
}

Value buildFill(OpBuilder &b, Location loc, ArrayRef<int64_t> shape, TypedAttr value) {
  Value empty = tensor::EmptyOp::create(b, loc, shape, value.getType());
  Value scalar = buildScalarConstant(b, loc, value);
  return linalg::FillOp::create(b, loc, scalar, empty).getResult(0);
}

/// Creates the generic; its body gets one argument per read, then one per out.
static linalg::GenericOp buildGeneric(OpBuilder &b, Location loc, ArrayRef<Read> reads,
                                      ValueRange outs, AffineMap outMap,
                                      ArrayRef<utils::IteratorType> iterators, Body body) {
  SmallVector<Value> inputs;
  SmallVector<AffineMap> maps;
  for (const Read &read : reads) {
    inputs.push_back(read.tensor);
    maps.push_back(read.map);
  }
  maps.append(outs.size(), outMap);
  return linalg::GenericOp::create(
      b, loc, TypeRange(outs), inputs, outs, maps, iterators,
      [&](OpBuilder &nested, Location nestedLoc, ValueRange arguments) {
        linalg::YieldOp::create(nested, nestedLoc, body(nested, nestedLoc, arguments));
      });
}

Value buildPointwise(OpBuilder &b, Location loc, ArrayRef<Read> reads, RankedTensorType resultType,
                     Body body) {
  Value empty = tensor::EmptyOp::create(b, loc, resultType.getShape(), resultType.getElementType());
  SmallVector<utils::IteratorType> iterators(resultType.getRank(), utils::IteratorType::parallel);
  AffineMap identity = b.getMultiDimIdentityMap(resultType.getRank());
  return buildGeneric(b, loc, reads, empty, identity, iterators, body).getResult(0);
}

Value buildMovement(OpBuilder &b, Location loc, Value source, AffineMap map,
                    RankedTensorType resultType) {
  if (map.isIdentity() && source.getType() == resultType)
    return source;
  if (TypedAttr splat = getSplat(source))
    return buildSplat(b, loc, resultType.getShape(), splat);
  return buildPointwise(
      b, loc, Read{source, map}, resultType,
      [](OpBuilder &, Location, ValueRange arguments) { return SmallVector<Value>{arguments[0]}; });
}

SmallVector<Value> buildReduction(OpBuilder &b, Location loc, ArrayRef<Read> reads,
                                  ArrayRef<int64_t> resultShape, ArrayRef<int64_t> reducedSizes,
                                  ArrayRef<TypedAttr> inits, Body body) {
  SmallVector<Value> outs;
  for (TypedAttr init : inits)
    outs.push_back(buildFill(b, loc, resultShape, init));
  int64_t rank = resultShape.size() + reducedSizes.size();
  SmallVector<utils::IteratorType> iterators(resultShape.size(), utils::IteratorType::parallel);
  iterators.append(reducedSizes.size(), utils::IteratorType::reduction);
  AffineMap outMap =
      AffineMap::getMultiDimIdentityMap(rank, b.getContext()).getMajorSubMap(resultShape.size());
  if (resultShape.empty())
    outMap = AffineMap::get(rank, 0, b.getContext());
  auto generic = buildGeneric(b, loc, reads, outs, outMap, iterators, body);
  return SmallVector<Value>(generic.getResults());
}

Value buildScalarSum(OpBuilder &b, Location loc, Value lhs, Value rhs) {
  if (isa<FloatType>(lhs.getType()))
    return arith::AddFOp::create(b, loc, lhs, rhs);
  if (lhs.getType().isInteger(1))
    return arith::OrIOp::create(b, loc, lhs, rhs);
  return arith::AddIOp::create(b, loc, lhs, rhs);
}

Value buildScalarProduct(OpBuilder &b, Location loc, Value lhs, Value rhs) {
  if (isa<FloatType>(lhs.getType()))
    return arith::MulFOp::create(b, loc, lhs, rhs);
  return arith::MulIOp::create(b, loc, lhs, rhs);
}

Value buildSum(OpBuilder &b, Location loc, Read read, ArrayRef<int64_t> resultShape,
               ArrayRef<int64_t> reducedSizes) {
  Type elementType = cast<RankedTensorType>(read.tensor.getType()).getElementType();
  return buildReduction(b, loc, read, resultShape, reducedSizes, getZero(elementType),
                        [](OpBuilder &b, Location loc, ValueRange arguments) {
                          return SmallVector<Value>{
                              buildScalarSum(b, loc, arguments[1], arguments[0])};
                        })
      .front();
}

//===----------------------------------------------------------------------===//
// Contraction
//===----------------------------------------------------------------------===//

/// Brings a scalar to the type in which a product is taken.
static Value castScalar(OpBuilder &b, Location loc, Value value, Type type, bool isUnsigned) {
  Type from = value.getType();
  if (from == type)
    return value;
  if (isa<FloatType>(type) && isa<FloatType>(from))
    return from.getIntOrFloatBitWidth() < type.getIntOrFloatBitWidth()
               ? arith::ExtFOp::create(b, loc, type, value).getResult()
               : arith::TruncFOp::create(b, loc, type, value).getResult();
  if (from.getIntOrFloatBitWidth() > type.getIntOrFloatBitWidth())
    return arith::TruncIOp::create(b, loc, type, value);
  return isUnsigned ? arith::ExtUIOp::create(b, loc, type, value).getResult()
                    : arith::ExtSIOp::create(b, loc, type, value).getResult();
}

namespace {
/// Loops of a product: the result's labels first, then those that are summed.
struct ProductLoops {
  SmallVector<int64_t> labels;
  size_t numResult;

  ProductLoops(const Factor &lhs, const Factor &rhs, ArrayRef<int64_t> result)
      : labels(result), numResult(result.size()) {
    for (const Factor *factor : {&lhs, &rhs})
      for (int64_t label : factor->labels)
        if (!llvm::is_contained(labels, label))
          labels.push_back(label);
  }

  AffineMap getMap(MLIRContext *context, ArrayRef<int64_t> tensorLabels) const {
    SmallVector<int64_t> loops;
    for (int64_t label : tensorLabels)
      loops.push_back(llvm::find(labels, label) - labels.begin());
    return getLoopMap(context, labels.size(), loops);
  }

  int64_t getSize(int64_t label, const Factor &lhs, const Factor &rhs) const {
    const Factor &holder = llvm::is_contained(lhs.labels, label) ? lhs : rhs;
    size_t dim = llvm::find(holder.labels, label) - holder.labels.begin();
    return cast<RankedTensorType>(holder.tensor.getType()).getDimSize(dim);
  }
};
} // namespace

/// A sum over a label that only one factor has is taken before the product, so that every summed
/// loop runs over both.
static Factor sumPrivateLabels(OpBuilder &b, Location loc, const Factor &factor,
                               const Factor &other, ArrayRef<int64_t> result) {
  SmallVector<int64_t> kept, keptDims, summedDims, keptSizes, summedSizes;
  auto type = cast<RankedTensorType>(factor.tensor.getType());
  for (auto [dim, label] : llvm::enumerate(factor.labels)) {
    bool isKept = llvm::is_contained(result, label) || llvm::is_contained(other.labels, label);
    (isKept ? keptDims : summedDims).push_back(dim);
    (isKept ? keptSizes : summedSizes).push_back(type.getDimSize(dim));
    if (isKept)
      kept.push_back(label);
  }
  if (summedDims.empty())
    return factor;
  SmallVector<int64_t> order = llvm::to_vector(llvm::concat<int64_t>(keptDims, summedDims));
  AffineMap map = inversePermutation(getLoopMap(b.getContext(), order.size(), order));
  return {buildSum(b, loc, {factor.tensor, map}, keptSizes, summedSizes), kept};
}

Value buildContraction(OpBuilder &b, Location loc, const Factor &lhsFactor, const Factor &rhsFactor,
                       ArrayRef<int64_t> result, Type elementType, bool isUnsigned) {
  Factor lhs = sumPrivateLabels(b, loc, lhsFactor, rhsFactor, result);
  Factor rhs = sumPrivateLabels(b, loc, rhsFactor, lhsFactor, result);
  ProductLoops loops(lhs, rhs, result);
  SmallVector<int64_t> shape;
  for (int64_t label : result)
    shape.push_back(loops.getSize(label, lhs, rhs));
  AffineMap lhsMap = loops.getMap(b.getContext(), lhs.labels);
  AffineMap rhsMap = loops.getMap(b.getContext(), rhs.labels);
  if (loops.labels.size() == loops.numResult) {
    auto type = RankedTensorType::get(shape, elementType);
    return buildPointwise(b, loc, {{lhs.tensor, lhsMap}, {rhs.tensor, rhsMap}}, type,
                          [&](OpBuilder &b, Location loc, ValueRange x) {
                            Value l = castScalar(b, loc, x[0], elementType, isUnsigned);
                            Value r = castScalar(b, loc, x[1], elementType, isUnsigned);
                            return SmallVector<Value>{buildScalarProduct(b, loc, l, r)};
                          });
  }
  Value zero = buildFill(b, loc, shape, getZero(elementType));
  AffineMap outMap = loops.getMap(b.getContext(), result);
  auto contract =
      linalg::ContractOp::create(b, loc, zero.getType(), ValueRange{lhs.tensor, rhs.tensor}, zero,
                                 b.getAffineMapArrayAttr({lhsMap, rhsMap, outMap}));
  if (isUnsigned)
    contract.setCast(linalg::TypeFn::cast_unsigned);
  return contract.getResult(0);
}

} // namespace planwright
