// One training step's loss and gradients, of a module with @main, or with @main.fwd and @main.bwd.
//
//   FailureOr<TrainingStep> step = TrainingStep::find(module, "main");
//   FailureOr<StepResult> result = step->run(interpreter, valueOfArgument);
//   result->loss; result->gradients["wte"];
//
// Calling convention: @f.fwd(arguments...) gives f's results, then residuals; @f.bwd(arguments...,
// residuals..., cotangents of f's float results...) gives gradients, where the last group is absent
// if @f.bwd does not take it.

#ifndef PLANWRIGHT_REFERENCE_TRAININGSTEP_H
#define PLANWRIGHT_REFERENCE_TRAININGSTEP_H

#include "planwright/Reference/Interpreter.h"

#include "dialects/Model/IR/Model.h"

#include <map>

namespace planwright::reference {

struct StepResult {
  double loss = 0;
  std::map<std::string, Tensor>
      gradients; // Of the parameters, by name. Empty without a backward function.
};

class TrainingStep {
public:
  /// Looks up `name`, or `name`.fwd and `name`.bwd. Emits an error where neither is there.
  static mlir::FailureOr<TrainingStep> find(mlir::ModuleOp module, llvm::StringRef name);

  /// The marks of the arguments, in their order. An argument without one is an error of `find`.
  llvm::ArrayRef<model::ArgumentAttr> getArguments() const { return arguments; }
  mlir::func::FuncOp getForward() const { return forward; }
  bool hasBackward() const { return static_cast<bool>(backward); }

  /// Computes loss and gradients. `values` is in the order of the arguments.
  mlir::FailureOr<StepResult> run(const Interpreter &interpreter,
                                  llvm::ArrayRef<Tensor> values) const;

private:
  mlir::func::FuncOp forward, backward;
  llvm::SmallVector<model::ArgumentAttr> arguments;
};

} // namespace planwright::reference

#endif // PLANWRIGHT_REFERENCE_TRAININGSTEP_H
