// Classifies a function's values, labels its operations and counts live bytes: one walk each.
#include "lib/Transforms/OutlineLayers/LayerSequence.h"

#include "dialects/Model/IR/Model.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace planwright {

SmallVector<Value> getExternalOperands(Operation *op) {
  SmallVector<Value> values(op->getOperands());
  for (Region &region : op->getRegions())
    region.walk([&](Operation *inner) {
      for (Value operand : inner->getOperands())
        if (!op->isAncestor(operand.getParentBlock()->getParentOp()))
          values.push_back(operand);
    });
  return values;
}

LayerSequence::LayerSequence(func::FuncOp function) {
  classify(function);
  assignLabels();
  countLiveBytes(function.getBody().front().getTerminator());
}

Origin LayerSequence::getOrigin(Value value) const {
  auto entry = origins.find(value);
  return entry == origins.end() ? Origin::outside : entry->second;
}

/// Whether `op` only picks or regroups elements of a parameter.
static bool isViewOfParameter(Operation &op, const llvm::DenseSet<Value> &views) {
  // Slices and reshapes are what the tensor dialect does to one operand without a body of its own.
  return isa_and_present<tensor::TensorDialect>(op.getDialect()) && op.getNumOperands() == 1 &&
         op.getNumRegions() == 0 && views.contains(op.getOperand(0));
}

void LayerSequence::classify(func::FuncOp function) {
  // Parameters and their views: from outside, but what is computed from them is not.
  llvm::DenseSet<Value> views;
  for (BlockArgument argument : function.getArguments()) {
    model::ArgumentAttr mark = model::getArgument(function, argument.getArgNumber());
    if (mark && mark.getRole() == model::Role::parameter)
      views.insert(argument);
    origins[argument] = Origin::outside;
  }
  for (Operation &op : function.getBody().front().without_terminator()) {
    Origin origin = Origin::closed;
    for (Value operand : getExternalOperands(&op)) {
      bool isComputed = views.contains(operand) || getOrigin(operand) == Origin::computed;
      origin = std::max(origin, isComputed ? Origin::computed : getOrigin(operand));
    }
    if (isViewOfParameter(op, views)) {
      origin = Origin::outside;
      views.insert(op.getResult(0));
    }
    for (Value result : op.getResults())
      origins[result] = origin;
    if (origin != Origin::computed)
      continue;
    positions[&op] = operations.size();
    operations.push_back(&op);
    isContraction.push_back(isa<linalg::ContractionOpInterface>(op));
  }
}

namespace {

/// Compares two operations but for what they use from outside of them, and but for where constants
/// stand in their bodies.
class BodyComparison {
public:
  BodyComparison(Operation *a, Operation *b) : a(a), b(b) {}

  bool isEqual() {
    return a->getName() == b->getName() && a->getAttrDictionary() == b->getAttrDictionary() &&
           a->getResultTypes() == b->getResultTypes() &&
           llvm::equal(a->getOperandTypes(), b->getOperandTypes()) &&
           a->getNumRegions() == b->getNumRegions() &&
           llvm::all_of(llvm::zip(a->getRegions(), b->getRegions()), [&](auto regions) {
             return isEqualRegion(std::get<0>(regions), std::get<1>(regions));
           });
  }

private:
  bool isEqualRegion(Region &x, Region &y);
  LogicalResult check(Value x, Value y);

  Operation *a, *b;
  llvm::DenseMap<Value, Value> equal;
};

} // namespace

LogicalResult BodyComparison::check(Value x, Value y) {
  Attribute constant, other;
  if (matchPattern(x, m_Constant(&constant)))
    return success(matchPattern(y, m_Constant(&other)) && constant == other);
  bool isInner = a->isAncestor(x.getParentBlock()->getParentOp());
  return success(isInner ? equal.lookup(x) == y : x.getType() == y.getType());
}

bool BodyComparison::isEqualRegion(Region &x, Region &y) {
  if (x.empty() || y.empty())
    return x.empty() == y.empty();
  if (!llvm::hasSingleElement(x) || !llvm::hasSingleElement(y) ||
      x.getArgumentTypes() != y.getArgumentTypes())
    return false;
  for (auto [argument, other] : llvm::zip_equal(x.getArguments(), y.getArguments()))
    equal[argument] = other;
  auto isComputation = [](Operation &op) { return !op.hasTrait<OpTrait::ConstantLike>(); };
  auto left = llvm::make_filter_range(x.front(), isComputation);
  auto right = llvm::make_filter_range(y.front(), isComputation);
  auto i = left.begin(), j = right.begin();
  for (; i != left.end() && j != right.end(); ++i, ++j)
    if (!OperationEquivalence::isEquivalentTo(
            &*i, &*j, [&](Value p, Value q) { return check(p, q); },
            [&](Value p, Value q) { equal[p] = q; }, OperationEquivalence::IgnoreLocations))
      return false;
  return i == left.end() && j == right.end();
}

void LayerSequence::assignLabels() {
  llvm::DenseMap<uint64_t, SmallVector<std::pair<Operation *, unsigned>>> known;
  unsigned next = 0;
  for (Operation *op : operations) {
    uint64_t hash = OperationEquivalence::computeHash(op, OperationEquivalence::ignoreHashValue,
                                                      OperationEquivalence::ignoreHashValue,
                                                      OperationEquivalence::IgnoreLocations) >>
                    1;
    auto &candidates = known[hash];
    auto *same = llvm::find_if(candidates, [&](const auto &candidate) {
      return BodyComparison(candidate.first, op).isEqual();
    });
    if (same == candidates.end()) {
      candidates.emplace_back(op, next++);
      same = &candidates.back();
    }
    labels.push_back(same->second);
  }
}

static int64_t getBytes(Type type) {
  auto shaped = dyn_cast<ShapedType>(type);
  if (!shaped || !shaped.hasStaticShape() || !shaped.getElementType().isIntOrFloat())
    return 8;
  return shaped.getNumElements() * llvm::divideCeil(shaped.getElementTypeBitWidth(), 8);
}

void LayerSequence::countLiveBytes(Operation *terminator) {
  llvm::DenseMap<Value, unsigned> lastUses;
  for (auto [position, op] : llvm::enumerate(operations))
    for (Value operand : getExternalOperands(op))
      if (getOrigin(operand) == Origin::computed)
        lastUses[operand] = position;
  for (Value result : terminator->getOperands())
    lastUses[result] = operations.size();
  // A value lives across the cuts from the one after its definition to the one before its last use.
  SmallVector<int64_t> change(operations.size() + 2, 0);
  for (auto [value, last] : lastUses) {
    auto position = positions.find(value.getDefiningOp());
    if (position == positions.end())
      continue;
    change[position->second + 1] += getBytes(value.getType());
    change[last + 1] -= getBytes(value.getType());
  }
  int64_t live = 0;
  for (size_t cut = 0; cut <= operations.size(); ++cut)
    liveBytes.push_back(live += change[cut]);
}

} // namespace planwright
