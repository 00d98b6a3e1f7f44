// Runs a function, its forward and its backward function in f64 and compares gradients.
// Not here: options, parsing, the derivative itself.
#include "FunctionCheck.h"

#include "llvm/Support/Format.h"

#include <cmath>

using namespace mlir;

namespace planwright::reference {

namespace {

/// Relative to the largest gradient of an argument, or to 1: constants of f32 programs are only
/// that exact.
constexpr double kTolerance = 1e-6;

/// Numbers that are the same in every run.
class Numbers {
public:
  /// Uniform in [low, high).
  double get(double low, double high) {
    state += 0x9E3779B97F4A7C15u;
    uint64_t z = state;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return low + (high - low) * static_cast<double>((z ^ (z >> 31)) >> 11) * 0x1p-53;
  }

private:
  uint64_t state = 1;
};

class FunctionCheck {
public:
  FunctionCheck(func::FuncOp function, ModuleOp derived, raw_ostream &os)
      : function(function), derived(derived),
        original(function->getParentOfType<ModuleOp>(), {.floatsAsF64 = true}),
        transformed(derived, {.floatsAsF64 = true}), os(os) {}

  bool run();

private:
  std::optional<Tensor> makeArgument(unsigned index);
  bool runDerived();
  bool checkArgument(unsigned index, const Tensor &gradient, Attribute expected);
  std::optional<double> getObjective(unsigned index, int64_t element, double offset);
  std::optional<double> getDifferenceQuotient(unsigned index, int64_t element);
  bool report(const Twine &problem) {
    os << function.getName() << ": " << problem << "\n";
    return false;
  }

  func::FuncOp function;
  ModuleOp derived;
  Interpreter original, transformed;
  raw_ostream &os;
  Numbers numbers;
  TensorList arguments, results, cotangents, gradients;
};

} // namespace

static bool isFloatTensor(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor && isa<FloatType>(tensor.getElementType());
}

/// A tensor of `type` in the interpreter's storage, filled by `next`.
template <typename Next>
static std::optional<Tensor> makeTensor(const Interpreter &interpreter, Type type, Next next) {
  auto shaped = dyn_cast<RankedTensorType>(type);
  std::optional<ElementType> storage =
      shaped ? interpreter.getStorageType(shaped.getElementType()) : std::nullopt;
  if (!storage)
    return std::nullopt;
  Tensor tensor(ElementType::F64, shaped.getShape());
  for (double &number : tensor.getMutable<double>())
    number = next();
  return tensor.convert(*storage);
}

/// The value of argument `index`: its attribute `test.values`, or numbers in its interval
/// `test.range`.
std::optional<Tensor> FunctionCheck::makeArgument(unsigned index) {
  Type type = function.getArgumentTypes()[index];
  if (auto values = function.getArgAttrOfType<DenseElementsAttr>(index, "test.values")) {
    FailureOr<Tensor> tensor = Tensor::fromAttribute(values);
    std::optional<ElementType> storage = original.getStorageType(values.getElementType());
    return succeeded(tensor) && storage ? std::optional(tensor->convert(*storage)) : std::nullopt;
  }
  double low = isFloatTensor(type) ? -2.0 : 0.0, high = 2.0;
  if (auto range = function.getArgAttrOfType<DenseF64ArrayAttr>(index, "test.range")) {
    low = range[0];
    high = range[1];
  }
  bool isFloat = isFloatTensor(type);
  return makeTensor(original, type, [&] {
    double number = numbers.get(low, high);
    return isFloat ? number : std::floor(number);
  });
}

bool FunctionCheck::run() {
  for (unsigned index = 0; index < function.getNumArguments(); ++index) {
    std::optional<Tensor> argument = makeArgument(index);
    if (!argument)
      return report("cannot make argument " + Twine(index));
    arguments.push_back(*argument);
  }
  if (!runDerived())
    return false;
  auto expected = function->getAttrOfType<ArrayAttr>("test.gradients");
  bool isRight = true;
  unsigned position = 0;
  for (unsigned index = 0; index < function.getNumArguments(); ++index) {
    if (!isFloatTensor(function.getArgumentTypes()[index]))
      continue;
    Attribute given = expected && position < expected.size() ? expected[position] : Attribute();
    isRight &= checkArgument(index, gradients[position++], given);
  }
  if (isRight)
    os << function.getName() << ": ok\n";
  return isRight;
}

/// Runs the original, the forward and the backward function.
bool FunctionCheck::runDerived() {
  auto forward = derived.lookupSymbol<func::FuncOp>((function.getName() + ".fwd").str());
  auto backward = derived.lookupSymbol<func::FuncOp>((function.getName() + ".bwd").str());
  if (!forward || !backward)
    return report("has not been derived");
  FailureOr<TensorList> expected = original.run(function, arguments);
  FailureOr<TensorList> forwardResults = transformed.run(forward, arguments);
  if (failed(expected) || failed(forwardResults))
    return report("does not run");
  results = *expected;
  TensorList inputs = arguments;
  inputs.append(forwardResults->begin() + results.size(), forwardResults->end());
  unsigned numCotangents = backward.getNumArguments() - inputs.size();
  for (auto [index, result] : llvm::enumerate(results)) {
    for (int64_t element = 0; element < result.getNumElements(); ++element) {
      double a = result.getAsDouble(element), b = (*forwardResults)[index].getAsDouble(element);
      if (a != b && !(std::isnan(a) && std::isnan(b)))
        return report("the forward function gives other results");
    }
    // Results without a gradient count with weight zero.
    bool hasGradient =
        isFloatTensor(function.getResultTypes()[index]) && cotangents.size() < numCotangents;
    std::optional<Tensor> cotangent = makeTensor(original, function.getResultTypes()[index], [&] {
      return hasGradient ? numbers.get(0.5, 1.5) : 0.0;
    });
    if (function->hasAttr("test.gradients"))
      cotangent = makeTensor(original, function.getResultTypes()[index], [] { return 1.0; });
    cotangents.push_back(*cotangent);
    if (hasGradient)
      inputs.push_back(*cotangent);
  }
  if (inputs.size() != backward.getNumArguments())
    return report("the backward function takes other arguments");
  FailureOr<TensorList> backwardResults = transformed.run(backward, inputs);
  if (failed(backwardResults))
    return report("the backward function does not run");
  gradients = *backwardResults;
  return true;
}

/// The sum of all results times their cotangents, with `offset` added to one element of argument
/// `index`.
std::optional<double> FunctionCheck::getObjective(unsigned index, int64_t element, double offset) {
  TensorList moved = arguments;
  moved[index].getMutable<double>()[element] += offset;
  FailureOr<TensorList> movedResults = original.run(function, moved);
  if (failed(movedResults))
    return std::nullopt;
  double objective = 0.0;
  for (auto [result, cotangent] : llvm::zip_equal(*movedResults, cotangents))
    for (int64_t i = 0; i < result.getNumElements(); ++i)
      objective += result.getAsDouble(i) * cotangent.getAsDouble(i);
  return objective;
}

/// A central difference of fourth order.
std::optional<double> FunctionCheck::getDifferenceQuotient(unsigned index, int64_t element) {
  constexpr double h = 1e-3;
  double sum = 0.0;
  for (auto [steps, weight] : {std::pair(-2, 1.0), {-1, -8.0}, {1, 8.0}, {2, -1.0}}) {
    std::optional<double> objective = getObjective(index, element, steps * h);
    if (!objective)
      return std::nullopt;
    sum += weight * *objective;
  }
  return sum / (12.0 * h);
}

bool FunctionCheck::checkArgument(unsigned index, const Tensor &gradient, Attribute expected) {
  std::optional<Tensor> given;
  if (expected) {
    FailureOr<Tensor> tensor = Tensor::fromAttribute(expected);
    if (failed(tensor) || tensor->getNumElements() != gradient.getNumElements())
      return report("test.gradients does not fit argument " + Twine(index));
    given = *tensor;
  }
  for (int64_t element = 0; element < gradient.getNumElements(); ++element) {
    std::optional<double> number =
        given ? given->getAsDouble(element) : getDifferenceQuotient(index, element);
    double actual = gradient.getAsDouble(element);
    if (number && std::fabs(*number - actual) <= kTolerance * std::max(1.0, std::fabs(*number)))
      continue;
    os << function.getName() << ": argument " << index << ", element " << element << ": gradient "
       << llvm::format("%.9g", actual) << ", expected "
       << llvm::format("%.9g", number.value_or(NAN)) << "\n";
    return false;
  }
  return true;
}

bool checkFunction(func::FuncOp function, ModuleOp derived, raw_ostream &os) {
  return FunctionCheck(function, derived, os).run();
}

} // namespace planwright::reference
