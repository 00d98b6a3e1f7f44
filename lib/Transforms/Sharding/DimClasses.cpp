// Classes of dimensions: joined op by op, then tagged from the arguments.
#include "lib/Transforms/Sharding/DimClasses.h"

#include "lib/Transforms/Sharding/Propagation.h"
#include "lib/Transforms/Sharding/TaskFunctions.h"

#include "dialects/Comm/IR/Comm.h"
#include "dialects/Model/IR/Model.h"

using namespace mlir;
using namespace planwright;

std::optional<unsigned> planwright::getLeadingFactor(const ShardingRule &rule,
                                                     const DimFactors &dim) {
  for (unsigned factor : dim)
    if (rule.factors[factor].size > 1)
      return factor;
  return std::nullopt;
}

DimClasses::DimClasses(ArrayRef<func::FuncOp> tasks) {
  for (func::FuncOp task : tasks) {
    for (Value argument : task.getArguments())
      addValue(argument);
    for (Operation &op : task.getBody().front())
      for (Value result : op.getResults())
        addValue(result);
  }
  classes.grow(numNodes);
  SmallVector<std::pair<func::FuncOp, ValueOrigins>> bodies;
  for (func::FuncOp task : tasks)
    bodies.emplace_back(task, ValueOrigins(task));
  llvm::DenseMap<plan::ObjectAttr, Value> objects;
  for (auto &[task, origins] : bodies) {
    joinObjects(task, origins, objects);
    for (Operation &op : task.getBody().front()) {
      joinFactors(&op, origins);
      joinBlocks(&op);
    }
  }
  for (auto &[task, origins] : bodies) {
    setTags(task);
    setVocabularies(task, origins);
  }
}

void DimClasses::addValue(Value value) {
  nodes[value] = numNodes;
  numNodes += getRankOrZero(value.getType());
}

/// Calls `join(value, factors)` for every operand and result that has factors.
static void forEachValue(Operation *op, const ShardingRule &rule,
                         llvm::function_ref<void(Value, const ValueFactors &)> visit) {
  for (auto [operand, factors] : llvm::zip(op->getOperands(), rule.operands))
    visit(operand, factors);
  for (auto [result, factors] : llvm::zip(op->getResults(), rule.results))
    visit(result, factors);
}

/// The factor that stands for a dimension: also one of a single element, if it is the only one.
static std::optional<unsigned> getOwnFactor(const ShardingRule &rule, const DimFactors &dim) {
  return dim.size() == 1 ? std::optional(dim.front()) : getLeadingFactor(rule, dim);
}

void DimClasses::joinFactors(Operation *op, const ValueOrigins &origins) {
  auto shardable = dyn_cast<ShardingRuleOpInterface>(op);
  if (!shardable)
    return;
  ShardingRule rule = shardable.getShardingRule();
  SmallVector<std::optional<unsigned>> first(rule.factors.size());
  forEachValue(op, rule, [&](Value value, const ValueFactors &factors) {
    if (origins.isGenerated(value))
      return;
    for (auto [dim, dimFactors] : llvm::enumerate(factors)) {
      auto factor = getOwnFactor(rule, dimFactors);
      if (!factor)
        continue;
      unsigned node = getNode(value, dim);
      if (first[*factor])
        classes.join(*first[*factor], node);
      else
        first[*factor] = node;
    }
  });
}

/// An op of the comm dialect gives each operand back as one result, with the same dimensions.
void DimClasses::joinBlocks(Operation *op) {
  if (!isa<comm::CommDialect>(op->getDialect()))
    return;
  for (auto [operand, result] : llvm::zip_equal(op->getOperands(), op->getResults()))
    for (int64_t dim = 0; dim < getRankOrZero(result.getType()); ++dim)
      classes.join(getNode(operand, dim), getNode(result, dim));
}

/// An object is one value in all tasks, and a gradient has the dimensions of its parameter.
/// `objects` are the values that stand for those seen before.
void DimClasses::joinObjects(func::FuncOp task, const ValueOrigins &origins,
                             llvm::DenseMap<plan::ObjectAttr, Value> &objects) {
  auto join = [&](plan::ObjectAttr object, Value value) {
    if (origins.isGenerated(value))
      return;
    auto [known, isNew] = objects.insert({getOwner(object), value});
    if (isNew || known->second.getType() != value.getType())
      return;
    for (int64_t dim = 0; dim < getRankOrZero(value.getType()); ++dim)
      classes.join(getNode(known->second, dim), getNode(value, dim));
  };
  for (BlockArgument argument : task.getArguments())
    join(getArgumentObject(task, argument.getArgNumber()), argument);
  for (OpOperand &use : task.getBody().front().getTerminator()->getOpOperands())
    join(getResultObject(task, use.getOperandNumber()), use.get());
}

void DimClasses::raise(unsigned node, DimTag tag) {
  DimTag &current = tags[classes.findLeader(node)];
  current = std::max(current, tag);
}

void DimClasses::setTags(func::FuncOp task) {
  for (BlockArgument argument : task.getArguments()) {
    plan::ObjectKind kind = getArgumentObject(task, argument.getArgNumber()).getKind();
    model::ArgumentAttr marked = model::getArgument(task, argument.getArgNumber());
    for (int64_t dim = 0; dim < getRankOrZero(argument.getType()); ++dim) {
      unsigned node = getNode(argument, dim);
      if (kind == plan::ObjectKind::parameter)
        raise(node, DimTag::Weight);
      else if (kind == plan::ObjectKind::input)
        raise(node, marked && marked.getBatchDim() == dim ? DimTag::Batch : DimTag::Position);
    }
  }
}

void DimClasses::setVocabularies(func::FuncOp task, const ValueOrigins &origins) {
  for (auto op : task.getBody().front().getOps<ShardingRuleOpInterface>()) {
    ShardingRule rule = op.getShardingRule();
    auto isVocabulary = [&](const DimFactors &dim) {
      auto factor = getOwnFactor(rule, dim);
      auto picker = factor ? rule.factors[*factor].picker : std::nullopt;
      return picker && origins.isFromInputs(op->getOperand(*picker));
    };
    forEachValue(op, rule, [&](Value value, const ValueFactors &factors) {
      for (auto [dim, dimFactors] : llvm::enumerate(factors))
        if (isVocabulary(dimFactors))
          vocabularies.insert(classes.findLeader(getNode(value, dim)));
    });
  }
}

bool DimClasses::isVocabulary(Value value, int64_t dim) const {
  return vocabularies.contains(classes.findLeader(getNode(value, dim)));
}

DimTag DimClasses::getTag(Value value, int64_t dim) const {
  return tags.lookup(classes.findLeader(getNode(value, dim)));
}

DimTag DimClasses::getTag(Operation *op, const ShardingRule &rule, unsigned factor) const {
  DimTag tag = DimTag::None;
  forEachValue(op, rule, [&](Value value, const ValueFactors &factors) {
    for (auto [dim, dimFactors] : llvm::enumerate(factors))
      if (getLeadingFactor(rule, dimFactors) == factor)
        tag = std::max(tag, getTag(value, dim));
  });
  return tag;
}

bool DimClasses::hasBatch(Value value) const {
  return llvm::any_of(llvm::seq<int64_t>(0, getRankOrZero(value.getType())),
                      [&](int64_t dim) { return getTag(value, dim) == DimTag::Batch; });
}

bool DimClasses::isLogits(Value value) const {
  auto dims = llvm::seq<int64_t>(0, getRankOrZero(value.getType()));
  return llvm::any_of(dims, [&](int64_t dim) { return isVocabulary(value, dim); }) &&
         llvm::any_of(dims, [&](int64_t dim) { return getTag(value, dim) >= DimTag::Position; });
}

bool DimClasses::isScores(Value value) const {
  auto dims = llvm::seq<int64_t>(0, getRankOrZero(value.getType()));
  return llvm::count_if(dims,
                        [&](int64_t dim) { return getTag(value, dim) == DimTag::Position; }) >= 2;
}
