// Differences between tensors, and their table. Internal to reference-run.

#ifndef PLANWRIGHT_TEST_TOOLS_REFERENCERUN_COMPARE_H
#define PLANWRIGHT_TEST_TOOLS_REFERENCERUN_COMPARE_H

#include "Job.h"

#include <set>

namespace planwright::reference {

/// How far one tensor is from what was expected.
struct Difference {
  std::string name;
  double largest = 0;                                  // max|a - b|
  double scale = 0;                                    // max|b|
  double allowed = 0;                                  // bound on `largest`
  bool isWithin() const { return largest <= allowed; } // False on NaN.
  double getRelative() const { return scale > 0 ? largest / scale : largest; }
};

/// Compares elementwise; `allowed` is left to the caller.
llvm::Expected<Difference> compare(llvm::StringRef name, const Tensor &actual,
                                   const Tensor &expected);

/// Compares all tensors by name. Allowed is `tolerance` times the tensor's largest element, or
/// times a thousandth of the largest element of all: a tensor far below that is rounding noise.
llvm::Expected<std::vector<Difference>> compareAll(const NamedTensors &actual,
                                                   const NamedTensors &expected, double tolerance);

/// Compares gradients with `grad0/<name>` of the data file: 1e-5 relative, or 1e-7 absolute where
/// the golden gradient vanishes.
llvm::Expected<std::vector<Difference>> compareGolden(const NamedTensors &gradients,
                                                      const DataSource &data,
                                                      const std::set<std::string> &vanishing);

/// Prints a table, worst first, and says whether all are within their bounds.
llvm::Error report(std::vector<Difference> differences, llvm::raw_ostream &os);

} // namespace planwright::reference

#endif // PLANWRIGHT_TEST_TOOLS_REFERENCERUN_COMPARE_H
