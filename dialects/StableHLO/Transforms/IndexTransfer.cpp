// How facts about integers pass through each operation: one small rule an operation, and the table
// of them. A rule may claim a range that its type cannot hold; the walk drops such facts, because
// the numbers have wrapped.
#include "dialects/StableHLO/IR/StableHLO.h"
#include "dialects/StableHLO/Transforms/IndexFacts.h"

#include "mlir/IR/Matchers.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace planwright::stablehlo {

using Facts = std::optional<IndexFacts>;

/// Constants with more elements are not looked through.
static constexpr int64_t kMaxConstantElements = 1 << 20;

static ArrayRef<int64_t> getShape(Value value) {
  return cast<RankedTensorType>(value.getType()).getShape();
}

static IndexFacts makeConstant(int64_t value, size_t rank) {
  return {value, value, AffineForm{value, SmallVector<int64_t, 6>(rank, 0)}};
}

static Facts makeRange(int64_t low, int64_t high) { return IndexFacts{low, high, std::nullopt}; }

static IndexFacts unite(const IndexFacts &a, const IndexFacts &b) {
  return {std::min(a.low, b.low), std::max(a.high, b.high), std::nullopt};
}

//===----------------------------------------------------------------------===//
// Constants and iotas
//===----------------------------------------------------------------------===//

static int64_t toInt64(const APInt &value, bool isUnsigned) {
  return isUnsigned ? static_cast<int64_t>(value.getZExtValue()) : value.getSExtValue();
}

/// The affine form that agrees with the first elements along each dimension; whether it holds is
/// checked later.
static AffineForm guessForm(ArrayRef<int64_t> elements, ArrayRef<int64_t> shape) {
  AffineForm form{elements[0], {}};
  int64_t pitch = elements.size();
  for (int64_t size : shape) {
    pitch /= size;
    // Numbers that differ by more than 2^62 are no index.
    form.strides.push_back(size > 1 ? (elements[pitch] >> 1) - (elements[0] >> 1) : 0);
    if (size > 1 && form.strides.back() > -(1LL << 40) && form.strides.back() < (1LL << 40))
      form.strides.back() = elements[pitch] - elements[0];
  }
  return form;
}

static bool holds(const AffineForm &form, ArrayRef<int64_t> elements, ArrayRef<int64_t> shape) {
  SmallVector<int64_t> coordinate(shape.size(), 0);
  for (int64_t element : elements) {
    // Unsigned arithmetic: a guess may be wild, and wraps.
    uint64_t value = form.offset;
    for (auto [stride, index] : llvm::zip_equal(form.strides, coordinate))
      value += static_cast<uint64_t>(stride) * index;
    if (static_cast<int64_t>(value) != element)
      return false;
    for (int64_t d = shape.size() - 1; d >= 0 && ++coordinate[d] == shape[d]; --d)
      coordinate[d] = 0;
  }
  return true;
}

static Facts ofConstant(Operation *op, const IndexAnalysis &) {
  DenseIntElementsAttr value;
  if (!matchPattern(op, m_Constant(&value)) || value.getNumElements() == 0 ||
      value.getNumElements() > kMaxConstantElements && !value.isSplat())
    return std::nullopt;
  auto type = cast<IntegerType>(value.getElementType());
  bool isUnsigned = type.isUnsigned() || type.getWidth() == 1;
  if (type.getWidth() > 64)
    return std::nullopt;
  ArrayRef<int64_t> shape = value.getType().getShape();
  if (value.isSplat())
    return makeConstant(toInt64(value.getSplatValue<APInt>(), isUnsigned), shape.size());
  SmallVector<int64_t> elements;
  for (const APInt &element : value.getValues<APInt>())
    elements.push_back(toInt64(element, isUnsigned));
  IndexFacts facts{*llvm::min_element(elements), *llvm::max_element(elements), std::nullopt};
  AffineForm form = guessForm(elements, shape);
  if (holds(form, elements, shape))
    facts.affine = std::move(form);
  return facts;
}

static Facts ofIota(Operation *op, const IndexAnalysis &) {
  auto iota = cast<IotaOp>(op);
  ArrayRef<int64_t> shape = getShape(iota.getOutput());
  IndexFacts facts = makeConstant(0, shape.size());
  facts.high = std::max<int64_t>(shape[iota.getIotaDimension()] - 1, 0);
  facts.affine->strides[iota.getIotaDimension()] = 1;
  return facts;
}

//===----------------------------------------------------------------------===//
// Movement
//===----------------------------------------------------------------------===//

static Facts ofBroadcast(Operation *op, const IndexAnalysis &analysis) {
  auto broadcast = cast<BroadcastInDimOp>(op);
  const IndexFacts *operand = analysis.get(broadcast.getOperand());
  if (!operand)
    return std::nullopt;
  IndexFacts facts = *operand;
  if (!facts.affine)
    return facts;
  SmallVector<int64_t, 6> strides(getShape(broadcast.getResult()).size(), 0);
  for (auto [d, target] : llvm::enumerate(broadcast.getBroadcastDimensions()))
    if (getShape(broadcast.getOperand())[d] != 1)
      strides[target] = facts.affine->strides[d];
  facts.affine->strides = std::move(strides);
  return facts;
}

static Facts ofTranspose(Operation *op, const IndexAnalysis &analysis) {
  auto transpose = cast<TransposeOp>(op);
  const IndexFacts *operand = analysis.get(transpose.getOperand());
  if (!operand)
    return std::nullopt;
  IndexFacts facts = *operand;
  if (facts.affine)
    for (auto [d, source] : llvm::enumerate(transpose.getPermutation()))
      facts.affine->strides[d] = operand->affine->strides[source];
  return facts;
}

/// Keeps the affine form where only dimensions of size one come or go.
static Facts ofReshape(Operation *op, const IndexAnalysis &analysis) {
  const IndexFacts *operand = analysis.get(op->getOperand(0));
  if (!operand)
    return std::nullopt;
  IndexFacts facts = *operand;
  if (!facts.affine)
    return facts;
  SmallVector<std::pair<int64_t, int64_t>> kept; // size and stride
  for (auto [size, stride] : llvm::zip_equal(getShape(op->getOperand(0)), operand->affine->strides))
    if (size != 1)
      kept.emplace_back(size, stride);
  facts.affine->strides.clear();
  size_t next = 0;
  for (int64_t size : getShape(op->getResult(0))) {
    bool isUnit = size == 1;
    if (!isUnit && !operand->affine->isConstant() &&
        (next == kept.size() || kept[next].first != size)) {
      facts.affine.reset();
      return facts;
    }
    facts.affine->strides.push_back(isUnit || operand->affine->isConstant() ? 0
                                                                            : kept[next++].second);
  }
  return facts;
}

static Facts ofSlice(Operation *op, const IndexAnalysis &analysis) {
  auto slice = cast<SliceOp>(op);
  const IndexFacts *operand = analysis.get(slice.getOperand());
  if (!operand)
    return std::nullopt;
  IndexFacts facts = *operand;
  if (facts.affine)
    for (auto [d, stride] : llvm::enumerate(facts.affine->strides)) {
      facts.affine->offset += stride * slice.getStartIndices()[d];
      stride *= slice.getStrides()[d];
    }
  return facts;
}

/// Results are elements of the first operand.
static Facts ofFirstOperand(Operation *op, const IndexAnalysis &analysis) {
  const IndexFacts *operand = analysis.get(op->getOperand(0));
  return operand ? makeRange(operand->low, operand->high) : std::nullopt;
}

/// Results are elements of any operand.
static Facts ofAllOperands(Operation *op, const IndexAnalysis &analysis) {
  Facts facts;
  for (Value operand : op->getOperands()) {
    const IndexFacts *known = analysis.get(operand);
    if (!known)
      return std::nullopt;
    facts = facts ? unite(*facts, *known) : *makeRange(known->low, known->high);
  }
  return facts;
}

//===----------------------------------------------------------------------===//
// Arithmetic
//===----------------------------------------------------------------------===//

/// The number that every element of a float tensor is, if it is a whole one.
static std::optional<int64_t> getFloatSplat(Value value) {
  while (auto broadcast = value.getDefiningOp<BroadcastInDimOp>())
    value = broadcast.getOperand();
  DenseFPElementsAttr constant;
  if (!matchPattern(value, m_Constant(&constant)) || !constant.isSplat())
    return std::nullopt;
  bool isExact = false;
  llvm::APSInt integer(64, /*isUnsigned=*/false);
  constant.getSplatValue<APFloat>().convertToInteger(integer, APFloat::rmTowardZero, &isExact);
  return isExact ? std::optional(integer.getExtValue()) : std::nullopt;
}

static Facts ofConvert(Operation *op, const IndexAnalysis &analysis) {
  const IndexFacts *operand = analysis.get(op->getOperand(0));
  size_t rank = getShape(op->getResult(0)).size();
  IndexFacts facts;
  if (operand)
    facts = *operand;
  else if (std::optional<int64_t> splat = getFloatSplat(op->getOperand(0)))
    facts = makeConstant(*splat, rank);
  else
    return std::nullopt;
  if (!getElementTypeOrSelf(op->getResult(0)).isInteger(1))
    return facts;
  if (facts.low <= 0 && facts.high >= 0 && !facts.isConstant())
    return makeRange(0, 1);
  return makeConstant(facts.low != 0, rank);
}

struct BinaryFacts {
  const IndexFacts *lhs, *rhs;
  explicit operator bool() const { return lhs && rhs; }
};

static BinaryFacts getBinary(Operation *op, const IndexAnalysis &analysis) {
  return {analysis.get(op->getOperand(0)), analysis.get(op->getOperand(1))};
}

static bool isBoolean(Operation *op) { return getElementTypeOrSelf(op->getResult(0)).isInteger(1); }

static Facts ofAnd(Operation *op, const IndexAnalysis &analysis) {
  auto [lhs, rhs] = getBinary(op, analysis);
  size_t rank = getShape(op->getResult(0)).size();
  if ((lhs && lhs->isFalse()) || (rhs && rhs->isFalse()))
    return makeConstant(0, rank);
  if (!lhs || !rhs || lhs->low < 0 || rhs->low < 0)
    return std::nullopt;
  if (isBoolean(op))
    return makeRange(lhs->low & rhs->low, lhs->high & rhs->high);
  if (lhs->isConstant() && rhs->isConstant())
    return makeConstant(lhs->low & rhs->low, rank);
  return makeRange(0, std::min(lhs->high, rhs->high));
}

static Facts ofOr(Operation *op, const IndexAnalysis &analysis) {
  auto [lhs, rhs] = getBinary(op, analysis);
  if (!isBoolean(op))
    return std::nullopt;
  if ((lhs && lhs->isTrue()) || (rhs && rhs->isTrue()))
    return makeConstant(1, getShape(op->getResult(0)).size());
  if (!lhs || !rhs)
    return std::nullopt;
  return makeRange(lhs->low | rhs->low, lhs->high | rhs->high);
}

static Facts ofNot(Operation *op, const IndexAnalysis &analysis) {
  const IndexFacts *operand = analysis.get(op->getOperand(0));
  if (!operand || !isBoolean(op))
    return std::nullopt;
  return makeRange(1 - operand->high, 1 - operand->low);
}

/// lhs + sign * rhs.
static Facts addScaled(Operation *op, const IndexAnalysis &analysis, int64_t sign) {
  if (isBoolean(op))
    return sign == 1 ? ofOr(op, analysis) : std::nullopt;
  auto [lhs, rhs] = getBinary(op, analysis);
  if (!lhs || !rhs)
    return std::nullopt;
  IndexFacts facts;
  int64_t rhsLow = sign * (sign > 0 ? rhs->low : rhs->high);
  int64_t rhsHigh = sign * (sign > 0 ? rhs->high : rhs->low);
  if (llvm::AddOverflow(lhs->low, rhsLow, facts.low) ||
      llvm::AddOverflow(lhs->high, rhsHigh, facts.high))
    return std::nullopt;
  if (lhs->affine && rhs->affine) {
    facts.affine = lhs->affine;
    facts.affine->offset += sign * rhs->affine->offset;
    for (auto [stride, other] : llvm::zip_equal(facts.affine->strides, rhs->affine->strides))
      stride += sign * other;
  }
  return facts;
}

static Facts ofAdd(Operation *op, const IndexAnalysis &analysis) {
  return addScaled(op, analysis, 1);
}
static Facts ofSubtract(Operation *op, const IndexAnalysis &analysis) {
  return addScaled(op, analysis, -1);
}

static Facts ofMultiply(Operation *op, const IndexAnalysis &analysis) {
  if (isBoolean(op))
    return ofAnd(op, analysis);
  auto [lhs, rhs] = getBinary(op, analysis);
  if (!lhs || !rhs)
    return std::nullopt;
  if (lhs->isConstant())
    std::swap(lhs, rhs);
  std::array<int64_t, 4> corners;
  if (llvm::MulOverflow(lhs->low, rhs->low, corners[0]) ||
      llvm::MulOverflow(lhs->low, rhs->high, corners[1]) ||
      llvm::MulOverflow(lhs->high, rhs->low, corners[2]) ||
      llvm::MulOverflow(lhs->high, rhs->high, corners[3]))
    return std::nullopt;
  IndexFacts facts = *makeRange(*llvm::min_element(corners), *llvm::max_element(corners));
  if (lhs->affine && rhs->isConstant()) {
    facts.affine = lhs->affine;
    facts.affine->offset *= rhs->low;
    for (int64_t &stride : facts.affine->strides)
      stride *= rhs->low;
  }
  return facts;
}

static Facts ofRemainder(Operation *op, const IndexAnalysis &analysis) {
  auto [lhs, rhs] = getBinary(op, analysis);
  if (!lhs || !rhs || lhs->low < 0 || !rhs->isConstant() || rhs->low <= 0)
    return std::nullopt;
  if (lhs->high < rhs->low)
    return *lhs;
  return makeRange(0, rhs->low - 1);
}

static Facts ofMaximum(Operation *op, const IndexAnalysis &analysis) {
  auto [lhs, rhs] = getBinary(op, analysis);
  if (!lhs || !rhs)
    return std::nullopt;
  if (lhs->low >= rhs->high)
    return *lhs;
  if (rhs->low >= lhs->high)
    return *rhs;
  return makeRange(std::max(lhs->low, rhs->low), std::max(lhs->high, rhs->high));
}

static Facts ofMinimum(Operation *op, const IndexAnalysis &analysis) {
  auto [lhs, rhs] = getBinary(op, analysis);
  if (!lhs || !rhs)
    return std::nullopt;
  if (lhs->high <= rhs->low)
    return *lhs;
  if (rhs->high <= lhs->low)
    return *rhs;
  return makeRange(std::min(lhs->low, rhs->low), std::min(lhs->high, rhs->high));
}

static Facts ofSelect(Operation *op, const IndexAnalysis &analysis) {
  auto select = cast<SelectOp>(op);
  const IndexFacts *pred = analysis.get(select.getPred());
  const IndexFacts *onTrue = analysis.get(select.getOnTrue());
  const IndexFacts *onFalse = analysis.get(select.getOnFalse());
  if (pred && pred->isConstant()) {
    const IndexFacts *chosen = pred->isTrue() ? onTrue : onFalse;
    return chosen ? Facts(*chosen) : std::nullopt;
  }
  return onTrue && onFalse ? Facts(unite(*onTrue, *onFalse)) : std::nullopt;
}

//===----------------------------------------------------------------------===//
// Comparison and reduction
//===----------------------------------------------------------------------===//

/// lhs - rhs lies in [low, high]: is the comparison decided?
static std::optional<bool> decide(ComparisonDirection direction, int64_t low, int64_t high) {
  bool always, never;
  switch (direction) {
  case ComparisonDirection::EQ:
    always = low == 0 && high == 0, never = low > 0 || high < 0;
    break;
  case ComparisonDirection::NE:
    always = low > 0 || high < 0, never = low == 0 && high == 0;
    break;
  case ComparisonDirection::LT:
    always = high < 0, never = low >= 0;
    break;
  case ComparisonDirection::LE:
    always = high <= 0, never = low > 0;
    break;
  case ComparisonDirection::GT:
    always = low > 0, never = high <= 0;
    break;
  case ComparisonDirection::GE:
    always = low >= 0, never = high < 0;
    break;
  }
  return always || never ? std::optional(always) : std::nullopt;
}

static Facts ofCompare(Operation *op, const IndexAnalysis &analysis) {
  auto [lhs, rhs] = getBinary(op, analysis);
  int64_t low, high;
  if (!lhs || !rhs || llvm::SubOverflow(lhs->low, rhs->high, low) ||
      llvm::SubOverflow(lhs->high, rhs->low, high))
    return makeRange(0, 1);
  std::optional<bool> decided = decide(cast<CompareOp>(op).getComparisonDirection(), low, high);
  return decided ? makeConstant(*decided, getShape(op->getResult(0)).size()) : *makeRange(0, 1);
}

/// A conjunction, disjunction, minimum or maximum of elements and the initial value lies among
/// them.
static Facts ofReduce(Operation *op, const IndexAnalysis &analysis) {
  auto reduce = cast<ReduceOp>(op);
  Block &body = reduce.getBody().front();
  if (body.getOperations().size() != 2)
    return std::nullopt;
  Operation &combiner = body.front();
  bool picks = isa<MaxOp, MinOp>(combiner) || (isBoolean(op) && isa<AndOp, OrOp>(combiner));
  if (!picks || body.getTerminator()->getOperand(0) != combiner.getResult(0) ||
      !llvm::all_of(combiner.getOperands(), [&](Value v) { return isa<BlockArgument>(v); }))
    return std::nullopt;
  Facts facts = ofAllOperands(op, analysis);
  // The neutral initial value says nothing about the result if there is an element at all.
  const IndexFacts *elements = analysis.get(reduce.getInputs()[0]);
  const IndexFacts *init = analysis.get(reduce.getInitValues()[0]);
  bool isNeutral = init && ((isa<AndOp>(combiner) && init->isTrue()) ||
                            (isa<OrOp>(combiner) && init->isFalse()));
  bool hasElements = cast<RankedTensorType>(reduce.getInputs()[0].getType()).getNumElements() > 0;
  return isNeutral && elements && hasElements ? makeRange(elements->low, elements->high) : facts;
}

IndexTransfer getIndexTransfer(StringRef operationName) {
  static const llvm::StringMap<IndexTransfer> table = {{"stablehlo.constant", ofConstant},
                                                       {"stablehlo.iota", ofIota},
                                                       {"stablehlo.broadcast_in_dim", ofBroadcast},
                                                       {"stablehlo.transpose", ofTranspose},
                                                       {"stablehlo.reshape", ofReshape},
                                                       {"stablehlo.slice", ofSlice},
                                                       {"stablehlo.gather", ofFirstOperand},
                                                       {"stablehlo.dynamic_slice", ofFirstOperand},
                                                       {"stablehlo.reverse", ofFirstOperand},
                                                       {"stablehlo.concatenate", ofAllOperands},
                                                       {"stablehlo.pad", ofAllOperands},
                                                       {"stablehlo.convert", ofConvert},
                                                       {"stablehlo.and", ofAnd},
                                                       {"stablehlo.or", ofOr},
                                                       {"stablehlo.not", ofNot},
                                                       {"stablehlo.add", ofAdd},
                                                       {"stablehlo.subtract", ofSubtract},
                                                       {"stablehlo.multiply", ofMultiply},
                                                       {"stablehlo.remainder", ofRemainder},
                                                       {"stablehlo.maximum", ofMaximum},
                                                       {"stablehlo.minimum", ofMinimum},
                                                       {"stablehlo.select", ofSelect},
                                                       {"stablehlo.compare", ofCompare},
                                                       {"stablehlo.reduce", ofReduce}};
  auto found = table.find(operationName);
  return found == table.end() ? nullptr : found->second;
}

} // namespace planwright::stablehlo
