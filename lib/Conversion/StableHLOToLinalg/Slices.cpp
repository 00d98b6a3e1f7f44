// Builders of slices, insertions, padding and reshapes.
#include "Build.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace planwright {

static RankedTensorType getType(Value value) { return cast<RankedTensorType>(value.getType()); }

//===----------------------------------------------------------------------===//
// Slices
//===----------------------------------------------------------------------===//

namespace {
/// A slice in the form in which the tensor dialect takes it.
struct SliceOperands {
  SmallVector<OpFoldResult> offsets, sizes, strides;
  SmallVector<int64_t> shape;

  SliceOperands(Builder &b, ArrayRef<SliceDim> dims, bool dropUnits) {
    for (const SliceDim &dim : dims) {
      offsets.push_back(b.getIndexAttr(dim.offset));
      sizes.push_back(b.getIndexAttr(dim.size));
      strides.push_back(b.getIndexAttr(dim.size == 1 ? 1 : dim.stride));
      if (!dropUnits || dim.size != 1)
        shape.push_back(dim.size);
    }
  }
};
} // namespace

Value buildSlice(OpBuilder &b, Location loc, Value source, ArrayRef<SliceDim> dims,
                 bool dropUnits) {
  SliceOperands slice(b, dims, dropUnits);
  if (TypedAttr splat = getSplat(source))
    return buildSplat(b, loc, slice.shape, splat);
  auto type = RankedTensorType::get(slice.shape, getType(source).getElementType());
  bool isWhole = llvm::all_of(llvm::zip_equal(dims, getType(source).getShape()), [](auto pair) {
    return std::get<0>(pair).size == std::get<1>(pair);
  });
  if (isWhole && type == source.getType())
    return source;
  return tensor::ExtractSliceOp::create(b, loc, type, source, slice.offsets, slice.sizes,
                                        slice.strides);
}

Value buildInsert(OpBuilder &b, Location loc, Value source, Value target, ArrayRef<SliceDim> dims) {
  SliceOperands slice(b, dims, /*dropUnits=*/false);
  return tensor::InsertSliceOp::create(b, loc, source, target, slice.offsets, slice.sizes,
                                       slice.strides);
}

Value buildPad(OpBuilder &b, Location loc, Value source, ArrayRef<int64_t> low,
               ArrayRef<int64_t> high, TypedAttr value) {
  auto isZero = [](int64_t size) { return size == 0; };
  if (llvm::all_of(low, isZero) && llvm::all_of(high, isZero))
    return source;
  SmallVector<int64_t> shape(getType(source).getShape());
  SmallVector<OpFoldResult> lowAttrs, highAttrs;
  for (size_t d = 0; d < shape.size(); ++d) {
    shape[d] += low[d] + high[d];
    lowAttrs.push_back(b.getIndexAttr(low[d]));
    highAttrs.push_back(b.getIndexAttr(high[d]));
  }
  auto type = RankedTensorType::get(shape, getType(source).getElementType());
  if (getSplat(source) == value)
    return buildSplat(b, loc, shape, value);
  Value scalar = buildScalarConstant(b, loc, value);
  return tensor::PadOp::create(b, loc, type, source, lowAttrs, highAttrs, scalar);
}

/// Puts `gaps[d]` fillers between elements.
static Value spread(OpBuilder &b, Location loc, Value x, ArrayRef<int64_t> gaps, TypedAttr filler) {
  if (llvm::all_of(gaps, [](int64_t gap) { return gap == 0; }))
    return x;
  SmallVector<SliceDim> dims;
  SmallVector<int64_t> shape;
  for (auto [size, gap] : llvm::zip_equal(getType(x).getShape(), gaps)) {
    dims.push_back({0, size, gap + 1});
    shape.push_back(size + std::max<int64_t>(size - 1, 0) * gap);
  }
  return buildInsert(b, loc, x, buildSplat(b, loc, shape, filler), dims);
}

/// Negative edges cut elements off. Both together may cut off more than there is; padding then
/// fills the rest.
static Value cutEdges(OpBuilder &b, Location loc, Value x, ArrayRef<int64_t> low,
                      ArrayRef<int64_t> high) {
  SmallVector<SliceDim> dims;
  for (auto [size, lowEdge, highEdge] : llvm::zip_equal(getType(x).getShape(), low, high)) {
    int64_t offset = std::min(std::max<int64_t>(-lowEdge, 0), size);
    dims.push_back({offset, std::max<int64_t>(size - offset - std::max<int64_t>(-highEdge, 0), 0)});
  }
  return buildSlice(b, loc, x, dims, /*dropUnits=*/false);
}

Value buildEdges(OpBuilder &b, Location loc, Value source, ArrayRef<int64_t> low,
                 ArrayRef<int64_t> high, ArrayRef<int64_t> gaps, TypedAttr value) {
  auto clampToZero = [](ArrayRef<int64_t> sizes) {
    return llvm::map_to_vector(sizes, [](int64_t size) { return std::max<int64_t>(size, 0); });
  };
  Value x = cutEdges(b, loc, spread(b, loc, source, gaps, value), low, high);
  return buildPad(b, loc, x, clampToZero(low), clampToZero(high), value);
}

//===----------------------------------------------------------------------===//
// Reshapes
//===----------------------------------------------------------------------===//

namespace {
/// Cuts two shapes into the same number of runs with equal products, as many as possible.
///   8x64x128 and 8x64x4x32: [0][1][2] and [0][1][2, 3].
struct CommonRuns {
  SmallVector<ReassociationIndices> from, to;
  SmallVector<int64_t> sizes;

  CommonRuns(ArrayRef<int64_t> a, ArrayRef<int64_t> b) {
    size_t i = 0, j = 0;
    while (i < a.size() && j < b.size()) {
      ReassociationIndices runA{static_cast<int64_t>(i)}, runB{static_cast<int64_t>(j)};
      int64_t productA = a[i++], productB = b[j++];
      while (productA != productB) {
        if (productA < productB) {
          productA *= a[i];
          runA.push_back(i++);
        } else {
          productB *= b[j];
          runB.push_back(j++);
        }
      }
      from.push_back(runA);
      to.push_back(runB);
      sizes.push_back(productA);
    }
    // What is left over are ones: they join the last run.
    for (; i < a.size(); ++i)
      from.back().push_back(i);
    for (; j < b.size(); ++j)
      to.back().push_back(j);
  }
};
} // namespace

static bool hasLongRun(ArrayRef<ReassociationIndices> runs) {
  return llvm::any_of(runs, [](const ReassociationIndices &run) { return run.size() > 1; });
}

/// A tensor with no dimensions cannot be cut into runs; all of the other side's dimensions are
/// ones.
static Value reshapeScalar(OpBuilder &b, Location loc, Value source, RankedTensorType type) {
  SmallVector<ReassociationIndices> none;
  if (getType(source).getRank() == 0)
    return tensor::ExpandShapeOp::create(b, loc, type, source, none);
  return tensor::CollapseShapeOp::create(b, loc, type, source, none);
}

static Value reshapeConstant(OpBuilder &b, Location loc, Value source, RankedTensorType type) {
  DenseElementsAttr constant;
  if (!matchPattern(source, m_Constant(&constant)))
    return {};
  return arith::ConstantOp::create(b, loc, constant.reshape(type));
}

Value buildReshape(OpBuilder &b, Location loc, Value source, ArrayRef<int64_t> shape) {
  auto type = RankedTensorType::get(shape, getType(source).getElementType());
  if (type == source.getType())
    return source;
  if (TypedAttr splat = getSplat(source))
    return buildSplat(b, loc, shape, splat);
  if (Value constant = reshapeConstant(b, loc, source, type))
    return constant;
  if (shape.empty() || getType(source).getRank() == 0)
    return reshapeScalar(b, loc, source, type);
  if (type.getNumElements() == 0) // nothing in it: any tensor of the type will do
    return buildSplat(b, loc, shape, getZero(type.getElementType()));
  CommonRuns runs(getType(source).getShape(), shape);
  Value value = source;
  if (hasLongRun(runs.from))
    value = tensor::CollapseShapeOp::create(
        b, loc, RankedTensorType::get(runs.sizes, type.getElementType()), value, runs.from);
  if (hasLongRun(runs.to))
    value = tensor::ExpandShapeOp::create(b, loc, type, value, runs.to);
  return value;
}

} // namespace planwright
