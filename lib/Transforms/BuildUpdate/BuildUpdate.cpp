// The pass model-build-update: finds the parameters and their gradients, and adds @update.
// Not here: the update itself (UpdateFunction.cpp).
#include "lib/Transforms/BuildUpdate/Passes.h"

#include "dialects/Model/IR/Model.h"
#include "dialects/Plan/IR/Plan.h"
#include "lib/Transforms/BuildUpdate/UpdateFunction.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/StringMap.h"

using namespace mlir;

namespace planwright {

#define GEN_PASS_DEF_BUILDUPDATEPASS
#include "lib/Transforms/BuildUpdate/Passes.h.inc"

/// The parameter that result `index` of `backward` is the gradient of, or an empty name.
static StringRef getGradientName(func::FuncOp backward, unsigned index) {
  auto object = backward.getResultAttrOfType<plan::ObjectAttr>(index, plan::kObjectAttrName);
  return object && object.getKind() == plan::ObjectKind::gradient ? object.getName() : StringRef();
}

/// The function whose results are gradients, or null.
static func::FuncOp findBackward(ModuleOp module) {
  for (auto function : module.getOps<func::FuncOp>())
    if (function.getNumResults() > 0 && !getGradientName(function, 0).empty())
      return function;
  return {};
}

/// The parameters that `backward` returns gradients of, in the order of its results.
static FailureOr<SmallVector<UpdatedParameter>> findParameters(func::FuncOp backward) {
  llvm::StringMap<unsigned> arguments;
  for (unsigned index = 0; index < backward.getNumArguments(); ++index)
    if (model::ArgumentAttr mark = model::getArgument(backward, index))
      arguments[mark.getName()] = index;
  SmallVector<UpdatedParameter> parameters;
  for (unsigned index = 0; index < backward.getNumResults(); ++index) {
    StringRef name = getGradientName(backward, index);
    auto argument = arguments.find(name);
    if (argument == arguments.end())
      return backward.emitOpError("has no argument for the gradient \"") << name << "\"";
    BlockArgument parameter = backward.getArgument(argument->second);
    auto type = cast<RankedTensorType>(parameter.getType());
    Type wide = type.getElementTypeBitWidth() < 32 ? Float32Type::get(type.getContext())
                                                   : type.getElementType();
    parameters.push_back({name, type, type.clone(wide), parameter.getLoc()});
  }
  return parameters;
}

namespace {

struct BuildUpdatePass : impl::BuildUpdatePassBase<BuildUpdatePass> {
  using BuildUpdatePassBase::BuildUpdatePassBase;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    std::string message;
    FailureOr<OptimizerSpec> spec =
        parseOptimizer({optimizer, schedule, clipNorm, noDecay}, message);
    if (failed(spec)) {
      module.emitError("model-build-update: ") << message;
      return signalPassFailure();
    }
    func::FuncOp backward = findBackward(module);
    if (!backward) {
      module.emitError("model-build-update: no function returns gradients; run model-derive first");
      return signalPassFailure();
    }
    FailureOr<SmallVector<UpdatedParameter>> parameters = findParameters(backward);
    if (failed(parameters))
      return signalPassFailure();
    OpBuilder builder = OpBuilder::atBlockEnd(module.getBody());
    buildUpdateFunction(builder, backward.getLoc(), *spec, *parameters);
  }
};

} // namespace

} // namespace planwright
