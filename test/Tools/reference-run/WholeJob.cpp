// Training a module that is not sharded.

#include "Job.h"

#include "planwright/Reference/Objects.h"
#include "planwright/Reference/TrainingStep.h"

using namespace mlir;

namespace planwright::reference {

namespace {

class WholeJob : public Job {
public:
  WholeJob(ModuleOp module, TrainingStep step, const DataSource &data, InterpreterOptions options,
           double sgdRate)
      : interpreter(module, options), step(std::move(step)),
        update(module.lookupSymbol<func::FuncOp>("update")), data(data), sgdRate(sgdRate) {}

  llvm::Error readWeights();
  llvm::Error runStep(int64_t batch) override;

private:
  static bool isInput(model::ArgumentAttr argument) {
    return argument.getRole() == model::Role::input || argument.getRole() == model::Role::label;
  }
  static plan::ObjectKind getKind(model::ArgumentAttr argument) {
    return argument.getRole() == model::Role::constant ? plan::ObjectKind::constant
                                                       : plan::ObjectKind::parameter;
  }
  llvm::Expected<TensorList> getArguments(int64_t batch);
  llvm::Error runUpdate();
  llvm::Error applySgd();
  RankedTensorType getType(size_t index) {
    return dyn_cast<RankedTensorType>(step.getForward().getArgumentTypes()[index]);
  }

  Interpreter interpreter;
  TrainingStep step;
  func::FuncOp update;
  const DataSource &data;
  double sgdRate;
  ObjectMemory memory;
  int64_t stepNumber = 0;
};

} // namespace

static llvm::Error makeError(const Twine &message) { return llvm::createStringError(message); }

llvm::Error WholeJob::readWeights() {
  for (auto [i, argument] : llvm::enumerate(step.getArguments())) {
    RankedTensorType type = getType(i);
    std::optional<ElementType> element =
        type ? getElementType(type.getElementType()) : std::nullopt;
    if (!element)
      return makeError("\"" + argument.getName() + "\" is no tensor that can be given");
    if (isInput(argument))
      continue;
    llvm::Expected<Tensor> value = data.getWeight(argument.getName(), *element, type.getShape());
    if (!value)
      return value.takeError();
    memory.set(getKind(argument), argument.getName(),
               value->convert(*interpreter.getStorageType(type)));
  }
  return llvm::Error::success();
}

llvm::Expected<TensorList> WholeJob::getArguments(int64_t batch) {
  TensorList values;
  for (auto [i, argument] : llvm::enumerate(step.getArguments())) {
    if (!isInput(argument)) {
      values.push_back(*memory.find(getKind(argument), argument.getName()));
      continue;
    }
    RankedTensorType type = getType(i);
    llvm::Expected<Tensor> value = data.getInput(
        argument.getName(), batch, *getElementType(type.getElementType()), type.getShape());
    if (!value)
      return value.takeError();
    values.push_back(*std::move(value));
  }
  return values;
}

llvm::Error WholeJob::runUpdate() {
  for (const auto &[name, gradient] : gradients)
    memory.set(plan::ObjectKind::gradient, name, gradient);
  memory.set(plan::ObjectKind::scalar, "step", Tensor::makeScalar(stepNumber));
  if (failed(initializeStates(interpreter, update, memory)) ||
      failed(runTask(interpreter, update, memory)))
    return makeError("the update did not run");
  return llvm::Error::success();
}

llvm::Error WholeJob::applySgd() {
  for (const auto &[name, gradient] : gradients) {
    const Tensor *parameter = memory.find(plan::ObjectKind::parameter, name);
    if (!parameter || parameter->getShape() != gradient.getShape())
      return makeError("gradient \"" + name + "\" fits no parameter");
    Tensor updated = parameter->convert(ElementType::F64),
           change = gradient.convert(ElementType::F64);
    for (auto [p, g] : llvm::zip_equal(updated.getMutable<double>(), change.get<double>()))
      p -= sgdRate * g;
    memory.set(plan::ObjectKind::parameter, name, updated.convert(parameter->getType()));
  }
  return llvm::Error::success();
}

llvm::Error WholeJob::runStep(int64_t batch) {
  ++stepNumber;
  llvm::Expected<TensorList> arguments = getArguments(batch);
  if (!arguments)
    return arguments.takeError();
  FailureOr<StepResult> result = step.run(interpreter, *arguments);
  if (failed(result))
    return makeError("the step did not run");
  loss = result->loss;
  gradients = std::move(result->gradients);
  if (!update && sgdRate == 0)
    return llvm::Error::success();
  if (gradients.empty())
    return makeError("cannot train without a backward function");
  arguments->clear(); // So that parameters are updated in place.
  if (llvm::Error error = update ? runUpdate() : applySgd())
    return error;
  for (const auto &[name, gradient] : gradients)
    parameters[name] = *memory.find(plan::ObjectKind::parameter, name);
  return llvm::Error::success();
}

llvm::Expected<std::unique_ptr<Job>> makeWholeJob(ModuleOp module, StringRef function,
                                                  const DataSource &data,
                                                  InterpreterOptions options, double sgdRate) {
  FailureOr<TrainingStep> step = TrainingStep::find(module, function);
  if (failed(step))
    return makeError("the module has no step to run");
  auto job = std::make_unique<WholeJob>(module, *std::move(step), data, options, sgdRate);
  if (llvm::Error error = job->readWeights())
    return error;
  return job;
}

} // namespace planwright::reference
