// Loops over memrefs to the llvm dialect. exp, tanh, log and their like become polynomials, which
// the optimizer vectorises; a call of libm would run once per element.
#include "ObjectCompiler.h"

#include "mlir/Conversion/ArithToLLVM/ArithToLLVM.h"
#include "mlir/Conversion/ControlFlowToLLVM/ControlFlowToLLVM.h"
#include "mlir/Conversion/FuncToLLVM/ConvertFuncToLLVM.h"
#include "mlir/Conversion/LLVMCommon/ConversionTarget.h"
#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/Conversion/MathToLLVM/MathToLLVM.h"
#include "mlir/Conversion/MathToLibm/MathToLibm.h"
#include "mlir/Conversion/MemRefToLLVM/MemRefToLLVM.h"
#include "mlir/Conversion/SCFToControlFlow/SCFToControlFlow.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Math/Transforms/Passes.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Transforms/DialectConversion.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;
using namespace planwright::codegen;

/// sin and cos are off by 6e-6 on [-100, 100] as polynomials: they stay calls of libm.
static bool hasGoodPolynomial(StringRef name) {
  return name != math::SinOp::getOperationName() && name != math::CosOp::getOperationName();
}

static LogicalResult expandMath(ModuleOp module) {
  RewritePatternSet patterns(module.getContext());
  populateMathAlgebraicSimplificationPatterns(patterns);
  populateMathF32ExpansionPatterns(patterns, hasGoodPolynomial);
  populateMathPolynomialApproximationPatterns(patterns, hasGoodPolynomial);
  return applyPatternsGreedily(module, std::move(patterns),
                               GreedyRewriteConfig().enableFolding(true));
}

static LogicalResult lowerLoops(ModuleOp module) {
  RewritePatternSet patterns(module.getContext());
  populateSCFToControlFlowConversionPatterns(patterns);
  ConversionTarget target(*module.getContext());
  target.addIllegalDialect<scf::SCFDialect>();
  target.markUnknownOpDynamicallyLegal([](Operation *) { return true; });
  return applyPartialConversion(module, target, std::move(patterns));
}

static LogicalResult lowerToLLVMDialect(ModuleOp module) {
  MLIRContext *context = module.getContext();
  LowerToLLVMOptions options(context);
  options.useBarePtrCallConv = true;
  LLVMTypeConverter converter(context, options);
  RewritePatternSet patterns(context);
  populateMathToLLVMConversionPatterns(converter, patterns, /*approximateLog1p=*/false);
  // The functions that have no intrinsic.
  populateMathToLibmConversionPatterns(patterns, /*benefit=*/0);
  arith::populateArithToLLVMConversionPatterns(converter, patterns);
  cf::populateControlFlowToLLVMConversionPatterns(converter, patterns);
  populateFinalizeMemRefToLLVMConversionPatterns(converter, patterns);
  populateFuncToLLVMConversionPatterns(converter, patterns);
  LLVMConversionTarget target(*context);
  target.addLegalOp<ModuleOp>();
  return applyFullConversion(module, target, std::move(patterns));
}

LogicalResult planwright::codegen::lowerKernel(ModuleOp module) {
  return success(succeeded(expandMath(module)) && succeeded(lowerLoops(module)) &&
                 succeeded(lowerToLLVMDialect(module)));
}
