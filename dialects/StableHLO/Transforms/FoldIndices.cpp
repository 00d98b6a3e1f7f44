// Pass stablehlo-fold-indices: what follows from shapes and constants is decided, what only moves
// bits is dropped. The facts themselves: IndexFacts.h.
#include "dialects/StableHLO/IR/StableHLO.h"
#include "dialects/StableHLO/Transforms/IndexFacts.h"
#include "dialects/StableHLO/Transforms/Passes.h"
#include "dialects/StableHLO/Transforms/ScalarEvaluator.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/StringMap.h"

using namespace mlir;

namespace planwright::stablehlo {
#define GEN_PASS_DEF_STABLEHLOFOLDINDICES
#include "dialects/StableHLO/Transforms/Passes.h.inc"

namespace {

/// A rule gives the value that an operation's result is, or null. It may build operations before
/// it.
using Fold = Value (*)(Operation *op, const IndexAnalysis &analysis, OpBuilder &builder);

//===----------------------------------------------------------------------===//
// Operations that do nothing
//===----------------------------------------------------------------------===//

Value foldSameType(Operation *op, const IndexAnalysis &, OpBuilder &) {
  Value operand = op->getOperand(0);
  return operand.getType() == op->getResult(0).getType() ? operand : Value();
}

/// A transpose or broadcast to the same type that keeps the order of dimensions.
Value foldIdentityMap(Operation *op, ArrayRef<int64_t> dimensions, const IndexAnalysis &analysis,
                      OpBuilder &builder) {
  return llvm::is_sorted(dimensions) ? foldSameType(op, analysis, builder) : Value();
}

Value foldTranspose(Operation *op, const IndexAnalysis &analysis, OpBuilder &builder) {
  return foldIdentityMap(op, cast<TransposeOp>(op).getPermutation(), analysis, builder);
}

/// A constant of one value in another shape is a constant.
Value foldSplatBroadcast(BroadcastInDimOp op, OpBuilder &builder) {
  DenseElementsAttr constant;
  if (!matchPattern(op.getOperand(), m_Constant(&constant)) || !constant.isSplat())
    return {};
  auto type = cast<RankedTensorType>(op.getResult().getType());
  return ConstantOp::create(builder, op.getLoc(), type, constant.resizeSplat(type));
}

Value foldBroadcast(Operation *op, const IndexAnalysis &analysis, OpBuilder &builder) {
  auto broadcast = cast<BroadcastInDimOp>(op);
  if (Value same = foldIdentityMap(op, broadcast.getBroadcastDimensions(), analysis, builder))
    return same;
  return foldSplatBroadcast(broadcast, builder);
}

/// maximum(x, -inf) is x, NaN included.
Value foldMaximum(Operation *op, const IndexAnalysis &, OpBuilder &) {
  for (unsigned i : {0u, 1u}) {
    DenseFPElementsAttr constant;
    if (!matchPattern(op->getOperand(i), m_Constant(&constant)) || !constant.isSplat())
      continue;
    APFloat value = constant.getSplatValue<APFloat>();
    if (value.isInfinity() && value.isNegative())
      return op->getOperand(1 - i);
  }
  return {};
}

//===----------------------------------------------------------------------===//
// Decisions
//===----------------------------------------------------------------------===//

Value foldSelect(Operation *op, const IndexAnalysis &analysis, OpBuilder &) {
  auto select = cast<SelectOp>(op);
  const IndexFacts *pred = analysis.get(select.getPred());
  if (!pred || !pred->isConstant())
    return select.getOnTrue() == select.getOnFalse() ? select.getOnTrue() : Value();
  return pred->isTrue() ? select.getOnTrue() : select.getOnFalse();
}

/// A boolean operation with one side that is known and neutral is its other side.
Value foldNeutral(Operation *op, const IndexAnalysis &analysis, bool neutral) {
  for (unsigned i : {0u, 1u}) {
    const IndexFacts *facts = analysis.get(op->getOperand(i));
    if (facts && (neutral ? facts->isTrue() : facts->isFalse()) &&
        getElementTypeOrSelf(op->getResult(0)).isInteger(1))
      return op->getOperand(1 - i);
  }
  return {};
}

Value foldAnd(Operation *op, const IndexAnalysis &analysis, OpBuilder &) {
  return foldNeutral(op, analysis, true);
}
Value foldOr(Operation *op, const IndexAnalysis &analysis, OpBuilder &) {
  return foldNeutral(op, analysis, false);
}

bool isZeroSplat(Value value) {
  DenseElementsAttr constant;
  if (!matchPattern(value, m_Constant(&constant)) || !constant.isSplat())
    return false;
  if (isa<FloatType>(constant.getElementType()))
    return constant.getSplatValue<APFloat>().isZero();
  return isa<IntegerType>(constant.getElementType()) && constant.getSplatValue<APInt>().isZero();
}

/// compare(convert(boolean), 0) is the boolean, or its complement.
Value foldCompare(Operation *op, const IndexAnalysis &, OpBuilder &builder) {
  auto compare = cast<CompareOp>(op);
  auto convert = compare.getLhs().getDefiningOp<ConvertOp>();
  if (!convert || !getElementTypeOrSelf(convert.getOperand()).isInteger(1) ||
      !isZeroSplat(compare.getRhs()))
    return {};
  switch (compare.getComparisonDirection()) {
  case ComparisonDirection::NE:
  case ComparisonDirection::GT:
    return convert.getOperand();
  case ComparisonDirection::EQ:
  case ComparisonDirection::LE:
    return NotOp::create(builder, op->getLoc(), convert.getOperand().getType(),
                         convert.getOperand());
  default:
    return {};
  }
}

const llvm::StringMap<Fold> &getFolds() {
  static const llvm::StringMap<Fold> table = {{"stablehlo.convert", foldSameType},
                                              {"stablehlo.reshape", foldSameType},
                                              {"stablehlo.slice", foldSameType},
                                              {"stablehlo.transpose", foldTranspose},
                                              {"stablehlo.broadcast_in_dim", foldBroadcast},
                                              {"stablehlo.maximum", foldMaximum},
                                              {"stablehlo.select", foldSelect},
                                              {"stablehlo.and", foldAnd},
                                              {"stablehlo.or", foldOr},
                                              {"stablehlo.compare", foldCompare}};
  return table;
}

//===----------------------------------------------------------------------===//
// The walk
//===----------------------------------------------------------------------===//

/// The constant that an integer result turned out to be, or null.
Value foldKnown(Operation *op, const IndexAnalysis &analysis, OpBuilder &builder) {
  const IndexFacts *facts = analysis.get(op->getResult(0));
  if (!facts || !facts->isConstant() || op->hasTrait<OpTrait::ConstantLike>())
    return {};
  unsigned width = getElementTypeOrSelf(op->getResult(0)).getIntOrFloatBitWidth();
  APInt value = APInt(64, facts->low, /*isSigned=*/true).sextOrTrunc(width);
  return createSplat(builder, op->getResult(0), value);
}

/// Folds chains as they grow: what a fold returns has been visited and folded before.
void foldBlock(Block &block) {
  IndexAnalysis analysis;
  for (Operation &op : llvm::make_early_inc_range(block)) {
    analysis.visit(&op);
    if (op.getNumResults() != 1)
      continue;
    OpBuilder builder(&op);
    Value folded = foldKnown(&op, analysis, builder);
    auto fold = getFolds().find(op.getName().getStringRef());
    if (!folded && fold != getFolds().end())
      folded = fold->second(&op, analysis, builder);
    if (!folded)
      continue;
    if (Operation *made = folded.getDefiningOp(); made && !analysis.get(folded))
      analysis.visit(made);
    op.getResult(0).replaceAllUsesWith(folded);
  }
}

/// Erases what has no use, from the end, so that one walk is enough.
void eraseUnused(Block &block) {
  for (Operation &op : llvm::make_early_inc_range(llvm::reverse(block)))
    if (isOpTriviallyDead(&op))
      op.erase();
}

struct FoldIndices : impl::StableHLOFoldIndicesBase<FoldIndices> {
  void runOnOperation() override {
    for (auto function : getOperation().getOps<func::FuncOp>()) {
      for (Block &block : function.getBody()) {
        foldBlock(block);
        eraseUnused(block);
      }
    }
  }
};

} // namespace
} // namespace planwright::stablehlo
