// Sharding rules of tensor ops and constants: they move elements, so they are linear in what they
// move. A dimension that is cut, padded or joined is whole-only; a reshaped one is several factors.
#include "lib/Interfaces/Sharding/Models.h"
#include "lib/Interfaces/Sharding/ScalarLinearity.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace planwright;

/// Class of a moved operand.
static ScalarClass classifyMoved(OpOperand &operand, const llvm::BitVector &partial) {
  if (partial.test(operand.getOperandNumber()))
    return ScalarClass::Linear;
  return isKnownZero(operand.get()) ? ScalarClass::Zero : ScalarClass::Independent;
}

/// Factors of a value whose dimensions are one new factor each.
static ValueFactors addFactors(ShardingRule &rule, Type type,
                               FactorKind kind = FactorKind::Parallel) {
  ValueFactors dims;
  for (int64_t size : cast<ShapedType>(type).getShape())
    dims.push_back({rule.addFactor(size, kind)});
  return dims;
}

namespace {

struct EmptyModel : ShardingRuleOpInterface::ExternalModel<EmptyModel, tensor::EmptyOp> {
  ShardingRule getShardingRule(Operation *op) const {
    ShardingRule rule;
    rule.results.push_back(addFactors(rule, op->getResult(0).getType()));
    rule.operands.resize(op->getNumOperands());
    return rule;
  }
  SmallVector<Linearity> getLinearity(Operation *, const llvm::BitVector &) const {
    return {Linearity::Independent};
  }
};

/// A splat is a splat on every block. Other constants are cut by whoever uses them.
struct ConstantModel : ShardingRuleOpInterface::ExternalModel<ConstantModel, arith::ConstantOp> {
  ShardingRule getShardingRule(Operation *op) const {
    ShardingRule rule;
    auto type = dyn_cast<ShapedType>(op->getResult(0).getType());
    bool isSplat = isa<SplatElementsAttr>(cast<arith::ConstantOp>(op).getValue());
    FactorKind kind = isSplat ? FactorKind::Parallel : FactorKind::Whole;
    rule.results.push_back(type ? addFactors(rule, type, kind) : ValueFactors());
    return rule;
  }
  SmallVector<Linearity> getLinearity(Operation *, const llvm::BitVector &) const {
    return {Linearity::Independent};
  }
  Operation *cloneLocal(Operation *op, OpBuilder &builder, ValueRange operands, TypeRange results,
                        llvm::function_ref<Value(unsigned)>) const {
    auto constant = cast<arith::ConstantOp>(op);
    auto splat = dyn_cast<SplatElementsAttr>(constant.getValue());
    if (!splat || results[0] == constant.getType())
      return cloneOnBlocks(builder, op, operands, results);
    auto type = cast<ShapedType>(results[0]);
    return arith::ConstantOp::create(builder, op->getLoc(), splat.resizeSplat(type));
  }
};

/// Shared by expand_shape and collapse_shape: `narrow` has one dimension per group of dimensions of
/// `wide`.
template <typename ReshapeOp> ShardingRule getReshapeRule(ReshapeOp op, Value narrow, Value wide) {
  ShardingRule rule;
  ValueFactors wideFactors = addFactors(rule, wide.getType());
  ValueFactors narrowFactors;
  for (const ReassociationIndices &group : op.getReassociationIndices()) {
    DimFactors &dim = narrowFactors.emplace_back();
    for (int64_t wideDim : group)
      dim.push_back(wideFactors[wideDim][0]);
  }
  bool expands = op.getSrc() == narrow;
  rule.operands.push_back(expands ? narrowFactors : wideFactors);
  rule.results.push_back(expands ? wideFactors : narrowFactors);
  rule.operands.resize(op->getNumOperands());
  return rule;
}

struct ExpandModel : ShardingRuleOpInterface::ExternalModel<ExpandModel, tensor::ExpandShapeOp> {
  ShardingRule getShardingRule(Operation *op) const {
    auto expand = cast<tensor::ExpandShapeOp>(op);
    return getReshapeRule(expand, expand.getSrc(), expand.getResult());
  }
  SmallVector<Linearity> getLinearity(Operation *op, const llvm::BitVector &partial) const {
    return {toLinearity(classifyMoved(op->getOpOperand(0), partial))};
  }
  Operation *cloneLocal(Operation *op, OpBuilder &builder, ValueRange operands, TypeRange results,
                        llvm::function_ref<Value(unsigned)>) const {
    auto expand = cast<tensor::ExpandShapeOp>(op);
    return tensor::ExpandShapeOp::create(builder, op->getLoc(), results[0], operands[0],
                                         expand.getReassociationIndices());
  }
};

struct CollapseModel
    : ShardingRuleOpInterface::ExternalModel<CollapseModel, tensor::CollapseShapeOp> {
  ShardingRule getShardingRule(Operation *op) const {
    auto collapse = cast<tensor::CollapseShapeOp>(op);
    return getReshapeRule(collapse, collapse.getResult(), collapse.getSrc());
  }
  SmallVector<Linearity> getLinearity(Operation *op, const llvm::BitVector &partial) const {
    return {toLinearity(classifyMoved(op->getOpOperand(0), partial))};
  }
};

/// Is dimension `dim` of `whole` taken from end to end?
template <typename SliceOp> bool isTakenWhole(SliceOp op, ShapedType whole, int64_t dim) {
  return op.getStaticOffsets()[dim] == 0 && op.getStaticStrides()[dim] == 1 &&
         op.getStaticSizes()[dim] == whole.getDimSize(dim);
}

/// Factors of the `slice` that belongs to a `whole`; dimensions taken from end to end share a
/// factor.
template <typename SliceOp>
ValueFactors addSliceFactors(ShardingRule &rule, SliceOp op, ShapedType slice, ShapedType whole,
                             ValueFactors &wholeFactors) {
  llvm::SmallBitVector dropped = op.getDroppedDims();
  ValueFactors sliceFactors;
  for (int64_t dim = 0; dim < whole.getRank(); ++dim) {
    bool taken = isTakenWhole(op, whole, dim);
    FactorKind kind = taken && !dropped.test(dim) ? FactorKind::Parallel : FactorKind::Whole;
    wholeFactors.push_back({rule.addFactor(whole.getDimSize(dim), kind)});
    if (dropped.test(dim))
      continue;
    if (taken)
      sliceFactors.push_back(wholeFactors.back());
    else
      sliceFactors.push_back(
          {rule.addFactor(slice.getDimSize(sliceFactors.size()), FactorKind::Whole)});
  }
  return sliceFactors;
}

/// Static sizes of a slice of local blocks: those of `wholeType`, where taken from end to end.
template <typename SliceOp>
SmallVector<OpFoldResult> getLocalSizes(OpBuilder &builder, SliceOp op, ShapedType globalWhole,
                                        ShapedType localWhole) {
  SmallVector<OpFoldResult> sizes;
  for (int64_t dim = 0; dim < globalWhole.getRank(); ++dim)
    sizes.push_back(builder.getIndexAttr(isTakenWhole(op, globalWhole, dim)
                                             ? localWhole.getDimSize(dim)
                                             : op.getStaticSizes()[dim]));
  return sizes;
}

struct ExtractSliceModel
    : ShardingRuleOpInterface::ExternalModel<ExtractSliceModel, tensor::ExtractSliceOp> {
  ShardingRule getShardingRule(Operation *op) const {
    auto slice = cast<tensor::ExtractSliceOp>(op);
    ShardingRule rule;
    ValueFactors source;
    ValueFactors result =
        addSliceFactors(rule, slice, slice.getType(), slice.getSourceType(), source);
    rule.operands.push_back(source);
    rule.results.push_back(result);
    rule.operands.resize(op->getNumOperands());
    return rule;
  }
  SmallVector<Linearity> getLinearity(Operation *op, const llvm::BitVector &partial) const {
    return {toLinearity(classifyMoved(op->getOpOperand(0), partial))};
  }
  Operation *cloneLocal(Operation *op, OpBuilder &builder, ValueRange operands, TypeRange results,
                        llvm::function_ref<Value(unsigned)>) const {
    auto slice = cast<tensor::ExtractSliceOp>(op);
    auto source = cast<ShapedType>(operands[0].getType());
    return tensor::ExtractSliceOp::create(
        builder, op->getLoc(), cast<RankedTensorType>(results[0]), operands[0],
        slice.getMixedOffsets(), getLocalSizes(builder, slice, slice.getSourceType(), source),
        slice.getMixedStrides());
  }
};

struct InsertSliceModel
    : ShardingRuleOpInterface::ExternalModel<InsertSliceModel, tensor::InsertSliceOp> {
  ShardingRule getShardingRule(Operation *op) const {
    auto insert = cast<tensor::InsertSliceOp>(op);
    ShardingRule rule;
    ValueFactors whole;
    ValueFactors slice =
        addSliceFactors(rule, insert, insert.getSourceType(), insert.getDestType(), whole);
    rule.operands = {slice, whole};
    rule.results.push_back(whole);
    rule.operands.resize(op->getNumOperands());
    return rule;
  }
  SmallVector<Linearity> getLinearity(Operation *op, const llvm::BitVector &partial) const {
    return {toLinearity(addClasses(classifyMoved(op->getOpOperand(0), partial),
                                   classifyMoved(op->getOpOperand(1), partial)))};
  }
  Operation *cloneLocal(Operation *op, OpBuilder &builder, ValueRange operands, TypeRange results,
                        llvm::function_ref<Value(unsigned)>) const {
    auto insert = cast<tensor::InsertSliceOp>(op);
    auto dest = cast<ShapedType>(operands[1].getType());
    return tensor::InsertSliceOp::create(
        builder, op->getLoc(), operands[0], operands[1], insert.getMixedOffsets(),
        getLocalSizes(builder, insert, insert.getDestType(), dest), insert.getMixedStrides());
  }
};

struct PadModel : ShardingRuleOpInterface::ExternalModel<PadModel, tensor::PadOp> {
  ShardingRule getShardingRule(Operation *op) const {
    auto pad = cast<tensor::PadOp>(op);
    ShardingRule rule;
    ValueFactors &source = rule.operands.emplace_back();
    ValueFactors &result = rule.results.emplace_back();
    for (int64_t dim = 0; dim < pad.getType().getRank(); ++dim) {
      bool padded = pad.getStaticLow()[dim] != 0 || pad.getStaticHigh()[dim] != 0;
      FactorKind kind = padded ? FactorKind::Whole : FactorKind::Parallel;
      source.push_back({rule.addFactor(pad.getSourceType().getDimSize(dim), kind)});
      result.push_back(padded ? DimFactors{rule.addFactor(pad.getType().getDimSize(dim), kind)}
                              : source.back());
    }
    rule.operands.resize(op->getNumOperands());
    return rule;
  }
  SmallVector<Linearity> getLinearity(Operation *op, const llvm::BitVector &partial) const {
    Value value = cast<tensor::PadOp>(op).getConstantPaddingValue();
    bool withZeros = value && isKnownZero(value);
    ScalarClass padding = withZeros ? ScalarClass::Zero : ScalarClass::Independent;
    return {toLinearity(addClasses(classifyMoved(op->getOpOperand(0), partial), padding))};
  }
};

struct ConcatModel : ShardingRuleOpInterface::ExternalModel<ConcatModel, tensor::ConcatOp> {
  ShardingRule getShardingRule(Operation *op) const {
    auto concat = cast<tensor::ConcatOp>(op);
    int64_t joined = concat.getDim();
    ShardingRule rule;
    ValueFactors result = addFactors(rule, concat.getType());
    rule.factors[result[joined][0]].kind = FactorKind::Whole;
    for (Value input : concat.getInputs()) {
      int64_t size = cast<ShapedType>(input.getType()).getDimSize(joined);
      rule.operands.push_back(result);
      rule.operands.back()[joined] = {rule.addFactor(size, FactorKind::Whole)};
    }
    rule.results.push_back(result);
    return rule;
  }
  SmallVector<Linearity> getLinearity(Operation *op, const llvm::BitVector &partial) const {
    ScalarClass all = ScalarClass::Zero;
    for (OpOperand &operand : op->getOpOperands())
      all = addClasses(all, classifyMoved(operand, partial));
    return {toLinearity(all)};
  }
};

} // namespace

void planwright::registerTensorShardingModels(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, tensor::TensorDialect *) {
    tensor::EmptyOp::attachInterface<EmptyModel>(*context);
    tensor::ExpandShapeOp::attachInterface<ExpandModel>(*context);
    tensor::CollapseShapeOp::attachInterface<CollapseModel>(*context);
    tensor::ExtractSliceOp::attachInterface<ExtractSliceModel>(*context);
    tensor::InsertSliceOp::attachInterface<InsertSliceModel>(*context);
    tensor::PadOp::attachInterface<PadModel>(*context);
    tensor::ConcatOp::attachInterface<ConcatModel>(*context);
  });
  registry.addExtension(+[](MLIRContext *context, arith::ArithDialect *) {
    arith::ConstantOp::attachInterface<ConstantModel>(*context);
  });
}
