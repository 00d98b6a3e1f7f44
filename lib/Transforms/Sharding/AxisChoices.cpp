// Enumerating what one op can do with one axis.
#include "lib/Transforms/Sharding/AxisChoices.h"

#include "lib/Transforms/Sharding/Propagation.h"
#include "lib/Transforms/Sharding/TaskFunctions.h"

#include "dialects/Comm/IR/Comm.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"

#include <numeric>

using namespace mlir;
using namespace planwright;

AxisChooser::AxisChooser(const DimClasses &classes, plan::MeshAttr mesh, const AxisOptions &options,
                         ArrayRef<StringAttr> chosen)
    : classes(classes), options(options), chosen(chosen), mesh(mesh),
      axisMesh(plan::MeshAttr::get(mesh.getContext(), {options.axis}, {options.costs.ranks})),
      batchBlocks(mesh.getSize(plan::kMicroBatchAxis)) {
  for (StringAttr axis : getDataAxes(mesh))
    batchBlocks *= mesh.getSize(axis);
}

/// The assignment of axes that were chosen before, or null.
plan::AssignmentAttr AxisChooser::getKnown(Operation *op) const {
  return keepAxes(op->getAttrOfType<plan::AssignmentAttr>(plan::kAssignmentAttrName),
                  [&](StringAttr axis) { return llvm::is_contained(chosen, axis); });
}

static int64_t countBlocks(ArrayRef<plan::AxesAttr> lists, plan::MeshAttr mesh) {
  int64_t blocks = 1;
  for (plan::AxesAttr axes : lists)
    for (StringAttr axis : axes.getNames())
      blocks *= mesh.getSize(axis);
  return blocks;
}

//===----------------------------------------------------------------------===//
// What values are
//===----------------------------------------------------------------------===//

void AxisChooser::setBlocks(Value value, plan::LayoutAttr layout) {
  if (layout)
    knownBlocks[value] = countBlocks(layout.getDims(), mesh);
}

void AxisChooser::addArgument(Value argument, bool isParameter, plan::LayoutAttr layout) {
  setBlocks(argument, layout);
  if (isParameter)
    parameters.insert(argument);
}

/// Computed from parameters alone: a reshaped, sliced or converted one.
static bool isFrom(Operation *op, const llvm::DenseSet<Value> &parameters,
                   const llvm::DenseSet<Value> &generated) {
  auto isParameter = [&](Value operand) { return parameters.contains(operand); };
  return llvm::any_of(op->getOperands(), isParameter) &&
         llvm::all_of(op->getOperands(), [&](Value operand) {
           return isParameter(operand) || generated.contains(operand);
         });
}

void AxisChooser::addOp(Operation *op) {
  if (plan::AssignmentAttr known = getKnown(op)) {
    auto shardable = cast<ShardingRuleOpInterface>(op);
    ShardingRule rule = shardable.getShardingRule();
    SmallVector<Linearity> linearity = getLinearity(shardable, known);
    for (auto [index, result] : llvm::enumerate(op->getResults()))
      setBlocks(result, rule.getResultLayout(index, known, linearity[index], mesh));
  }
  auto isKnown = [&](Value operand) { return generated.contains(operand); };
  if (op->getNumResults() != 1)
    return;
  if (isa<ShardingRuleOpInterface>(op) && llvm::all_of(op->getOperands(), isKnown))
    generated.insert(op->getResult(0));
  else if (isFrom(op, parameters, generated))
    parameters.insert(op->getResult(0));
}

int64_t AxisChooser::getBytes(Value value) const {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  if (!type)
    return 0;
  auto known = knownBlocks.find(value);
  int64_t bytes = comm::getNumBytes(Type(type)) / (known == knownBlocks.end() ? 1 : known->second);
  return classes.hasBatch(value) ? bytes / batchBlocks : bytes;
}

//===----------------------------------------------------------------------===//
// Where the axis may lie
//===----------------------------------------------------------------------===//

bool AxisChooser::mayTake(DimTag tag, int64_t size) const {
  bool isAllowed = (tag == DimTag::Weight && options.dividesWeights) ||
                   (tag == DimTag::Position && options.dividesPositions);
  return isAllowed && size % options.costs.ranks == 0;
}

bool AxisChooser::mayDivide(Value value, int64_t dim) const {
  return mayTake(classes.getTag(value, dim), cast<ShapedType>(value.getType()).getDimSize(dim));
}

static bool hasReduction(const ShardingRule &rule) {
  return llvm::any_of(rule.factors,
                      [](const Factor &factor) { return factor.kind == FactorKind::Reduced; });
}

/// Does the op sum products with a parameter of at least two dimensions? Fills in the loops over
/// it. (A gain that scales a sum over hidden units has one dimension.)
bool AxisChooser::multipliesByParameter(Operation *op, const ShardingRule &rule,
                                        llvm::SmallDenseSet<unsigned> &parameterFactors) const {
  unsigned data =
      llvm::count_if(op->getOperands(), [&](Value operand) { return !isGenerated(operand); });
  if (!hasReduction(rule) || data < 2)
    return false;
  for (auto [operand, factors] : llvm::zip(op->getOperands(), rule.operands)) {
    if (!parameters.contains(operand))
      continue;
    SmallVector<unsigned> leading;
    for (const DimFactors &dim : factors)
      if (auto factor = getLeadingFactor(rule, dim))
        leading.push_back(*factor);
    if (leading.size() >= 2)
      parameterFactors.insert(leading.begin(), leading.end());
  }
  return !parameterFactors.empty();
}

/// The loops that a sum of products of activations has in common with two of them and its result:
/// over heads, in attention.
llvm::SmallDenseSet<unsigned> AxisChooser::getSharedFactors(Operation *op,
                                                            const ShardingRule &rule) const {
  llvm::SmallDenseSet<unsigned> once, shared;
  if (!hasReduction(rule))
    return shared;
  for (auto [operand, factors] : llvm::zip(op->getOperands(), rule.operands)) {
    if (isGenerated(operand))
      continue;
    for (const DimFactors &dim : factors)
      if (auto factor = getLeadingFactor(rule, dim);
          factor && rule.factors[*factor].kind == FactorKind::Parallel)
        (once.insert(*factor).second ? once : shared).insert(*factor);
  }
  return shared;
}

SmallVector<unsigned> AxisChooser::getUnevenFactors(Operation *op, const ShardingRule &rule) const {
  if (!options.dividesWeights)
    return {};
  llvm::SmallDenseSet<unsigned> candidates;
  if (!multipliesByParameter(op, rule, candidates))
    candidates = getSharedFactors(op, rule);
  SmallVector<unsigned> uneven;
  for (unsigned factor = 0; factor < rule.factors.size(); ++factor) {
    if (!candidates.contains(factor) || classes.getTag(op, rule, factor) != DimTag::Weight)
      continue;
    int64_t size = rule.factors[factor].size;
    // What is smaller is computed by every rank.
    if (size < options.costs.ranks || mayTake(DimTag::Weight, size))
      return {};
    uneven.push_back(factor);
  }
  return uneven;
}

//===----------------------------------------------------------------------===//
// Choices
//===----------------------------------------------------------------------===//

/// Two for each product that is summed; else one for each iteration, or for each element of the
/// results: what moves elements about computes nothing, however many loops it has.
double AxisChooser::getFlops(Operation *op, const ShardingRule &rule) const {
  double flops = 0;
  if (isa<linalg::LinalgOp>(op)) {
    bool reduces = llvm::any_of(
        rule.factors, [](const Factor &factor) { return factor.kind == FactorKind::Reduced; });
    flops =
        std::accumulate(rule.factors.begin(), rule.factors.end(), reduces ? 2.0 : 1.0,
                        [](double product, const Factor &factor) { return product * factor.size; });
  } else {
    for (Value result : op->getResults())
      if (auto type = dyn_cast<RankedTensorType>(result.getType()))
        flops += type.getNumElements();
  }
  auto hasBatch = [&](Value value) { return classes.hasBatch(value); };
  bool isDivided =
      llvm::any_of(op->getOperands(), hasBatch) || llvm::any_of(op->getResults(), hasBatch);
  if (isDivided)
    flops /= batchBlocks;
  if (plan::AssignmentAttr known = getKnown(op))
    flops /= countBlocks(known.getFactors(), mesh);
  return flops;
}

/// Never in memory: computed element by element and read by operations that do the same, all of
/// which become one kernel.
static bool isInsideKernel(Value value) {
  auto isGeneric = [](Operation *user) { return isa<linalg::GenericOp>(user); };
  auto generic = value.getDefiningOp<linalg::GenericOp>();
  return generic && generic.getNumParallelLoops() == generic.getNumLoops() &&
         llvm::all_of(value.getUsers(), isGeneric);
}

double AxisChooser::getTraffic(Value value, bool isRead) const {
  if (isGenerated(value) || isInsideKernel(value))
    return 0;
  double bytes = getBytes(value);
  if (!isRead)
    return bytes;
  llvm::SmallDenseSet<Operation *> readers(value.getUsers().begin(), value.getUsers().end());
  return bytes / readers.size();
}

std::optional<AxisChoice> AxisChooser::makeChoice(ShardingRuleOpInterface op,
                                                  const ShardingRule &rule,
                                                  std::optional<unsigned> factor,
                                                  const llvm::BitVector &partial) const {
  MLIRContext *context = op.getContext();
  auto none = plan::AxesAttr::get(context, {});
  auto one = plan::AxesAttr::get(context, options.axis);
  SmallVector<plan::AxesAttr> factors(rule.factors.size(), none), passed;
  if (factor)
    factors[*factor] = one;
  if (partial.any()) {
    passed.assign(op->getNumOperands(), none);
    for (unsigned operand : partial.set_bits())
      passed[operand] = one;
  }
  AxisChoice choice;
  choice.assignment = plan::AssignmentAttr::get(context, factors, passed);
  if (!fits(op, rule, choice.assignment, axisMesh) ||
      !fits(op, rule, mergeAssignments(getKnown(op), choice.assignment), mesh))
    return std::nullopt;

  double bytes = 0;
  auto add = [&](Value value, plan::LayoutAttr layout, SmallVectorImpl<AxisState> &states,
                 bool isRead) {
    AxisState state = getAxisState(layout, options.axis);
    states.push_back(state);
    bytes += getTraffic(value, isRead) / (state.isDivided() ? options.costs.ranks : 1);
  };
  for (unsigned operand = 0; operand < op->getNumOperands(); ++operand)
    add(op->getOperand(operand), rule.getOperandLayout(operand, choice.assignment, axisMesh),
        choice.operands, /*isRead=*/true);
  SmallVector<Linearity> linearity = getLinearity(op, choice.assignment);
  for (unsigned result = 0; result < op->getNumResults(); ++result)
    add(op->getResult(result),
        rule.getResultLayout(result, choice.assignment, linearity[result], axisMesh),
        choice.results, /*isRead=*/false);
  double flops = getFlops(op, rule) / (factor ? options.costs.ranks : 1);
  choice.cost = options.costs.getKernel(flops, bytes);
  return choice;
}

void AxisChooser::addFactorChoices(ShardingRuleOpInterface op, const ShardingRule &rule,
                                   SmallVectorImpl<AxisChoice> &choices) const {
  llvm::BitVector none(op->getNumOperands());
  llvm::SmallDenseSet<unsigned> parameterFactors;
  bool mustDivide = multipliesByParameter(op, rule, parameterFactors);
  SmallVector<AxisChoice> others;
  if (auto whole = makeChoice(op, rule, std::nullopt, none))
    others.push_back(*whole);
  bool isSmall = false;
  for (unsigned factor = 0; factor < rule.factors.size(); ++factor) {
    int64_t size = rule.factors[factor].size;
    if (rule.factors[factor].kind == FactorKind::Whole || size == 1)
      continue;
    DimTag tag = classes.getTag(op, rule, factor);
    bool isWanted = mustDivide && (!options.dividesWeights || parameterFactors.contains(factor));
    if (mayTake(tag, size)) {
      if (auto choice = makeChoice(op, rule, factor, none))
        (isWanted ? choices : others).push_back(*choice);
    } else if (isWanted && tag == DimTag::Weight && options.dividesWeights) {
      isSmall |= size < options.costs.ranks;
    }
  }
  // Fewer key and value heads than ranks: every rank computes all of them.
  if (choices.empty() || isSmall)
    choices.append(others);
}

/// Every set of operands that the op is linear in, up to four candidates.
void AxisChooser::addPartialChoices(ShardingRuleOpInterface op, const ShardingRule &rule,
                                    SmallVectorImpl<AxisChoice> &choices) const {
  SmallVector<unsigned> candidates;
  for (auto [index, operand] : llvm::enumerate(op->getOperands())) {
    auto type = dyn_cast<RankedTensorType>(operand.getType());
    if (type && isa<FloatType>(type.getElementType()) && !isGenerated(operand) &&
        !parameters.contains(operand))
      candidates.push_back(index);
  }
  constexpr unsigned kMaxCandidates = 4;
  unsigned numSets = candidates.size() <= kMaxCandidates ? 1u << candidates.size() : 0;
  for (unsigned set = 1; set < numSets; ++set) {
    llvm::BitVector partial(op->getNumOperands());
    for (auto [position, candidate] : llvm::enumerate(candidates))
      if (set & (1u << position))
        partial.set(candidate);
    SmallVector<Linearity> results = op.getLinearity(partial);
    if (!llvm::is_contained(results, Linearity::Linear))
      continue;
    if (auto choice = makeChoice(op, rule, std::nullopt, partial))
      choices.push_back(*choice);
  }
}

SmallVector<AxisChoice> AxisChooser::getChoices(Operation *op) const {
  auto shardable = dyn_cast<ShardingRuleOpInterface>(op);
  if (!shardable) {
    AxisChoice whole;
    whole.operands.assign(op->getNumOperands(), AxisState::whole());
    whole.results.assign(op->getNumResults(), AxisState::whole());
    return {whole};
  }
  ShardingRule rule = shardable.getShardingRule();
  SmallVector<AxisChoice> choices;
  addFactorChoices(shardable, rule, choices);
  llvm::SmallDenseSet<unsigned> parameterFactors;
  if (!multipliesByParameter(op, rule, parameterFactors))
    addPartialChoices(shardable, rule, choices);
  return choices;
}
