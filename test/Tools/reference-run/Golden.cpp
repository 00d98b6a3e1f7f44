// Reading golden.json, comparing tensors, printing the table.

#include "Golden.h"

#include "llvm/Support/Format.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

#include <cmath>

using namespace mlir;

namespace planwright::reference {

static constexpr double gradientTolerance =
    1e-5; // Float32 noise of the golden gradients is below 1e-6.
static constexpr double vanishingTolerance = 1e-7;

llvm::Expected<Golden> Golden::read(StringRef path) {
  llvm::ErrorOr<std::unique_ptr<llvm::MemoryBuffer>> buffer = llvm::MemoryBuffer::getFile(path);
  if (!buffer)
    return llvm::createStringError(path + ": " + buffer.getError().message());
  llvm::Expected<llvm::json::Value> json = llvm::json::parse((*buffer)->getBuffer());
  if (!json)
    return json.takeError();
  const llvm::json::Object *object = json->getAsObject();
  if (!object || !object->getNumber("loss_step0"))
    return llvm::createStringError(path + ": has no loss_step0");
  Golden golden;
  golden.loss = *object->getNumber("loss_step0");
  if (const llvm::json::Object *sgd = object->getObject("sgd")) {
    golden.sgdRate = sgd->getNumber("lr").value_or(0);
    if (const llvm::json::Array *losses = sgd->getArray("losses"))
      for (const llvm::json::Value &loss : *losses)
        golden.sgdLosses.push_back(loss.getAsNumber().value_or(NAN));
  }
  if (const llvm::json::Array *zero = object->getArray("zero_gradients"))
    for (const llvm::json::Value &name : *zero)
      golden.vanishing.insert(name.getAsString().value_or("").str());
  if (const llvm::json::Object *noise = object->getObject("noise"))
    if (const llvm::json::Object *vanishing = noise->getObject("grad0_vanishing"))
      for (const auto &entry : *vanishing)
        golden.vanishing.insert(entry.first.str());
  return golden;
}

llvm::Expected<Difference> compare(StringRef name, const Tensor &actual, const Tensor &expected,
                                   double relative, double absolute) {
  if (actual.getShape() != expected.getShape())
    return llvm::createStringError("\"" + name + "\" is a " + describe(actual) +
                                   ", expected is a " + describe(expected));
  Difference result{name.str()};
  Tensor a = actual.convert(ElementType::F64), b = expected.convert(ElementType::F64);
  for (auto [x, y] : llvm::zip_equal(a.get<double>(), b.get<double>())) {
    double difference = x == y ? 0 : std::fabs(x - y); // Equal infinities do not differ.
    // NaN must not get lost in a maximum.
    if (std::isnan(difference) || difference > result.largest)
      result.largest = difference;
    result.scale = std::fmax(result.scale, std::fabs(y));
    if (std::isnan(result.largest))
      break;
  }
  result.allowed = std::fmax(relative * result.scale, absolute);
  return result;
}

bool report(std::vector<Difference> differences, raw_ostream &os) {
  auto badness = [](const Difference &d) {
    return std::isnan(d.largest) ? INFINITY
           : d.allowed > 0       ? d.largest / d.allowed
           : d.largest > 0       ? INFINITY
                                 : 0;
  };
  llvm::sort(differences, [&](const Difference &a, const Difference &b) {
    return badness(a) != badness(b) ? badness(a) > badness(b) : a.name < b.name;
  });
  size_t numBad = llvm::count_if(differences, [](const Difference &d) { return !d.isWithin(); });
  os << "  relative   absolute    largest  tensor\n";
  for (const Difference &d : differences)
    os << llvm::format("%10.2e %10.2e %10.2e  ", d.getRelative(), d.largest, d.scale) << d.name
       << (d.isWithin() ? "" : "  TOO FAR") << "\n";
  os << differences.size() - numBad << " of " << differences.size() << " tensors agree\n";
  return numBad == 0;
}

llvm::Expected<std::vector<Difference>> compareGradients(const StepResult &result,
                                                         ArrayRef<model::ArgumentAttr> arguments,
                                                         const rt::SafetensorsFile &file,
                                                         const Golden &golden) {
  std::vector<Difference> differences;
  for (model::ArgumentAttr argument : arguments) {
    if (argument.getRole() != model::Role::parameter || !argument.getTrainable())
      continue;
    std::string name = argument.getName().str();
    auto gradient = result.gradients.find(name);
    if (gradient == result.gradients.end())
      return llvm::createStringError("the backward function gives no gradient of \"" + name + "\"");
    llvm::Expected<Tensor> expected = readTensor(file, "grad0/" + name);
    if (!expected)
      return expected.takeError();
    bool vanishes = golden.vanishing.count(name);
    llvm::Expected<Difference> difference =
        compare(name, gradient->second, *expected, vanishes ? 0 : gradientTolerance,
                vanishes ? vanishingTolerance : 0);
    if (!difference)
      return difference.takeError();
    differences.push_back(*std::move(difference));
  }
  return differences;
}

} // namespace planwright::reference
