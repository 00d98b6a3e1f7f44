// Scatters of two kinds: rows added to a table (the gradient of an embedding), and one window at a
// known place.
#include "Patterns.h"

#include "dialects/Model/IR/Model.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace planwright {
namespace {

using stablehlo::IndexAnalysis;
using stablehlo::IndexFacts;

/// What the region does with the old and the new element.
enum class Update { add, replace, other };

Update getUpdate(stablehlo::ScatterOp op) {
  Block &region = op.getUpdateComputation().front();
  Value returned = region.getTerminator()->getOperand(0);
  if (returned == region.getArgument(1))
    return Update::replace;
  auto add = returned.getDefiningOp<stablehlo::AddOp>();
  bool isSum =
      add && ((add.getLhs() == region.getArgument(0) && add.getRhs() == region.getArgument(1)) ||
              (add.getLhs() == region.getArgument(1) && add.getRhs() == region.getArgument(0)));
  return isSum ? Update::add : Update::other;
}

Value addTensors(OpBuilder &b, Location loc, Value lhs, Value rhs) {
  RankedTensorType type = getTensorType(lhs);
  AffineMap identity = b.getMultiDimIdentityMap(type.getRank());
  return buildPointwise(b, loc, {{lhs, identity}, {rhs, identity}}, type,
                        [](OpBuilder &b, Location loc, ValueRange x) {
                          return SmallVector<Value>{buildScalarSum(b, loc, x[0], x[1])};
                        });
}

struct ConvertScatter : Lowering<stablehlo::ScatterOp> {
  using Lowering::Lowering;

  LogicalResult matchAndRewrite(stablehlo::ScatterOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Update update = getUpdate(op);
    if (op.getInputs().size() != 1 || update == Update::other)
      return refuse(op,
                    "it neither adds nor replaces; use add or set, or write it as a masked select");
    if (auto window = getKnownWindow(op))
      return convertWindow(op, adaptor, *window, update, rewriter);
    if (update == Update::add && addsRows(op))
      return convertRows(op, adaptor, rewriter);
    return refuse(
        op, "only adding rows to a table and updating one window at a known place are supported; "
            "write it as a one-hot product or a masked select");
  }

private:
  /// The place of a single window whose start is constant and inside.
  std::optional<SmallVector<SliceDim>> getKnownWindow(stablehlo::ScatterOp op) const {
    auto numbers = op.getScatterDimensionNumbers();
    ArrayRef<int64_t> shape = getShape(op.getInputs()[0]);
    const IndexFacts *facts = reading.analysis.get(op.getScatterIndices());
    bool isSingle = getTensorType(op.getScatterIndices()).getNumElements() ==
                    int64_t(numbers.getScatterDimsToOperandDims().size());
    if (!isSingle || !facts || !facts->isConstant() || !numbers.getInputBatchingDims().empty())
      return std::nullopt;
    SmallVector<SliceDim> dims;
    size_t next = 0;
    for (auto [d, size] : llvm::enumerate(shape)) {
      bool isInserted = llvm::is_contained(numbers.getInsertedWindowDims(), int64_t(d));
      bool isIndexed = llvm::is_contained(numbers.getScatterDimsToOperandDims(), int64_t(d));
      int64_t extent =
          isInserted ? 1 : getShape(op.getUpdates()[0])[numbers.getUpdateWindowDims()[next++]];
      int64_t start = isIndexed ? facts->low : 0;
      if (start < 0 || start + extent > size) // such a window is left out
        return std::nullopt;
      dims.push_back({start, extent});
    }
    return dims;
  }

  static LogicalResult convertWindow(stablehlo::ScatterOp op, OpAdaptor adaptor,
                                     ArrayRef<SliceDim> window, Update update,
                                     ConversionPatternRewriter &rewriter) {
    Location loc = op.getLoc();
    SmallVector<SliceDim> dims = SqueezedDims(op.getInputs()[0]).select<SliceDim>(window);
    Value input = adaptor.getInputs()[0], value = adaptor.getUpdates()[0];
    if (update == Update::add)
      value = addTensors(rewriter, loc, buildSlice(rewriter, loc, input, dims), value);
    rewriter.replaceOp(op, buildInsert(rewriter, loc, value, input, dims));
    return success();
  }

  /// Updates are whole rows of a table, with the dimensions of a row behind those of the indices.
  static bool addsRows(stablehlo::ScatterOp op) {
    auto numbers = op.getScatterDimensionNumbers();
    ArrayRef<int64_t> table = getShape(op.getInputs()[0]), updates = getShape(op.getUpdates()[0]);
    if (table.empty() || table[0] == 1 || !numbers.getInputBatchingDims().empty() ||
        numbers.getInsertedWindowDims() != ArrayRef<int64_t>{0} ||
        numbers.getScatterDimsToOperandDims() != ArrayRef<int64_t>{0})
      return false;
    int64_t numScatter = updates.size() - (table.size() - 1);
    for (auto [i, dim] : llvm::enumerate(numbers.getUpdateWindowDims()))
      if (dim != numScatter + int64_t(i))
        return false;
    return updates.drop_front(numScatter) == table.drop_front();
  }

  LogicalResult convertRows(stablehlo::ScatterOp op, OpAdaptor adaptor,
                            ConversionPatternRewriter &rewriter) const {
    Location loc = op.getLoc();
    Value table = adaptor.getInputs()[0], rows = adaptor.getUpdates()[0];
    Value indices = adaptor.getScatterIndices();
    const IndexFacts *facts = reading.analysis.get(op.getScatterIndices());
    int64_t size = getShape(table)[0];
    if (!facts || facts->low < 0 || facts->high >= size)
      rows = maskRows(rewriter, loc, rows, indices, size);
    Value sum = model::LookupGradOp::create(rewriter, loc, table.getType(), rows, indices);
    rewriter.replaceOp(op, addTensors(rewriter, loc, table, sum));
    return success();
  }

  /// Rows whose index is outside count as zero. Compared as unsigned, negative ones are outside,
  /// too.
  static Value maskRows(OpBuilder &b, Location loc, Value rows, Value indices, int64_t size) {
    RankedTensorType type = getTensorType(rows);
    AffineMap identity = b.getMultiDimIdentityMap(type.getRank());
    AffineMap ofIndices =
        getLoopMap(b.getContext(), type.getRank(),
                   llvm::to_vector(llvm::seq<int64_t>(0, getTensorType(indices).getRank())));
    return buildPointwise(
        b, loc, {{rows, identity}, {indices, ofIndices}}, type,
        [&](OpBuilder &b, Location loc, ValueRange x) {
          Value bound = buildScalarConstant(b, loc, b.getIntegerAttr(x[1].getType(), size));
          Value zero = buildScalarConstant(b, loc, getZero(x[0].getType()));
          Value inside = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ult, x[1], bound);
          return SmallVector<Value>{arith::SelectOp::create(b, loc, inside, x[0], zero)};
        });
  }
};

} // namespace

void populateScatter(RewritePatternSet &patterns, const Reading &reading) {
  patterns.add<ConvertScatter>(reading, patterns.getContext());
}

} // namespace planwright
