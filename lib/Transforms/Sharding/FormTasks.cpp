// plan-form-tasks: derived functions become tasks.
// Not here: which values go into the prologue (Prologue.cpp).
#include "lib/Transforms/Sharding/Prologue.h"
#include "lib/Transforms/Sharding/TaskFunctions.h"

#include "dialects/Model/IR/Model.h"
#include "planwright/Transforms/Sharding/Passes.h"

namespace planwright {
#define GEN_PASS_DEF_FORMTASKS
#include "lib/Transforms/Sharding/Passes.h.inc"
} // namespace planwright

using namespace mlir;
using namespace planwright;

//===----------------------------------------------------------------------===//
// Objects
//===----------------------------------------------------------------------===//

static plan::ObjectKind getKind(model::Role role) {
  switch (role) {
  case model::Role::parameter:
    return plan::ObjectKind::parameter;
  case model::Role::constant:
    return plan::ObjectKind::constant;
  case model::Role::input:
  case model::Role::label:
    return plan::ObjectKind::input;
  }
  return plan::ObjectKind::input;
}

static plan::ObjectAttr getResidual(MLIRContext *context, unsigned number) {
  return plan::ObjectAttr::get(context, plan::ObjectKind::residual, std::to_string(number));
}

/// Marks the first arguments of `function` by their roles.
static LogicalResult markArguments(func::FuncOp function, unsigned count) {
  for (unsigned index = 0; index < count; ++index) {
    model::ArgumentAttr argument = model::getArgument(function, index);
    if (!argument)
      return function.emitError("argument ") << index << " has no " << model::kArgumentAttrName;
    auto object = plan::ObjectAttr::get(function.getContext(), getKind(argument.getRole()),
                                        argument.getName());
    function.setArgAttr(index, plan::kObjectAttrName, object);
  }
  return success();
}

static LogicalResult markForward(func::FuncOp forward) {
  MLIRContext *context = forward.getContext();
  if (failed(markArguments(forward, forward.getNumArguments())))
    return failure();
  auto lossType = forward.getNumResults() == 0
                      ? RankedTensorType()
                      : dyn_cast<RankedTensorType>(forward.getResultTypes()[0]);
  if (!lossType || lossType.getRank() != 0 || !isa<FloatType>(lossType.getElementType()))
    return forward.emitError("expected the loss, a tensor of one float, as first result");
  auto loss = plan::ObjectAttr::get(context, plan::ObjectKind::loss, "loss");
  forward.setResultAttr(0, plan::kObjectAttrName, loss);
  for (unsigned result = 1; result < forward.getNumResults(); ++result)
    forward.setResultAttr(result, plan::kObjectAttrName, getResidual(context, result - 1));
  return success();
}

static LogicalResult markBackward(func::FuncOp backward, func::FuncOp forward) {
  unsigned numArguments = forward.getNumArguments();
  unsigned numResiduals = forward.getNumResults() - 1;
  if (backward.getNumArguments() != numArguments + numResiduals)
    return backward.emitError("has ")
           << backward.getNumArguments() << " arguments, expected forward's " << numArguments
           << " and " << numResiduals << " residuals";
  if (failed(markArguments(backward, numArguments)))
    return failure();
  for (unsigned residual = 0; residual < numResiduals; ++residual)
    backward.setArgAttr(numArguments + residual, plan::kObjectAttrName,
                        getResidual(backward.getContext(), residual));
  for (unsigned result = 0; result < backward.getNumResults(); ++result)
    if (!getResultObject(backward, result))
      return backward.emitError("result ") << result << " has no " << plan::kObjectAttrName;
  return success();
}

static LogicalResult markUpdate(func::FuncOp update) {
  for (unsigned index = 0; index < update.getNumArguments(); ++index)
    if (!getArgumentObject(update, index))
      return update.emitError("argument ") << index << " has no " << plan::kObjectAttrName;
  for (unsigned index = 0; index < update.getNumResults(); ++index)
    if (!getResultObject(update, index))
      return update.emitError("result ") << index << " has no " << plan::kObjectAttrName;
  return success();
}

//===----------------------------------------------------------------------===//
// What nobody uses
//===----------------------------------------------------------------------===//

static void eraseUnusedArguments(func::FuncOp task) {
  llvm::BitVector unused(task.getNumArguments());
  for (BlockArgument argument : task.getArguments())
    if (argument.use_empty())
      unused.set(argument.getArgNumber());
  (void)task.eraseArguments(unused);
}

/// Residuals that `backward` does not take.
static void eraseUnusedResiduals(func::FuncOp forward, func::FuncOp backward) {
  llvm::DenseSet<plan::ObjectAttr> used;
  for (unsigned index = 0; index < backward.getNumArguments(); ++index)
    used.insert(getArgumentObject(backward, index));
  llvm::BitVector unused(forward.getNumResults());
  for (unsigned index = 1; index < forward.getNumResults(); ++index)
    if (!used.contains(getResultObject(forward, index)))
      unused.set(index);
  forward.getBody().front().getTerminator()->eraseOperands(unused);
  (void)forward.eraseResults(unused);
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

/// The function called `name`, or an error that says which pass makes it.
static FailureOr<func::FuncOp> findDerived(ModuleOp module, const Twine &name) {
  auto function = module.lookupSymbol<func::FuncOp>(name.str());
  if (!function || function.isExternal())
    return module.emitError("has no function @") << name << ": run model-derive first";
  bool calls = false;
  function.walk([&](CallOpInterface call) {
    call->emitOpError("in a task: tasks have no calls, run inline first");
    calls = true;
  });
  return calls ? FailureOr<func::FuncOp>(failure()) : function;
}

namespace {

struct FormTasks : public planwright::impl::FormTasksBase<FormTasks> {
  using FormTasksBase::FormTasksBase;

  void runOnOperation() override {
    if (failed(formTasks(getOperation())))
      signalPassFailure();
  }

  LogicalResult formTasks(ModuleOp module) {
    auto mesh = getMesh(module);
    if (failed(mesh))
      return failure();
    auto forward = findDerived(module, entry + ".fwd");
    if (failed(forward))
      return failure();
    auto backward = findDerived(module, entry + ".bwd");
    if (failed(backward))
      return failure();
    if (failed(markForward(*forward)) || failed(markBackward(*backward, *forward)))
      return failure();
    forwardKnownResiduals(*forward, *backward);
    if (failed(extractPrologue(*forward, *backward, *mesh)))
      return failure();

    eraseDeadOps(*backward);
    eraseUnusedArguments(*backward);
    eraseUnusedResiduals(*forward, *backward);
    eraseDeadOps(*forward);
    eraseUnusedArguments(*forward);
    nameTask(*forward, "forward", plan::TaskKind::forward);
    nameTask(*backward, "backward", plan::TaskKind::backward);
    if (auto update = module.lookupSymbol<func::FuncOp>("update")) {
      setTaskKind(update, plan::TaskKind::update);
      return markUpdate(update);
    }
    return success();
  }

  static void nameTask(func::FuncOp task, StringRef name, plan::TaskKind kind) {
    task.setName(name);
    task.setPublic();
    setTaskKind(task, kind);
  }
};

} // namespace
