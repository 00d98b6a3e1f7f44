// Pass stablehlo-check-entry: is there one function @main that returns one scalar loss?
// Not here: what the arguments are (lib/Frontend/Signature).
#include "dialects/StableHLO/Transforms/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;

namespace planwright::stablehlo {
#define GEN_PASS_DEF_STABLEHLOCHECKENTRY
#include "dialects/StableHLO/Transforms/Passes.h.inc"

namespace {

/// Explains a loss that is not a scalar. Two causes are common, so both are named.
LogicalResult checkRank(func::FuncOp main, RankedTensorType loss) {
  if (loss.getRank() == 0)
    return success();
  auto error = main.emitError("@main returns ")
               << loss << ", but the loss must be a scalar such as tensor<f32>";
  error.attachNote()
      << "if the model is meant to return a value per token or per example, take the "
         "mean or sum of it before exporting";
  error.attachNote()
      << "torch_xla lowers a sum over an empty list of dimensions, which the cross entropy of "
         "PyTorch decomposes into, as no sum at all: spell the dimensions out before exporting";
  return failure();
}

LogicalResult checkResult(func::FuncOp main) {
  FunctionType type = main.getFunctionType();
  if (type.getNumResults() != 1)
    return main.emitError("@main returns ")
           << type.getNumResults() << " values, but it must return exactly one, the scalar loss; "
           << "export a function that returns nothing else (logits, metrics and new state are not "
              "part of a training graph)";
  auto loss = dyn_cast<RankedTensorType>(type.getResult(0));
  if (!loss)
    return main.emitError("@main returns ") << type.getResult(0) << ", which is not a tensor";
  if (failed(checkRank(main, loss)))
    return failure();
  if (!isa<FloatType>(loss.getElementType()))
    return main.emitError("@main returns ")
           << loss << ", but a loss must have a floating-point type to be differentiable";
  return success();
}

struct CheckEntry : impl::StableHLOCheckEntryBase<CheckEntry> {
  void runOnOperation() override {
    auto main = getOperation().lookupSymbol<func::FuncOp>("main");
    if (!main) {
      getOperation().emitError("the module has no function @main to start from");
      return signalPassFailure();
    }
    if (main.isDeclaration() || !main.getBody().hasOneBlock()) {
      main.emitError("@main must have a body of one block");
      return signalPassFailure();
    }
    if (failed(checkResult(main)))
      signalPassFailure();
  }
};

} // namespace
} // namespace planwright::stablehlo
