// Patterns of what cuts and joins tensors: slices, updates of slices, concatenation, padding,
// reversal.
#include "Patterns.h"

#include "dialects/Model/IR/Model.h"
#include "dialects/StableHLO/Transforms/ScalarEvaluator.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace planwright {
namespace {

struct ConvertSlice : Lowering<stablehlo::SliceOp> {
  using Lowering::Lowering;

  LogicalResult matchAndRewrite(stablehlo::SliceOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    SmallVector<SliceDim> dims;
    for (auto [d, size] : llvm::enumerate(getShape(op.getResult())))
      dims.push_back({op.getStartIndices()[d], size, op.getStrides()[d]});
    dims = SqueezedDims(op.getOperand()).select<SliceDim>(dims);
    rewriter.replaceOp(op, buildSlice(rewriter, op.getLoc(), adaptor.getOperand(), dims));
    return success();
  }
};

//===----------------------------------------------------------------------===//
// Slices at computed places that turned out to be constants
//===----------------------------------------------------------------------===//

/// Starts as numbers, moved so that the slice lies inside; nothing if one is not known.
std::optional<SmallVector<SliceDim>> getSliceDims(ValueRange starts, ArrayRef<int64_t> shape,
                                                  ArrayRef<int64_t> sizes) {
  stablehlo::ScalarEvaluator evaluator;
  SmallVector<SliceDim> dims;
  for (auto [start, whole, size] : llvm::zip_equal(starts, shape, sizes)) {
    int64_t most = whole - size;
    if (most == 0) { // there is only one place
      dims.push_back({0, size});
      continue;
    }
    std::optional<APInt> value = evaluator.evaluate(start);
    if (!value)
      return std::nullopt;
    bool isUnsigned = getTensorType(start).getElementType().isUnsignedInteger();
    int64_t offset =
        isUnsigned ? static_cast<int64_t>(value->getLimitedValue(most)) : value->getSExtValue();
    dims.push_back({std::clamp<int64_t>(offset, 0, most), size});
  }
  return dims;
}

constexpr StringLiteral kUnknownStart =
    "its start is computed while the program runs; slice at a constant, or index with a gather";

struct ConvertDynamicSlice : Lowering<stablehlo::DynamicSliceOp> {
  using Lowering::Lowering;

  LogicalResult matchAndRewrite(stablehlo::DynamicSliceOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    auto dims = getSliceDims(op.getStartIndices(), getShape(op.getOperand()), op.getSliceSizes());
    if (!dims)
      return refuse(op, kUnknownStart);
    dims = SqueezedDims(op.getOperand()).select<SliceDim>(*dims);
    rewriter.replaceOp(op, buildSlice(rewriter, op.getLoc(), adaptor.getOperand(), *dims));
    return success();
  }
};

struct ConvertDynamicUpdateSlice : Lowering<stablehlo::DynamicUpdateSliceOp> {
  using Lowering::Lowering;

  LogicalResult matchAndRewrite(stablehlo::DynamicUpdateSliceOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    auto dims =
        getSliceDims(op.getStartIndices(), getShape(op.getOperand()), getShape(op.getUpdate()));
    if (!dims)
      return refuse(op, kUnknownStart);
    dims = SqueezedDims(op.getOperand()).select<SliceDim>(*dims);
    rewriter.replaceOp(
        op, buildInsert(rewriter, op.getLoc(), adaptor.getUpdate(), adaptor.getOperand(), *dims));
    return success();
  }
};

//===----------------------------------------------------------------------===//
// Concatenation
//===----------------------------------------------------------------------===//

struct ConvertConcatenate : Lowering<stablehlo::ConcatenateOp> {
  using Lowering::Lowering;

  LogicalResult matchAndRewrite(stablehlo::ConcatenateOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    RankedTensorType type = getNewType(*this, op.getResult());
    std::optional<int64_t> dim = SqueezedDims(op.getResult())[op.getDimension()];
    SmallVector<Value> parts;
    for (auto [old, part] : llvm::zip_equal(op.getInputs(), adaptor.getInputs()))
      if (getShape(old)[op.getDimension()] != 0)
        parts.push_back(
            restoreDim(rewriter, op.getLoc(), part, type, dim, getShape(old)[op.getDimension()]));
    if (parts.size() == 1)
      rewriter.replaceOp(op, parts[0]);
    else if (parts.empty())
      rewriter.replaceOp(
          op, buildSplat(rewriter, op.getLoc(), type.getShape(), getZero(type.getElementType())));
    else
      rewriter.replaceOpWithNewOp<tensor::ConcatOp>(op, type, *dim, parts);
    return success();
  }

private:
  /// A part that is one thick lost the dimension along which it is joined.
  static Value restoreDim(OpBuilder &b, Location loc, Value part, RankedTensorType type,
                          std::optional<int64_t> dim, int64_t size) {
    if (!dim || size != 1)
      return part;
    SmallVector<int64_t> shape(type.getShape());
    shape[*dim] = 1;
    return buildReshape(b, loc, part, shape);
  }
};

//===----------------------------------------------------------------------===//
// Padding
//===----------------------------------------------------------------------===//

struct ConvertPad : Lowering<stablehlo::PadOp> {
  using Lowering::Lowering;

  LogicalResult matchAndRewrite(stablehlo::PadOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    TypedAttr value = getSplat(adaptor.getPaddingValue());
    if (!value && llvm::any_of(op.getInteriorPadding(), [](int64_t gap) { return gap != 0; }))
      return refuse(
          op, "it pads between elements with a value that is computed while the program runs");
    ArrayRef<int64_t> newShape = getNewType(*this, op.getResult()).getShape();
    // Padding makes dimensions of size one larger: work on all dimensions, drop those that stay one
    // at the end.
    Value x = buildReshape(rewriter, loc, adaptor.getOperand(), getShape(op.getOperand()));
    TypedAttr filler = value ? value : getZero(getTensorType(x).getElementType());
    Value padded = buildEdges(rewriter, loc, x, op.getEdgePaddingLow(), op.getEdgePaddingHigh(),
                              op.getInteriorPadding(), filler);
    padded = buildReshape(rewriter, loc, padded, newShape);
    if (!value)
      padded = fillWithScalar(rewriter, loc, padded, op, adaptor.getPaddingValue());
    rewriter.replaceOp(op, padded);
    return success();
  }

private:
  /// Outside the original elements the result is a scalar that is only known at run time.
  static Value fillWithScalar(OpBuilder &b, Location loc, Value padded, stablehlo::PadOp op,
                              Value scalar) {
    RankedTensorType type = getTensorType(padded);
    AffineMap identity = b.getMultiDimIdentityMap(type.getRank());
    AffineMap none = AffineMap::get(type.getRank(), 0, b.getContext());
    SqueezedDims squeezed(op.getResult());
    return buildPointwise(
        b, loc, {{padded, identity}, {scalar, none}}, type,
        [&](OpBuilder &b, Location loc, ValueRange x) {
          Value inside = buildScalarConstant(b, loc, b.getBoolAttr(true));
          for (auto [d, size] : llvm::enumerate(getShape(op.getOperand())))
            if (squeezed[d])
              inside = isInside(b, loc, inside, *squeezed[d], op.getEdgePaddingLow()[d], size);
          return SmallVector<Value>{arith::SelectOp::create(b, loc, inside, x[0], x[1])};
        });
  }

  static Value isInside(OpBuilder &b, Location loc, Value also, int64_t loop, int64_t low,
                        int64_t size) {
    Value i = linalg::IndexOp::create(b, loc, loop);
    auto bound = [&](int64_t value) { return buildScalarConstant(b, loc, b.getIndexAttr(value)); };
    Value after = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::sge, i, bound(low));
    Value before = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::slt, i, bound(low + size));
    Value both = arith::AndIOp::create(b, loc, after, before);
    return arith::AndIOp::create(b, loc, also, both);
  }
};

//===----------------------------------------------------------------------===//
// Reversal
//===----------------------------------------------------------------------===//

/// Reads rows n - 1, n - 2, ..., 0, once for each dimension.
struct ConvertReverse : Lowering<stablehlo::ReverseOp> {
  using Lowering::Lowering;

  LogicalResult matchAndRewrite(stablehlo::ReverseOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    SqueezedDims squeezed(op.getOperand());
    Value x = adaptor.getOperand();
    for (int64_t dim : op.getDimensions())
      if (squeezed[dim])
        x = reverse(rewriter, op.getLoc(), x, *squeezed[dim]);
    rewriter.replaceOp(op, x);
    return success();
  }

private:
  static Value reverse(OpBuilder &b, Location loc, Value x, int64_t dim) {
    RankedTensorType type = getTensorType(x);
    SmallVector<int64_t> order = llvm::to_vector(llvm::seq<int64_t>(0, type.getRank()));
    order.erase(order.begin() + dim);
    order.insert(order.begin(), dim);
    SmallVector<int64_t> shape =
        llvm::map_to_vector(order, [&](int64_t d) { return type.getDimSize(d); });
    auto tableType = RankedTensorType::get(shape, type.getElementType());
    AffineMap toFront = getLoopMap(b.getContext(), type.getRank(), order);
    Value table = buildMovement(b, loc, x, inversePermutation(toFront), tableType);
    Value rows = model::LookupOp::create(b, loc, tableType, table,
                                         buildCountdown(b, loc, type.getDimSize(dim)));
    return buildMovement(b, loc, rows, toFront, type);
  }

  static Value buildCountdown(OpBuilder &b, Location loc, int64_t size) {
    auto type = RankedTensorType::get({size}, b.getI64Type());
    return buildPointwise(b, loc, {}, type, [&](OpBuilder &b, Location loc, ValueRange) {
      Value i =
          arith::IndexCastOp::create(b, loc, b.getI64Type(), linalg::IndexOp::create(b, loc, 0));
      Value last = buildScalarConstant(b, loc, b.getI64IntegerAttr(size - 1));
      return SmallVector<Value>{arith::SubIOp::create(b, loc, last, i)};
    });
  }
};

} // namespace

void populateMoreShape(RewritePatternSet &patterns, const Reading &reading) {
  patterns.add<ConvertSlice, ConvertDynamicSlice, ConvertDynamicUpdateSlice, ConvertConcatenate,
               ConvertPad, ConvertReverse>(reading, patterns.getContext());
}

} // namespace planwright
