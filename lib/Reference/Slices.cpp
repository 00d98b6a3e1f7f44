// Cutting and joining: extract_slice, insert_slice, pad, concat. All offsets, sizes and strides are
// static.

#include "Blocks.h"
#include "OpTable.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;

namespace planwright::reference {

/// Whether a box of static numbers lies in a shape.
static LogicalResult checkBox(Operation *op, ArrayRef<int64_t> shape, ArrayRef<int64_t> offsets,
                              ArrayRef<int64_t> sizes, ArrayRef<int64_t> steps) {
  for (auto [d, extent] : llvm::enumerate(shape)) {
    if (ShapedType::isDynamic(offsets[d]) || ShapedType::isDynamic(sizes[d]) ||
        ShapedType::isDynamic(steps[d]))
      return op->emitOpError("has an offset, size or stride that is not static");
    int64_t last = offsets[d] + (sizes[d] - 1) * steps[d];
    if (sizes[d] > 0 && (offsets[d] < 0 || offsets[d] >= extent || last < 0 || last >= extent))
      return op->emitOpError("leaves dimension ") << d << " of size " << extent;
  }
  return success();
}

static FailureOr<TensorList> runExtract(Operation *op, MutableArrayRef<Tensor> operands,
                                        const Interpreter &interpreter) {
  auto slice = cast<tensor::ExtractSliceOp>(op);
  ArrayRef<int64_t> shape = operands[0].getShape(), sizes = slice.getStaticSizes();
  FailureOr<Tensor> result = makeResult(op, 0, interpreter);
  if (failed(result) ||
      failed(checkBox(op, shape, slice.getStaticOffsets(), sizes, slice.getStaticStrides())))
    return failure();
  // Dropped dimensions have size 1: the box's own shape has the same elements in the same order.
  result->getDataToOverwrite();
  copyElements(operands[0], getBox(shape, slice.getStaticOffsets(), slice.getStaticStrides()),
               *result, getWhole(sizes), sizes);
  return TensorList{*std::move(result)};
}

static FailureOr<TensorList> runInsert(Operation *op, MutableArrayRef<Tensor> operands,
                                       const Interpreter &) {
  auto slice = cast<tensor::InsertSliceOp>(op);
  Tensor result = std::move(operands[1]);
  ArrayRef<int64_t> shape = result.getShape(), sizes = slice.getStaticSizes();
  if (failed(checkBox(op, shape, slice.getStaticOffsets(), sizes, slice.getStaticStrides())))
    return failure();
  copyElements(operands[0], getWhole(sizes), result,
               getBox(shape, slice.getStaticOffsets(), slice.getStaticStrides()), sizes);
  return TensorList{std::move(result)};
}

static FailureOr<TensorList> runPad(Operation *op, MutableArrayRef<Tensor> operands,
                                    const Interpreter &interpreter) {
  auto pad = cast<tensor::PadOp>(op);
  FailureOr<Tensor> result = makeResult(op, 0, interpreter);
  if (failed(result))
    return failure();
  Value value = pad.getConstantPaddingValue();
  arith::ConstantOp constant =
      value ? value.getDefiningOp<arith::ConstantOp>() : arith::ConstantOp();
  FailureOr<Tensor> padding =
      constant ? Tensor::fromAttribute(constant.getValue()) : FailureOr<Tensor>();
  ArrayRef<int64_t> low = pad.getStaticLow();
  if (failed(padding) || llvm::any_of(low, ShapedType::isDynamic) ||
      llvm::any_of(pad.getStaticHigh(), ShapedType::isDynamic))
    return op->emitOpError(
        "must pad by static amounts with a constant to be run by the reference interpreter");
  ArrayRef<int64_t> shape = operands[0].getShape();
  SmallVector<int64_t> ones(shape.size(), 1);
  if (failed(checkBox(op, result->getShape(), low, shape, ones)))
    return failure();
  Tensor element = padding->convert(result->getType());
  result->getDataToOverwrite();
  Access spread; // Every element of the result reads the one padding element.
  spread.strides.assign(shape.size(), 0);
  copyElements(element, spread, *result, getWhole(result->getShape()), result->getShape());
  copyElements(operands[0], getWhole(shape), *result, getBox(result->getShape(), low, ones), shape);
  return TensorList{*std::move(result)};
}

static FailureOr<TensorList> runConcat(Operation *op, MutableArrayRef<Tensor> operands,
                                       const Interpreter &interpreter) {
  auto concat = cast<tensor::ConcatOp>(op);
  FailureOr<Tensor> result = makeResult(op, 0, interpreter);
  if (failed(result))
    return failure();
  result->getDataToOverwrite();
  SmallVector<int64_t> offsets(result->getRank(), 0), ones(result->getRank(), 1);
  for (Tensor &operand : operands) {
    if (failed(checkBox(op, result->getShape(), offsets, operand.getShape(), ones)))
      return failure();
    copyElements(operand, getWhole(operand.getShape()), *result,
                 getBox(result->getShape(), offsets, ones), operand.getShape());
    offsets[concat.getDim()] += operand.getShape()[concat.getDim()];
  }
  return TensorList{*std::move(result)};
}

void addSliceOps(OpTable &table) {
  table.add(tensor::ExtractSliceOp::getOperationName(), LocalFunction(runExtract));
  table.add(tensor::InsertSliceOp::getOperationName(), LocalFunction(runInsert));
  table.add(tensor::PadOp::getOperationName(), LocalFunction(runPad));
  table.add(tensor::ConcatOp::getOperationName(), LocalFunction(runConcat));
}

} // namespace planwright::reference
