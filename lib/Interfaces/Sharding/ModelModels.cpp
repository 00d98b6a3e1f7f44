// Sharding rules of the model dialect's ops.
#include "lib/Interfaces/Sharding/Models.h"

#include "dialects/Model/IR/Model.h"

using namespace mlir;
using namespace planwright;

/// Independent, linear in the first operand if all others are fixed, else nonlinear.
static Linearity linearInFirst(const llvm::BitVector &partial) {
  if (partial.none())
    return Linearity::Independent;
  return partial.count() == 1 && partial.test(0) ? Linearity::Linear : Linearity::Nonlinear;
}

/// One factor per dimension of `indices`, then one per trailing dimension of `rows`.
static ValueFactors addRowFactors(ShardingRule &rule, ShapedType rows, ShapedType indices,
                                  FactorKind indexKind, plan::Combiner combiner) {
  ValueFactors dims;
  for (auto [dim, size] : llvm::enumerate(rows.getShape())) {
    bool isIndex = static_cast<int64_t>(dim) < indices.getRank();
    unsigned factor = rule.addFactor(size, isIndex ? indexKind : FactorKind::Parallel);
    rule.factors[factor].combiner = combiner;
    dims.push_back({factor});
  }
  return dims;
}

/// Table dimensions: the indexed one whole, the others those of the rows.
static ValueFactors addTableFactors(ShardingRule &rule, ShapedType table, const ValueFactors &rows,
                                    int64_t indexRank) {
  ValueFactors dims = {{rule.addFactor(table.getDimSize(0), FactorKind::Whole)}};
  dims.append(rows.begin() + indexRank, rows.end());
  return dims;
}

namespace {

struct LookupModel : ShardingRuleOpInterface::ExternalModel<LookupModel, model::LookupOp> {
  ShardingRule getShardingRule(Operation *op) const {
    auto lookup = cast<model::LookupOp>(op);
    auto indices = cast<ShapedType>(lookup.getIndices().getType());
    ShardingRule rule;
    ValueFactors rows = addRowFactors(rule, cast<ShapedType>(lookup.getResult().getType()), indices,
                                      FactorKind::Parallel, plan::Combiner::sum);
    ValueFactors table = addTableFactors(rule, cast<ShapedType>(lookup.getTable().getType()), rows,
                                         indices.getRank());
    rule.operands = {table, ValueFactors(ArrayRef(rows).take_front(indices.getRank()))};
    rule.results.push_back(rows);
    return rule;
  }
  SmallVector<Linearity> getLinearity(Operation *, const llvm::BitVector &partial) const {
    return {linearInFirst(partial)};
  }
};

/// Rows are added up over all indices: those are reduced factors.
struct LookupGradModel
    : ShardingRuleOpInterface::ExternalModel<LookupGradModel, model::LookupGradOp> {
  ShardingRule getShardingRule(Operation *op) const {
    auto lookup = cast<model::LookupGradOp>(op);
    auto indices = cast<ShapedType>(lookup.getIndices().getType());
    ShardingRule rule;
    ValueFactors rows = addRowFactors(rule, cast<ShapedType>(lookup.getGradient().getType()),
                                      indices, FactorKind::Reduced, plan::Combiner::sum);
    ValueFactors table = addTableFactors(rule, cast<ShapedType>(lookup.getResult().getType()), rows,
                                         indices.getRank());
    rule.operands = {rows, ValueFactors(ArrayRef(rows).take_front(indices.getRank()))};
    rule.results.push_back(table);
    return rule;
  }
  SmallVector<Linearity> getLinearity(Operation *, const llvm::BitVector &partial) const {
    return {linearInFirst(partial)};
  }
};

struct CumulativeSumModel
    : ShardingRuleOpInterface::ExternalModel<CumulativeSumModel, model::CumulativeSumOp> {
  ShardingRule getShardingRule(Operation *op) const {
    auto sum = cast<model::CumulativeSumOp>(op);
    ShardingRule rule;
    ValueFactors dims;
    for (int64_t size : cast<ShapedType>(sum.getInput().getType()).getShape())
      dims.push_back({rule.addFactor(size)});
    rule.factors[sum.getDim()].kind = FactorKind::Whole;
    rule.operands = {dims};
    rule.results = {dims};
    return rule;
  }
  SmallVector<Linearity> getLinearity(Operation *, const llvm::BitVector &partial) const {
    return {linearInFirst(partial)};
  }
};

struct TopKModel : ShardingRuleOpInterface::ExternalModel<TopKModel, model::TopKOp> {
  ShardingRule getShardingRule(Operation *op) const {
    auto topK = cast<model::TopKOp>(op);
    ShardingRule rule;
    ValueFactors input;
    for (int64_t size : cast<ShapedType>(topK.getInput().getType()).getShape())
      input.push_back({rule.addFactor(size)});
    rule.factors.back().kind = FactorKind::Whole;
    int64_t k = cast<ShapedType>(topK.getValues().getType()).getShape().back();
    ValueFactors result = input;
    result.back() = {rule.addFactor(k, FactorKind::Whole)};
    rule.operands = {input};
    rule.results = {result, result};
    return rule;
  }
  SmallVector<Linearity> getLinearity(Operation *, const llvm::BitVector &partial) const {
    return SmallVector<Linearity>(2,
                                  partial.none() ? Linearity::Independent : Linearity::Nonlinear);
  }
};

} // namespace

void planwright::registerModelShardingModels(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, model::ModelDialect *) {
    model::LookupOp::attachInterface<LookupModel>(*context);
    model::LookupGradOp::attachInterface<LookupGradModel>(*context);
    model::CumulativeSumOp::attachInterface<CumulativeSumModel>(*context);
    model::TopKOp::attachInterface<TopKModel>(*context);
  });
}
