// The check of one function's derivative. Internal to check-gradients.
#ifndef PLANWRIGHT_TEST_TOOLS_CHECKGRADIENTS_FUNCTIONCHECK_H
#define PLANWRIGHT_TEST_TOOLS_CHECKGRADIENTS_FUNCTIONCHECK_H

#include "planwright/Reference/Interpreter.h"

namespace planwright::reference {

/// Checks @f of `original` against @f.fwd and @f.bwd of `derived`: the results must be the same,
/// and the gradients must be those that the function's attribute says, or finite differences.
/// Prints one line; false if they are not.
bool checkFunction(mlir::func::FuncOp function, mlir::ModuleOp derived, llvm::raw_ostream &os);

} // namespace planwright::reference

#endif // PLANWRIGHT_TEST_TOOLS_CHECKGRADIENTS_FUNCTIONCHECK_H
