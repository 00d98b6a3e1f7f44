// Constants, empty tensors and fills.

#include "Elements.h"
#include "OpTable.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;

namespace planwright::reference {

static FailureOr<TensorList> runConstant(Operation *op, MutableArrayRef<Tensor>,
                                         const Interpreter &interpreter) {
  auto constant = cast<arith::ConstantOp>(op);
  FailureOr<Tensor> value = Tensor::fromAttribute(constant.getValue());
  std::optional<ElementType> type = interpreter.getStorageType(constant.getType());
  if (failed(value) || !type)
    return op->emitOpError("is a constant that the reference interpreter cannot read");
  return TensorList{value->convert(*type)};
}

static FailureOr<TensorList> runEmpty(Operation *op, MutableArrayRef<Tensor>,
                                      const Interpreter &interpreter) {
  FailureOr<Tensor> result = makeResult(op, 0, interpreter);
  if (failed(result))
    return failure();
  return TensorList{*std::move(result)};
}

/// Every element of the result is the one element of the first operand: linalg.fill, tensor.splat.
static FailureOr<TensorList> runFill(Operation *op, MutableArrayRef<Tensor> operands,
                                     const Interpreter &interpreter) {
  FailureOr<Tensor> result = makeResult(op, 0, interpreter);
  if (failed(result))
    return failure();
  Tensor value = operands[0].convert(result->getType());
  int64_t size = getByteSize(value.getType()), bytes = result->getNumBytes();
  if (bytes == 0)
    return TensorList{*std::move(result)};
  char *to = static_cast<char *>(result->getDataToOverwrite());
  const char *element = static_cast<const char *>(value.getData());
  if (llvm::all_of(ArrayRef(element, size), [](char byte) { return byte == 0; }))
    return TensorList{
        Tensor(result->getType(), result->getShape())}; // The system's zero pages cost nothing.
  std::memcpy(to, element, size);
  for (int64_t done = size; done < bytes; done *= 2)
    std::memcpy(to + done, to, std::min(done, bytes - done));
  return TensorList{*std::move(result)};
}

void addConstantOps(OpTable &table) {
  table.add(arith::ConstantOp::getOperationName(), LocalFunction(runConstant));
  table.add(tensor::EmptyOp::getOperationName(), LocalFunction(runEmpty));
  table.add(linalg::FillOp::getOperationName(), LocalFunction(runFill));
  table.add(tensor::SplatOp::getOperationName(), LocalFunction(runFill));
}

} // namespace planwright::reference
