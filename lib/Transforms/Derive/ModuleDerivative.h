// The derivative of a module's functions, callees included, each once for each set of arguments
// with a gradient. Not here: the derivative of one function (FunctionDerivative.cpp).
#ifndef PLANWRIGHT_LIB_TRANSFORMS_DERIVE_MODULEDERIVATIVE_H
#define PLANWRIGHT_LIB_TRANSFORMS_DERIVE_MODULEDERIVATIVE_H

#include "lib/Transforms/Derive/FunctionDerivative.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/StringSet.h"

#include <map>
#include <memory>

namespace planwright {

class ModuleDerivative {
public:
  ModuleDerivative(mlir::ModuleOp module, bool recomputePointwise)
      : symbols(module), recomputePointwise(recomputePointwise) {}

  /// Derives the public `function` (see the pass) and erases it.
  mlir::LogicalResult deriveEntry(mlir::func::FuncOp function);
  /// Erases the private functions that lost their last caller to the derivation.
  void eraseUnused(mlir::ModuleOp module);

private:
  using Key = std::tuple<mlir::Operation *, std::vector<unsigned>, std::vector<unsigned>>;

  mlir::FailureOr<DerivativeRequest> getEntryRequest(mlir::func::FuncOp function);
  mlir::FailureOr<const DerivedFunction *> derive(mlir::func::FuncOp function,
                                                  const DerivativeRequest &request);
  mlir::FailureOr<DerivedFunction> deriveOnce(mlir::func::FuncOp function,
                                              const DerivativeRequest &request);
  mlir::LogicalResult deriveCalls(mlir::func::FuncOp forward, const DerivativeRequest &request,
                                  FunctionDerivative::DerivedCalls &derivedCalls);
  void replaceCall(mlir::func::CallOp call, const DerivedFunction &callee,
                   FunctionDerivative::DerivedCalls &derivedCalls,
                   llvm::DenseSet<mlir::Value> &active);
  void markGradients(mlir::func::FuncOp function, const DerivedFunction &derived);

  mlir::SymbolTable symbols;
  bool recomputePointwise;
  /// A derivation that has begun; `function` is null until it has ended well.
  struct Derivation {
    bool isRunning = true;
    std::unique_ptr<DerivedFunction> function;
  };
  std::map<Key, Derivation> derivations;
  llvm::StringSet<> callees;
};

} // namespace planwright

#endif // PLANWRIGHT_LIB_TRANSFORMS_DERIVE_MODULEDERIVATIVE_H
