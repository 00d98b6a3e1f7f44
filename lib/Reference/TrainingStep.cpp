// Finding and running the forward and backward function of a training step.

#include "planwright/Reference/TrainingStep.h"

#include "dialects/Plan/IR/Plan.h"

using namespace mlir;

namespace planwright::reference {

FailureOr<TrainingStep> TrainingStep::find(ModuleOp module, StringRef name) {
  TrainingStep step;
  step.forward = module.lookupSymbol<func::FuncOp>(name);
  if (!step.forward) {
    step.forward = module.lookupSymbol<func::FuncOp>((name + ".fwd").str());
    step.backward = module.lookupSymbol<func::FuncOp>((name + ".bwd").str());
    if (!step.forward || !step.backward)
      return module.emitError("has neither @")
             << name << " nor both @" << name << ".fwd and @" << name << ".bwd";
  }
  if (step.forward.getNumResults() == 0)
    return step.forward.emitOpError("returns no loss");
  for (unsigned i = 0; i < step.forward.getNumArguments(); ++i) {
    model::ArgumentAttr argument = model::getArgument(step.forward, i);
    if (!argument)
      return step.forward.emitOpError("argument ")
             << i << " carries no " << model::kArgumentAttrName;
    step.arguments.push_back(argument);
  }
  return step;
}

/// The parameter that a result of the backward function is the gradient of.
static FailureOr<std::string> getGradientName(func::FuncOp backward, unsigned result) {
  auto object = backward.getResultAttrOfType<plan::ObjectAttr>(result, plan::kObjectAttrName);
  if (!object || object.getKind() != plan::ObjectKind::gradient)
    return backward.emitOpError("result ")
           << result << " is not marked as a gradient by " << plan::kObjectAttrName;
  return object.getName().str();
}

FailureOr<StepResult> TrainingStep::run(const Interpreter &interpreter,
                                        ArrayRef<Tensor> values) const {
  FailureOr<TensorList> results = interpreter.run(forward, values);
  if (failed(results))
    return failure();
  if (results->front().getNumElements() != 1)
    return func::FuncOp(forward).emitOpError("returns a ")
           << describe(results->front()) << " as loss; a scalar is due";
  StepResult step;
  step.loss = results->front().getAsDouble();
  if (!backward)
    return step;
  TensorList backwardArguments(values);
  backwardArguments.append(std::make_move_iterator(results->begin() + 1),
                           std::make_move_iterator(results->end()));
  results->clear();
  FailureOr<TensorList> gradients = interpreter.run(backward, backwardArguments);
  if (failed(gradients))
    return failure();
  for (auto [i, gradient] : llvm::enumerate(*gradients)) {
    FailureOr<std::string> name = getGradientName(backward, i);
    if (failed(name))
      return failure();
    step.gradients[*name] = std::move(gradient);
  }
  return step;
}

} // namespace planwright::reference
