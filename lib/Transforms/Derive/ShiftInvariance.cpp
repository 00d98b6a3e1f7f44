// Follows a maximum through linalg operations. If all that is computed from it ends in "does not
// change", its gradient is zero. Not here: scalars (Shift.cpp).
#include "lib/Transforms/Derive/ShiftInvariance.h"

#include "lib/Interfaces/Derivative/Combiner.h"
#include "lib/Transforms/Derive/Shift.h"

#include <set>

using namespace mlir;

namespace planwright {

using Kind = Shift::Kind;

namespace {

/// Shift of a tensor, and which element of the maximum each of its elements moves with.
struct TensorShift {
  Shift shift;
  AffineMap map;
};

/// Follows one maximum through the function.
class ShiftAnalysis {
public:
  explicit ShiftAnalysis(Value extremum) {
    int64_t rank = cast<RankedTensorType>(extremum.getType()).getRank();
    setShift(extremum, {Shift::make(Kind::additive, 1),
                        AffineMap::getMultiDimIdentityMap(rank, extremum.getContext())});
  }

  /// Whether nothing that is computed from the maximum changes.
  bool isInvariant();

private:
  /// More operations than this lie between no maximum and its softmax.
  static constexpr unsigned kMostOperations = 64;

  struct IsBefore {
    bool operator()(Operation *a, Operation *b) const { return a != b && a->isBeforeInBlock(b); }
  };

  void setShift(Value value, TensorShift shift);
  bool visit(Operation &op);
  bool visitGeneric(linalg::GenericOp op, AffineMap map);
  bool visitContract(linalg::ContractOp op, AffineMap map);
  std::optional<AffineMap> getLoopMap(linalg::LinalgOp op);
  bool setResult(linalg::LinalgOp op, unsigned index, MaybeShift shift, AffineMap loopMap);
  Shift getShift(Value value) const {
    auto entry = shifts.find(value);
    return entry == shifts.end() ? Shift() : entry->second.shift;
  }

  llvm::DenseMap<Value, TensorShift> shifts;
  std::set<Operation *, IsBefore> worklist;
};

} // namespace

void ShiftAnalysis::setShift(Value value, TensorShift shift) {
  shifts[value] = shift;
  worklist.insert(value.user_begin(), value.user_end());
}

bool ShiftAnalysis::isInvariant() {
  for (unsigned count = 0; !worklist.empty(); ++count) {
    Operation *op = *worklist.begin();
    worklist.erase(worklist.begin());
    if (count == kMostOperations || !visit(*op))
      return false;
  }
  return true;
}

bool ShiftAnalysis::visit(Operation &op) {
  auto structured = dyn_cast<linalg::LinalgOp>(op);
  std::optional<AffineMap> map = structured ? getLoopMap(structured) : std::nullopt;
  if (!map)
    return false;
  if (auto generic = dyn_cast<linalg::GenericOp>(op))
    return visitGeneric(generic, *map);
  if (auto contract = dyn_cast<linalg::ContractOp>(op))
    return visitContract(contract, *map);
  return false;
}

/// Which element of the maximum the operands move with, as a map of the loops; absent if they
/// differ.
std::optional<AffineMap> ShiftAnalysis::getLoopMap(linalg::LinalgOp op) {
  std::optional<AffineMap> common;
  for (OpOperand *operand : op.getDpsInputOperands()) {
    auto shift = shifts.find(operand->get());
    if (shift == shifts.end())
      continue;
    AffineMap map = shift->second.map.compose(op.getMatchingIndexingMap(operand));
    if (common && *common != map)
      return std::nullopt;
    common = map;
  }
  return common;
}

/// Notes the shift of result `index`, if its elements still move with one element of the maximum
/// each.
bool ShiftAnalysis::setResult(linalg::LinalgOp op, unsigned index, MaybeShift shift,
                              AffineMap loopMap) {
  if (!shift)
    return false;
  if (shift->isNone())
    return true;
  AffineMap resultMap = op.getMatchingIndexingMap(op.getDpsInitOperand(index));
  SmallVector<AffineExpr> exprs;
  for (AffineExpr loop : loopMap.getResults()) {
    std::optional<unsigned> position = resultMap.getResultPosition(loop);
    if (!position)
      return false;
    exprs.push_back(getAffineDimExpr(*position, op.getContext()));
  }
  setShift(op->getResult(index),
           {*shift, AffineMap::get(resultMap.getNumResults(), 0, exprs, op.getContext())});
  return true;
}

bool ShiftAnalysis::visitGeneric(linalg::GenericOp op, AffineMap map) {
  llvm::DenseMap<Value, Shift> scalars;
  for (OpOperand *operand : op.getDpsInputOperands())
    scalars[op.getMatchingBlockArgument(operand)] = getShift(operand->get());
  bool isReduction = op.getNumReductionLoops() > 0;
  SmallVector<Combiner> combiners;
  llvm::SmallDenseSet<Operation *> last;
  for (unsigned index = 0; isReduction && index < op.getNumResults(); ++index) {
    combiners.push_back(matchCombiner(op, index));
    if (combiners.back().kind != Combiner::Kind::sum &&
        combiners.back().kind != Combiner::Kind::extremum)
      return false;
    last.insert(op.getBody()->getTerminator()->getOperand(index).getDefiningOp());
  }
  for (Operation &inner : op.getBody()->without_terminator()) {
    if (last.contains(&inner))
      continue;
    auto operands = llvm::map_to_vector(inner.getOperands(), [&](Value operand) {
      if (Operation *constant = operand.getDefiningOp(); constant && !scalars.contains(operand))
        return getConstantShift(*constant);
      return scalars.lookup(operand);
    });
    MaybeShift shift = transferShift(inner, operands);
    if (!shift)
      return false;
    for (Value result : inner.getResults())
      scalars[result] = *shift;
  }
  for (unsigned index = 0; index < op.getNumResults(); ++index) {
    Value scalar =
        isReduction ? combiners[index].scalar : op.getBody()->getTerminator()->getOperand(index);
    MaybeShift shift = scalars.lookup(scalar);
    bool isSumOfShifted = isReduction && combiners[index].kind == Combiner::Kind::sum &&
                          shift->kind == Kind::additive;
    if (isSumOfShifted || !setResult(op, index, shift, map))
      return false;
  }
  return true;
}

bool ShiftAnalysis::visitContract(linalg::ContractOp op, AffineMap map) {
  Shift lhs = getShift(op.getInputs()[0]), rhs = getShift(op.getInputs()[1]);
  if (lhs.kind == Kind::additive || rhs.kind == Kind::additive)
    return false;
  return setResult(op, 0, multiplyShifts(lhs, rhs, 1), map);
}

llvm::DenseSet<Value> findShiftInvariantExtrema(func::FuncOp function) {
  llvm::DenseSet<Value> found;
  for (auto op : function.getOps<linalg::GenericOp>()) {
    bool isExtremum = op.getNumResults() == 1 && op.getNumReductionLoops() > 0 &&
                      matchCombiner(op, 0).kind == Combiner::Kind::extremum;
    if (isExtremum && ShiftAnalysis(op.getResult(0)).isInvariant())
      found.insert(op.getResult(0));
  }
  return found;
}

} // namespace planwright
