// shard-propagate: writes what Propagation decides, and refuses what cannot be exchanged.
#include "lib/Transforms/Sharding/AxisState.h"
#include "lib/Transforms/Sharding/Propagation.h"
#include "lib/Transforms/Sharding/Reshard.h"
#include "lib/Transforms/Sharding/TaskFunctions.h"

#include "planwright/Transforms/Sharding/Passes.h"

namespace planwright {
#define GEN_PASS_DEF_SHARDPROPAGATE
#include "lib/Transforms/Sharding/Passes.h.inc"
} // namespace planwright

using namespace mlir;
using namespace planwright;

//===----------------------------------------------------------------------===//
// What is refused
//===----------------------------------------------------------------------===//

static bool isOverTime(const ReshardStep &step) {
  return isExchange(step) && llvm::any_of(step.axes, [](StringAttr axis) {
           return axis.getValue() == plan::kMicroBatchAxis;
         });
}

/// The first step from one layout to another that would need another micro-batch.
static std::optional<ReshardStep> findStepOverTime(plan::LayoutAttr from, plan::LayoutAttr to) {
  for (const ReshardStep &step : planReshard(from, to))
    if (isOverTime(step))
      return step;
  return std::nullopt;
}

static void reportOverTime(OpOperand &use, const ReshardStep &step, plan::MeshAttr mesh) {
  Operation *op = use.getOwner();
  bool sums = step.kind == ReshardKind::AllReduce || step.kind == ReshardKind::ReduceScatter;
  std::string axes = describeAxes(step.axes, mesh);
  InFlightDiagnostic diagnostic =
      sums ? op->emitOpError("is not linear in the micro-batch: operand ")
                 << use.getOperandNumber() << " is partial over " << axes
                 << ", complete only after the last micro-batch"
           : op->emitOpError("needs dimension ")
                 << step.dim << " of operand " << use.getOperandNumber()
                 << " undivided, but it lies on " << axes
                 << ": micro-batches follow each other in time";
  diagnostic.attachNote(use.get().getLoc()) << "computed here";
}

static LogicalResult checkUse(OpOperand &use, plan::LayoutAttr from, plan::LayoutAttr to,
                              plan::MeshAttr mesh) {
  auto step = findStepOverTime(from, to);
  if (!step)
    return success();
  reportOverTime(use, *step, mesh);
  return failure();
}

/// Every violation of the task, not only the first.
static LogicalResult checkOps(func::FuncOp task, const Propagation &propagation,
                              plan::MeshAttr mesh) {
  bool ok = propagation.getMisfits().empty();
  for (Operation *op : propagation.getMisfits())
    op->emitOpError("cannot be cut as its assignment says");
  for (auto [use, axis, size] : propagation.getUnevenUses()) {
    use->getOwner()->emitOpError("cannot divide operand ")
        << use->getOperandNumber() << ": dimension of size " << size << " does not divide over "
        << describeAxes(axis, mesh);
    ok = false;
  }
  for (Operation &op : task.getBody().front().without_terminator()) {
    for (OpOperand &use : op.getOpOperands()) {
      plan::LayoutAttr from = propagation.getLayout(use.get());
      ok &= succeeded(checkUse(use, from, propagation.getOperandLayout(use), mesh));
    }
  }
  return success(ok);
}

//===----------------------------------------------------------------------===//
// What is written
//===----------------------------------------------------------------------===//

/// On `dims`, and partial over what `layout` is partial over and `dims` are not divided by.
static plan::LayoutAttr divideAlike(plan::LayoutAttr layout, ArrayRef<plan::AxesAttr> dims) {
  SmallVector<StringRef> scattered;
  for (StringAttr axis : layout.getPartialAxes())
    if (llvm::any_of(dims, [&](plan::AxesAttr axes) { return axes.contains(axis); }))
      scattered.push_back(axis.getValue());
  plan::LayoutAttr kept = layout.dropPartial(scattered);
  return plan::LayoutAttr::get(layout.getContext(), dims, kept.getPartialAxes(),
                               kept.getPartialCombiners());
}

/// `layout`, with the axes that have been chosen already as the result's own layout says.
static plan::LayoutAttr keepChosen(plan::LayoutAttr layout, func::FuncOp task, unsigned result) {
  auto chosen = task->getAttrOfType<plan::AxesAttr>(plan::kChosenAxesAttrName);
  plan::LayoutAttr own = getResultLayout(task, result);
  if (chosen && own)
    for (StringAttr axis : chosen.getNames())
      layout = setAxisState(layout, axis, getAxisState(own, axis));
  return layout;
}

/// The layout in which a task gives a result: accumulators are divided as their parameter is, but
/// may be partial; residuals are as they come; everything else is as it was before.
static plan::LayoutAttr decideLayout(func::FuncOp task, OpOperand &result, plan::ObjectAttr object,
                                     const Propagation &propagation, const ObjectLayouts &known) {
  plan::LayoutAttr decided = getDecidedLayout(object, result.get().getType(), known);
  switch (object.getKind()) {
  case plan::ObjectKind::residual:
    return keepChosen(propagation.getResidualLayout(result.get()), task, result.getOperandNumber());
  case plan::ObjectKind::gradient:
  case plan::ObjectKind::prologue:
  case plan::ObjectKind::loss:
    return divideAlike(propagation.getLayout(result.get()), decided.getDims());
  default:
    return decided;
  }
}

static LogicalResult annotateResults(func::FuncOp task, const Propagation &propagation,
                                     plan::MeshAttr mesh, ObjectLayouts &known) {
  bool ok = true;
  for (OpOperand &use : task.getBody().front().getTerminator()->getOpOperands()) {
    unsigned result = use.getOperandNumber();
    plan::ObjectAttr object = getResultObject(task, result);
    if (!object)
      return task.emitError("result ") << result << " of a task has no " << plan::kObjectAttrName;
    plan::LayoutAttr layout = decideLayout(task, use, object, propagation, known);
    ok &= succeeded(checkUse(use, propagation.getLayout(use.get()), layout, mesh));
    task.setResultAttr(result, plan::kLayoutAttrName, layout);
    if (object.getKind() == plan::ObjectKind::residual)
      known[object] = layout;
  }
  return success(ok);
}

static void annotateOps(func::FuncOp task, const Propagation &propagation) {
  for (Operation &op : task.getBody().front().without_terminator()) {
    plan::AssignmentAttr assignment = propagation.getAssignment(&op);
    if (assignment && !isEmpty(assignment))
      op.setAttr(plan::kAssignmentAttrName, assignment);
  }
}

static LogicalResult propagateTask(func::FuncOp task, plan::MeshAttr mesh, ObjectLayouts &known) {
  auto arguments = pinArguments(task, mesh, known);
  if (failed(arguments))
    return failure();
  Propagation propagation(task, mesh, *arguments);
  if (failed(checkOps(task, propagation, mesh)))
    return failure();
  for (auto [index, layout] : llvm::enumerate(*arguments)) {
    task.setArgAttr(index, plan::kLayoutAttrName, layout);
    plan::ObjectAttr object = getArgumentObject(task, index);
    if (object.getKind() == plan::ObjectKind::parameter)
      known.insert({object, layout});
  }
  annotateOps(task, propagation);
  return annotateResults(task, propagation, mesh, known);
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

namespace {

struct ShardPropagate : public planwright::impl::ShardPropagateBase<ShardPropagate> {
  void runOnOperation() override {
    auto mesh = getMesh(getOperation());
    if (failed(mesh))
      return signalPassFailure();
    // A residual lies as the forward task leaves it, so that one comes first.
    ObjectLayouts known;
    for (plan::TaskKind kind : {plan::TaskKind::prologue, plan::TaskKind::forward,
                                plan::TaskKind::backward, plan::TaskKind::update})
      if (func::FuncOp task = findTask(getOperation(), kind))
        if (failed(propagateTask(task, *mesh, known)))
          return signalPassFailure();
  }
};

} // namespace
