// Every operation that has a scalar rule, on tensors: a generic whose body is the rule.
#include "Patterns.h"
#include "ScalarRules.h"

#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace planwright {
namespace {

/// Operands of a generic: constants are in its body, the others are read where the result is, or,
/// for scalars, anywhere.
class Operands {
public:
  Operands(MLIRContext *context, ValueRange values, int64_t rank) {
    for (Value value : values) {
      TypedAttr splat = getSplat(value);
      splats.push_back(splat);
      if (splat)
        continue;
      // The predicate of a select and the bounds of a clamp may be scalars.
      bool isScalar = getTensorType(value).getRank() == 0;
      AffineMap map = isScalar ? AffineMap::get(rank, 0, context)
                               : AffineMap::getMultiDimIdentityMap(rank, context);
      reads.push_back({value, map});
    }
  }

  ArrayRef<Read> getReads() const { return reads; }

  /// One scalar per operand, from the body's arguments.
  SmallVector<Value> getScalars(OpBuilder &b, Location loc, ValueRange arguments) const {
    SmallVector<Value> scalars;
    size_t next = 0;
    for (TypedAttr splat : splats)
      scalars.push_back(splat ? buildScalarConstant(b, loc, splat) : arguments[next++]);
    return scalars;
  }

private:
  SmallVector<TypedAttr> splats;
  SmallVector<Read> reads;
};

/// Whether the rule gives a result at all: it is tried in a block of its own, which is thrown away.
/// If it folds to a constant, that is returned.
struct Trial {
  bool isPossible = false;
  TypedAttr constant;

  Trial(Operation *op, ScalarRule rule, const Operands &operands, Type type) {
    Block scratch;
    OpBuilder b(op->getContext());
    b.setInsertionPointToStart(&scratch);
    for (const Read &read : operands.getReads())
      scratch.addArgument(getTensorType(read.tensor).getElementType(), op->getLoc());
    SmallVector<Value> scalars = operands.getScalars(b, op->getLoc(), scratch.getArguments());
    Value result = rule({b, op->getLoc(), op, scalars, type});
    isPossible = static_cast<bool>(result);
    if (isPossible && !matchPattern(result, m_Constant(&constant)))
      constant = {};
  }
};

struct ConvertElementwise : ConversionPattern {
  ConvertElementwise(const Reading &reading, MLIRContext *context)
      : ConversionPattern(reading.converter, MatchAnyOpTypeTag(), /*benefit=*/1, context),
        reading(reading) {}

  LogicalResult matchAndRewrite(Operation *op, ArrayRef<Value> operands,
                                ConversionPatternRewriter &rewriter) const override {
    ScalarRule rule = getScalarRule(op);
    if (!rule || op->getNumResults() != 1)
      return failure();
    auto type = getTypeConverter()->convertType<RankedTensorType>(op->getResult(0).getType());
    bool areTensors =
        llvm::all_of(operands, [](Value value) { return isa<RankedTensorType>(value.getType()); });
    if (!type || !areTensors)
      return reading.refuse(op, "it is not on tensors of numbers");
    Operands split(getContext(), operands, type.getRank());
    Trial trial(op, rule, split, type.getElementType());
    if (!trial.isPossible)
      return reading.refuse(op, "it has no meaning here for this element type");
    rewriter.replaceOp(op, build(op, rule, split, trial, type, rewriter));
    return success();
  }

private:
  Reading reading;

  static Value build(Operation *op, ScalarRule rule, const Operands &operands, const Trial &trial,
                     RankedTensorType type, OpBuilder &b) {
    if (trial.constant)
      return buildSplat(b, op->getLoc(), type.getShape(), trial.constant);
    return buildPointwise(b, op->getLoc(), operands.getReads(), type,
                          [&](OpBuilder &b, Location loc, ValueRange arguments) {
                            SmallVector<Value> scalars = operands.getScalars(b, loc, arguments);
                            return SmallVector<Value>{
                                rule({b, loc, op, scalars, type.getElementType()})};
                          });
  }
};

/// `map` applies a region to each element.
struct ConvertMap : Lowering<stablehlo::MapOp> {
  using Lowering::Lowering;

  LogicalResult matchAndRewrite(stablehlo::MapOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Block &region = op.getComputation().front();
    auto note = [&](const Twine &why) { (void)refuse(op, why); };
    if (failed(checkRegion(region, note)))
      return failure();
    RankedTensorType type = getNewType(*this, op.getResult());
    AffineMap identity = rewriter.getMultiDimIdentityMap(type.getRank());
    SmallVector<Read> reads;
    for (Value input : adaptor.getInputs())
      reads.push_back({input, identity});
    rewriter.replaceOp(op, buildPointwise(rewriter, op.getLoc(), reads, type,
                                          [&](OpBuilder &b, Location, ValueRange arguments) {
                                            return *emitRegion(b, region, arguments, note);
                                          }));
    return success();
  }
};

/// An operation that hands its operands on.
struct ConvertBarrier : Lowering<stablehlo::OptimizationBarrierOp> {
  using Lowering::Lowering;

  LogicalResult matchAndRewrite(stablehlo::OptimizationBarrierOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOp(op, adaptor.getOperands());
    return success();
  }
};

/// Calls that only annotate: shardings that the user's framework chose. They say nothing about
/// values.
struct ConvertAnnotation : Lowering<stablehlo::CustomCallOp> {
  using Lowering::Lowering;

  LogicalResult matchAndRewrite(stablehlo::CustomCallOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    StringRef target = op.getCallTargetName();
    bool isAnnotation = target == "Sharding" || target == "annotate_device_placement";
    if (!isAnnotation || op.getNumOperands() != 1 || op.getNumResults() != 1 ||
        op->getOperand(0).getType() != op->getResult(0).getType())
      return refuse(
          op, "the custom call @" + target +
                  " is unknown; export the model without it (on a CPU, frameworks make fewer)");
    rewriter.replaceOp(op, adaptor.getOperands());
    return success();
  }
};

} // namespace

void populateElementwise(RewritePatternSet &patterns, const Reading &reading) {
  patterns.add<ConvertElementwise, ConvertMap, ConvertBarrier, ConvertAnnotation>(
      reading, patterns.getContext());
}

} // namespace planwright
