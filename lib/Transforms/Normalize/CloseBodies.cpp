// Gives each generic its own copies of the constants that its body uses.
#include "lib/Transforms/Normalize/Passes.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;

namespace planwright {
#define GEN_PASS_DEF_MODELCLOSEBODIES
#include "lib/Transforms/Normalize/Passes.h.inc"

namespace {

/// Copies every constant from outside that the body of `generic` uses to the body's start.
void closeBody(linalg::GenericOp generic) {
  Region &body = generic.getRegion();
  llvm::SetVector<Value> captured;
  getUsedValuesDefinedAbove(body, captured);
  OpBuilder b = OpBuilder::atBlockBegin(&body.front());
  for (Value value : captured) {
    Operation *constant = value.getDefiningOp();
    if (!constant || !matchPattern(constant, m_Constant()))
      continue;
    Value copy = b.clone(*constant)->getResult(0);
    replaceAllUsesInRegionWith(value, copy, body);
  }
}

struct CloseBodies : impl::ModelCloseBodiesBase<CloseBodies> {
  void runOnOperation() override { getOperation()->walk(closeBody); }
};

} // namespace
} // namespace planwright
