// Reductions: one input with a combiner, or several that are reduced together (argmax).
#include "Reduction.h"
#include "Patterns.h"
#include "ScalarRules.h"

#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace planwright {

//===----------------------------------------------------------------------===//
// Neutral elements
//===----------------------------------------------------------------------===//

static TypedAttr getFloat(FloatType type, APFloat value) { return FloatAttr::get(type, value); }

static TypedAttr getLowest(Type type, bool isUnsigned) {
  if (auto floatType = dyn_cast<FloatType>(type))
    return getFloat(floatType, APFloat::getInf(floatType.getFloatSemantics(), /*Negative=*/true));
  unsigned width = type.getIntOrFloatBitWidth();
  return IntegerAttr::get(type,
                          isUnsigned ? APInt::getZero(width) : APInt::getSignedMinValue(width));
}

static TypedAttr getHighest(Type type, bool isUnsigned) {
  if (auto floatType = dyn_cast<FloatType>(type))
    return getFloat(floatType, APFloat::getInf(floatType.getFloatSemantics()));
  unsigned width = type.getIntOrFloatBitWidth();
  return IntegerAttr::get(type,
                          isUnsigned ? APInt::getAllOnes(width) : APInt::getSignedMaxValue(width));
}

static TypedAttr getOne(Type type) {
  if (auto floatType = dyn_cast<FloatType>(type))
    return FloatAttr::get(floatType, 1.0);
  return IntegerAttr::get(type, 1);
}

static TypedAttr getAllOnes(Type type) {
  return IntegerAttr::get(type, APInt::getAllOnes(type.getIntOrFloatBitWidth()));
}

/// By the name of the combining operation, as emitted.
static TypedAttr findNeutral(Operation *combiner, Type type) {
  using Neutral = TypedAttr (*)(Type);
  static const llvm::StringMap<Neutral> table = {
      {"arith.addf", [](Type type) { return getZero(type); }},
      {"arith.addi", [](Type type) { return getZero(type); }},
      {"arith.ori", [](Type type) { return getZero(type); }},
      {"arith.xori", [](Type type) { return getZero(type); }},
      {"arith.andi", getAllOnes},
      {"arith.mulf", getOne},
      {"arith.muli", getOne},
      {"arith.maximumf", [](Type type) { return getLowest(type, false); }},
      {"arith.maxsi", [](Type type) { return getLowest(type, false); }},
      {"arith.maxui", [](Type type) { return getLowest(type, true); }},
      {"arith.minimumf", [](Type type) { return getHighest(type, false); }},
      {"arith.minsi", [](Type type) { return getHighest(type, false); }},
      {"arith.minui", [](Type type) { return getHighest(type, true); }}};
  auto found = table.find(combiner->getName().getStringRef());
  return found == table.end() ? TypedAttr() : found->second(type);
}

//===----------------------------------------------------------------------===//
// Combiners
//===----------------------------------------------------------------------===//

std::optional<Combiner> Combiner::get(Block &region, function_ref<void(const Twine &)> refuse) {
  if (region.getNumArguments() != 2 || failed(checkRegion(region, refuse)))
    return std::nullopt;
  Combiner combiner(region);
  Block scratch;
  Type type = getSignlessType(getElementTypeOrSelf(region.getArgument(0)));
  scratch.addArguments({type, type}, SmallVector<Location>(2, region.getArgument(0).getLoc()));
  OpBuilder b(type.getContext());
  b.setInsertionPointToStart(&scratch);
  auto results = emitRegion(b, region, scratch.getArguments(), refuse);
  if (failed(results))
    return std::nullopt;
  Operation *op = results->front().getDefiningOp();
  auto isBoth = [&](Operation *op) {
    return (op->getOperand(0) == scratch.getArgument(0) &&
            op->getOperand(1) == scratch.getArgument(1)) ||
           (op->getOperand(0) == scratch.getArgument(1) &&
            op->getOperand(1) == scratch.getArgument(0));
  };
  if (op && op->getNumOperands() == 2 && isBoth(op))
    combiner.neutral = findNeutral(op, type);
  if (!combiner.neutral) {
    refuse("its region is no sum, product, maximum, minimum, conjunction or disjunction");
    return std::nullopt;
  }
  return combiner;
}

Value Combiner::combine(OpBuilder &b, Value accumulator, Value element) const {
  Value arguments[] = {accumulator, element};
  auto results = emitRegion(b, *region, arguments, [](const Twine &) {});
  return results->front(); // it was emitted once before
}

Value Combiner::addInit(OpBuilder &b, Location loc, Value result, Value init) const {
  if (getSplat(init) == neutral)
    return result;
  RankedTensorType type = getTensorType(result);
  AffineMap identity = b.getMultiDimIdentityMap(type.getRank());
  AffineMap none = AffineMap::get(type.getRank(), 0, b.getContext());
  return buildPointwise(b, loc, {{init, none}, {result, identity}}, type,
                        [&](OpBuilder &b, Location, ValueRange x) {
                          return SmallVector<Value>{combine(b, x[0], x[1])};
                        });
}

namespace {

/// Which dimensions stay and which go, after those of size one are dropped.
struct ReducedDims {
  SmallVector<int64_t> keptSizes, reducedSizes;
  AffineMap inputMap; // from loops (kept, then reduced) to the input's dimensions

  ReducedDims(Value input, ArrayRef<int64_t> dimensions) {
    SqueezedDims squeezed(input);
    SmallVector<int64_t> kept, reduced;
    for (auto [d, size] : llvm::enumerate(getShape(input))) {
      if (!squeezed[d])
        continue;
      bool isReduced = llvm::is_contained(dimensions, static_cast<int64_t>(d));
      (isReduced ? reduced : kept).push_back(*squeezed[d]);
      (isReduced ? reducedSizes : keptSizes).push_back(size);
    }
    SmallVector<int64_t> order = llvm::to_vector(llvm::concat<int64_t>(kept, reduced));
    AffineMap toInput = getLoopMap(input.getContext(), order.size(), order);
    inputMap = inversePermutation(toInput);
  }
};

/// One input.
struct ConvertReduce : Lowering<stablehlo::ReduceOp> {
  using Lowering::Lowering;

  LogicalResult matchAndRewrite(stablehlo::ReduceOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    if (op.getInputs().size() != 1)
      return failure();
    auto note = [&](const Twine &why) { (void)refuse(op, why); };
    std::optional<Combiner> combiner = Combiner::get(op.getBody().front(), note);
    if (!combiner)
      return failure();
    Location loc = op.getLoc();
    ReducedDims dims(op.getInputs()[0], op.getDimensions());
    Value input = adaptor.getInputs()[0];
    Value result = input;
    if (!dims.reducedSizes.empty())
      result = buildReduction(rewriter, loc, Read{input, dims.inputMap}, dims.keptSizes,
                              dims.reducedSizes, combiner->getNeutral(),
                              [&](OpBuilder &b, Location, ValueRange x) {
                                return SmallVector<Value>{combiner->combine(b, x[1], x[0])};
                              })
                   .front();
    rewriter.replaceOp(op, combiner->addInit(rewriter, loc, result, adaptor.getInitValues()[0]));
    return success();
  }
};

/// Several inputs, reduced together from constant initial values.
struct ConvertReduceMany : Lowering<stablehlo::ReduceOp> {
  using Lowering::Lowering;

  LogicalResult matchAndRewrite(stablehlo::ReduceOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    if (op.getInputs().size() < 2)
      return failure();
    Block &region = op.getBody().front();
    auto note = [&](const Twine &why) { (void)refuse(op, why); };
    if (failed(checkRegion(region, note)))
      return failure();
    SmallVector<TypedAttr> inits = llvm::map_to_vector(adaptor.getInitValues(), getSplat);
    if (llvm::is_contained(inits, TypedAttr()))
      return refuse(op, "its initial values are not constants");
    ReducedDims dims(op.getInputs()[0], op.getDimensions());
    // The region takes accumulators, then elements; a generic's body has them the other way round.
    auto body = [&](OpBuilder &b, Location loc, ValueRange x) {
      auto [elements, accumulators] =
          std::pair(x.take_front(inits.size()), x.drop_front(inits.size()));
      SmallVector<Value> arguments(accumulators);
      llvm::append_range(arguments, elements);
      return *emitRegion(b, region, arguments, note);
    };
    rewriter.replaceOp(op, build(rewriter, op.getLoc(), adaptor.getInputs(), dims, inits, body));
    return success();
  }

private:
  static SmallVector<Value> build(OpBuilder &b, Location loc, ValueRange inputs,
                                  const ReducedDims &dims, ArrayRef<TypedAttr> inits, Body body) {
    SmallVector<Read> reads;
    for (Value input : inputs)
      reads.push_back({input, dims.inputMap});
    return buildReduction(b, loc, reads, dims.keptSizes, dims.reducedSizes, inits, body);
  }
};

} // namespace

void populateReduction(RewritePatternSet &patterns, const Reading &reading) {
  patterns.add<ConvertReduce, ConvertReduceMany>(reading, patterns.getContext());
}

} // namespace planwright
