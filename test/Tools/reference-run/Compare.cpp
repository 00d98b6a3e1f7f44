// Comparing tensors and printing how far they are apart.

#include "Compare.h"

#include "Data.h"

#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

#include <cmath>

using namespace mlir;

namespace planwright::reference {

static constexpr double goldenTolerance =
    1e-5; // Float32 noise of the golden gradients is below 1e-6.
static constexpr double vanishingTolerance = 1e-7;

llvm::Expected<Difference> compare(StringRef name, const Tensor &actual, const Tensor &expected) {
  // A module may see a parameter with a dimension split, or padded.
  if (actual.getShape() != expected.getShape() &&
      llvm::equal(actual.getShape(), expected.getShape(), std::greater_equal<>()))
    return compare(name, actual, padWithZeros(expected, actual.getShape()));
  if (actual.getNumElements() != expected.getNumElements())
    return llvm::createStringError("\"" + name + "\" is a " + describe(actual) +
                                   ", expected is a " + describe(expected));
  Difference result{name.str()};
  Tensor a = actual.convert(ElementType::F64), b = expected.convert(ElementType::F64);
  for (auto [x, y] : llvm::zip_equal(a.get<double>(), b.get<double>())) {
    double difference = x == y ? 0 : std::fabs(x - y); // Equal infinities do not differ.
    result.scale = std::fmax(result.scale, std::fabs(y));
    // A NaN must not get lost in a maximum.
    if (std::isnan(result.largest) || std::isnan(difference))
      result.largest = NAN;
    else
      result.largest = std::fmax(result.largest, difference);
  }
  return result;
}

llvm::Expected<std::vector<Difference>> compareAll(const NamedTensors &actual,
                                                   const NamedTensors &expected, double tolerance) {
  std::vector<Difference> differences;
  double scale = 0;
  for (const auto &[name, tensor] : expected) {
    auto it = actual.find(name);
    if (it == actual.end())
      return llvm::createStringError("there is no \"" + name + "\" to compare");
    llvm::Expected<Difference> difference = compare(name, it->second, tensor);
    if (!difference)
      return difference.takeError();
    scale = std::fmax(scale, difference->scale);
    differences.push_back(*std::move(difference));
  }
  if (actual.size() != expected.size())
    return llvm::createStringError("there are " + Twine(actual.size()) + " tensors, expected are " +
                                   Twine(expected.size()));
  for (Difference &difference : differences)
    difference.allowed = tolerance * std::fmax(difference.scale, 1e-3 * scale);
  return differences;
}

llvm::Expected<std::vector<Difference>> compareGolden(const NamedTensors &gradients,
                                                      const DataSource &data,
                                                      const std::set<std::string> &vanishing) {
  std::vector<Difference> differences;
  for (const auto &[name, gradient] : gradients) {
    llvm::Expected<Tensor> expected = data.read("grad0/" + name);
    if (!expected)
      return expected.takeError();
    llvm::Expected<Difference> difference = compare(name, gradient, *expected);
    if (!difference)
      return difference.takeError();
    difference->allowed =
        vanishing.count(name) ? vanishingTolerance : goldenTolerance * difference->scale;
    differences.push_back(*std::move(difference));
  }
  return differences;
}

llvm::Error report(std::vector<Difference> differences, raw_ostream &os) {
  auto badness = [](const Difference &d) -> double {
    if (std::isnan(d.largest))
      return INFINITY;
    return d.allowed > 0 ? d.largest / d.allowed : d.largest > 0 ? INFINITY : 0;
  };
  llvm::sort(differences, [&](const Difference &a, const Difference &b) {
    return badness(a) != badness(b) ? badness(a) > badness(b) : a.name < b.name;
  });
  size_t numWithin = llvm::count_if(differences, [](const Difference &d) { return d.isWithin(); });
  os << "  relative   absolute    largest  tensor\n";
  for (const Difference &d : differences)
    os << llvm::format("%10.2e %10.2e %10.2e  ", d.getRelative(), d.largest, d.scale) << d.name
       << (d.isWithin() ? "" : "  TOO FAR") << "\n";
  os << numWithin << " of " << differences.size() << " tensors agree\n";
  if (numWithin == differences.size())
    return llvm::Error::success();
  return llvm::createStringError(Twine(differences.size() - numWithin) +
                                 " tensors are too far off");
}

} // namespace planwright::reference
