// Operations that give the same elements another shape, and the borders between tensors and
// scalars.

#include "Elements.h"
#include "OpTable.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;

namespace planwright::reference {

static FailureOr<TensorList> runReshape(Operation *op, MutableArrayRef<Tensor> operands,
                                        const Interpreter &) {
  ArrayRef<int64_t> shape = cast<ShapedType>(op->getResult(0).getType()).getShape();
  int64_t elements = 1;
  for (int64_t size : shape)
    elements *= size;
  if (elements != operands[0].getNumElements())
    return op->emitOpError("changes the number of elements");
  return TensorList{operands[0].reshape(shape)};
}

/// tensor.extract at indices that are values: one element.
static FailureOr<TensorList> runExtractElement(Operation *op, MutableArrayRef<Tensor> operands,
                                               const Interpreter &) {
  int64_t element = 0;
  for (auto [i, stride] : llvm::enumerate(getRowMajorStrides(operands[0].getShape()))) {
    int64_t index = operands[i + 1].getAsInteger();
    if (index < 0 || index >= operands[0].getShape()[i])
      return op->emitOpError("index ") << index << " leaves dimension " << i;
    element += index * stride;
  }
  Tensor result(operands[0].getType(), {});
  int64_t bytes = getByteSize(result.getType());
  std::memcpy(result.getMutableData(),
              static_cast<const char *>(operands[0].getData()) + element * bytes, bytes);
  return TensorList{std::move(result)};
}

static FailureOr<TensorList> runFromElements(Operation *op, MutableArrayRef<Tensor> operands,
                                             const Interpreter &interpreter) {
  FailureOr<Tensor> result = makeResult(op, 0, interpreter);
  if (failed(result))
    return failure();
  int64_t bytes = getByteSize(result->getType());
  char *to = static_cast<char *>(result->getDataToOverwrite());
  for (auto [i, operand] : llvm::enumerate(operands))
    std::memcpy(to + i * bytes, operand.getData(), bytes);
  return TensorList{*std::move(result)};
}

void addReshapeOps(OpTable &table) {
  table.add(tensor::ExpandShapeOp::getOperationName(), LocalFunction(runReshape));
  table.add(tensor::CollapseShapeOp::getOperationName(), LocalFunction(runReshape));
  table.add(tensor::CastOp::getOperationName(), LocalFunction(runReshape));
  table.add(tensor::ExtractOp::getOperationName(), LocalFunction(runExtractElement));
  table.add(tensor::FromElementsOp::getOperationName(), LocalFunction(runFromElements));
}

} // namespace planwright::reference
