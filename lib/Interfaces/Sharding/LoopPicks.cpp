// Comparisons of loop indices in bodies.
#include "lib/Interfaces/Sharding/LoopPicks.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/SmallBitVector.h"

using namespace mlir;
using namespace planwright;

namespace {
/// What a scalar of a body is computed from.
struct Sources {
  explicit Sources(linalg::LinalgOp op) : loops(op.getNumLoops()), operands(op->getNumOperands()) {}

  llvm::SmallBitVector loops, operands;
};
} // namespace

static Sources getSources(linalg::LinalgOp op, Value scalar) {
  Sources sources(op);
  SmallVector<Value> pending = {scalar};
  llvm::SmallDenseSet<Value> seen;
  while (!pending.empty()) {
    Value value = pending.pop_back_val();
    if (!seen.insert(value).second || value.getParentBlock() != op.getBlock())
      continue;
    if (auto argument = dyn_cast<BlockArgument>(value))
      sources.operands.set(argument.getArgNumber());
    else if (auto index = value.getDefiningOp<linalg::IndexOp>())
      sources.loops.set(index.getDim());
    else
      llvm::append_range(pending, value.getDefiningOp()->getOperands());
  }
  return sources;
}

/// The index of `loop` alone; on blocks also with the block's offset, a scalar.
static bool isIndexOf(const Sources &sources, linalg::LinalgOp op, unsigned loop) {
  auto isScalar = [&](unsigned operand) {
    return op.getMatchingIndexingMap(&op->getOpOperand(operand)).getNumResults() == 0;
  };
  return sources.loops.count() == 1 && sources.loops.test(loop) &&
         llvm::all_of(sources.operands.set_bits(), isScalar);
}

/// Computed from operands, none of which the loop runs over.
static bool isFixedIn(const Sources &sources, linalg::LinalgOp op, unsigned loop) {
  auto isFixed = [&](unsigned operand) {
    return !op.getMatchingIndexingMap(&op->getOpOperand(operand)).isFunctionOfDim(loop);
  };
  return sources.loops.none() && sources.operands.any() &&
         llvm::all_of(sources.operands.set_bits(), isFixed);
}

std::optional<unsigned> planwright::findPicker(linalg::LinalgOp op, unsigned loop) {
  if (!op.hasIndexSemantics())
    return std::nullopt;
  for (auto compare : op.getBlock()->getOps<arith::CmpIOp>()) {
    if (compare.getPredicate() != arith::CmpIPredicate::eq)
      continue;
    Sources left = getSources(op, compare.getLhs()), right = getSources(op, compare.getRhs());
    if (isIndexOf(right, op, loop))
      std::swap(left, right);
    if (isIndexOf(left, op, loop) && isFixedIn(right, op, loop))
      return right.operands.find_first();
  }
  return std::nullopt;
}
