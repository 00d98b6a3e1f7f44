// Runs functions in normal form on tensors in memory: the referee of every rewrite. It is meant to
// be plainly right; speed comes only from working on vectors of elements instead of single ones.
//
//   Interpreter interpreter(module, {.floatsAsF64 = true});
//   FailureOr<TensorList> results = interpreter.run(function, {x, y});
//
// The same function on all ranks of a mesh, with its collectives, in lockstep (ranks are those of
// plan.mesh):
//
//   FailureOr<SmallVector<TensorList>> results = interpreter.runOnRanks(function, argumentsOfRank);
//
// Whatever is not supported or does not fit is an error at the operation; nothing is asserted of
// the program.

#ifndef PLANWRIGHT_REFERENCE_INTERPRETER_H
#define PLANWRIGHT_REFERENCE_INTERPRETER_H

#include "planwright/Reference/RankGrid.h"
#include "planwright/Reference/Tensor.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"

namespace planwright::reference {

using TensorList = llvm::SmallVector<Tensor>;

struct InterpreterOptions {
  /// Keep and compute every float as f64, whatever its type says: then two programs that should
  /// agree do so to 1e-12.
  bool floatsAsF64 = false;
  /// The coordinate on the axis "mb", which lies in time: the micro-batch that a call works on.
  int64_t microBatch = 0;
};

class Interpreter {
public:
  explicit Interpreter(mlir::ModuleOp module, InterpreterOptions options = {});

  /// Calls `function` on one rank. Arguments are converted to the storage of the function's types.
  mlir::FailureOr<TensorList> run(mlir::func::FuncOp function,
                                  llvm::ArrayRef<Tensor> arguments) const;

  /// Calls `function` on every rank of the grid; `arguments[r]` are those of rank r.
  mlir::FailureOr<llvm::SmallVector<TensorList>>
  runOnRanks(mlir::func::FuncOp function, llvm::ArrayRef<TensorList> arguments) const;

  /// The element type in which a value of `type` is kept, if it is of a supported type.
  std::optional<ElementType> getStorageType(mlir::Type type) const;

  mlir::ModuleOp getModule() const { return module; }
  const RankGrid &getGrid() const { return grid; }
  const InterpreterOptions &getOptions() const { return options; }

private:
  mlir::ModuleOp module;
  InterpreterOptions options;
  RankGrid grid;
};

} // namespace planwright::reference

#endif // PLANWRIGHT_REFERENCE_INTERPRETER_H
