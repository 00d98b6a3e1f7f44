// Which function computes which operation. Internal to Reference: families register their
// operations here.

#ifndef PLANWRIGHT_REFERENCE_OPTABLE_H
#define PLANWRIGHT_REFERENCE_OPTABLE_H

#include "planwright/Reference/Interpreter.h"

#include "llvm/ADT/StringMap.h"

#include <functional>

namespace planwright::reference {

/// Computes an operation on one rank. Operands may be taken over (their memory is then reused): the
/// interpreter has given up its own reference where this was the last use. Emits an error at the
/// operation on failure.
using LocalFunction = std::function<mlir::FailureOr<TensorList>(
    mlir::Operation *, llvm::MutableArrayRef<Tensor> operands, const Interpreter &)>;

/// Computes an operation on all ranks at once; `operands[r]` are those of rank r.
using GroupFunction = std::function<mlir::FailureOr<llvm::SmallVector<TensorList>>(
    mlir::Operation *, llvm::MutableArrayRef<TensorList> operands, const Interpreter &)>;

class OpTable {
public:
  /// The table with every family in it.
  static const OpTable &get();

  void add(llvm::StringRef operation, LocalFunction function) {
    local[operation] = std::move(function);
  }
  void add(llvm::StringRef operation, GroupFunction function) {
    group[operation] = std::move(function);
  }

  /// The function for an operation, or null. Operations without an entry of their own are tried as
  /// linalg structured operations, then as elementwise scalar operations.
  const LocalFunction *findLocal(mlir::Operation *op) const;
  const GroupFunction *findGroup(mlir::Operation *op) const;

private:
  llvm::StringMap<LocalFunction> local;
  llvm::StringMap<GroupFunction> group;
  LocalFunction structured, elementwise;
};

// One function per family.
void addConstantOps(OpTable &table);
void addContractions(OpTable &table);
void addSliceOps(OpTable &table);
void addReshapeOps(OpTable &table);
void addModelOps(OpTable &table);
void addCollectives(OpTable &table);

/// Any linalg operation through its maps and its body.
mlir::FailureOr<TensorList> runStructured(mlir::Operation *op,
                                          llvm::MutableArrayRef<Tensor> operands,
                                          const Interpreter &interpreter);

/// An arith or math operation on whole tensors or scalars.
mlir::FailureOr<TensorList> runElementwise(mlir::Operation *op,
                                           llvm::MutableArrayRef<Tensor> operands,
                                           const Interpreter &interpreter);

/// An unwritten tensor for a result of the operation.
mlir::FailureOr<Tensor> makeResult(mlir::Operation *op, unsigned index,
                                   const Interpreter &interpreter);

} // namespace planwright::reference

#endif // PLANWRIGHT_REFERENCE_OPTABLE_H
