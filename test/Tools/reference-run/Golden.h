// What golden.json says. Internal to reference-run.

#ifndef PLANWRIGHT_TEST_TOOLS_REFERENCERUN_GOLDEN_H
#define PLANWRIGHT_TEST_TOOLS_REFERENCERUN_GOLDEN_H

#include "mlir/Support/LLVM.h"
#include "llvm/Support/Error.h"

#include <map>
#include <set>
#include <string>
#include <vector>

namespace planwright::reference {

struct Golden {
  double loss = 0; // of step 0
  /// Losses of each step, by optimizer ("sgd", "adamw").
  std::map<std::string, std::vector<double>> losses;
  /// Parameters whose gradient is zero but for rounding.
  std::set<std::string> vanishing;

  static llvm::Expected<Golden> read(llvm::StringRef path);
};

} // namespace planwright::reference

#endif // PLANWRIGHT_TEST_TOOLS_REFERENCERUN_GOLDEN_H
