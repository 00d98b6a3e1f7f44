// Destinations: from a task's results backwards along updates and reshapes.
#include "Destinations.h"

#include "dialects/Comm/IR/Comm.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"

using namespace mlir;
using namespace planwright;
using namespace planwright::exec;

Value exec::getUpdated(OpResult result) {
  Operation *op = result.getOwner();
  if (auto reduce = dyn_cast<comm::AllReduceOp>(op))
    return reduce.getInputs()[result.getResultNumber()];
  if (auto destination = dyn_cast<DestinationStyleOpInterface>(op))
    return destination.getTiedOpOperand(result)->get();
  return {};
}

Value exec::getReshaped(Operation *op) {
  if (isa<tensor::ExpandShapeOp, tensor::CollapseShapeOp>(op))
    return op->getOperand(0);
  return {};
}

Value exec::getStorage(Value value) {
  while (Operation *op = value.getDefiningOp()) {
    Value source = getReshaped(op);
    if (!source)
      break;
    value = source;
  }
  return value;
}

static void collectReaders(Value value, SmallVectorImpl<Operation *> &readers) {
  for (Operation *user : value.getUsers()) {
    if (getReshaped(user))
      collectReaders(user->getResult(0), readers);
    else
      readers.push_back(user);
  }
}

SmallVector<Operation *> exec::getReaders(Value value) {
  SmallVector<Operation *> readers;
  collectReaders(getStorage(value), readers);
  return readers;
}

bool exec::isDeadAfter(Value value, Operation *op, Value updated) {
  int64_t inOp = 0; // how often op itself reads it
  for (Operation *reader : getReaders(value)) {
    if (reader == op)
      ++inOp;
    else if (!reader->isBeforeInBlock(op))
      return false;
  }
  bool isUpdated = updated && getStorage(updated) == getStorage(value);
  return inOp <= (isUpdated ? 1 : 0);
}

namespace {
/// Chooses for one task.
struct Chooser {
  func::FuncOp task;
  llvm::DenseMap<Value, plan::ObjectAttr> chosen; // keys are storages

  /// The argument that holds `object` when the task begins.
  Value getArgument(plan::ObjectAttr object) {
    for (BlockArgument argument : task.getArguments())
      if (task.getArgAttr(argument.getArgNumber(), plan::kObjectAttrName) == object)
        return argument;
    return {};
  }

  void choose(Value value, plan::ObjectAttr object) {
    value = getStorage(value);
    auto result = dyn_cast<OpResult>(value);
    if (!result || chosen.contains(value))
      return;
    Value updated = getUpdated(result), old = getArgument(object);
    if (old && !isDeadAfter(old, result.getOwner(), updated))
      return;
    chosen[value] = object;
    // What it updates had best lie there already.
    if (updated && isDeadAfter(updated, result.getOwner(), updated))
      choose(updated, object);
  }
};
} // namespace

llvm::DenseMap<Value, plan::ObjectAttr> exec::chooseDestinations(func::FuncOp task) {
  Chooser chooser;
  chooser.task = task;
  Operation *terminator = task.getBody().front().getTerminator();
  for (OpOperand &operand : terminator->getOpOperands())
    if (auto object = task.getResultAttrOfType<plan::ObjectAttr>(operand.getOperandNumber(),
                                                                 plan::kObjectAttrName))
      chooser.choose(operand.get(), object);
  return std::move(chooser.chosen);
}
