// What an axis cannot divide, as errors. Not here: what it can (AxisChoices.cpp), the search
// (AxisProblem.cpp).
#include "lib/Transforms/Sharding/AxisProblem.h"

#include "lib/Transforms/Sharding/Propagation.h"
#include "lib/Transforms/Sharding/TaskFunctions.h"

using namespace mlir;
using namespace planwright;

//===----------------------------------------------------------------------===//
// Before the search: products that no choice divides
//===----------------------------------------------------------------------===//

/// The name of an argument of a task; empty for the result of an op.
static StringRef getArgumentName(Value value) {
  auto argument = dyn_cast<BlockArgument>(value);
  if (!argument)
    return "";
  auto task = cast<func::FuncOp>(argument.getOwner()->getParentOp());
  return getArgumentObject(task, argument.getArgNumber()).getName();
}

/// A dimension that the loop leads, of an argument if there is one: `dimension 1 of argument "wq"`,
/// `dimension 2 of operand 0`.
static std::string describeDim(Operation *op, const ShardingRule &rule, unsigned factor) {
  std::string text;
  for (auto [index, factors] : llvm::enumerate(rule.operands)) {
    auto dim = llvm::find_if(factors, [&](const DimFactors &dimFactors) {
      return getLeadingFactor(rule, dimFactors) == factor;
    });
    StringRef name = getArgumentName(op->getOperand(index));
    if (dim == factors.end() || (name.empty() && !text.empty()))
      continue;
    text = "dimension " + std::to_string(dim - factors.begin()) + " of ";
    text += name.empty() ? "operand " + std::to_string(index) : "argument \"" + name.str() + "\"";
  }
  return text;
}

bool AxisProblem::reportUndivided() const {
  struct Undivided {
    Operation *op;
    ShardingRule rule;
    SmallVector<unsigned> factors;
    unsigned count = 0;
  };
  // Layers are alike: one error stands for all of them.
  llvm::MapVector<SmallVector<int64_t>, Undivided> found;
  func::FuncOp forward = tasks.front();
  for (auto op : forward.getBody().front().getOps<ShardingRuleOpInterface>()) {
    ShardingRule rule = op.getShardingRule();
    SmallVector<unsigned> factors = chooser.getUnevenFactors(op, rule);
    auto sizes =
        llvm::map_to_vector(factors, [&](unsigned factor) { return rule.factors[factor].size; });
    if (!sizes.empty())
      ++found.insert({sizes, {op, rule, factors}}).first->second.count;
  }
  for (auto &[sizes, undivided] : found) {
    InFlightDiagnostic error = undivided.op->emitOpError("cannot be divided over ")
                               << describeAxes(options.axis, mesh) << ": ";
    llvm::interleave(
        undivided.factors,
        [&](unsigned factor) {
          error << describeDim(undivided.op, undivided.rule, factor) << " has size "
                << undivided.rule.factors[factor].size;
        },
        [&] { error << ", "; });
    if (undivided.count > 1)
      error << " (the first of " << undivided.count << " such operations)";
  }
  return found.empty();
}

//===----------------------------------------------------------------------===//
// Behind it: what only a gather would join
//===----------------------------------------------------------------------===//

/// Logits of which every rank has a part of each, because their vocabulary does not divide.
bool AxisProblem::reportSummedLogits(Value value) const {
  for (auto [dim, size] : llvm::enumerate(cast<ShapedType>(value.getType()).getShape())) {
    if (!classes.isVocabulary(value, dim) || size % options.costs.ranks == 0)
      continue;
    emitError(value.getLoc(), "vocabulary of size ")
        << size << ", dimension " << dim << " of logits, does not divide over "
        << describeAxes(options.axis, mesh) << ": logits would be summed whole";
    return false;
  }
  return true;
}

bool AxisProblem::reportUneven() const {
  bool ok = true;
  for (const ValueVariable &value : valueVariables) {
    const ValueChoice &choice = getChoice(value);
    if (choice.cost < kUnwanted)
      continue;
    if (!choice.left.isDivided()) {
      ok &= reportSummedLogits(value.values.front());
      continue;
    }
    for (OpOperand &use : value.values.front().getUses()) {
      auto op = dyn_cast<ShardingRuleOpInterface>(use.getOwner());
      if (!op)
        continue;
      ShardingRule rule = op.getShardingRule();
      auto factor = getLeadingFactor(rule, rule.operands[use.getOperandNumber()][choice.left.dim]);
      int64_t size = factor ? rule.factors[*factor].size : 1;
      if (size % options.costs.ranks == 0)
        continue;
      op->emitError("dimension of size ")
          << size << " does not divide over " << describeAxes(options.axis, mesh);
      ok = false;
    }
  }
  return ok;
}
