// Objects and tasks on one rank.

#include "planwright/Reference/Objects.h"

using namespace mlir;

namespace planwright::reference {

FailureOr<plan::ObjectAttr> getArgumentObject(func::FuncOp task, unsigned index) {
  auto object = task.getArgAttrOfType<plan::ObjectAttr>(index, plan::kObjectAttrName);
  if (!object)
    return task.emitOpError("argument ") << index << " carries no " << plan::kObjectAttrName;
  return object;
}

FailureOr<plan::ObjectAttr> getResultObject(func::FuncOp task, unsigned index) {
  auto object = task.getResultAttrOfType<plan::ObjectAttr>(index, plan::kObjectAttrName);
  if (!object)
    return task.emitOpError("result ") << index << " carries no " << plan::kObjectAttrName;
  return object;
}

LogicalResult initializeStates(const Interpreter &interpreter, func::FuncOp task,
                               ObjectMemory &memory) {
  for (unsigned i = 0; i < task.getNumArguments(); ++i) {
    FailureOr<plan::ObjectAttr> object = getArgumentObject(task, i);
    if (failed(object))
      return failure();
    if (object->getKind() != plan::ObjectKind::state || memory.find(*object))
      continue;
    auto type = cast<RankedTensorType>(task.getArgumentTypes()[i]);
    std::optional<ElementType> element = interpreter.getStorageType(type);
    if (!element)
      return task.emitOpError("argument ")
             << i << " has a type that the reference interpreter does not hold";
    StringRef name = object->getName();
    if (!name.consume_front("master/")) {
      memory.set(*object, Tensor(*element, type.getShape()));
      continue;
    }
    const Tensor *parameter = memory.find(plan::ObjectKind::parameter, name);
    if (!parameter || parameter->isNull())
      return task.emitOpError("needs parameter \"")
             << name << "\" for the first value of " << *object;
    memory.set(*object, parameter->convert(*element));
  }
  return success();
}

LogicalResult runTask(const Interpreter &interpreter, func::FuncOp task, ObjectMemory &memory) {
  TensorList arguments;
  for (unsigned i = 0; i < task.getNumArguments(); ++i) {
    FailureOr<plan::ObjectAttr> object = getArgumentObject(task, i);
    if (failed(object))
      return failure();
    const Tensor *value = memory.find(*object);
    if (!value)
      return task.emitOpError("reads ") << *object << " before anything wrote it";
    arguments.push_back(*value);
  }
  FailureOr<TensorList> results = interpreter.run(task, arguments);
  if (failed(results))
    return failure();
  for (auto [i, result] : llvm::enumerate(*results)) {
    FailureOr<plan::ObjectAttr> object = getResultObject(task, i);
    if (failed(object))
      return failure();
    memory.set(*object, std::move(result));
  }
  return success();
}

} // namespace planwright::reference
