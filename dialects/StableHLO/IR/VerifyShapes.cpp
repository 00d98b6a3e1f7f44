// Verifiers of ShapeOps.td.
#include "dialects/StableHLO/IR/Verify.h"

using namespace mlir;
using namespace planwright::stablehlo;

LogicalResult ConstantOp::verify() {
  return verifyType(*this, "result", getType(), getValue().getType()); // constant_c1
}

LogicalResult IotaOp::verify() {
  int64_t dim = getIotaDimension();
  return verifyDims(*this, "iota_dimension", dim, getType().getRank()); // iota_c1
}

LogicalResult BroadcastOp::verify() {
  RankedTensorType operand = getOperand().getType();
  SmallVector<int64_t> expected(getBroadcastSizes());
  llvm::append_range(expected, operand.getShape());
  if (failed(verifyElementType(*this, "result", getType(), operand.getElementType())))
    return failure();
  return verifyShape(*this, "result", getType(), expected); // broadcast_c1
}

LogicalResult BroadcastInDimOp::verify() {
  RankedTensorType operand = getOperand().getType(), result = getType();
  ArrayRef<int64_t> dims = getBroadcastDimensions();
  if (failed(verifyCount(*this, "broadcast_dimensions", dims.size(), operand.getRank())) || // c1
      failed(verifyDims(*this, "broadcast_dimensions", dims, result.getRank())))            // c2
    return failure();
  for (auto [i, dim] : llvm::enumerate(dims)) {
    int64_t from = operand.getDimSize(i), to = result.getDimSize(dim);
    if (from != 1 && from != to) // broadcast_in_dim_c3
      return emitOpError() << "dimension " << i << " of " << operand << " has size " << from
                           << ", but becomes dimension " << dim << " of " << result << ", of size "
                           << to << ": 1 or " << to << " is expected";
  }
  return verifyElementType(*this, "result", result, operand.getElementType()); // c4
}

LogicalResult ReshapeOp::verify() {
  RankedTensorType operand = getOperand().getType(), result = getType();
  if (operand.getNumElements() != result.getNumElements()) // reshape_c1
    return emitOpError() << "result " << result << " has " << result.getNumElements()
                         << " elements, but operand " << operand << " has "
                         << operand.getNumElements();
  return verifyElementType(*this, "result", result, operand.getElementType());
}

LogicalResult TransposeOp::verify() {
  RankedTensorType operand = getOperand().getType();
  ArrayRef<int64_t> permutation = getPermutation();
  if (failed(verifyCount(*this, "permutation", permutation.size(), operand.getRank())) ||
      failed(verifyDims(*this, "permutation", permutation, operand.getRank()))) // transpose_c1
    return failure();
  auto expected =
      llvm::map_to_vector(permutation, [&](int64_t d) { return operand.getDimSize(d); });
  return verifyType(*this, "result", getType(), // transpose_c2
                    RankedTensorType::get(expected, operand.getElementType()));
}

LogicalResult ReverseOp::verify() { // reverse_c1
  return verifyDims(*this, "dimensions", getDimensions(), getOperand().getType().getRank());
}

LogicalResult SliceOp::verify() {
  RankedTensorType operand = getOperand().getType();
  ArrayRef<int64_t> starts = getStartIndices(), limits = getLimitIndices(), strides = getStrides();
  size_t rank = operand.getRank();
  if (failed(verifyCount(*this, "start_indices", starts.size(), rank)) || // slice_c1
      failed(verifyCount(*this, "limit_indices", limits.size(), rank)) ||
      failed(verifyCount(*this, "strides", strides.size(), rank)))
    return failure();
  SmallVector<Size> expected;
  for (auto [i, size] : llvm::enumerate(operand.getShape())) {
    bool inside = 0 <= starts[i] && starts[i] <= limits[i] && limits[i] <= size;
    if (!inside || strides[i] < 1) // slice_c2
      return emitOpError() << "takes " << starts[i] << ":" << limits[i] << ":" << strides[i]
                           << " of dimension " << i << ", but 0 <= start <= limit <= " << size
                           << " and a positive stride are expected";
    expected.push_back((Size(limits[i]) - starts[i] + strides[i] - 1) / strides[i]);
  }
  if (failed(verifyElementType(*this, "result", getType(), operand.getElementType())))
    return failure();
  return verifyShape(*this, "result", getType(), expected); // slice_c3
}

/// One scalar per dimension of `operand`, all of one type.
static LogicalResult verifyStartIndices(Operation *op, OperandRange indices,
                                        RankedTensorType operand) {
  if (failed(verifyCount(op, "start_indices", indices.size(), operand.getRank())))
    return failure();
  for (Value index : indices)
    if (failed(
            verifyType(op, "a start index", index.getType(), scalarOf(indices.front().getType()))))
      return failure();
  return success();
}

LogicalResult DynamicSliceOp::verify() {
  RankedTensorType operand = getOperand().getType();
  ArrayRef<int64_t> sizes = getSliceSizes();
  if (failed(verifyStartIndices(*this, getStartIndices(), operand)) || // dynamic_slice_c1
      failed(verifyCount(*this, "slice_sizes", sizes.size(), operand.getRank())))
    return failure();
  for (auto [i, size] : llvm::enumerate(sizes))
    if (size < 0 || size > operand.getDimSize(i)) // dynamic_slice_c2
      return emitOpError() << "takes " << size << " elements of dimension " << i << " of "
                           << operand;
  return verifyType(*this, "result", getType(), // dynamic_slice_c3
                    RankedTensorType::get(sizes, operand.getElementType()));
}

LogicalResult DynamicUpdateSliceOp::verify() {
  RankedTensorType operand = getOperand().getType(), update = getUpdate().getType();
  if (failed(verifyStartIndices(*this, getStartIndices(), operand))) // dynamic_update_slice_c1
    return failure();
  bool fits = update.getRank() == operand.getRank() &&
              llvm::all_of(llvm::zip_equal(update.getShape(), operand.getShape()),
                           [](auto pair) { return std::get<0>(pair) <= std::get<1>(pair); });
  if (!fits) // dynamic_update_slice_c2
    return emitOpError() << "update " << update << " does not fit into " << operand;
  if (failed(verifyElementType(*this, "update", update, operand.getElementType()))) // c3
    return failure();
  return verifyType(*this, "result", getType(), operand);
}

LogicalResult ConcatenateOp::verify() {
  int64_t dim = getDimension();
  if (getInputs().empty()) // concatenate_c1
    return emitOpError("has nothing to join, but at least one input is expected");
  auto first = cast<RankedTensorType>(getInputs().front().getType());
  if (failed(verifyDims(*this, "dimension", dim, first.getRank())))
    return failure();
  SmallVector<Size> expected(first.getShape());
  expected[dim] = 0;
  for (auto [i, input] : llvm::enumerate(getInputs())) {
    auto type = cast<RankedTensorType>(input.getType());
    SmallVector<int64_t> like(first.getShape());
    if (type.getRank() == first.getRank())
      like[dim] = type.getDimSize(dim);
    if (failed(verifyType(*this, "operand #" + Twine(i), type, // concatenate_c2
                          RankedTensorType::get(like, first.getElementType()))))
      return failure();
    expected[dim] += type.getDimSize(dim);
  }
  if (failed(verifyElementType(*this, "result", getType(), first.getElementType())))
    return failure();
  return verifyShape(*this, "result", getType(), expected); // concatenate_c3
}

LogicalResult PadOp::verify() {
  RankedTensorType operand = getOperand().getType();
  if (failed(verifyType(*this, "the padding value", getPaddingValue().getType(), // pad_c1
                        scalarOf(operand))))
    return failure();
  ArrayRef<int64_t> low = getEdgePaddingLow(), high = getEdgePaddingHigh();
  ArrayRef<int64_t> interior = getInteriorPadding();
  size_t rank = operand.getRank();
  if (failed(verifyCount(*this, "edge_padding_low", low.size(), rank)) || // pad_c2
      failed(verifyCount(*this, "edge_padding_high", high.size(), rank)) ||
      failed(verifyCount(*this, "interior_padding", interior.size(), rank)))
    return failure();
  SmallVector<Size> expected;
  for (auto [i, size] : llvm::enumerate(operand.getShape())) {
    if (interior[i] < 0) // pad_c2
      return emitOpError() << "interior padding " << interior[i] << " of dimension " << i
                           << " is negative";
    Size gaps = size == 0 ? Size(0) : Size(size - 1) * interior[i];
    expected.push_back(Size(low[i]) + size + gaps + high[i]);
  }
  if (failed(verifyElementType(*this, "result", getType(), operand.getElementType())))
    return failure();
  return verifyShape(*this, "result", getType(), expected); // pad_c3
}
