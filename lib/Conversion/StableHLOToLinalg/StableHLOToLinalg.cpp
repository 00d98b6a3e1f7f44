// Pass convert-stablehlo-to-linalg. The patterns are in one file per family (Patterns.h).
#include "Passes.h"
#include "Patterns.h"
#include "Report.h"

#include "dialects/Model/IR/Model.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Func/Transforms/FuncConversions.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;

namespace planwright {
#define GEN_PASS_DEF_CONVERTSTABLEHLOTOLINALG
#include "lib/Conversion/StableHLOToLinalg/Passes.h.inc"

namespace {

/// Attributes of frameworks (`mhlo.num_partitions`, `jax.result_info`) mean nothing from here on.
void dropForeignAttributes(ModuleOp module) {
  auto isForeign = [](NamedAttribute attr) {
    return attr.getName().getValue().contains('.') && !attr.getNameDialect();
  };
  for (NamedAttribute attr : llvm::to_vector(module->getDiscardableAttrs()))
    if (isForeign(attr))
      module->removeAttr(attr.getName());
  for (auto function : module.getOps<FunctionOpInterface>()) {
    for (unsigned i = 0; i < function.getNumArguments(); ++i)
      for (NamedAttribute attr : llvm::to_vector(function.getArgAttrs(i)))
        if (isForeign(attr))
          function.removeArgAttr(i, attr.getName());
    for (unsigned i = 0; i < function.getNumResults(); ++i)
      for (NamedAttribute attr : llvm::to_vector(function.getResultAttrs(i)))
        if (isForeign(attr))
          function.removeResultAttr(i, attr.getName());
  }
}

struct ConvertStableHLO : impl::ConvertStableHLOToLinalgBase<ConvertStableHLO> {
  void runOnOperation() override {
    ModuleOp module = getOperation();
    stablehlo::IndexAnalysis analysis(module);
    SqueezingTypeConverter squeezing;
    SignlessTypeConverter signless;
    RewritePatternSet patterns(&getContext());
    Refusals refusals;
    populate(patterns, {squeezing, analysis, refusals}, signless);

    ConversionTarget target(getContext());
    declareLegality(target, signless);
    if (failed(applyPartialConversion(module, target, std::move(patterns))) ||
        failed(refusals.report(module)))
      return signalPassFailure();
    dropForeignAttributes(module);
  }

private:
  static void populate(RewritePatternSet &patterns, const Reading &reading,
                       const TypeConverter &signless) {
    for (auto populateFamily :
         {populateElementwise, populateShape, populateMoreShape, populateContraction,
          populateConvolution, populateReduction, populateReduceWindow, populateBatchNorm,
          populateTopK, populateGather, populateScatter})
      populateFamily(patterns, reading);
    populateFunctionOpInterfaceTypeConversionPattern<func::FuncOp>(patterns, signless);
    populateReturnOpTypeConversionPattern(patterns, signless);
  }

  /// StableHLO is not illegal but unknown: what no pattern takes is left where it is, so that all
  /// of it can be reported.
  static void declareLegality(ConversionTarget &target, const TypeConverter &signless) {
    target.addLegalDialect<arith::ArithDialect, linalg::LinalgDialect, math::MathDialect,
                           tensor::TensorDialect, model::ModelDialect>();
    target.addLegalOp<ModuleOp>();
    target.addDynamicallyLegalOp<func::FuncOp>([&](func::FuncOp function) {
      return signless.isSignatureLegal(function.getFunctionType());
    });
    target.addDynamicallyLegalOp<func::ReturnOp>(
        [&](func::ReturnOp op) { return signless.isLegal(op.getOperandTypes()); });
    // Regions are read by the operation that holds them.
    target.markUnknownOpDynamicallyLegal([](Operation *op) -> std::optional<bool> {
      bool isForeign =
          isa_and_present<stablehlo::StableHLODialect, chlo::ChloDialect>(op->getDialect());
      if (!isForeign || !isa<func::FuncOp>(op->getParentOp()))
        return true;
      return std::nullopt;
    });
  }
};

} // namespace
} // namespace planwright
