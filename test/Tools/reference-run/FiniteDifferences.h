// Gradients against differences of losses. Internal to reference-run.

#ifndef PLANWRIGHT_TEST_TOOLS_REFERENCERUN_FINITEDIFFERENCES_H
#define PLANWRIGHT_TEST_TOOLS_REFERENCERUN_FINITEDIFFERENCES_H

#include "Compare.h"

namespace planwright::reference {

/// Compares the derivative of the loss in one random direction per trainable parameter, as the
/// gradient has it, with the central difference. Everything is computed in f64.
llvm::Expected<std::vector<Difference>> compareWithDifferences(mlir::ModuleOp module,
                                                               llvm::StringRef function,
                                                               const DataSource &data,
                                                               int64_t batch);

} // namespace planwright::reference

#endif // PLANWRIGHT_TEST_TOOLS_REFERENCERUN_FINITEDIFFERENCES_H
