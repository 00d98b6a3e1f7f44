// What verifiers share.
// Not here: the verifier of any operation.
#include "dialects/StableHLO/IR/Verify.h"

using namespace mlir;
using namespace planwright::stablehlo;

/// For messages only: what does not fit is shown as the nearest number that does.
static SmallVector<int64_t> toPrintable(ArrayRef<Size> sizes) {
  constexpr Size lowest = std::numeric_limits<int64_t>::min();
  constexpr Size highest = std::numeric_limits<int64_t>::max();
  return llvm::map_to_vector(sizes,
                             [&](Size size) { return int64_t(std::clamp(size, lowest, highest)); });
}

LogicalResult planwright::stablehlo::verifyType(Operation *op, const Twine &what, Type found,
                                                Type expected) {
  if (found == expected)
    return success();
  return op->emitOpError() << what << " has type " << found << ", but " << expected
                           << " is expected";
}

LogicalResult planwright::stablehlo::verifyShape(Operation *op, const Twine &what,
                                                 RankedTensorType found, ArrayRef<Size> expected) {
  if (llvm::equal(found.getShape(), expected))
    return success();
  return op->emitOpError() << what << " has type " << found << ", but shape ["
                           << toPrintable(expected) << "] is expected";
}

LogicalResult planwright::stablehlo::verifyShape(Operation *op, const Twine &what,
                                                 RankedTensorType found,
                                                 ArrayRef<int64_t> expected) {
  return verifyShape(op, what, found, SmallVector<Size>(expected));
}

LogicalResult planwright::stablehlo::verifyElementType(Operation *op, const Twine &what,
                                                       RankedTensorType found, Type expected) {
  if (found.getElementType() == expected)
    return success();
  return op->emitOpError() << what << " has type " << found << ", but element type " << expected
                           << " is expected";
}

LogicalResult planwright::stablehlo::verifyDims(Operation *op, StringRef what,
                                                ArrayRef<int64_t> dims, int64_t rank, bool sorted) {
  for (auto [i, dim] : llvm::enumerate(dims)) {
    if (dim < 0 || dim >= rank)
      return op->emitOpError() << what << " names dimension " << dim << ", but there are " << rank;
    if (llvm::is_contained(dims.take_front(i), dim))
      return op->emitOpError() << what << " names dimension " << dim << " twice";
    if (sorted && i > 0 && dim < dims[i - 1])
      return op->emitOpError() << what << " has to be in rising order, but is [" << dims << "]";
  }
  return success();
}

LogicalResult planwright::stablehlo::verifyDisjoint(Operation *op, StringRef what,
                                                    ArrayRef<int64_t> dims, StringRef otherWhat,
                                                    ArrayRef<int64_t> other) {
  for (int64_t dim : dims)
    if (llvm::is_contained(other, dim))
      return op->emitOpError() << what << " and " << otherWhat << " both name dimension " << dim;
  return success();
}

LogicalResult planwright::stablehlo::verifyCount(Operation *op, StringRef what, size_t found,
                                                 size_t expected) {
  if (found == expected)
    return success();
  return op->emitOpError() << what << " has " << found << " entries, but " << expected
                           << " are expected";
}

/// 0 for integers, 1 for floats, 2 for complex numbers.
static int getKind(Type type) {
  Type element = getElementTypeOrSelf(type);
  return isa<ComplexType>(element) ? 2 : isa<FloatType>(element) ? 1 : 0;
}

LogicalResult planwright::stablehlo::verifySameKind(Operation *op) {
  Type first = op->getOperand(0).getType();
  auto differs = [&](Type type) { return getKind(type) != getKind(first); };
  if (llvm::none_of(op->getOperandTypes(), differs) && llvm::none_of(op->getResultTypes(), differs))
    return success();
  return op->emitOpError() << "mixes kinds of elements: operands are " << op->getOperandTypes()
                           << ", the result is " << op->getResultTypes()
                           << ", but all integers, all floats or all complex are expected";
}

RankedTensorType planwright::stablehlo::scalarOf(Type type) {
  return RankedTensorType::get({}, getElementTypeOrSelf(type));
}

//===----------------------------------------------------------------------===//
// Windows
//===----------------------------------------------------------------------===//

/// The distance from the first to one past the last of `size` elements that lie `dilation` apart.
static Size dilate(int64_t size, int64_t dilation) {
  return size == 0 ? Size(0) : Size(size - 1) * dilation + 1;
}

Size Window::getPlaces(int64_t dim, int64_t size) const {
  Size room = Size(low[dim]) + dilate(size, baseDilations[dim]) + high[dim];
  Size extent = dilate(sizes[dim], windowDilations[dim]);
  return room <= 0 || extent > room ? Size(0) : (room - extent) / strides[dim] + 1;
}

/// Copies `given`, or as many `fallback`s as there are dimensions.
static LogicalResult readPerDim(Operation *op, StringRef what,
                                std::optional<ArrayRef<int64_t>> given, size_t rank,
                                SmallVector<int64_t> &out, bool needsPositive = true) {
  out.assign(rank, 1);
  if (!given)
    return success();
  if (failed(verifyCount(op, what, given->size(), rank)))
    return failure();
  llvm::copy(*given, out.begin());
  if (needsPositive && llvm::any_of(out, [](int64_t value) { return value < 1; }))
    return op->emitOpError() << what << " has to be positive, but is [" << out << "]";
  return success();
}

static LogicalResult readPadding(Operation *op, std::optional<DenseIntElementsAttr> padding,
                                 size_t rank, Window &window) {
  window.low.assign(rank, 0);
  window.high.assign(rank, 0);
  if (!padding)
    return success();
  if (padding->getType().getShape() != ArrayRef<int64_t>({static_cast<int64_t>(rank), 2}))
    return op->emitOpError() << "padding has type " << padding->getType() << ", but shape [" << rank
                             << ", 2] is expected: low and high for each dimension";
  for (auto [i, value] : llvm::enumerate(padding->getValues<int64_t>()))
    (i % 2 == 0 ? window.low : window.high)[i / 2] = value;
  return success();
}

FailureOr<Window> planwright::stablehlo::readWindow(
    Operation *op, ArrayRef<int64_t> sizes, std::optional<ArrayRef<int64_t>> strides,
    std::optional<DenseIntElementsAttr> padding, std::optional<ArrayRef<int64_t>> baseDilations,
    std::optional<ArrayRef<int64_t>> windowDilations, bool sizesFromKernel) {
  Window window;
  size_t rank = sizes.size();
  if (failed(readPerDim(op, "window_dimensions", sizes, rank, window.sizes, !sizesFromKernel)) ||
      failed(readPerDim(op, "window_strides", strides, rank, window.strides)) ||
      failed(readPerDim(op, sizesFromKernel ? "lhs_dilation" : "base_dilations", baseDilations,
                        rank, window.baseDilations)) ||
      failed(readPerDim(op, sizesFromKernel ? "rhs_dilation" : "window_dilations", windowDilations,
                        rank, window.windowDilations)) ||
      failed(readPadding(op, padding, rank, window)))
    return failure();
  return window;
}

//===----------------------------------------------------------------------===//
// Regions
//===----------------------------------------------------------------------===//

LogicalResult planwright::stablehlo::verifyRegion(Operation *op, StringRef what, Region &region,
                                                  TypeRange arguments, TypeRange results) {
  Block &block = region.front();
  if (block.getArgumentTypes() != arguments)
    return op->emitOpError() << what << " takes (" << block.getArgumentTypes() << "), but ("
                             << arguments << ") are expected";
  Operation *terminator = block.getTerminator();
  if (terminator->getOperandTypes() == results)
    return success();
  InFlightDiagnostic diagnostic = op->emitOpError()
                                  << what << " returns (" << terminator->getOperandTypes()
                                  << "), but (" << results << ") are expected";
  diagnostic.attachNote(terminator->getLoc()) << "returned here";
  return diagnostic;
}
