// Building the network of one axis, and writing its solution.
#include "lib/Transforms/Sharding/AxisProblem.h"

#include "lib/Transforms/Sharding/Propagation.h"
#include "lib/Transforms/Sharding/TaskFunctions.h"

using namespace mlir;
using namespace planwright;

static void addOnce(SmallVectorImpl<AxisState> &states, AxisState state) {
  if (!llvm::is_contained(states, state))
    states.push_back(state);
}

/// The axes that were chosen before `axis`.
static Axes getChosenBefore(func::FuncOp task, StringAttr axis) {
  auto all = task->getAttrOfType<plan::AxesAttr>(plan::kChosenAxesAttrName);
  if (!all)
    return {};
  return Axes(all.getNames().take_until([&](StringAttr other) { return other == axis; }));
}

AxisProblem::AxisProblem(func::FuncOp forward, func::FuncOp backward, plan::MeshAttr mesh,
                         const AxisOptions &options)
    : tasks{forward, backward}, mesh(mesh), options(options),
      chosenBefore(getChosenBefore(forward, options.axis)), classes(tasks),
      chooser(classes, mesh, options, chosenBefore) {
  for (unsigned result = 0; result < forward.getNumResults(); ++result)
    if (plan::LayoutAttr layout = keepKnown(getResultLayout(forward, result)))
      residualLayouts[getResultObject(forward, result)] = layout;
  // Every value needs its producer's and all its users' states before its own choices are known.
  for (func::FuncOp task : tasks) {
    addArguments(task);
    addOps(task);
  }
  addResidualStates();
  for (ValueVariable &value : valueVariables)
    makeChoices(value);
  for (auto &[op, variable] : ops)
    addOpTables(op, variable);
  for (func::FuncOp task : tasks)
    addResultTables(task);
}

AxisProblem::ValueVariable *AxisProblem::find(Value value) {
  auto found = indices.find(value);
  return found == indices.end() ? nullptr : &valueVariables[found->second];
}

const AxisProblem::ValueVariable *AxisProblem::find(Value value) const {
  auto found = indices.find(value);
  return found == indices.end() ? nullptr : &valueVariables[found->second];
}

//===----------------------------------------------------------------------===//
// Variables
//===----------------------------------------------------------------------===//

void AxisProblem::addValue(Value value, ArrayRef<AxisState> produced) {
  indices[value] = valueVariables.size();
  ValueVariable &variable = valueVariables.emplace_back();
  variable.values = {value};
  for (AxisState state : produced)
    addOnce(variable.produced, state);
}

/// The layout that axes chosen before give an argument, null if none were; a residual lies as
/// forward gives it.
plan::LayoutAttr AxisProblem::getKnownLayout(func::FuncOp task, unsigned argument) const {
  auto kept = residualLayouts.find(getArgumentObject(task, argument));
  return kept == residualLayouts.end() ? keepKnown(getArgumentLayout(task, argument))
                                       : kept->second;
}

plan::LayoutAttr AxisProblem::keepKnown(plan::LayoutAttr layout) const {
  return keepAxes(layout, [&](StringAttr axis) { return llvm::is_contained(chosenBefore, axis); });
}

/// Arguments lie as they are pinned; else parameters lie whole or divided, the states of residuals
/// follow from forward, all else is whole.
void AxisProblem::addArguments(func::FuncOp task) {
  for (BlockArgument argument : task.getArguments()) {
    plan::ObjectAttr object = getArgumentObject(task, argument.getArgNumber());
    bool isParameter = object.getKind() == plan::ObjectKind::parameter;
    chooser.addArgument(argument, isParameter, getKnownLayout(task, argument.getArgNumber()));
    plan::LayoutAttr pinned = getPin(task, argument.getArgNumber());
    AxisState state = pinned ? getAxisState(pinned, options.axis) : AxisState::whole();
    if (!isParameter) {
      bool isResidual = object.getKind() == plan::ObjectKind::residual;
      addValue(argument, isResidual ? ArrayRef<AxisState>() : state);
      continue;
    }
    auto [known, isNew] = parameters.insert({object, valueVariables.size()});
    if (!isNew) {
      indices[argument] = known->second;
      valueVariables[known->second].values.push_back(argument);
      continue;
    }
    SmallVector<AxisState> states = {state};
    for (int64_t dim = 0; !pinned && dim < getRankOrZero(argument.getType()); ++dim)
      if (chooser.mayDivide(argument, dim))
        states.push_back(AxisState::divided(dim));
    addValue(argument, states);
  }
}

void AxisProblem::addOps(func::FuncOp task) {
  for (Operation &op : task.getBody().front().without_terminator()) {
    chooser.addOp(&op);
    if (op.getNumResults() > 0 && chooser.isGenerated(op.getResult(0)))
      continue;
    SmallVector<AxisChoice> choices = chooser.getChoices(&op);
    for (auto [index, result] : llvm::enumerate(op.getResults()))
      addValue(result, llvm::map_to_vector(
                           choices, [&](AxisChoice &choice) { return choice.results[index]; }));
    for (auto [index, operand] : llvm::enumerate(op.getOperands()))
      if (ValueVariable *value = find(operand))
        for (const AxisChoice &choice : choices)
          addOnce(value->demanded, choice.operands[index]);
    ops.insert({&op, {network.addVariable(choices.size()), std::move(choices)}});
  }
}

/// A residual is kept in any state in which forward has it or backward wants it.
void AxisProblem::addResidualStates() {
  llvm::DenseMap<plan::ObjectAttr, Value> kept;
  func::FuncOp forward = tasks.front(), backward = tasks.back();
  for (OpOperand &use : forward.getBody().front().getTerminator()->getOpOperands())
    kept[getResultObject(forward, use.getOperandNumber())] = use.get();
  for (BlockArgument argument : backward.getArguments()) {
    plan::ObjectAttr object = getArgumentObject(backward, argument.getArgNumber());
    if (object.getKind() != plan::ObjectKind::residual)
      continue;
    ValueVariable &taken = *find(argument);
    const ValueVariable *given = find(kept.lookup(object));
    if (!given) {
      taken.produced = {AxisState::whole()};
      continue;
    }
    residuals.emplace_back(given->values.front(), argument);
    for (const SmallVector<AxisState> &states : {given->produced, given->demanded, taken.demanded})
      for (AxisState state : states)
        if (!state.isPartial() || llvm::is_contained(given->produced, state))
          addOnce(taken.produced, state);
  }
}

//===----------------------------------------------------------------------===//
// What can become of a value
//===----------------------------------------------------------------------===//

/// Weights, logits and scores stay where they are; logits may still be summed into blocks.
bool AxisProblem::isUnwanted(Value value, AxisState from, AxisState to) const {
  bool isGather = from.isDivided() && to.isWhole();
  bool isSum = from.isPartial() && to.isWhole();
  return (isGather && classes.getTag(value, from.dim) == DimTag::Weight) ||
         (options.dividesWeights && (from.isDivided() || isSum) && classes.isLogits(value)) ||
         (from.isDivided() && (classes.isScores(value) || chooser.isParameter(value)));
}

void AxisProblem::addExchange(const ValueVariable &value, ValueChoice &choice, AxisState to) const {
  Value first = value.values.front();
  choice.copies.push_back(to);
  choice.cost =
      addCosts(choice.cost, options.costs.getTransition(chooser.getBytes(first), choice.left, to));
  if (isUnwanted(first, choice.left, to))
    choice.cost = addCosts(choice.cost, kUnwanted);
}

/// For each state that it may be left in: as it is, made whole, or moved to any of the dimensions
/// that users want.
void AxisProblem::makeChoices(ValueVariable &value) {
  Value first = value.values.front();
  bool isParameter =
      isa<BlockArgument>(first) && parameters.contains(getArgumentObject(
                                       cast<func::FuncOp>(first.getParentBlock()->getParentOp()),
                                       cast<BlockArgument>(first).getArgNumber()));
  // Gradient and two moments of AdamW are kept beside it.
  constexpr double kStoredCopies = 4;
  for (AxisState left : value.produced) {
    ValueChoice asItIs{left, {}, 0};
    if (isParameter)
      asItIs.cost = options.costs.getMemory(kStoredCopies * chooser.getBytes(first) /
                                            (left.isDivided() ? options.costs.ranks : 1));
    value.choices.push_back(asItIs);
    if (left.isWhole())
      continue;
    ValueChoice made = asItIs;
    addExchange(value, made, AxisState::whole());
    if (made.cost < kForbidden)
      value.choices.push_back(made);
    if (isParameter)
      continue;
    SmallVector<AxisState> moves;
    for (AxisState state : value.demanded)
      if (state.isDivided() && state != left)
        moves.push_back(state);
    constexpr unsigned kMaxMoves = 4;
    moves.truncate(std::min<size_t>(moves.size(), kMaxMoves));
    for (unsigned set = 1; set < 1u << moves.size(); ++set) {
      ValueChoice moved = asItIs;
      for (auto [position, state] : llvm::enumerate(moves))
        if (set & (1u << position))
          addExchange(value, moved, state);
      if (moved.cost < kForbidden)
        value.choices.push_back(moved);
    }
  }
  value.variable = network.addVariable(value.choices.size());
  std::vector<Cost> costs;
  for (const ValueChoice &choice : value.choices)
    costs.push_back(choice.cost);
  addUnary(value.variable, std::move(costs));
}

//===----------------------------------------------------------------------===//
// Tables
//===----------------------------------------------------------------------===//

void AxisProblem::addTable(unsigned a, unsigned b, size_t sizeA, size_t sizeB,
                           llvm::function_ref<Cost(size_t, size_t)> getCost) {
  std::vector<Cost> costs;
  costs.reserve(sizeA * sizeB);
  for (size_t i = 0; i < sizeA; ++i)
    for (size_t j = 0; j < sizeB; ++j)
      costs.push_back(getCost(i, j));
  const unsigned scope[] = {a, b};
  network.addTable(scope, std::move(costs));
}

Cost AxisProblem::getUseCost(const ValueVariable &value, const ValueChoice &choice,
                             AxisState state) const {
  if (choice.has(state))
    return 0;
  if (!state.isDivided() || !choice.has(AxisState::whole()))
    return kForbidden;
  // Read and written once.
  return options.costs.getMemory(2.0 * chooser.getBytes(value.values.front()) /
                                 options.costs.ranks);
}

/// Results are left as the op gives them; operands are there as it takes them.
void AxisProblem::addOpTables(Operation *op, const OpVariable &variable) {
  std::vector<Cost> costs;
  for (const AxisChoice &choice : variable.choices)
    costs.push_back(choice.cost);
  addUnary(variable.variable, std::move(costs));
  for (auto [index, result] : llvm::enumerate(op->getResults())) {
    const ValueVariable &value = *find(result);
    addTable(variable.variable, value.variable, variable.choices.size(), value.choices.size(),
             [&](size_t way, size_t kept) -> Cost {
               bool same = variable.choices[way].results[index] == value.choices[kept].left;
               return same ? 0 : kForbidden;
             });
  }
  llvm::SmallDenseSet<unsigned> seen;
  for (Value operand : op->getOperands()) {
    const ValueVariable *value = find(operand);
    if (!value || !seen.insert(value->variable).second)
      continue;
    addTable(variable.variable, value->variable, variable.choices.size(), value->choices.size(),
             [&](size_t way, size_t kept) -> Cost {
               SmallVector<AxisState> states;
               for (auto [index, other] : llvm::enumerate(op->getOperands()))
                 if (find(other) == value)
                   addOnce(states, variable.choices[way].operands[index]);
               Cost cost = 0;
               for (AxisState state : states)
                 cost = addCosts(cost, getUseCost(*value, value->choices[kept], state));
               return cost;
             });
  }
}

/// Gradients lie as their parameters. What is partial is reduced once, after the last micro-batch,
/// if the parameter is whole.
Cost AxisProblem::getGradientCost(const ValueVariable &gradient, const ValueChoice &choice,
                                  AxisState parameter) const {
  if (Cost cost = getUseCost(gradient, choice, parameter); cost < kForbidden)
    return cost;
  ValueChoice exchanged{choice.left, {}, 0};
  addExchange(gradient, exchanged, parameter);
  bool isDeferred = choice.left.isPartial() && parameter.isWhole();
  return isDeferred ? exchanged.cost / mesh.getSize(plan::kMicroBatchAxis) : exchanged.cost;
}

void AxisProblem::addResultTables(func::FuncOp task) {
  for (OpOperand &use : task.getBody().front().getTerminator()->getOpOperands()) {
    plan::ObjectAttr object = getResultObject(task, use.getOperandNumber());
    const ValueVariable *value = find(use.get());
    if (!value || object.getKind() == plan::ObjectKind::residual)
      continue;
    size_t numChoices = value->choices.size();
    auto owner = parameters.find(getOwner(object));
    if (object.getKind() == plan::ObjectKind::gradient && owner != parameters.end()) {
      const ValueVariable &parameter = valueVariables[owner->second];
      if (&parameter == value)
        continue;
      addTable(value->variable, parameter.variable, numChoices, parameter.choices.size(),
               [&](size_t kept, size_t lies) {
                 return getGradientCost(*value, value->choices[kept], parameter.choices[lies].left);
               });
      continue;
    }
    std::vector<Cost> costs;
    for (const ValueChoice &choice : value->choices)
      costs.push_back(choice.has(AxisState::whole()) || choice.left.isPartial() ? 0 : kForbidden);
    addUnary(value->variable, std::move(costs));
  }
  if (task != tasks.front())
    return;
  for (auto [given, taken] : residuals) {
    const ValueVariable &from = *find(given), &to = *find(taken);
    int64_t bytes = chooser.getBytes(taken);
    addTable(from.variable, to.variable, from.choices.size(), to.choices.size(),
             [&](size_t kept, size_t stored) {
               AxisState state = to.choices[stored].left;
               double share = state.isDivided() ? options.costs.ranks : 1;
               return addCosts(getUseCost(from, from.choices[kept], state),
                               options.costs.getMemory(bytes / share));
             });
  }
}

//===----------------------------------------------------------------------===//
// The solution
//===----------------------------------------------------------------------===//

SolveStatus AxisProblem::solve() {
  solution = solveByElimination(network);
  assert((solution.status != SolveStatus::Optimal ||
          network.verify(solution.choice, solution.cost).empty()) &&
         "the solver's answer is none");
  return solution.status;
}

const ValueChoice &AxisProblem::getChoice(const ValueVariable &value) const {
  return value.choices[solution.choice[value.variable]];
}

SmallVector<Operation *> AxisProblem::getOps() const {
  return llvm::map_to_vector(ops, [](auto &entry) { return entry.first; });
}

const AxisChoice &AxisProblem::getChoice(Operation *op) const {
  const OpVariable &variable = ops.find(op)->second;
  return variable.choices[solution.choice[variable.variable]];
}

std::optional<NextBest> AxisProblem::findNextBest(Operation *op) const {
  const OpVariable &variable = ops.find(op)->second;
  NextBest best;
  for (auto [way, choice] : llvm::enumerate(variable.choices)) {
    if (way == solution.choice[variable.variable])
      continue;
    CostNetwork pinned = network;
    pinned.pin(variable.variable, way);
    Solution other = solveByElimination(pinned);
    if (other.status == SolveStatus::TooWide)
      return std::nullopt;
    if (other.status == SolveStatus::Infeasible)
      continue;
    Cost more = other.cost - solution.cost;
    if (!best.choice || more < best.more)
      best = {&choice, more};
  }
  return best;
}

void AxisProblem::write() const {
  auto addTo = [&](plan::LayoutAttr known, Value value) {
    if (!known)
      known = plan::LayoutAttr::getWhole(mesh.getContext(), getRankOrZero(value.getType()));
    return setAxisState(known, options.axis, getChoice(*find(value)).left);
  };
  for (Operation *op : getOps()) {
    plan::AssignmentAttr assignment = getChoice(op).assignment;
    auto known = op->getAttrOfType<plan::AssignmentAttr>(plan::kAssignmentAttrName);
    if (assignment && !isEmpty(assignment))
      op->setAttr(plan::kAssignmentAttrName, mergeAssignments(known, assignment));
  }
  for (func::FuncOp task : tasks) {
    Axes chosen;
    if (auto known = task->getAttrOfType<plan::AxesAttr>(plan::kChosenAxesAttrName))
      chosen.assign(known.getNames().begin(), known.getNames().end());
    chosen.push_back(options.axis);
    task->setAttr(plan::kChosenAxesAttrName, plan::AxesAttr::get(mesh.getContext(), chosen));
    for (BlockArgument argument : task.getArguments())
      if (parameters.contains(getArgumentObject(task, argument.getArgNumber())) &&
          !getPin(task, argument.getArgNumber()))
        task.setArgAttr(argument.getArgNumber(), plan::kLayoutAttrName,
                        addTo(getArgumentLayout(task, argument.getArgNumber()), argument));
  }
  llvm::DenseMap<plan::ObjectAttr, Value> taken;
  func::FuncOp forward = tasks.front(), backward = tasks.back();
  for (BlockArgument argument : backward.getArguments())
    taken[getArgumentObject(backward, argument.getArgNumber())] = argument;
  for (unsigned result = 0; result < forward.getNumResults(); ++result) {
    plan::ObjectAttr object = getResultObject(forward, result);
    if (object.getKind() == plan::ObjectKind::residual && taken.contains(object))
      forward.setResultAttr(result, plan::kLayoutAttrName,
                            addTo(getResultLayout(forward, result), taken.lookup(object)));
  }
}
