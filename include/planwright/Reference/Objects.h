// The arena objects of plan.object as tensors, and running a task on them.
//
//   ObjectMemory memory;
//   memory.set(plan::ObjectKind::parameter, "w", w);
//   LogicalResult ok = runTask(interpreter, updateFunction, memory);   // reads and replaces
//   objects

#ifndef PLANWRIGHT_REFERENCE_OBJECTS_H
#define PLANWRIGHT_REFERENCE_OBJECTS_H

#include "planwright/Reference/Interpreter.h"

#include "dialects/Plan/IR/Plan.h"

#include <map>

namespace planwright::reference {

/// The objects of one rank, by kind and name.
class ObjectMemory {
public:
  void set(plan::ObjectKind kind, llvm::StringRef name, Tensor value) {
    values[{kind, name.str()}] = std::move(value);
  }
  void set(plan::ObjectAttr object, Tensor value) {
    set(object.getKind(), object.getName(), std::move(value));
  }

  /// The object's value, or null where nothing was set.
  const Tensor *find(plan::ObjectKind kind, llvm::StringRef name) const {
    auto it = values.find({kind, name.str()});
    return it == values.end() ? nullptr : &it->second;
  }
  const Tensor *find(plan::ObjectAttr object) const {
    return find(object.getKind(), object.getName());
  }

  /// All objects, in the order of kinds and names.
  const std::map<std::pair<plan::ObjectKind, std::string>, Tensor> &get() const { return values; }

private:
  std::map<std::pair<plan::ObjectKind, std::string>, Tensor> values;
};

/// What argument or result `index` of a task is; emits an error where it carries no plan.object.
mlir::FailureOr<plan::ObjectAttr> getArgumentObject(mlir::func::FuncOp task, unsigned index);
mlir::FailureOr<plan::ObjectAttr> getResultObject(mlir::func::FuncOp task, unsigned index);

/// Sets what has a value before anything is trained and is not there yet, of the objects that a
/// task takes: state `master/<parameter>` is the parameter, every other state is zero. Shapes are
/// those of the task.
mlir::LogicalResult initializeStates(const Interpreter &interpreter, mlir::func::FuncOp task,
                                     ObjectMemory &memory);

/// Calls a task on the objects of one rank.
mlir::LogicalResult runTask(const Interpreter &interpreter, mlir::func::FuncOp task,
                            ObjectMemory &memory);

} // namespace planwright::reference

#endif // PLANWRIGHT_REFERENCE_OBJECTS_H
