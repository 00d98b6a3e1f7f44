// The pass model-derive. Not here: how it is done (ModuleDerivative.cpp).
#include "lib/Transforms/Derive/Passes.h"

#include "dialects/Model/IR/Model.h"
#include "dialects/Plan/IR/Plan.h"
#include "lib/Transforms/Derive/ModuleDerivative.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;

namespace planwright {

#define GEN_PASS_DEF_DERIVEPASS
#include "lib/Transforms/Derive/Passes.h.inc"

namespace {

struct DerivePass : impl::DerivePassBase<DerivePass> {
  using DerivePassBase::DerivePassBase;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    if (recompute != "pointwise" && recompute != "none") {
      module.emitError("model-derive: unknown choice recompute=")
          << recompute << "; expected pointwise or none";
      return signalPassFailure();
    }
    ModuleDerivative derivative(module, recompute == "pointwise");
    auto isEntry = [](func::FuncOp function) {
      return function.isPublic() && !function.isDeclaration();
    };
    bool isDifferentiable = true;
    for (auto function :
         llvm::to_vector(llvm::make_filter_range(module.getOps<func::FuncOp>(), isEntry)))
      isDifferentiable &= succeeded(derivative.deriveEntry(function));
    if (!isDifferentiable)
      return signalPassFailure();
    derivative.eraseUnused(module);
  }
};

} // namespace

} // namespace planwright
