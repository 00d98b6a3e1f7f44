// Convolution as a sum of contractions: one strided slice of the input and one slice of the kernel
// for each place in the window. Where windows tile the input (patches of an image), one contraction
// does it all.
#include "Patterns.h"

#include "mlir/IR/BuiltinAttributes.h"

using namespace mlir;

namespace planwright {
namespace {

/// More places in a window than that would flood the program with slices.
constexpr int64_t kMaxPlaces = 1024;

/// Names of dimensions. Spatial dimension i is kSpatial + i, its place in the kernel kPlace + i.
enum Label : int64_t { kBatch, kGroup, kInputFeature, kOutputFeature, kSpatial = 16, kPlace = 64 };

/// One spatial dimension of the window.
struct WindowDim {
  int64_t inputDim, kernelDim, outputDim; // where it stands in each operand
  int64_t inputSize, kernelSize, outputSize;
  int64_t stride, low, high, inputDilation, kernelDilation;
  bool reversed;

  /// Windows lie side by side and cover the input.
  bool isTiled() const {
    return kernelSize > 1 && stride == kernelSize && low == 0 && high == 0 && inputDilation == 1 &&
           kernelDilation == 1 && !reversed && outputSize * kernelSize == inputSize;
  }
};

/// A tensor on its way to a contraction: shape, labels, and a slice of each dimension.
struct Prepared {
  Value tensor;
  SmallVector<int64_t> labels;
};

class Convolution {
public:
  Convolution(stablehlo::ConvolutionOp op);

  int64_t countPlaces() const;
  Value build(OpBuilder &b, Location loc, Value input, Value kernel, RankedTensorType type);

private:
  Prepared prepareInput(OpBuilder &b, Location loc, Value input) const;
  Prepared prepareKernel(OpBuilder &b, Location loc, Value kernel) const;
  /// The part of a prepared tensor that meets at one place of the window.
  Factor cut(OpBuilder &b, Location loc, const Prepared &prepared, ArrayRef<int64_t> place,
             bool isKernel) const;
  SmallVector<int64_t> getResultLabels(RankedTensorType *fullType, Type elementType) const;

  ArrayRef<int64_t> inputShape, kernelShape, outputShape;
  stablehlo::ConvDimensionNumbersAttr numbers;
  SmallVector<WindowDim> window;
  int64_t groups;
};

int64_t getOr(std::optional<ArrayRef<int64_t>> values, size_t i, int64_t fallback) {
  return values ? (*values)[i] : fallback;
}

Convolution::Convolution(stablehlo::ConvolutionOp op)
    : inputShape(getShape(op.getLhs())), kernelShape(getShape(op.getRhs())),
      outputShape(getShape(op.getResult())), numbers(op.getDimensionNumbers()),
      groups(op.getFeatureGroupCount()) {
  SmallVector<int64_t> padding(2 * numbers.getInputSpatialDimensions().size(), 0);
  if (auto attr = op.getPaddingAttr())
    padding = llvm::to_vector(attr.getValues<int64_t>());
  auto reversal = op.getWindowReversal();
  for (size_t i = 0; i < numbers.getInputSpatialDimensions().size(); ++i) {
    WindowDim dim;
    dim.inputDim = numbers.getInputSpatialDimensions()[i];
    dim.kernelDim = numbers.getKernelSpatialDimensions()[i];
    dim.outputDim = numbers.getOutputSpatialDimensions()[i];
    dim.inputSize = inputShape[dim.inputDim];
    dim.kernelSize = kernelShape[dim.kernelDim];
    dim.outputSize = outputShape[dim.outputDim];
    dim.stride = getOr(op.getWindowStrides(), i, 1);
    dim.low = padding[2 * i];
    dim.high = padding[2 * i + 1];
    dim.inputDilation = getOr(op.getLhsDilation(), i, 1);
    dim.kernelDilation = getOr(op.getRhsDilation(), i, 1);
    dim.reversed = reversal && (*reversal)[i];
    window.push_back(dim);
  }
}

int64_t Convolution::countPlaces() const {
  int64_t places = 1;
  for (const WindowDim &dim : window)
    if (!dim.isTiled() && llvm::MulOverflow(places, dim.kernelSize, places))
      return INT64_MAX;
  return places;
}

/// Splits features into (group, feature) and tiled dimensions into (tile, place), then pads.
Prepared Convolution::prepareInput(OpBuilder &b, Location loc, Value input) const {
  SmallVector<int64_t> shape, labels, low, high;
  SmallVector<int64_t> gaps;
  auto push = [&](int64_t size, int64_t label, int64_t lowPad = 0, int64_t highPad = 0,
                  int64_t gap = 0) {
    shape.push_back(size);
    labels.push_back(label);
    low.push_back(lowPad);
    high.push_back(highPad);
    gaps.push_back(gap);
  };
  for (auto [d, size] : llvm::enumerate(inputShape)) {
    if (static_cast<int64_t>(d) == numbers.getInputBatchDimension()) {
      push(size, kBatch);
    } else if (static_cast<int64_t>(d) == numbers.getInputFeatureDimension()) {
      push(groups, kGroup);
      push(size / groups, kInputFeature);
    } else {
      size_t i = llvm::find(numbers.getInputSpatialDimensions(), int64_t(d)) -
                 numbers.getInputSpatialDimensions().begin();
      const WindowDim &dim = window[i];
      if (dim.isTiled()) {
        push(dim.outputSize, kSpatial + i);
        push(dim.kernelSize, kPlace + i);
      } else {
        push(size, kSpatial + i, dim.low, dim.high, dim.inputDilation - 1);
      }
    }
  }
  // Dimensions of size one that stay so are not worth naming.
  for (int64_t d = shape.size() - 1; d >= 0; --d)
    if (shape[d] == 1 && low[d] == 0 && high[d] == 0)
      for (SmallVector<int64_t> *list : {&shape, &labels, &low, &high, &gaps})
        list->erase(list->begin() + d);
  Value x = buildReshape(b, loc, input, shape);
  return {buildEdges(b, loc, x, low, high, gaps, getZero(getTensorType(input).getElementType())),
          labels};
}

/// Splits output features into (group, feature) and names places of tiled dimensions; the other
/// places are cut out.
Prepared Convolution::prepareKernel(OpBuilder &b, Location loc, Value kernel) const {
  SmallVector<int64_t> shape, labels;
  auto push = [&](int64_t size, int64_t label) {
    if (size == 1)
      return;
    shape.push_back(size);
    labels.push_back(label);
  };
  for (auto [d, size] : llvm::enumerate(kernelShape)) {
    if (static_cast<int64_t>(d) == numbers.getKernelInputFeatureDimension()) {
      push(size, kInputFeature);
    } else if (static_cast<int64_t>(d) == numbers.getKernelOutputFeatureDimension()) {
      push(groups, kGroup);
      push(size / groups, kOutputFeature);
    } else {
      size_t i = llvm::find(numbers.getKernelSpatialDimensions(), int64_t(d)) -
                 numbers.getKernelSpatialDimensions().begin();
      push(size, kPlace + i);
    }
  }
  return {buildReshape(b, loc, kernel, shape), labels};
}

Factor Convolution::cut(OpBuilder &b, Location loc, const Prepared &prepared,
                        ArrayRef<int64_t> place, bool isKernel) const {
  SmallVector<SliceDim> dims;
  SmallVector<int64_t> labels;
  for (auto [size, label] : llvm::zip_equal(getShape(prepared.tensor), prepared.labels)) {
    SliceDim slice{0, size};
    bool isPlace = label >= kPlace, isSpatial = label >= kSpatial && !isPlace;
    const WindowDim *dim = isPlace     ? &window[label - kPlace]
                           : isSpatial ? &window[label - kSpatial]
                                       : nullptr;
    if (dim && !dim->isTiled()) {
      int64_t at = place[dim - window.begin()];
      if (isKernel)
        slice = {dim->reversed ? dim->kernelSize - 1 - at : at, 1};
      else
        slice = {at * dim->kernelDilation, dim->outputSize, dim->stride};
    }
    dims.push_back(slice);
    if (slice.size != 1)
      labels.push_back(label);
  }
  return {buildSlice(b, loc, prepared.tensor, dims), labels};
}

/// Labels of the result's dimensions of more than one element, and its shape with groups and
/// features apart.
SmallVector<int64_t> Convolution::getResultLabels(RankedTensorType *fullType,
                                                  Type elementType) const {
  SmallVector<int64_t> labels, shape;
  auto push = [&](int64_t size, int64_t label) {
    if (size == 1)
      return;
    labels.push_back(label);
    shape.push_back(size);
  };
  for (auto [d, size] : llvm::enumerate(outputShape)) {
    if (static_cast<int64_t>(d) == numbers.getOutputBatchDimension()) {
      push(size, kBatch);
    } else if (static_cast<int64_t>(d) == numbers.getOutputFeatureDimension()) {
      push(groups, kGroup);
      push(size / groups, kOutputFeature);
    } else {
      push(size, kSpatial + (llvm::find(numbers.getOutputSpatialDimensions(), int64_t(d)) -
                             numbers.getOutputSpatialDimensions().begin()));
    }
  }
  *fullType = RankedTensorType::get(shape, elementType);
  return labels;
}

/// The next place in the window, last dimension fastest; false after the last one.
bool advance(MutableArrayRef<int64_t> place, ArrayRef<WindowDim> window) {
  for (int64_t i = window.size() - 1; i >= 0; --i) {
    if (window[i].isTiled())
      continue;
    if (++place[i] < window[i].kernelSize)
      return true;
    place[i] = 0;
  }
  return false;
}

Value Convolution::build(OpBuilder &b, Location loc, Value input, Value kernel,
                         RankedTensorType type) {
  Prepared x = prepareInput(b, loc, input), w = prepareKernel(b, loc, kernel);
  RankedTensorType fullType;
  SmallVector<int64_t> labels = getResultLabels(&fullType, type.getElementType());
  SmallVector<int64_t> place(window.size(), 0);
  AffineMap identity = b.getMultiDimIdentityMap(fullType.getRank());
  Value sum;
  do {
    Value term = buildContraction(b, loc, cut(b, loc, x, place, false), cut(b, loc, w, place, true),
                                  labels, type.getElementType());
    sum = sum ? buildPointwise(b, loc, {{sum, identity}, {term, identity}}, fullType,
                               [](OpBuilder &b, Location loc, ValueRange x) {
                                 return SmallVector<Value>{buildScalarSum(b, loc, x[0], x[1])};
                               })
              : term;
  } while (advance(place, window));
  return buildReshape(b, loc, sum, type.getShape());
}

struct ConvertConvolution : Lowering<stablehlo::ConvolutionOp> {
  using Lowering::Lowering;

  LogicalResult matchAndRewrite(stablehlo::ConvolutionOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    if (op.getBatchGroupCount() != 1)
      return refuse(
          op,
          "it groups the batch, which only gradients of convolutions do; export the forward loss");
    RankedTensorType type = getNewType(*this, op.getResult());
    if (type.getNumElements() == 0 || getTensorType(op.getRhs()).getNumElements() == 0)
      return refuse(op, "it has no elements");
    Convolution convolution(op);
    if (convolution.countPlaces() > kMaxPlaces)
      return refuse(op, "its window has more than " + Twine(kMaxPlaces) +
                            " places; use smaller kernels, or patches that tile the input");
    rewriter.replaceOp(
        op, convolution.build(rewriter, op.getLoc(), adaptor.getLhs(), adaptor.getRhs(), type));
    return success();
  }
};

} // namespace

void populateConvolution(RewritePatternSet &patterns, const Reading &reading) {
  patterns.add<ConvertConvolution>(reading, patterns.getContext());
}

} // namespace planwright
