// The table of operations: lookup and assembly from its families.

#include "OpTable.h"

#include "ScalarTable.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"

using namespace mlir;

namespace planwright::reference {

const OpTable &OpTable::get() {
  static const OpTable table = [] {
    OpTable result;
    result.structured = runStructured;
    result.elementwise = runElementwise;
    addConstantOps(result);
    addContractions(result);
    addSliceOps(result);
    addReshapeOps(result);
    addModelOps(result);
    addCollectives(result);
    return result;
  }();
  return table;
}

const LocalFunction *OpTable::findLocal(Operation *op) const {
  StringRef name = op->getName().getStringRef();
  if (auto it = local.find(name); it != local.end())
    return &it->second;
  if (isa<linalg::LinalgOp>(op))
    return &structured;
  return ScalarTable::get().find(name) ? &elementwise : nullptr;
}

const GroupFunction *OpTable::findGroup(Operation *op) const {
  auto it = group.find(op->getName().getStringRef());
  return it == group.end() ? nullptr : &it->second;
}

FailureOr<Tensor> makeResult(Operation *op, unsigned index, const Interpreter &interpreter) {
  Type type = op->getResult(index).getType();
  std::optional<ElementType> element = interpreter.getStorageType(type);
  auto shaped = dyn_cast<ShapedType>(type);
  if (!element || (shaped && !shaped.hasStaticShape()))
    return op->emitOpError("has a result of type ")
           << type << ", which the reference interpreter does not hold";
  return Tensor::makeUninitialized(*element, shaped ? shaped.getShape() : ArrayRef<int64_t>());
}

} // namespace planwright::reference
