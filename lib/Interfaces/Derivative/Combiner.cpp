// How a reduction's body folds its scalars into the accumulators.
// Not here: what follows from it for the gradient (GenericSeeds.cpp).
#include "lib/Interfaces/Derivative/Combiner.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace planwright {

/// The operand of the two-operand `op` that is not `accumulator`; null if neither or both are.
static Value getOther(Value x, Value y, Value accumulator) {
  if ((x == accumulator) == (y == accumulator))
    return {};
  return x == accumulator ? y : x;
}

/// Whether `scalar` is computed without looking at an accumulator.
static bool isFreeOfAccumulators(linalg::GenericOp op, Value scalar) {
  SmallVector<Value> worklist = {scalar};
  llvm::SmallDenseSet<Value> seen;
  while (!worklist.empty()) {
    Value value = worklist.pop_back_val();
    if (llvm::is_contained(op.getRegionOutputArgs(), value))
      return false;
    Operation *definition = value.getDefiningOp();
    if (!definition || definition->getBlock() != op.getBody())
      continue;
    for (Value operand : definition->getOperands())
      if (seen.insert(operand).second)
        worklist.push_back(operand);
  }
  return true;
}

Combiner matchCombiner(linalg::GenericOp op, unsigned index) {
  Value accumulator = op.getRegionOutputArgs()[index];
  Operation *last = op.getBody()->getTerminator()->getOperand(index).getDefiningOp();
  if (!last)
    return {};
  Combiner combiner;
  if (auto choice = dyn_cast<arith::SelectOp>(last)) {
    combiner = {Combiner::Kind::choice,
                getOther(choice.getTrueValue(), choice.getFalseValue(), accumulator)};
  } else if (last->getNumOperands() == 2) {
    combiner.scalar = getOther(last->getOperand(0), last->getOperand(1), accumulator);
    if (isa<arith::AddFOp>(last))
      combiner.kind = Combiner::Kind::sum;
    else if (isa<arith::MaximumFOp, arith::MaxNumFOp, arith::MinimumFOp, arith::MinNumFOp>(last))
      combiner.kind = Combiner::Kind::extremum;
  }
  if (!combiner.scalar || !isFreeOfAccumulators(op, combiner.scalar))
    return {};
  return combiner;
}

} // namespace planwright
