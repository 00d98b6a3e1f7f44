// Directional derivatives by central differences of fourth order.

#include "FiniteDifferences.h"

#include "planwright/Reference/RandomTensor.h"
#include "planwright/Reference/TrainingStep.h"

#include <cmath>

using namespace mlir;

namespace planwright::reference {

static constexpr double stepLength =
    1e-3; // Error terms: its fourth power, and 1e-16 divided by it.
static constexpr double tolerance = 1e-6;

/// `tensor + factor * direction`, all in f64.
static Tensor move(const Tensor &tensor, const Tensor &direction, double factor) {
  Tensor result = tensor.convert(ElementType::F64);
  for (auto [x, d] : llvm::zip_equal(result.getMutable<double>(), direction.get<double>()))
    x += factor * d;
  return result;
}

static double dot(const Tensor &a, const Tensor &b) {
  double sum = 0;
  for (auto [x, y] : llvm::zip_equal(a.get<double>(), b.get<double>()))
    sum += x * y;
  return sum;
}

/// The derivative of the loss when argument `index` moves along `direction`, of length 1.
static FailureOr<double> differentiate(const Interpreter &interpreter, func::FuncOp forward,
                                       TensorList arguments, size_t index,
                                       const Tensor &direction) {
  Tensor start = arguments[index];
  double sum = 0;
  for (auto [factor, weight] : {std::pair(-2.0, 1.0), {-1.0, -8.0}, {1.0, 8.0}, {2.0, -1.0}}) {
    arguments[index] = move(start, direction, factor * stepLength);
    FailureOr<TensorList> results = interpreter.run(forward, arguments);
    if (failed(results))
      return failure();
    sum += weight * results->front().getAsDouble();
  }
  return sum / (12 * stepLength);
}

static llvm::Expected<TensorList> readArguments(const TrainingStep &step, const DataSource &data,
                                                int64_t batch) {
  TensorList values;
  func::FuncOp forward = step.getForward();
  for (auto [type, argument] : llvm::zip_equal(forward.getArgumentTypes(), step.getArguments())) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    std::optional<ElementType> element =
        tensor ? getElementType(tensor.getElementType()) : std::nullopt;
    if (!element)
      return llvm::createStringError("\"" + argument.getName() +
                                     "\" is no tensor that can be given");
    bool isWeight =
        argument.getRole() == model::Role::parameter || argument.getRole() == model::Role::constant;
    llvm::Expected<Tensor> value =
        isWeight ? data.getWeight(argument.getName(), *element, tensor.getShape())
                 : data.getInput(argument.getName(), batch, *element, tensor.getShape());
    if (!value)
      return value.takeError();
    values.push_back(isFloat(*element) ? value->convert(ElementType::F64) : *value);
  }
  return values;
}

llvm::Expected<std::vector<Difference>>
compareWithDifferences(ModuleOp module, StringRef function, const DataSource &data, int64_t batch) {
  FailureOr<TrainingStep> step = TrainingStep::find(module, function);
  if (failed(step) || !step->hasBackward())
    return llvm::createStringError("the module has no backward function");
  llvm::Expected<TensorList> arguments = readArguments(*step, data, batch);
  if (!arguments)
    return arguments.takeError();
  Interpreter interpreter(module, {.floatsAsF64 = true});
  FailureOr<StepResult> result = step->run(interpreter, *arguments);
  if (failed(result))
    return llvm::createStringError("the step did not run");
  std::vector<Difference> differences;
  for (auto [i, argument] : llvm::enumerate(step->getArguments())) {
    auto gradient = result->gradients.find(argument.getName().str());
    if (gradient == result->gradients.end())
      continue;
    Tensor direction = makeRandomTensor(ElementType::F64, gradient->second.getShape(),
                                        ("direction/" + argument.getName()).str(), -1, 1);
    direction = move(Tensor(ElementType::F64, direction.getShape()), direction,
                     1 / std::sqrt(dot(direction, direction)));
    FailureOr<double> expected =
        differentiate(interpreter, step->getForward(), *arguments, i, direction);
    if (failed(expected))
      return llvm::createStringError("the forward function did not run");
    double actual = dot(gradient->second, direction);
    double length = std::sqrt(dot(gradient->second, gradient->second));
    differences.push_back({argument.getName().str(), std::fabs(actual - *expected),
                           std::fabs(*expected), tolerance * std::fmax(length, 1e-4)});
  }
  return differences;
}

} // namespace planwright::reference
