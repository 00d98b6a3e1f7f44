// Kernels that move elements: slices, pads, concatenations. The output is cut into strided boxes;
// each is copied from somewhere or filled with a constant.
#include "Families.h"

#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace planwright::codegen;

namespace {
/// The indices start, start + step, ... of one dimension.
struct StridedRange {
  int64_t start = 0, step = 1, count = 0;
};

/// One range for each dimension.
using Box = SmallVector<StridedRange>;
} // namespace

static Box getWholeBox(ArrayRef<int64_t> shape) {
  return llvm::map_to_vector(shape, [](int64_t extent) { return StridedRange{0, 1, extent}; });
}

static Access createAccess(const Box &box, ArrayRef<int64_t> strides) {
  Access access;
  for (auto [range, stride] : llvm::zip_equal(box, strides)) {
    access.offset += range.start * stride;
    access.strides.push_back(range.step * stride);
  }
  return access;
}

static void addNest(KernelDraft &draft, NestKernel kernel) {
  kernel.nest.simplify();
  kernel.schedule = planLoops(kernel.nest);
  draft.addPart(kernel.schedule.countItems(kernel.nest),
                [kernel](ItemBuilder &b, Value item) { emitNest(b, item, kernel); });
}

static NestKernel createNest(const Box &box, unsigned operand, ArrayRef<int64_t> strides) {
  NestKernel kernel;
  for (const StridedRange &range : box)
    kernel.nest.loops.push_back({range.count, false, std::nullopt});
  NestOutput output;
  output.operand = operand;
  kernel.outputs.push_back(output);
  kernel.nest.outputs.push_back(createAccess(box, strides));
  return kernel;
}

static void addFill(KernelDraft &draft, TypedAttr value, unsigned operand, const Box &box,
                    ArrayRef<int64_t> strides) {
  NestKernel kernel = createNest(box, operand, strides);
  kernel.outputs.front().initial = value;
  kernel.body = [value](ItemBuilder &b, ValueRange, ValueRange, ValueRange) {
    return SmallVector<Value>{createConstant(b, value)};
  };
  addNest(draft, std::move(kernel));
}

static void addCopy(KernelDraft &draft, unsigned source, const Access &sourceAccess,
                    unsigned target, const Box &targetBox, ArrayRef<int64_t> targetStrides) {
  NestKernel kernel = createNest(targetBox, target, targetStrides);
  kernel.outputs.front().initial = cast<TypedAttr>(
      Builder(draft.getElementType(target).getContext()).getZeroAttr(draft.getElementType(target)));
  kernel.inputs.push_back(source);
  kernel.nest.inputs.push_back(sourceAccess);
  kernel.body = [](ItemBuilder &, ValueRange inputs, ValueRange, ValueRange) {
    return SmallVector<Value>{inputs.front()};
  };
  addNest(draft, std::move(kernel));
}

/// The indices of [0, extent) that are not in `range`, as ranges.
static SmallVector<StridedRange> getComplement(const StridedRange &range, int64_t extent) {
  SmallVector<StridedRange> others;
  int64_t last = range.start + (range.count - 1) * range.step;
  others.push_back({0, 1, range.start});
  others.push_back({last + 1, 1, extent - last - 1});
  for (int64_t gap = 1; gap < range.step; ++gap)
    others.push_back({range.start + gap, range.step, range.count - 1});
  llvm::erase_if(others, [](const StridedRange &other) { return other.count <= 0; });
  return others;
}

/// Fills everything of `shape` that is not in `box`: for each dimension, what lies in the box
/// before that dimension, beside it there, and anywhere after.
static void addFillAround(KernelDraft &draft, TypedAttr value, unsigned operand, const Box &box,
                          ArrayRef<int64_t> shape) {
  Box around = getWholeBox(shape);
  for (size_t dim = 0; dim < shape.size(); ++dim) {
    for (const StridedRange &beside : getComplement(box[dim], shape[dim])) {
      around[dim] = beside;
      addFill(draft, value, operand, around, getRowMajorStrides(shape));
    }
    around[dim] = box[dim];
  }
}

//===----------------------------------------------------------------------===//
// Slices
//===----------------------------------------------------------------------===//

static FailureOr<Box> getSliceBox(OffsetSizeAndStrideOpInterface op) {
  if (ShapedType::isDynamicShape(op.getStaticOffsets()) ||
      ShapedType::isDynamicShape(op.getStaticSizes()) ||
      ShapedType::isDynamicShape(op.getStaticStrides()))
    return op->emitOpError("has offsets, sizes or strides that are not constant");
  Box box;
  for (auto [start, count, step] :
       llvm::zip_equal(op.getStaticOffsets(), op.getStaticSizes(), op.getStaticStrides()))
    box.push_back({start, step, count});
  return box;
}

/// Strides of the slice itself (source of an insertion, result of an extraction) for each dimension
/// of the whole; dimensions of size 1 may be missing from it.
static SmallVector<int64_t> getSliceStrides(ArrayRef<int64_t> shape,
                                            const llvm::SmallBitVector &dropped) {
  SmallVector<int64_t> strides(dropped.size(), 0), own = getRowMajorStrides(shape);
  auto next = own.begin();
  for (size_t dim = 0; dim < dropped.size(); ++dim)
    if (!dropped.test(dim))
      strides[dim] = *next++;
  return strides;
}

static Box getCounts(const Box &box) {
  return llvm::map_to_vector(
      box, [](const StridedRange &range) { return StridedRange{0, 1, range.count}; });
}

FailureOr<KernelDraft> planwright::codegen::draftExtractSlice(tensor::ExtractSliceOp op) {
  FailureOr<Box> box = getSliceBox(op);
  if (failed(box))
    return failure();
  KernelDraft draft("copy");
  unsigned source = draft.read(op.getSource()), target = draft.write(op.getResult());
  SmallVector<int64_t> strides = getSliceStrides(op.getType().getShape(), op.getDroppedDims());
  addCopy(draft, source, createAccess(*box, getRowMajorStrides(op.getSourceType().getShape())),
          target, getCounts(*box), strides);
  return draft;
}

FailureOr<KernelDraft> planwright::codegen::draftInsertSlice(tensor::InsertSliceOp op) {
  FailureOr<Box> box = getSliceBox(op);
  if (failed(box))
    return failure();
  KernelDraft draft("copy");
  ArrayRef<int64_t> shape = op.getDestType().getShape();
  unsigned source = draft.read(op.getSource());
  TypedAttr uniform = getUniformValue(op.getDest());
  bool isFresh = uniform || isUninitialized(op.getDest());
  unsigned target =
      isFresh ? draft.write(op.getResult()) : draft.update(op.getDest(), op.getResult());
  if (uniform)
    addFillAround(draft, uniform, target, *box, shape);
  SmallVector<int64_t> strides =
      getSliceStrides(op.getSourceType().getShape(), op.getDroppedDims());
  addCopy(draft, source, createAccess(getCounts(*box), strides), target, *box,
          getRowMajorStrides(shape));
  return draft;
}

//===----------------------------------------------------------------------===//
// Pads and concatenations
//===----------------------------------------------------------------------===//

FailureOr<KernelDraft> planwright::codegen::draftPad(tensor::PadOp op) {
  Value padding = op.getConstantPaddingValue();
  TypedAttr value = padding ? getUniformValue(padding) : TypedAttr();
  if (!value)
    return op.emitOpError("pads with a value that is not constant");
  if (!op.getLow().empty() || !op.getHigh().empty())
    return op.emitOpError("pads by widths that are not constant");
  if (!op.getResultType().hasStaticShape())
    return op.emitOpError("has a result of unknown shape");
  Box box;
  for (auto [low, high, extent] :
       llvm::zip_equal(op.getStaticLow(), op.getStaticHigh(), op.getSourceType().getShape())) {
    if (low < 0 || high < 0)
      return op.emitOpError("pads by a negative width");
    box.push_back({low, 1, extent});
  }
  KernelDraft draft("copy");
  unsigned source = draft.read(op.getSource()), target = draft.write(op.getResult());
  ArrayRef<int64_t> shape = op.getResultType().getShape();
  addFillAround(draft, value, target, box, shape);
  addCopy(draft, source,
          createAccess(getCounts(box), getRowMajorStrides(op.getSourceType().getShape())), target,
          box, getRowMajorStrides(shape));
  return draft;
}

FailureOr<KernelDraft> planwright::codegen::draftConcat(tensor::ConcatOp op) {
  if (!op.getResultType().hasStaticShape())
    return op.emitOpError("has a result of unknown shape");
  KernelDraft draft("copy");
  ArrayRef<int64_t> shape = op.getResultType().getShape();
  unsigned target = draft.write(op.getResult());
  SmallVector<unsigned> sources;
  for (Value input : op.getInputs())
    sources.push_back(draft.read(input));
  int64_t start = 0;
  for (auto [input, source] : llvm::zip_equal(op.getInputs(), sources)) {
    ArrayRef<int64_t> part = cast<ShapedType>(input.getType()).getShape();
    Box box = getWholeBox(part);
    box[op.getDim()].start = start;
    start += part[op.getDim()];
    addCopy(draft, source, createAccess(getWholeBox(part), getRowMajorStrides(part)), target, box,
            getRowMajorStrides(shape));
  }
  return draft;
}
