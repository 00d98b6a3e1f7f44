// Comparison with golden numbers. Internal to reference-run.

#ifndef PLANWRIGHT_TEST_TOOLS_REFERENCERUN_GOLDEN_H
#define PLANWRIGHT_TEST_TOOLS_REFERENCERUN_GOLDEN_H

#include "Data.h"

#include <set>

namespace planwright::reference {

/// What golden.json says.
struct Golden {
  double loss = 0;               // of step 0
  std::vector<double> sgdLosses; // of each step
  double sgdRate = 0;
  std::set<std::string> vanishing; // parameters whose gradient is zero but for rounding

  static llvm::Expected<Golden> read(llvm::StringRef path);
};

/// How far one tensor is from what was expected.
struct Difference {
  std::string name;
  double largest = 0;                                  // max|a - b|
  double scale = 0;                                    // max|b|
  double allowed = 0;                                  // bound on `largest`
  bool isWithin() const { return largest <= allowed; } // False on NaN.
  double getRelative() const { return scale > 0 ? largest / scale : largest; }
};

/// Compares elementwise. The bound is `relative` times the largest expected element, or `absolute`
/// if that is larger.
llvm::Expected<Difference> compare(llvm::StringRef name, const Tensor &actual,
                                   const Tensor &expected, double relative, double absolute = 0);

/// Prints a table, worst first, and returns whether all are within their bounds.
bool report(std::vector<Difference> differences, llvm::raw_ostream &os);

/// Compares the gradients of the trainable parameters with `grad0/<name>`: 1e-5 relative, or 1e-7
/// absolute where the golden gradient vanishes.
llvm::Expected<std::vector<Difference>>
compareGradients(const StepResult &result, llvm::ArrayRef<model::ArgumentAttr> arguments,
                 const rt::SafetensorsFile &file, const Golden &golden);

} // namespace planwright::reference

#endif // PLANWRIGHT_TEST_TOOLS_REFERENCERUN_GOLDEN_H
