// Sharding rules of the model dialect's ops. A table may be divided along the dimension that is
// indexed: a rank then reads its own rows and zeros for the others, and the results add up.
#include "lib/Interfaces/Sharding/Models.h"

#include "dialects/Model/IR/Model.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

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

/// Table dimensions: the indexed one a factor of its own, the others those of the rows.
static ValueFactors addTableFactors(ShardingRule &rule, ShapedType table, const ValueFactors &rows,
                                    int64_t indexRank, FactorKind kind) {
  unsigned picked = rule.addFactor(table.getDimSize(0), kind);
  rule.factors[picked].picker = 1; // the indices
  ValueFactors dims = {{picked}};
  dims.append(rows.begin() + indexRank, rows.end());
  return dims;
}

/// Indices into a table of `numRows` as indices into the block of it that begins at `offset`: less
/// than 0 or too large for rows that others hold.
static Value moveIndices(OpBuilder &builder, Location loc, Value indices, Value offset,
                         int64_t numRows) {
  auto type = cast<RankedTensorType>(indices.getType());
  auto moved = RankedTensorType::get(type.getShape(), builder.getI64Type());
  Value empty = tensor::EmptyOp::create(builder, loc, moved.getShape(), moved.getElementType());
  AffineMap each = builder.getMultiDimIdentityMap(type.getRank());
  AffineMap scalar = AffineMap::get(type.getRank(), 0, builder.getContext());
  SmallVector<utils::IteratorType> loops(type.getRank(), utils::IteratorType::parallel);
  auto body = [&](OpBuilder &b, Location l, ValueRange arguments) {
    auto constant = [&](int64_t value) -> Value {
      return arith::ConstantOp::create(b, l, b.getI64IntegerAttr(value));
    };
    Value index = arguments[0];
    unsigned width = index.getType().getIntOrFloatBitWidth();
    if (width == 1)
      index = arith::ExtUIOp::create(b, l, b.getI64Type(), index);
    else if (width < 64)
      index = arith::ExtSIOp::create(b, l, b.getI64Type(), index);
    index = arith::MaxSIOp::create(b, l, index, constant(0));
    index = arith::MinSIOp::create(b, l, index, constant(numRows - 1));
    linalg::YieldOp::create(b, l, arith::SubIOp::create(b, l, index, arguments[1]).getResult());
  };
  return linalg::GenericOp::create(builder, loc, TypeRange(moved), ValueRange{indices, offset},
                                   empty, ArrayRef<AffineMap>{each, scalar, each}, loops, body)
      .getResult(0);
}

/// `op` on a block of the table; `rows` is the factor of the indexed dimension.
template <typename LookupOp>
static Operation *cloneOnRows(LookupOp op, OpBuilder &builder, ValueRange operands,
                              TypeRange results, unsigned rows, int64_t numRows,
                              llvm::function_ref<Value(unsigned)> getOffset) {
  Value offset = getOffset(rows);
  if (!offset)
    return cloneOnBlocks(builder, op, operands, results);
  Value indices = moveIndices(builder, op.getLoc(), operands[1], offset, numRows);
  return LookupOp::create(builder, op.getLoc(), results[0], operands[0], indices, /*masked=*/true);
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
                                         indices.getRank(), FactorKind::Reduced);
    rule.operands = {table, ValueFactors(ArrayRef(rows).take_front(indices.getRank()))};
    rule.results.push_back(rows);
    return rule;
  }
  SmallVector<Linearity> getLinearity(Operation *, const llvm::BitVector &partial) const {
    return {linearInFirst(partial)};
  }
  Operation *cloneLocal(Operation *op, OpBuilder &builder, ValueRange operands, TypeRange results,
                        llvm::function_ref<Value(unsigned)> getOffset) const {
    auto lookup = cast<model::LookupOp>(op);
    return cloneOnRows(lookup, builder, operands, results, getShardingRule(op).operands[0][0][0],
                       cast<ShapedType>(lookup.getTable().getType()).getDimSize(0), getOffset);
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
                                         indices.getRank(), FactorKind::Parallel);
    rule.operands = {rows, ValueFactors(ArrayRef(rows).take_front(indices.getRank()))};
    rule.results.push_back(table);
    return rule;
  }
  SmallVector<Linearity> getLinearity(Operation *, const llvm::BitVector &partial) const {
    return {linearInFirst(partial)};
  }
  Operation *cloneLocal(Operation *op, OpBuilder &builder, ValueRange operands, TypeRange results,
                        llvm::function_ref<Value(unsigned)> getOffset) const {
    auto lookup = cast<model::LookupGradOp>(op);
    return cloneOnRows(lookup, builder, operands, results, getShardingRule(op).results[0][0][0],
                       cast<ShapedType>(lookup.getResult().getType()).getDimSize(0), getOffset);
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
