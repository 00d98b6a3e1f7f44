// Which functions are derived for which arguments. Not here: the derivative of one function
// (FunctionDerivative.cpp).
#include "lib/Transforms/Derive/ModuleDerivative.h"

#include "dialects/Model/IR/Model.h"
#include "dialects/Plan/IR/Plan.h"

using namespace mlir;

namespace planwright {

static bool isMarked(func::FuncOp function) {
  for (unsigned index = 0; index < function.getNumArguments(); ++index)
    if (model::getArgument(function, index))
      return true;
  return false;
}

static bool isTrainable(func::FuncOp function, unsigned index) {
  model::ArgumentAttr argument = model::getArgument(function, index);
  return argument && argument.getRole() == model::Role::parameter && argument.getTrainable();
}

/// Arguments that get a gradient: trainable parameters if there are marks, else all that hold
/// floats.
FailureOr<DerivativeRequest> ModuleDerivative::getEntryRequest(func::FuncOp function) {
  DerivativeRequest request;
  request.recomputePointwise = recomputePointwise;
  request.isLoss = isMarked(function);
  request.activeArguments.resize(function.getNumArguments());
  for (unsigned index = 0; index < function.getNumArguments(); ++index) {
    auto type = dyn_cast<RankedTensorType>(function.getArgumentTypes()[index]);
    bool isFloat = type && isa<FloatType>(type.getElementType());
    if (isFloat && (!request.isLoss || isTrainable(function, index)))
      request.activeArguments.set(index);
  }
  request.wideArguments.resize(function.getNumArguments());
  if (!request.isLoss)
    return request;
  request.wideArguments = request.activeArguments;
  if (request.activeArguments.none())
    return function.emitOpError("has no trainable parameter to take a gradient for");
  auto loss = function.getNumResults() == 1
                  ? dyn_cast<RankedTensorType>(function.getResultTypes().front())
                  : RankedTensorType();
  if (!loss || loss.getRank() != 0 || !isa<FloatType>(loss.getElementType()))
    return function.emitOpError("must return one scalar float, the loss, but has type ")
           << function.getFunctionType();
  return request;
}

LogicalResult ModuleDerivative::deriveEntry(func::FuncOp function) {
  FailureOr<DerivativeRequest> request = getEntryRequest(function);
  if (failed(request))
    return failure();
  FailureOr<const DerivedFunction *> derived = derive(function, *request);
  if (failed(derived))
    return failure();
  markGradients(function, **derived);
  symbols.erase(function);
  return success();
}

/// Says which parameter each result of a loss's backward function is the gradient of.
void ModuleDerivative::markGradients(func::FuncOp function, const DerivedFunction &derived) {
  func::FuncOp backward = derived.backward;
  for (auto [result, argument] : llvm::enumerate(derived.activeArguments.set_bits()))
    if (model::ArgumentAttr mark = model::getArgument(function, argument))
      backward.setResultAttr(
          result, plan::kObjectAttrName,
          plan::ObjectAttr::get(function.getContext(), plan::ObjectKind::gradient, mark.getName()));
}

FailureOr<const DerivedFunction *> ModuleDerivative::derive(func::FuncOp function,
                                                            const DerivativeRequest &request) {
  auto list = [](const llvm::BitVector &bits) {
    return std::vector<unsigned>(bits.set_bits_begin(), bits.set_bits_end());
  };
  Key key(function, list(request.activeArguments), list(request.wideArguments));
  auto [entry, isNew] = derivations.try_emplace(key);
  Derivation &derivation = entry->second; // stays where it is while callees are added
  if (isNew) {
    FailureOr<DerivedFunction> derived = deriveOnce(function, request);
    derivation.isRunning = false;
    if (succeeded(derived))
      derivation.function = std::make_unique<DerivedFunction>(*derived);
  } else if (derivation.isRunning) {
    return function.emitOpError("calls itself and cannot be differentiated");
  }
  if (!derivation.function)
    return failure();
  return const_cast<const DerivedFunction *>(derivation.function.get());
}

FailureOr<DerivedFunction> ModuleDerivative::deriveOnce(func::FuncOp function,
                                                        const DerivativeRequest &request) {
  if (!llvm::hasSingleElement(function.getBody()))
    return function.emitOpError("cannot be differentiated: it must have a body of one block");
  func::FuncOp forward = function.clone();
  forward.setName((function.getName() + ".fwd").str());
  symbols.insert(forward, function->getIterator());
  auto backward = func::FuncOp::create(function.getLoc(), (function.getName() + ".bwd").str(),
                                       FunctionType::get(function.getContext(), {}, {}));
  backward.setVisibility(function.getVisibility());
  symbols.insert(backward, function->getIterator());
  FunctionDerivative::DerivedCalls derivedCalls;
  if (failed(deriveCalls(forward, request, derivedCalls)))
    return failure();
  FailureOr<DerivedFunction> derived =
      FunctionDerivative(forward, backward, request, derivedCalls).build();
  if (failed(derived))
    return failure();
  for (unsigned index = 0; index < function.getNumArguments(); ++index)
    backward.setArgAttrs(index, function.getArgAttrDict(index));
  return derived;
}

/// Makes every call in `forward` with an operand that has a gradient a call of the callee's forward
/// function. Reports all callees that cannot be differentiated.
LogicalResult ModuleDerivative::deriveCalls(func::FuncOp forward, const DerivativeRequest &request,
                                            FunctionDerivative::DerivedCalls &derivedCalls) {
  llvm::DenseSet<Value> active = findActiveValues(forward, request.activeArguments);
  bool isDifferentiable = true;
  for (auto call : llvm::make_early_inc_range(forward.getOps<func::CallOp>())) {
    auto callee = symbols.lookup<func::FuncOp>(call.getCallee());
    DerivativeRequest calleeRequest;
    calleeRequest.recomputePointwise = recomputePointwise;
    for (Value operand : call.getOperands()) {
      auto argument = dyn_cast<BlockArgument>(operand);
      calleeRequest.activeArguments.push_back(active.contains(operand));
      calleeRequest.wideArguments.push_back(argument &&
                                            request.wideArguments.test(argument.getArgNumber()));
    }
    if (!callee || calleeRequest.activeArguments.none())
      continue;
    callees.insert(callee.getName());
    FailureOr<const DerivedFunction *> derived = derive(callee, calleeRequest);
    if (succeeded(derived))
      replaceCall(call, **derived, derivedCalls, active);
    isDifferentiable &= succeeded(derived);
  }
  return success(isDifferentiable);
}

void ModuleDerivative::replaceCall(func::CallOp call, const DerivedFunction &callee,
                                   FunctionDerivative::DerivedCalls &derivedCalls,
                                   llvm::DenseSet<Value> &active) {
  OpBuilder builder(call);
  func::FuncOp forward = callee.forward;
  auto forwardCall = func::CallOp::create(builder, call.getLoc(), forward, call.getOperands());
  for (auto [result, replacement] : llvm::zip(call.getResults(), forwardCall.getResults()))
    if (active.contains(result))
      active.insert(replacement);
  call->replaceAllUsesWith(forwardCall.getResults().take_front(callee.numResults));
  call.erase();
  derivedCalls[forwardCall] = &callee;
}

void ModuleDerivative::eraseUnused(ModuleOp module) {
  // Once for each level of calls: a function keeps its callees until it is gone itself.
  bool hasChanged = true;
  while (hasChanged) {
    hasChanged = false;
    llvm::StringSet<> called;
    module.walk([&](func::CallOp call) { called.insert(call.getCallee()); });
    for (auto function : llvm::make_early_inc_range(module.getOps<func::FuncOp>())) {
      StringRef name = function.getName();
      if (!function.isPrivate() || !callees.contains(name) || called.contains(name))
        continue;
      symbols.erase(function);
      hasChanged = true;
    }
  }
}

} // namespace planwright
