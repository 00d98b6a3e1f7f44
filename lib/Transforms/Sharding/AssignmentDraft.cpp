// How one op takes one axis.
#include "lib/Transforms/Sharding/AssignmentDraft.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"

#include <map>

using namespace mlir;
using namespace planwright;

AssignmentDraft::AssignmentDraft(ShardingRuleOpInterface op, const ShardingRule &rule,
                                 plan::MeshAttr mesh, ArrayRef<plan::LayoutAttr> operands,
                                 plan::AssignmentAttr start)
    : op(op), rule(rule), mesh(mesh), operands(operands), factors(rule.factors.size()),
      partial(operands.size()), early(operands.size()) {
  if (!start)
    return;
  for (auto [axes, from] : llvm::zip_equal(factors, start.getFactors()))
    axes.assign(from.getNames().begin(), from.getNames().end());
  for (auto [axes, from] : llvm::zip(partial, start.getPartial()))
    axes.assign(from.getNames().begin(), from.getNames().end());
}

plan::AssignmentAttr AssignmentDraft::get() const {
  MLIRContext *context = mesh.getContext();
  auto toAttr = [&](const Axes &axes) { return plan::AxesAttr::get(context, axes); };
  bool anyPartial = llvm::any_of(partial, [](const Axes &axes) { return !axes.empty(); });
  return plan::AssignmentAttr::get(context, llvm::map_to_vector(factors, toAttr),
                                   anyPartial ? llvm::map_to_vector(partial, toAttr)
                                              : SmallVector<plan::AxesAttr>());
}

bool AssignmentDraft::takesPartial(unsigned operand, StringAttr axis) const {
  return llvm::is_contained(partial[operand], axis);
}

//===----------------------------------------------------------------------===//
// On a factor
//===----------------------------------------------------------------------===//

/// The factor on which `operand` carries `axis`, and all axes that it carries there.
std::optional<AssignmentDraft::Place> AssignmentDraft::findPlace(unsigned operand,
                                                                 StringAttr axis) {
  for (auto [axes, dim] : llvm::zip(operands[operand].getDims(), rule.operands[operand])) {
    if (!axes.contains(axis))
      continue;
    auto perFactor = rule.split(axes.getNames(), dim, mesh);
    if (!perFactor) {
      if (dim.size() > 1) // a reshape
        uneven.push_back({operand, axis, rule.factors[dim.front()].size});
      return std::nullopt;
    }
    for (auto [factor, factorAxes] : llvm::zip_equal(dim, *perFactor))
      if (llvm::is_contained(factorAxes, axis))
        return Place{factor, factorAxes};
  }
  return std::nullopt;
}

/// Do the axes on factors give contiguous blocks in every dimension of every operand and result?
bool AssignmentDraft::isJoinable(ArrayRef<Axes> factorAxes) const {
  auto joins = [&](const ValueFactors &value) {
    return llvm::all_of(
        value, [&](const DimFactors &dim) { return rule.join(dim, factorAxes, mesh).has_value(); });
  };
  return llvm::all_of(rule.operands, joins) && llvm::all_of(rule.results, joins);
}

bool AssignmentDraft::canTake(unsigned factor, StringAttr axis) const {
  if (rule.factors[factor].kind == FactorKind::Whole)
    return false;
  int64_t blocks = mesh.getSize(axis);
  for (StringAttr other : factors[factor])
    blocks *= mesh.getSize(other);
  if (rule.factors[factor].size % blocks != 0)
    return false;
  SmallVector<Axes> with(factors);
  with[factor].push_back(axis);
  return isJoinable(with);
}

/// Adds `axis` to `axes`, before those that come after it in `order`.
static void insertInOrder(Axes &axes, StringAttr axis, ArrayRef<StringAttr> order) {
  ArrayRef<StringAttr> inner = order.drop_front(llvm::find(order, axis) - order.begin());
  auto comesAfter = [&](StringAttr other) { return llvm::is_contained(inner, other); };
  axes.insert(llvm::find_if(axes, comesAfter), axis);
}

bool AssignmentDraft::assignToFactor(StringAttr axis) {
  struct Vote {
    int64_t bytes = 0, most = 0;
    Axes order = {}; // of the operand with most bytes
  };
  std::map<unsigned, Vote> votes; // by factor, in order
  for (unsigned operand = 0; operand < operands.size(); ++operand) {
    std::optional<Place> place = findPlace(operand, axis);
    if (!place || !canTake(place->factor, axis))
      continue;
    auto type = cast<ShapedType>(op->getOperand(operand).getType());
    int64_t bytes = type.getNumElements() * type.getElementTypeBitWidth();
    Vote &vote = votes[place->factor];
    vote.bytes += bytes;
    if (bytes > std::exchange(vote.most, std::max(vote.most, bytes)))
      vote.order = place->axes;
  }
  if (votes.empty())
    return false;
  auto &[factor, vote] = *std::max_element(
      votes.begin(), votes.end(), [](auto &a, auto &b) { return a.second.bytes < b.second.bytes; });
  insertInOrder(factors[factor], axis, vote.order);
  return true;
}

bool AssignmentDraft::adoptResult(ArrayRef<plan::AxesAttr> dims) {
  auto isUsed = [&](StringAttr axis) {
    auto contains = [&](const Axes &axes) { return llvm::is_contained(axes, axis); };
    return llvm::any_of(factors, contains) || llvm::any_of(partial, contains);
  };
  SmallVector<Axes> with(factors);
  for (auto [axes, dim] : llvm::zip_equal(dims, rule.results[0])) {
    std::optional<Axes> current = rule.join(dim, factors, mesh);
    if (!current)
      return false;
    if (ArrayRef<StringAttr>(*current) == axes.getNames())
      continue;
    auto perFactor = rule.split(axes.getNames(), dim, mesh);
    if (!current->empty() || !perFactor || llvm::any_of(axes.getNames(), isUsed))
      return false;
    for (auto [factor, factorAxes] : llvm::zip_equal(dim, *perFactor)) {
      if (!factorAxes.empty() && rule.factors[factor].kind != FactorKind::Parallel)
        return false;
      with[factor] = factorAxes;
    }
  }
  if (with == factors || !isJoinable(with))
    return false;
  factors = with;
  return true;
}

//===----------------------------------------------------------------------===//
// Partial
//===----------------------------------------------------------------------===//

bool AssignmentDraft::isLinearIn(const llvm::BitVector &set) const {
  SmallVector<Linearity> results = op.getLinearity(set);
  return llvm::none_of(results, [](Linearity l) { return l == Linearity::Nonlinear; }) &&
         llvm::is_contained(results, Linearity::Linear);
}

/// A whole operand can be taken as a sum of equal shares if it can be scaled and does not lie on
/// the axis. (An empty one has no value that could be shared out.)
bool AssignmentDraft::mayBecomePartial(unsigned operand, StringAttr axis) const {
  Value value = op->getOperand(operand);
  auto type = dyn_cast<RankedTensorType>(value.getType());
  bool carries = llvm::any_of(operands[operand].getDims(),
                              [&](plan::AxesAttr axes) { return axes.contains(axis); });
  return type && isa<FloatType>(type.getElementType()) && !carries &&
         !operands[operand].getCombiner(axis) && !isKnownZero(value) &&
         !value.getDefiningOp<tensor::EmptyOp>();
}

/// The given operands, else with one more, else with all that may be.
std::optional<llvm::BitVector> AssignmentDraft::extendToLinear(const llvm::BitVector &set,
                                                               StringAttr axis) const {
  if (isLinearIn(set))
    return set;
  llvm::BitVector all(set);
  for (unsigned operand = 0; operand < operands.size(); ++operand) {
    if (set.test(operand) || !mayBecomePartial(operand, axis))
      continue;
    llvm::BitVector one(set);
    one.set(operand);
    all.set(operand);
    if (isLinearIn(one))
      return one;
  }
  return isLinearIn(all) ? std::optional(all) : std::nullopt;
}

/// Nonempty subsets, those first that complete as few late operands as possible, then as few
/// operands as possible.
SmallVector<llvm::BitVector> AssignmentDraft::getSubsets(const llvm::BitVector &set) const {
  constexpr unsigned kMaxMembers = 8; // beyond that, all or nothing
  if (set.count() > kMaxMembers)
    return {set};
  SmallVector<unsigned> members(set.set_bits());
  unsigned lateMembers = 0;
  for (auto [position, member] : llvm::enumerate(members))
    lateMembers |= early.test(member) ? 0u : 1u << position;
  auto masks = llvm::to_vector(llvm::seq<unsigned>(1, 1u << members.size()));
  auto rank = [&](unsigned mask) {
    return std::tuple(-llvm::popcount(mask & lateMembers), -llvm::popcount(mask), mask);
  };
  llvm::sort(masks, [&](unsigned a, unsigned b) { return rank(a) < rank(b); });
  SmallVector<llvm::BitVector> subsets;
  for (unsigned mask : masks) {
    llvm::BitVector &subset = subsets.emplace_back(set.size());
    for (auto [position, member] : llvm::enumerate(members))
      if (mask & (1u << position))
        subset.set(member);
  }
  return subsets;
}

bool AssignmentDraft::passPartial(StringAttr axis) {
  llvm::BitVector set(operands.size());
  for (unsigned operand = 0; operand < operands.size(); ++operand)
    if (operands[operand].getCombiner(axis) == plan::Combiner::sum)
      set.set(operand);
  for (const llvm::BitVector &subset : getSubsets(set)) {
    std::optional<llvm::BitVector> linear = extendToLinear(subset, axis);
    if (!linear)
      continue;
    for (unsigned operand : linear->set_bits())
      partial[operand].push_back(axis);
    return true;
  }
  return false;
}
