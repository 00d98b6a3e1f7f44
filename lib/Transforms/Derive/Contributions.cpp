// Sums of contributions to gradients. Slices of one tensor that do not overlap are put side by
// side, not added. Not here: where contributions come from (lib/Interfaces/Derivative).
#include "lib/Transforms/Derive/Contributions.h"

#include "lib/Interfaces/Derivative/ScalarExpression.h"
#include "planwright/Interfaces/GenericBuilder.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/ReshapeOpsUtils.h"

using namespace mlir;

namespace planwright {

/// More terms than this are added up at once, so that the gradient of a weight used everywhere does
/// not keep all its contributions alive.
static constexpr unsigned kMostTerms = 4;

void Contributions::add(Value value, Cotangent cotangent) {
  Entry &entry = byValue[value];
  entry.dense.push_back(cotangent);
  if (entry.dense.size() > kMostTerms) {
    Cotangent sum = sumDense(value.getLoc(), cast<RankedTensorType>(value.getType()), entry.dense);
    entry.dense.assign({sum});
  }
}

void Contributions::addSlice(Value value, Value gradient, SlicePosition position) {
  byValue[value].slices.push_back({gradient, std::move(position)});
}

/// Whether the two boxes have an element in common, strides aside.
static bool overlap(const SlicePosition &a, const SlicePosition &b) {
  auto last = [](const SlicePosition &p, size_t dim) {
    return p.offsets[dim] + (p.sizes[dim] - 1) * p.strides[dim];
  };
  for (size_t dim = 0; dim < a.offsets.size(); ++dim)
    if (last(a, dim) < b.offsets[dim] || last(b, dim) < a.offsets[dim])
      return false;
  return true;
}

Cotangent Contributions::sum(Location loc, Value value) {
  auto it = byValue.find(value);
  if (it == byValue.end())
    return {};
  Entry &entry = it->second;
  auto type = cast<RankedTensorType>(value.getType());
  // Slices go into the fewest tensors such that none holds two that overlap.
  SmallVector<SmallVector<Slice>> layers;
  for (const Slice &slice : entry.slices) {
    auto *layer = llvm::find_if(layers, [&](ArrayRef<Slice> placed) {
      return llvm::none_of(
          placed, [&](const Slice &other) { return overlap(slice.position, other.position); });
    });
    if (layer == layers.end())
      layer = &layers.emplace_back();
    layer->push_back(slice);
  }
  for (ArrayRef<Slice> layer : layers)
    entry.dense.push_back(makeCotangent(placeSlices(loc, type, layer)));
  entry.slices.clear();
  Cotangent sum = sumDense(loc, type, entry.dense);
  entry.dense.assign({sum});
  return sum;
}

//===----------------------------------------------------------------------===//
// Addition
//===----------------------------------------------------------------------===//

/// The widest of the terms' element types.
static Type getWidest(ArrayRef<Cotangent> terms) {
  Type widest = terms.front().getType().getElementType();
  for (Cotangent term : terms) {
    Type type = term.getType().getElementType();
    if (type.getIntOrFloatBitWidth() > widest.getIntOrFloatBitWidth())
      widest = type;
  }
  return widest;
}

Cotangent Contributions::sumDense(Location loc, RankedTensorType type, ArrayRef<Cotangent> terms) {
  if (terms.size() == 1)
    return terms.front();
  // Terms that are all broadcast or transposed in the same way are added as they are.
  AffineMap map = terms.front().map;
  ArrayRef<int64_t> shape = terms.front().getType().getShape();
  bool isSameMap = llvm::all_of(terms, [&](Cotangent term) { return term.map == map; });
  if (!isSameMap)
    shape = type.getShape();
  AffineMap identity = builder.getMultiDimIdentityMap(shape.size());
  Type widest = getWidest(terms);
  GenericBuilder generic(builder, loc, shape);
  Scalar sum;
  for (Cotangent term : terms) {
    Value read = generic.read(term.tensor, isSameMap ? identity : term.map);
    Scalar scalar = Scalar(generic.getBody(), loc, read).convert(widest);
    sum = sum ? sum + scalar : scalar;
  }
  Value tensor = generic.finishPointwise({{sum.getValue(), identity}}).front();
  return isSameMap ? Cotangent{tensor, map} : makeCotangent(tensor);
}

//===----------------------------------------------------------------------===//
// Slices
//===----------------------------------------------------------------------===//

/// `slice`'s gradient with the dimensions of size one that the slice dropped.
static Value restoreRank(OpBuilder &builder, Location loc, RankedTensorType type, Value gradient,
                         const SlicePosition &position) {
  auto gradientType = cast<RankedTensorType>(gradient.getType());
  if (gradientType.getRank() == type.getRank())
    return gradient;
  auto full = gradientType.clone(position.sizes);
  std::optional<SmallVector<ReassociationIndices>> groups =
      getReassociationIndicesForReshape(gradientType, full);
  assert(groups && "a slice only drops dimensions of size one");
  return tensor::ExpandShapeOp::create(builder, loc, full, gradient, *groups);
}

static bool isWhole(const SlicePosition &position, RankedTensorType type) {
  return ArrayRef<int64_t>(position.sizes) == type.getShape();
}

Value Contributions::placeSlices(Location loc, RankedTensorType type, ArrayRef<Slice> slices) {
  SmallVector<Slice> sorted(slices);
  for (Slice &slice : sorted)
    slice.gradient = restoreRank(builder, loc, type, slice.gradient, slice.position);
  llvm::sort(sorted, [](const Slice &a, const Slice &b) {
    return std::lexicographical_compare(a.position.offsets.begin(), a.position.offsets.end(),
                                        b.position.offsets.begin(), b.position.offsets.end());
  });
  if (sorted.size() == 1 && isWhole(sorted.front().position, type))
    return sorted.front().gradient;
  bool isDense = llvm::all_of(sorted, [](const Slice &slice) {
    return llvm::all_of(slice.position.strides, [](int64_t stride) { return stride == 1; });
  });
  if (isDense && sorted.size() == 1)
    return padSlice(loc, type, sorted.front());
  if (Value whole = isDense ? concatSlices(loc, type, sorted) : Value())
    return whole;
  return insertSlices(loc, type, sorted);
}

/// One concatenation, if the sorted slices cover the tensor along one dimension and are whole in
/// the others.
Value Contributions::concatSlices(Location loc, RankedTensorType type, ArrayRef<Slice> slices) {
  int64_t rank = type.getRank();
  for (int64_t dim = 0; dim < rank; ++dim) {
    int64_t next = 0;
    bool fits = llvm::all_of(slices, [&](const Slice &slice) {
      const SlicePosition &position = slice.position;
      for (int64_t other = 0; other < rank; ++other)
        if (other != dim && position.sizes[other] != type.getDimSize(other))
          return false;
      bool isNext = position.offsets[dim] == next;
      next += position.sizes[dim];
      return isNext;
    });
    if (!fits || next != type.getDimSize(dim))
      continue;
    auto gradients = llvm::map_to_vector(slices, [](const Slice &slice) { return slice.gradient; });
    return tensor::ConcatOp::create(builder, loc, dim, gradients);
  }
  return {};
}

Value Contributions::padSlice(Location loc, RankedTensorType type, const Slice &slice) {
  Type elementType = cast<RankedTensorType>(slice.gradient.getType()).getElementType();
  SmallVector<OpFoldResult> low, high;
  for (int64_t dim = 0; dim < type.getRank(); ++dim) {
    int64_t offset = slice.position.offsets[dim];
    low.push_back(builder.getIndexAttr(offset));
    high.push_back(builder.getIndexAttr(type.getDimSize(dim) - offset - slice.position.sizes[dim]));
  }
  Value zero = arith::ConstantOp::create(builder, loc, builder.getZeroAttr(elementType));
  return tensor::PadOp::create(builder, loc, type.clone(elementType), slice.gradient, low, high,
                               zero);
}

Value Contributions::insertSlices(Location loc, RankedTensorType type, ArrayRef<Slice> slices) {
  Type elementType = cast<RankedTensorType>(slices.front().gradient.getType()).getElementType();
  Value result = createZeroFill(builder, loc, type.getShape(), elementType);
  auto attributes = [&](ArrayRef<int64_t> numbers) {
    return getAsIndexOpFoldResult(builder.getContext(), numbers);
  };
  for (const Slice &slice : slices)
    result = tensor::InsertSliceOp::create(
        builder, loc, slice.gradient, result, attributes(slice.position.offsets),
        attributes(slice.position.sizes), attributes(slice.position.strides));
  return result;
}

//===----------------------------------------------------------------------===//
// Materialisation
//===----------------------------------------------------------------------===//

Value materialize(OpBuilder &builder, Location loc, Cotangent cotangent, RankedTensorType type) {
  if (auto splat = dyn_cast_or_null<FloatAttr>(getSplat(cotangent.tensor))) {
    auto number = builder.getFloatAttr(type.getElementType(), splat.getValueAsDouble());
    return arith::ConstantOp::create(builder, loc, DenseElementsAttr::get(type, number));
  }
  if (cotangent.map.isIdentity())
    return convertCotangent(builder, loc, cotangent, type.getElementType()).tensor;
  GenericBuilder generic(builder, loc, type.getShape());
  Scalar scalar(generic.getBody(), loc, generic.read(cotangent.tensor, cotangent.map));
  Value converted = scalar.convert(type.getElementType()).getValue();
  AffineMap identity = builder.getMultiDimIdentityMap(type.getRank());
  return generic.finishPointwise({{converted, identity}}).front();
}

} // namespace planwright
