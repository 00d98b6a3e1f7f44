// The propagation of axes through a function.
#include "lib/Transforms/Sharding/Propagation.h"

#include "lib/Transforms/Sharding/AssignmentDraft.h"
#include "lib/Transforms/Sharding/TaskFunctions.h"

#include "llvm/ADT/MapVector.h"

using namespace mlir;
using namespace planwright;

bool planwright::isEarlyObject(plan::ObjectAttr object) {
  return object && (object.getKind() == plan::ObjectKind::input ||
                    object.getKind() == plan::ObjectKind::constant ||
                    object.getKind() == plan::ObjectKind::prologue);
}

int64_t planwright::getRankOrZero(Type type) {
  auto shaped = dyn_cast<ShapedType>(type);
  return shaped ? shaped.getRank() : 0;
}

SmallVector<Linearity> planwright::getLinearity(ShardingRuleOpInterface op,
                                                plan::AssignmentAttr assignment) {
  llvm::BitVector partial(op->getNumOperands());
  for (auto [operand, axes] : llvm::enumerate(assignment.getPartial()))
    if (!axes.empty())
      partial.set(operand);
  return op.getLinearity(partial);
}

plan::AssignmentAttr planwright::getEmptyAssignment(MLIRContext *context,
                                                    const ShardingRule &rule) {
  SmallVector<plan::AxesAttr> factors(rule.factors.size(), plan::AxesAttr::get(context, {}));
  return plan::AssignmentAttr::get(context, factors, {});
}

bool planwright::isEmpty(plan::AssignmentAttr assignment) {
  auto none = [](plan::AxesAttr axes) { return axes.empty(); };
  return llvm::all_of(assignment.getFactors(), none) && llvm::all_of(assignment.getPartial(), none);
}

static SmallVector<plan::AxesAttr> mergeLists(ArrayRef<plan::AxesAttr> outer,
                                              ArrayRef<plan::AxesAttr> inner) {
  if (outer.empty() || inner.empty())
    return SmallVector<plan::AxesAttr>(outer.empty() ? inner : outer);
  SmallVector<plan::AxesAttr> merged;
  for (auto [a, b] : llvm::zip_equal(outer, inner)) {
    Axes axes(a.getNames());
    llvm::append_range(axes, b.getNames());
    merged.push_back(plan::AxesAttr::get(a.getContext(), axes));
  }
  return merged;
}

plan::AssignmentAttr planwright::mergeAssignments(plan::AssignmentAttr outer,
                                                  plan::AssignmentAttr inner) {
  if (!outer)
    return inner;
  return plan::AssignmentAttr::get(inner.getContext(),
                                   mergeLists(outer.getFactors(), inner.getFactors()),
                                   mergeLists(outer.getPartial(), inner.getPartial()));
}

static SmallVector<plan::AxesAttr> keepAxes(ArrayRef<plan::AxesAttr> lists,
                                            llvm::function_ref<bool(StringAttr)> isKept) {
  return llvm::map_to_vector(lists, [&](plan::AxesAttr axes) {
    return plan::AxesAttr::get(axes.getContext(), llvm::filter_to_vector(axes.getNames(), isKept));
  });
}

plan::AssignmentAttr planwright::keepAxes(plan::AssignmentAttr assignment,
                                          llvm::function_ref<bool(StringAttr)> isKept) {
  if (!assignment)
    return nullptr;
  return plan::AssignmentAttr::get(assignment.getContext(),
                                   ::keepAxes(assignment.getFactors(), isKept),
                                   ::keepAxes(assignment.getPartial(), isKept));
}

plan::LayoutAttr planwright::keepAxes(plan::LayoutAttr layout,
                                      llvm::function_ref<bool(StringAttr)> isKept) {
  if (!layout)
    return nullptr;
  SmallVector<StringRef> dropped;
  for (StringAttr axis : layout.getPartialAxes())
    if (!isKept(axis))
      dropped.push_back(axis);
  plan::LayoutAttr kept = layout.dropPartial(dropped);
  return plan::LayoutAttr::get(layout.getContext(), ::keepAxes(layout.getDims(), isKept),
                               kept.getPartialAxes(), kept.getPartialCombiners());
}

/// A parameter as the ops of a task on examples see it: data axes divide only its storage, and are
/// gathered before use.
static plan::LayoutAttr dropStorageAxes(plan::LayoutAttr layout, plan::MeshAttr mesh) {
  SmallVector<StringAttr> dataAxes = getDataAxes(mesh);
  return keepAxes(layout, [&](StringAttr axis) { return !llvm::is_contained(dataAxes, axis); });
}

/// Does a task compute on examples, rather than on parameters alone?
static bool hasExamples(func::FuncOp task) {
  auto kind = task->getAttrOfType<plan::TaskAttr>(plan::kTaskAttrName);
  return !kind || kind.getKind() != plan::TaskKind::update;
}

Propagation::Propagation(func::FuncOp function, plan::MeshAttr mesh,
                         ArrayRef<plan::LayoutAttr> argumentLayouts)
    : mesh(mesh), chosen(function->getAttrOfType<plan::AxesAttr>(plan::kChosenAxesAttrName)),
      axes(llvm::filter_to_vector(getDividingAxes(mesh),
                                  [&](StringAttr axis) { return !isChosen(axis); })) {
  for (auto [argument, layout] : llvm::zip_equal(function.getArguments(), argumentLayouts)) {
    plan::ObjectAttr object = getArgumentObject(function, argument.getArgNumber());
    bool isGathered =
        object && object.getKind() == plan::ObjectKind::parameter && hasExamples(function);
    layouts[argument] = isGathered ? dropStorageAxes(layout, mesh) : layout;
    if (!isEarlyObject(object))
      late.insert(argument);
  }
  Block &body = function.getBody().front();
  for (Operation &op : body.without_terminator())
    decide(&op);
  for (Operation &op : llvm::reverse(body.without_terminator()))
    refine(&op);
}

plan::LayoutAttr Propagation::getLayout(Value value) const { return layouts.lookup(value); }

plan::AssignmentAttr Propagation::getAssignment(Operation *op) const {
  return assignments.lookup(op);
}

plan::LayoutAttr Propagation::getOperandLayout(OpOperand &use) const {
  Operation *op = use.getOwner();
  plan::AssignmentAttr assignment = assignments.lookup(op);
  if (!assignment)
    return plan::LayoutAttr::getWhole(op->getContext(), getRankOrZero(use.get().getType()));
  return rules.find(op)->second.getOperandLayout(use.getOperandNumber(), assignment, mesh);
}

plan::LayoutAttr Propagation::getResidualLayout(Value value) const {
  plan::LayoutAttr layout = getLayout(value);
  SmallVector<StringRef> completed;
  for (StringAttr axis : layout.getPartialAxes()) {
    auto completes = [&](OpOperand &use) {
      return !use.getOwner()->hasTrait<OpTrait::IsTerminator>() &&
             !getOperandLayout(use).getCombiner(axis);
    };
    if (axis.getValue() != plan::kMicroBatchAxis && llvm::any_of(value.getUses(), completes))
      completed.push_back(axis.getValue());
  }
  return layout.dropPartial(completed);
}

void Propagation::setAssignment(Operation *op, plan::AssignmentAttr assignment) {
  assignments[op] = assignment;
  const ShardingRule &rule = rules.find(op)->second;
  SmallVector<Linearity> linearity = getLinearity(cast<ShardingRuleOpInterface>(op), assignment);
  for (auto [index, result] : llvm::enumerate(op->getResults()))
    layouts[result] = rule.getResultLayout(index, assignment, linearity[index], mesh);
}

//===----------------------------------------------------------------------===//
// First to last: operands decide
//===----------------------------------------------------------------------===//

bool planwright::fits(ShardingRuleOpInterface op, const ShardingRule &rule,
                      plan::AssignmentAttr assignment, plan::MeshAttr mesh) {
  bool complete =
      assignment.getFactors().size() == rule.factors.size() &&
      (assignment.getPartial().empty() || assignment.getPartial().size() == op->getNumOperands());
  if (!complete)
    return false;
  for (auto [factor, axes] : llvm::zip_equal(rule.factors, assignment.getFactors()))
    if (!axes.empty() && factor.kind == FactorKind::Whole)
      return false;
  SmallVector<Linearity> linearity = getLinearity(op, assignment);
  for (unsigned operand = 0; operand < op->getNumOperands(); ++operand)
    if (!rule.getOperandLayout(operand, assignment, mesh))
      return false;
  for (unsigned result = 0; result < op->getNumResults(); ++result)
    if (linearity[result] == Linearity::Nonlinear ||
        !rule.getResultLayout(result, assignment, linearity[result], mesh))
      return false;
  return true;
}

void Propagation::decide(Operation *op) {
  llvm::BitVector early(op->getNumOperands());
  for (auto [index, operand] : llvm::enumerate(op->getOperands()))
    early[index] = isEarly(operand);
  if (!early.all())
    late.insert(op->result_begin(), op->result_end());

  auto shardable = dyn_cast<ShardingRuleOpInterface>(op);
  if (!shardable) {
    for (Value result : op->getResults())
      layouts[result] =
          plan::LayoutAttr::getWhole(op->getContext(), getRankOrZero(result.getType()));
  }
  SmallVector<plan::LayoutAttr> operands;
  for (Value operand : op->getOperands())
    operands.push_back(layouts.lookup(operand));

  auto needWhole = [&](unsigned operand, StringAttr axis) {
    if (operands[operand].getCombiner(axis))
      partialUses.push_back({&op->getOpOperand(operand), axis});
  };
  if (!shardable) {
    for (unsigned operand = 0; operand < operands.size(); ++operand)
      for (StringAttr axis : axes)
        needWhole(operand, axis);
    return;
  }

  const ShardingRule &rule = rules[op] = shardable.getShardingRule();
  auto pinned = op->getAttrOfType<plan::AssignmentAttr>(plan::kAssignmentAttrName);
  if (pinned && !fits(shardable, rule, pinned, mesh)) {
    misfits.push_back(op);
    pinned = {};
  }
  if (pinned && !chosen)
    return setAssignment(op, pinned);
  AssignmentDraft draft(shardable, rule, mesh, operands, pinned);
  draft.setEarly(early);
  for (StringAttr axis : axes) {
    if (!draft.assignToFactor(axis))
      draft.passPartial(axis);
    for (unsigned operand = 0; operand < operands.size(); ++operand)
      if (!draft.takesPartial(operand, axis))
        needWhole(operand, axis);
  }
  for (auto [operand, axis, size] : draft.getUneven())
    unevenUses.push_back({&op->getOpOperand(operand), axis, size});
  setAssignment(op, draft.get());
}

//===----------------------------------------------------------------------===//
// Last to first: users decide
//===----------------------------------------------------------------------===//

/// A residual lies as it is most useful to others.
static bool isResidual(OpOperand &use) {
  auto function = dyn_cast<func::FuncOp>(use.getOwner()->getParentOp());
  if (!function || !isa<func::ReturnOp>(use.getOwner()))
    return false;
  plan::ObjectAttr object = getResultObject(function, use.getOperandNumber());
  return object && object.getKind() == plan::ObjectKind::residual;
}

/// The axes that all users of `value` want on its dimensions; of chosen axes those that its op
/// gives it. Absent where users disagree or one needs it as it is.
std::optional<SmallVector<Axes>> Propagation::getCommonDemand(Value value) const {
  SmallVector<Axes> own;
  for (plan::AxesAttr axes : getLayout(value).getDims())
    own.push_back(llvm::filter_to_vector<2>(axes.getNames(),
                                            [&](StringAttr axis) { return isChosen(axis); }));
  std::optional<SmallVector<Axes>> common;
  for (OpOperand &use : value.getUses()) {
    if (isResidual(use))
      continue;
    if (!getAssignment(use.getOwner()))
      return std::nullopt;
    SmallVector<Axes> demand(own);
    for (auto [axes, wanted] : llvm::zip_equal(demand, getOperandLayout(use).getDims()))
      llvm::copy_if(wanted.getNames(), std::back_inserter(axes),
                    [&](StringAttr axis) { return !isChosen(axis); });
    if (common && *common != demand)
      return std::nullopt;
    common = demand;
  }
  return common;
}

void Propagation::refine(Operation *op) {
  auto shardable = dyn_cast<ShardingRuleOpInterface>(op);
  if (!shardable || op->getNumResults() != 1)
    return;
  auto demand = getCommonDemand(op->getResult(0));
  if (!demand)
    return;
  const ShardingRule &rule = rules.find(op)->second;
  SmallVector<plan::LayoutAttr> operands;
  for (Value operand : op->getOperands())
    operands.push_back(layouts.lookup(operand));
  AssignmentDraft draft(shardable, rule, mesh, operands, assignments.lookup(op));
  SmallVector<plan::AxesAttr> dims;
  for (const Axes &axes : *demand)
    dims.push_back(plan::AxesAttr::get(op->getContext(), axes));
  if (draft.adoptResult(dims))
    setAssignment(op, draft.get());
}
