// Sharding rules of linalg ops, read off their indexing maps and bodies: every loop is a factor.
// Not here: the algebra of bodies (ScalarLinearity.cpp).
#include "lib/Interfaces/Sharding/LoopPicks.h"
#include "lib/Interfaces/Sharding/Models.h"
#include "lib/Interfaces/Sharding/ScalarLinearity.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/StringMap.h"

using namespace mlir;
using namespace planwright;

//===----------------------------------------------------------------------===//
// Reductions
//===----------------------------------------------------------------------===//

/// Combiners by the name of the scalar op that ends a reduction's body. Unsigned maxima are not
/// among them: a combiner does not say how an integer is read.
static std::optional<plan::Combiner> lookUpCombiner(StringRef op) {
  static const llvm::StringMap<plan::Combiner> combiners = {
      {"arith.addf", plan::Combiner::sum},     {"arith.addi", plan::Combiner::sum},
      {"arith.maximumf", plan::Combiner::max}, {"arith.maxnumf", plan::Combiner::max},
      {"arith.maxsi", plan::Combiner::max},    {"arith.minimumf", plan::Combiner::min},
      {"arith.minnumf", plan::Combiner::min},  {"arith.minsi", plan::Combiner::min}};
  auto found = combiners.find(op);
  return found == combiners.end() ? std::nullopt : std::optional(found->second);
}

/// `combine(out, f(ins))` where `out` is used nowhere else.
static std::optional<plan::Combiner> getCombiner(linalg::LinalgOp op, unsigned result) {
  BlockArgument out = op.getMatchingBlockArgument(op.getDpsInitOperand(result));
  Operation *combine = op.getBlock()->getTerminator()->getOperand(result).getDefiningOp();
  if (!combine || !out.hasOneUse() || *out.user_begin() != combine || out.getType().isInteger(1))
    return std::nullopt;
  return lookUpCombiner(combine->getName().getStringRef());
}

/// Starting from `init` on every rank changes nothing. Maxima and minima may start from anything:
/// it is the same everywhere, and combining it twice does no harm.
static bool isNeutral(Value init, plan::Combiner combiner) {
  return combiner != plan::Combiner::sum || isKnownZero(init);
}

/// The combiner of all results, if they have one in common and start from what it leaves alone.
static std::optional<plan::Combiner> getCommonCombiner(linalg::LinalgOp op) {
  std::optional<plan::Combiner> common;
  for (unsigned result = 0; result < op.getNumDpsInits(); ++result) {
    std::optional<plan::Combiner> combiner = getCombiner(op, result);
    bool fits = combiner && (!common || *common == *combiner) &&
                isNeutral(op.getDpsInits()[result], *combiner);
    if (!fits)
      return std::nullopt;
    common = combiner;
  }
  return common;
}

//===----------------------------------------------------------------------===//
// The rule
//===----------------------------------------------------------------------===//

static ValueFactors getFactors(AffineMap map) {
  ValueFactors dims;
  for (AffineExpr expr : map.getResults()) {
    DimFactors &dim = dims.emplace_back();
    if (auto loop = dyn_cast<AffineDimExpr>(expr))
      dim.push_back(loop.getPosition());
  }
  return dims;
}

static ShardingRule getLinalgRule(linalg::LinalgOp op) {
  ShardingRule rule;
  std::optional<plan::Combiner> combiner = getCommonCombiner(op);
  for (auto [size, iterator] :
       llvm::zip_equal(op.getStaticLoopRanges(), op.getIteratorTypesArray())) {
    bool reduced = iterator == utils::IteratorType::reduction;
    unsigned loop = rule.addFactor(size);
    Factor &factor = rule.factors[loop];
    factor.picker = findPicker(op, loop);
    if (reduced)
      factor.kind = combiner ? FactorKind::Reduced : FactorKind::Whole;
    if (reduced && combiner)
      factor.combiner = *combiner;
  }
  // A loop in a composed expression (a convolution's window) must stay whole.
  for (AffineMap map : op.getIndexingMapsArray())
    for (AffineExpr expr : map.getResults())
      for (unsigned loop = 0; !isa<AffineDimExpr>(expr) && loop < rule.factors.size(); ++loop)
        if (expr.isFunctionOfDim(loop))
          rule.factors[loop].kind = FactorKind::Whole;
  for (OpOperand &operand : op->getOpOperands())
    rule.operands.push_back(getFactors(op.getMatchingIndexingMap(&operand)));
  for (OpResult result : op->getResults())
    rule.results.push_back(getFactors(op.getIndexingMapMatchingResult(result)));
  return rule;
}

/// Classes of the body's arguments: partial operands are linear, zeros are zero. The start of a sum
/// counts as zero.
static SmallVector<ScalarClass> classifyOperands(Operation *op, const llvm::BitVector &partial) {
  SmallVector<ScalarClass> classes;
  for (OpOperand &operand : op->getOpOperands()) {
    if (partial.test(operand.getOperandNumber()))
      classes.push_back(ScalarClass::Linear);
    else
      classes.push_back(isKnownZero(operand.get()) ? ScalarClass::Zero : ScalarClass::Independent);
  }
  return classes;
}

//===----------------------------------------------------------------------===//
// linalg.index on blocks
//===----------------------------------------------------------------------===//

namespace {
/// `linalg.index` inside `generic` counts from the start of the block; adding the offset counts
/// from the whole's.
struct IndexShift {
  linalg::IndexOp index;
  BlockArgument offset;
};
} // namespace

static void applyShift(OpBuilder &builder, IndexShift shift) {
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointAfter(shift.index);
  Location loc = shift.index.getLoc();
  Value offset = arith::IndexCastOp::create(builder, loc, builder.getIndexType(), shift.offset);
  auto sum = arith::AddIOp::create(builder, loc, shift.index.getResult(), offset);
  shift.index.getResult().replaceAllUsesExcept(sum, sum);
}

/// The generic with one more scalar input per divided loop whose index its body reads.
static Operation *cloneWithOffsets(OpBuilder &builder, linalg::GenericOp op, ValueRange operands,
                                   TypeRange results,
                                   llvm::function_ref<Value(unsigned)> getOffset) {
  llvm::MapVector<uint64_t, Value> offsets; // by loop
  op.getBody()->walk([&](linalg::IndexOp index) {
    if (offsets.contains(index.getDim()))
      return;
    if (Value offset = getOffset(index.getDim()))
      offsets[index.getDim()] = offset;
  });
  if (offsets.empty())
    return cloneOnBlocks(builder, op, operands, results);

  SmallVector<Value> inputs(operands.take_front(op.getNumDpsInputs()));
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  AffineMap scalar = AffineMap::get(op.getNumLoops(), 0, builder.getContext());
  maps.insert(maps.begin() + inputs.size(), offsets.size(), scalar);
  for (auto &[loop, offset] : offsets)
    inputs.push_back(offset);
  auto local = linalg::GenericOp::create(builder, op.getLoc(), results, inputs,
                                         operands.drop_front(op.getNumDpsInputs()), maps,
                                         op.getIteratorTypesArray());
  IRMapping mapping;
  op.getRegion().cloneInto(&local.getRegion(), mapping);
  Block *body = local.getBody();
  SmallVector<BlockArgument> offsetArguments;
  for (auto [position, entry] : llvm::enumerate(offsets))
    offsetArguments.push_back(
        body->insertArgument(op.getNumDpsInputs() + position, builder.getI64Type(), op.getLoc()));
  SmallVector<IndexShift> shifts;
  body->walk([&](linalg::IndexOp index) {
    auto found = offsets.find(index.getDim());
    if (found != offsets.end())
      shifts.push_back({index, offsetArguments[std::distance(offsets.begin(), found)]});
  });
  for (IndexShift shift : shifts)
    applyShift(builder, shift);
  return local;
}

//===----------------------------------------------------------------------===//
// Models
//===----------------------------------------------------------------------===//

namespace {

struct GenericModel : ShardingRuleOpInterface::ExternalModel<GenericModel, linalg::GenericOp> {
  ShardingRule getShardingRule(Operation *op) const {
    return getLinalgRule(cast<linalg::LinalgOp>(op));
  }

  SmallVector<Linearity> getLinearity(Operation *op, const llvm::BitVector &partial) const {
    auto generic = cast<linalg::GenericOp>(op);
    return llvm::map_to_vector(classifyBody(*generic.getBody(), classifyOperands(op, partial)),
                               toLinearity);
  }

  Operation *cloneLocal(Operation *op, OpBuilder &builder, ValueRange operands, TypeRange results,
                        llvm::function_ref<Value(unsigned)> getOffset) const {
    return cloneWithOffsets(builder, cast<linalg::GenericOp>(op), operands, results, getOffset);
  }
};

struct ContractModel : ShardingRuleOpInterface::ExternalModel<ContractModel, linalg::ContractOp> {
  ShardingRule getShardingRule(Operation *op) const {
    return getLinalgRule(cast<linalg::LinalgOp>(op));
  }

  SmallVector<Linearity> getLinearity(Operation *op, const llvm::BitVector &partial) const {
    SmallVector<ScalarClass> classes = classifyOperands(op, partial);
    return {toLinearity(addClasses(classes[2], multiplyClasses(classes[0], classes[1])))};
  }
};

struct FillModel : ShardingRuleOpInterface::ExternalModel<FillModel, linalg::FillOp> {
  ShardingRule getShardingRule(Operation *op) const {
    return getLinalgRule(cast<linalg::LinalgOp>(op));
  }

  SmallVector<Linearity> getLinearity(Operation *, const llvm::BitVector &) const {
    return {Linearity::Independent}; // what was there before does not matter
  }
};

} // namespace

void planwright::registerLinalgShardingModels(DialectRegistry &registry) {
  registry.insert<arith::ArithDialect>();
  registry.addExtension(+[](MLIRContext *context, linalg::LinalgDialect *) {
    linalg::GenericOp::attachInterface<GenericModel>(*context);
    linalg::ContractOp::attachInterface<ContractModel>(*context);
    linalg::FillOp::attachInterface<FillModel>(*context);
  });
}
