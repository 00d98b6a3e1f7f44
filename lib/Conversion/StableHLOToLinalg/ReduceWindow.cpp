// Windows that move over a tensor: running sums, and pooling as a combination of strided slices.
#include "Patterns.h"
#include "Reduction.h"

#include "dialects/Model/IR/Model.h"

using namespace mlir;

namespace planwright {
namespace {

constexpr int64_t kMaxPlaces = 256;

/// The window of a reduce_window, with defaults filled in.
struct Window {
  SmallVector<int64_t> sizes, strides, dilations, gaps, low, high;

  explicit Window(stablehlo::ReduceWindowOp op) : sizes(op.getWindowDimensions()) {
    size_t rank = sizes.size();
    auto fill = [&](std::optional<ArrayRef<int64_t>> values) {
      return values ? SmallVector<int64_t>(*values) : SmallVector<int64_t>(rank, 1);
    };
    strides = fill(op.getWindowStrides());
    dilations = fill(op.getWindowDilations());
    gaps = fill(op.getBaseDilations());
    for (int64_t &gap : gaps)
      --gap;
    SmallVector<int64_t> padding(2 * rank, 0);
    if (auto attr = op.getPaddingAttr())
      padding = llvm::to_vector(attr.getValues<int64_t>());
    for (size_t d = 0; d < rank; ++d) {
      low.push_back(padding[2 * d]);
      high.push_back(padding[2 * d + 1]);
    }
  }

  int64_t countPlaces() const {
    int64_t places = 1;
    for (int64_t size : sizes)
      if (llvm::MulOverflow(places, size, places))
        return INT64_MAX;
    return places;
  }

  /// The one dimension whose window is not a single element, if there is one.
  std::optional<size_t> getOnlyDim() const {
    std::optional<size_t> dim;
    for (size_t d = 0; d < sizes.size(); ++d) {
      bool isTrivial = sizes[d] == 1 && low[d] == 0 && high[d] == 0;
      if (strides[d] != 1 || dilations[d] != 1 || gaps[d] != 0 || (!isTrivial && dim))
        return std::nullopt;
      if (!isTrivial)
        dim = d;
    }
    return dim;
  }
};

/// A window as long as the dimension that starts (or ends) at each element is a running sum.
struct RunningSum {
  size_t dim;
  bool reverse;

  static std::optional<RunningSum> match(const Window &window, ArrayRef<int64_t> shape) {
    std::optional<size_t> dim = window.getOnlyDim();
    if (!dim || window.sizes[*dim] != shape[*dim])
      return std::nullopt;
    int64_t all = shape[*dim] - 1;
    if (window.low[*dim] == all && window.high[*dim] == 0)
      return RunningSum{*dim, false};
    if (window.low[*dim] == 0 && window.high[*dim] == all)
      return RunningSum{*dim, true};
    return std::nullopt;
  }
};

struct ConvertReduceWindow : Lowering<stablehlo::ReduceWindowOp> {
  using Lowering::Lowering;

  LogicalResult matchAndRewrite(stablehlo::ReduceWindowOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    if (op.getInputs().size() != 1)
      return refuse(op, "it reduces several inputs together over a window");
    auto note = [&](const Twine &why) { (void)refuse(op, why); };
    std::optional<Combiner> combiner = Combiner::get(op.getBody().front(), note);
    if (!combiner)
      return failure();
    if (getSplat(adaptor.getInitValues()[0]) != combiner->getNeutral())
      return refuse(op, "its initial value is not the neutral element of its region");
    Window window(op);
    Value input = adaptor.getInputs()[0];
    if (auto sum = RunningSum::match(window, getShape(op.getInputs()[0])))
      if (isSum(*combiner, op))
        return convertRunningSum(op, *sum, input, rewriter);
    if (window.countPlaces() > kMaxPlaces)
      return refuse(op, "its window has more than " + Twine(kMaxPlaces) +
                            " places and is no running sum");
    rewriter.replaceOp(op, pool(rewriter, op, window, *combiner, input));
    return success();
  }

private:
  /// A zero as neutral element also belongs to `or`, but not on numbers that are added.
  static bool isSum(const Combiner &combiner, stablehlo::ReduceWindowOp op) {
    Block &region = op.getBody().front();
    return region.getOperations().size() == 2 && isa<stablehlo::AddOp>(region.front()) &&
           !getTensorType(op.getInputs()[0]).getElementType().isInteger(1);
  }

  static LogicalResult convertRunningSum(stablehlo::ReduceWindowOp op, RunningSum sum, Value input,
                                         ConversionPatternRewriter &rewriter) {
    std::optional<int64_t> dim = SqueezedDims(op.getInputs()[0])[sum.dim];
    if (!dim) // a sum over one element
      rewriter.replaceOp(op, input);
    else
      rewriter.replaceOpWithNewOp<model::CumulativeSumOp>(op, input.getType(), input, *dim,
                                                          sum.reverse);
    return success();
  }

  Value pool(OpBuilder &b, stablehlo::ReduceWindowOp op, const Window &window,
             const Combiner &combiner, Value input) const {
    Location loc = op.getLoc();
    Value x = buildReshape(b, loc, input, getShape(op.getInputs()[0]));
    x = buildEdges(b, loc, x, window.low, window.high, window.gaps, combiner.getNeutral());
    RankedTensorType type = getNewType(*this, op.getResult(0));
    ArrayRef<int64_t> outShape = getShape(op.getResult(0));
    AffineMap identity = b.getMultiDimIdentityMap(type.getRank());
    SmallVector<int64_t> place(window.sizes.size(), 0);
    Value result;
    do {
      SmallVector<SliceDim> dims;
      for (auto [d, size] : llvm::enumerate(outShape))
        dims.push_back({place[d] * window.dilations[d], size, window.strides[d]});
      Value part = buildSlice(b, loc, x, dims);
      result = result ? buildPointwise(b, loc, {{result, identity}, {part, identity}}, type,
                                       [&](OpBuilder &b, Location, ValueRange x) {
                                         return SmallVector<Value>{combiner.combine(b, x[0], x[1])};
                                       })
                      : part;
    } while (advance(place, window.sizes));
    return result;
  }

  static bool advance(MutableArrayRef<int64_t> place, ArrayRef<int64_t> sizes) {
    for (int64_t d = sizes.size() - 1; d >= 0; --d) {
      if (++place[d] < sizes[d])
        return true;
      place[d] = 0;
    }
    return false;
  }
};

} // namespace

void populateReduceWindow(RewritePatternSet &patterns, const Reading &reading) {
  patterns.add<ConvertReduceWindow>(reading, patterns.getContext());
}

} // namespace planwright
