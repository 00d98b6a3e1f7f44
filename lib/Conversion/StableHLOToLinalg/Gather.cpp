// Gathers, sorted by what is known about their indices:
//
//   indices known or affine                    a slice, transposed or broadcast      x[:, 0],
//   wpe[iota] one dimension indexed, no batch dimension  model.lookup wte[ids] otherwise, one
//   element for each index      a masked sum over the indexed         logp[b, s, labels[b, s]]
//                                              dimensions
//
// An index out of bounds is moved to the nearest row, as the specification has it; NaN, which JAX
// wants there, is selected by the text itself.
#include "Patterns.h"

#include "dialects/Model/IR/Model.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace planwright {
namespace {

using stablehlo::IndexAnalysis;
using stablehlo::IndexFacts;

/// Names of loops. Batch dimension i of the indices is i.
enum Label : int64_t { kOffset = 1000, kIndexed = 2000 };

/// One element of the index vectors, as a tensor over the batch dimensions.
struct Component {
  Value oldValue; // null if it had to be cut out of the indices
  Value value;
  SmallVector<int64_t> labels;
  const IndexFacts *facts = nullptr;
  bool isUnsigned = false;
};

/// A dimension of the operand that is read at a computed place.
struct IndexedDim {
  int64_t label, size;
  Component component;
};

class GatherPlan {
public:
  GatherPlan(stablehlo::GatherOp op, Value operand, Value indices, const IndexAnalysis &analysis,
             ConversionPatternRewriter &b)
      : op(op), numbers(op.getDimensionNumbers()), oldIndices(op.getStartIndices()),
        operandShape(getShape(op.getOperand())), indicesShape(getShape(op.getStartIndices())),
        operand(operand), indices(indices), analysis(analysis), b(b) {}

  /// Decides what each dimension of the operand is. Builds nothing; null, or why it cannot be done.
  const char *analyze();
  Value build(RankedTensorType type);

private:
  size_t getNumBatch() const { return indicesShape.size() - (hasVectorDim() ? 1 : 0); }
  bool hasVectorDim() const { return numbers.getIndexVectorDim() < int64_t(indicesShape.size()); }
  /// Batch dimension i of the indices, as a dimension of the tensor of indices.
  int64_t getIndicesDim(int64_t batch) const {
    return batch + (hasVectorDim() && batch >= numbers.getIndexVectorDim() ? 1 : 0);
  }
  int64_t getBatchSize(int64_t batch) const { return indicesShape[getIndicesDim(batch)]; }
  /// What is known about component `c`, before anything is built.
  Component findComponent(int64_t c) const;
  void buildComponent(Component &component, int64_t c);
  const char *analyzeIndexed(int64_t dim, int64_t c);
  bool takeAffine(int64_t dim, const Component &component);
  void appendResultLabels();

  Value buildMasked(Value x, RankedTensorType type);
  Value buildLookup(Value x, RankedTensorType type);
  AffineMap getMap(ArrayRef<int64_t> loops, ArrayRef<int64_t> labels) const;

  stablehlo::GatherOp op;
  stablehlo::GatherDimensionNumbersAttr numbers;
  Value oldIndices;
  ArrayRef<int64_t> operandShape, indicesShape;
  Value operand, indices;
  const IndexAnalysis &analysis;
  ConversionPatternRewriter &b;

  SmallVector<SliceDim> slice;                         // of the operand, dimension by dimension
  SmallVector<int64_t> operandLabels;                  // likewise
  SmallVector<int64_t> resultLabels;                   // without dimensions of size one
  SmallVector<std::pair<int64_t, IndexedDim>> indexed; // component number, dimension
};

Component GatherPlan::findComponent(int64_t c) const {
  Component component;
  Value starts = oldIndices;
  component.isUnsigned = getTensorType(starts).getElementType().isUnsignedInteger();
  for (size_t i = 0; i < getNumBatch(); ++i)
    if (getBatchSize(i) != 1)
      component.labels.push_back(i);
  auto concat = starts.getDefiningOp<stablehlo::ConcatenateOp>();
  if (numbers.getStartIndexMap().size() == 1)
    component.oldValue = starts;
  else if (concat && int64_t(concat.getDimension()) == numbers.getIndexVectorDim() &&
           concat.getInputs().size() == numbers.getStartIndexMap().size())
    component.oldValue = concat.getInputs()[c];
  if (component.oldValue)
    component.facts = analysis.get(component.oldValue);
  return component;
}

/// An index that is `offset + stride * i` over one batch dimension makes that dimension the
/// operand's own.
bool GatherPlan::takeAffine(int64_t dim, const Component &component) {
  if (!component.facts || !component.facts->affine)
    return false;
  std::optional<int64_t> only;
  for (size_t i = 0; i < getNumBatch(); ++i) {
    if (getBatchSize(i) == 1 || component.facts->affine->strides[getIndicesDim(i)] == 0)
      continue;
    if (only)
      return false;
    only = i;
  }
  if (!only || llvm::is_contained(operandLabels, *only))
    return false;
  int64_t stride = component.facts->affine->strides[getIndicesDim(*only)];
  bool isInside = component.facts->low >= 0 && component.facts->high < operandShape[dim];
  if (stride < 1 || !isInside)
    return false;
  slice.push_back({component.facts->affine->offset, getBatchSize(*only), stride});
  operandLabels.push_back(*only);
  return true;
}

const char *GatherPlan::analyzeIndexed(int64_t dim, int64_t c) {
  int64_t size = operandShape[dim], sliceSize = op.getSliceSizes()[dim];
  Component component = findComponent(c);
  bool isKnown = component.facts && component.facts->isConstant();
  if (isKnown || size == sliceSize) {
    int64_t start = isKnown ? std::clamp<int64_t>(component.facts->low, 0, size - sliceSize) : 0;
    slice.push_back({start, sliceSize});
    operandLabels.push_back(-1); // named below if it is an offset dimension
    return nullptr;
  }
  if (sliceSize != 1)
    return "it reads windows at places that are computed while the program runs";
  if (takeAffine(dim, component))
    return nullptr;
  slice.push_back({0, size});
  operandLabels.push_back(kIndexed + dim);
  indexed.push_back({c, {kIndexed + dim, size, component}});
  return nullptr;
}

void GatherPlan::appendResultLabels() {
  int64_t nextBatch = 0, nextOffset = 0;
  for (auto [d, size] : llvm::enumerate(getShape(op.getResult()))) {
    bool isOffset = llvm::is_contained(numbers.getOffsetDims(), int64_t(d));
    int64_t label = isOffset ? kOffset + nextOffset++ : nextBatch++;
    if (size != 1)
      resultLabels.push_back(label);
  }
}

const char *GatherPlan::analyze() {
  int64_t nextOffset = 0;
  for (auto [d, size] : llvm::enumerate(operandShape)) {
    auto find = [&](ArrayRef<int64_t> list) { return llvm::find(list, int64_t(d)) - list.begin(); };
    size_t batching = find(numbers.getOperandBatchingDims());
    size_t c = find(numbers.getStartIndexMap());
    bool isBatching = batching < numbers.getOperandBatchingDims().size();
    bool isCollapsed = llvm::is_contained(numbers.getCollapsedSliceDims(), int64_t(d));
    if (isBatching) {
      int64_t dim = numbers.getStartIndicesBatchingDims()[batching];
      slice.push_back({0, size});
      operandLabels.push_back(dim - (hasVectorDim() && dim > numbers.getIndexVectorDim() ? 1 : 0));
    } else if (c < numbers.getStartIndexMap().size()) {
      if (const char *why = analyzeIndexed(d, c))
        return why;
    } else {
      slice.push_back({0, op.getSliceSizes()[d]});
      operandLabels.push_back(-1);
    }
    if (isBatching || isCollapsed)
      continue;
    int64_t label = kOffset + nextOffset++;
    if (operandLabels.back() == -1)
      operandLabels.back() = label;
  }
  appendResultLabels();
  return nullptr;
}

void GatherPlan::buildComponent(Component &component, int64_t c) {
  if (component.oldValue && component.oldValue != oldIndices)
    component.value = b.getRemappedValue(component.oldValue);
  else if (component.oldValue)
    component.value = indices;
  if (component.value)
    return;
  SmallVector<SliceDim> dims;
  for (auto [d, size] : llvm::enumerate(indicesShape))
    dims.push_back(int64_t(d) == numbers.getIndexVectorDim() ? SliceDim{c, 1} : SliceDim{0, size});
  dims = SqueezedDims(op.getStartIndices()).select<SliceDim>(dims);
  component.value = buildSlice(b, op.getLoc(), indices, dims);
}

AffineMap GatherPlan::getMap(ArrayRef<int64_t> loops, ArrayRef<int64_t> labels) const {
  SmallVector<int64_t> positions;
  for (int64_t label : labels)
    positions.push_back(llvm::find(loops, label) - loops.begin());
  return getLoopMap(b.getContext(), loops.size(), positions);
}

/// The index inside [0, size), as the specification moves it.
Value clampIndex(OpBuilder &b, Location loc, Value index, const IndexedDim &dim) {
  const IndexFacts *facts = dim.component.facts;
  if (facts && facts->low >= 0 && facts->high < dim.size)
    return index;
  Type type = index.getType();
  Value last = buildScalarConstant(b, loc, b.getIntegerAttr(type, dim.size - 1));
  if (dim.component.isUnsigned)
    return arith::MinUIOp::create(b, loc, index, last);
  Value zero = buildScalarConstant(b, loc, getZero(type));
  return arith::MinSIOp::create(b, loc, arith::MaxSIOp::create(b, loc, index, zero), last);
}

/// The sum over the indexed dimensions of the operand where the coordinate is the index, and zero
/// elsewhere.
Value GatherPlan::buildMasked(Value x, RankedTensorType type) {
  SmallVector<int64_t> loops = resultLabels, sizes;
  for (auto &[c, dim] : indexed) {
    loops.push_back(dim.label);
    sizes.push_back(dim.size);
  }
  SmallVector<Read> reads = {{x, getMap(loops, operandLabels)}};
  for (auto &[c, dim] : indexed)
    reads.push_back({dim.component.value, getMap(loops, dim.component.labels)});
  auto body = [&](OpBuilder &b, Location loc, ValueRange arguments) {
    Value hit;
    for (auto [i, entry] : llvm::enumerate(indexed)) {
      Value index = clampIndex(b, loc, arguments[1 + i], entry.second);
      Value coordinate = linalg::IndexOp::create(b, loc, resultLabels.size() + i);
      coordinate = arith::IndexCastOp::create(b, loc, index.getType(), coordinate);
      Value same = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, coordinate, index);
      hit = hit ? arith::AndIOp::create(b, loc, hit, same).getResult() : same;
    }
    Value zero = buildScalarConstant(b, loc, getZero(type.getElementType()));
    Value picked = arith::SelectOp::create(b, loc, hit, arguments[0], zero);
    return SmallVector<Value>{buildScalarSum(b, loc, arguments.back(), picked)};
  };
  return buildReduction(b, op.getLoc(), reads, type.getShape(), sizes,
                        getZero(type.getElementType()), body)
      .front();
}

/// Rows of a table.
Value GatherPlan::buildLookup(Value x, RankedTensorType type) {
  Location loc = op.getLoc();
  const IndexedDim &dim = indexed.front().second;
  SmallVector<int64_t> tableLabels = {dim.label}, rowLabels = dim.component.labels, tableShape;
  for (int64_t label : operandLabels)
    if (label != dim.label) {
      tableLabels.push_back(label);
      rowLabels.push_back(label);
    }
  auto sizeOf = [&](int64_t label) {
    return getShape(x)[llvm::find(operandLabels, label) - operandLabels.begin()];
  };
  for (int64_t label : tableLabels)
    tableShape.push_back(sizeOf(label));
  auto tableType = RankedTensorType::get(tableShape, type.getElementType());
  Value table = buildMovement(b, loc, x, getMap(tableLabels, operandLabels), tableType);
  Value index = dim.component.value;
  if (dim.component.isUnsigned) { // a lookup counts its indices as signed
    RankedTensorType indexType = getTensorType(index);
    index = buildPointwise(b, loc, Read{index, b.getMultiDimIdentityMap(indexType.getRank())},
                           indexType, [&](OpBuilder &b, Location loc, ValueRange x) {
                             return SmallVector<Value>{clampIndex(b, loc, x[0], dim)};
                           });
  }
  SmallVector<int64_t> rowShape(getShape(index));
  rowShape.append(tableShape.begin() + 1, tableShape.end());
  auto rowType = RankedTensorType::get(rowShape, type.getElementType());
  Value rows = model::LookupOp::create(b, loc, rowType, table, index);
  return buildMovement(b, loc, rows, getMap(resultLabels, rowLabels), type);
}

Value GatherPlan::build(RankedTensorType type) {
  for (auto &[c, dim] : indexed)
    buildComponent(dim.component, c);
  // Dimensions that were one element are gone; those that became one element go now.
  SqueezedDims squeezed(op.getOperand());
  SmallVector<SliceDim> dims = squeezed.select<SliceDim>(slice);
  operandLabels = squeezed.select<int64_t>(operandLabels);
  Value x = buildSlice(b, op.getLoc(), operand, dims);
  for (int64_t d = dims.size() - 1; d >= 0; --d)
    if (dims[d].size == 1)
      operandLabels.erase(operandLabels.begin() + d);
  if (indexed.empty())
    return buildMovement(b, op.getLoc(), x, getMap(resultLabels, operandLabels), type);
  bool hasBatch = llvm::any_of(operandLabels, [](int64_t label) { return label < kOffset; });
  return indexed.size() == 1 && !hasBatch ? buildLookup(x, type) : buildMasked(x, type);
}

struct ConvertGather : Lowering<stablehlo::GatherOp> {
  using Lowering::Lowering;

  LogicalResult matchAndRewrite(stablehlo::GatherOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    RankedTensorType type = getNewType(*this, op.getResult());
    if (!type || type.getNumElements() == 0 || getTensorType(op.getOperand()).getNumElements() == 0)
      return refuse(op, "it has no elements");
    GatherPlan plan(op, adaptor.getOperand(), adaptor.getStartIndices(), reading.analysis,
                    rewriter);
    if (const char *why = plan.analyze())
      return refuse(op, why);
    rewriter.replaceOp(op, plan.build(type));
    return success();
  }
};

} // namespace

void populateGather(RewritePatternSet &patterns, const Reading &reading) {
  patterns.add<ConvertGather>(reading, patterns.getContext());
}

} // namespace planwright
