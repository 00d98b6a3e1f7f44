// model-split-fused: a dimension that is cut into equal parts becomes two dimensions, back to the
// parameters that have it. Not here: other reshapes of parameters.
#include "lib/Transforms/Normalize/Passes.h"

#include "dialects/Model/IR/Model.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;

namespace planwright {
#define GEN_PASS_DEF_MODELSPLITFUSED
#include "lib/Transforms/Normalize/Passes.h.inc"

namespace {

/// The only dimension that `slice` cuts, into parts of equal size with it being one of them.
std::optional<int64_t> getCutDim(tensor::ExtractSliceOp slice) {
  ArrayRef<int64_t> whole = slice.getSourceType().getShape(), sizes = slice.getStaticSizes();
  std::optional<int64_t> cut;
  for (auto [dim, size] : llvm::enumerate(sizes)) {
    if (size == whole[dim])
      continue;
    if (cut)
      return std::nullopt;
    cut = dim;
  }
  bool isRegular = cut && slice.hasUnitStride() && whole[*cut] % sizes[*cut] == 0 &&
                   slice.getStaticOffsets()[*cut] % sizes[*cut] == 0 &&
                   slice.getType().getRank() == slice.getSourceType().getRank();
  return isRegular ? cut : std::nullopt;
}

/// One fused dimension: the values that have it, the operations that compute with it, and the
/// slices that cut it.
class FusedDimension {
public:
  FusedDimension(Value cut, int64_t dim, int64_t partSize) : cut(cut), partSize(partSize) {
    isValid = addSlices() && add(cut, dim) && hasParameter && areUsesKnown();
  }

  explicit operator bool() const { return isValid; }
  void split();

private:
  bool addSlices();
  bool add(Value value, int64_t dim);
  bool addOp(linalg::LinalgOp op, unsigned loop);
  bool areUsesKnown() const;

  RankedTensorType getSplitType(Value value, int64_t dim) const;
  AffineMap getSplitMap(AffineMap map, unsigned loop) const;
  void splitArgument(BlockArgument argument, int64_t dim);
  void splitOp(linalg::LinalgOp op, unsigned loop);
  void splitSlice(tensor::ExtractSliceOp slice);

  Value cut;
  int64_t partSize;
  bool isValid = false, hasParameter = false;
  llvm::MapVector<Value, int64_t> dims;         ///< of each value, which dimension it is
  llvm::MapVector<Operation *, unsigned> loops; ///< of each operation, which loop it is
  SmallVector<tensor::ExtractSliceOp> slices;
  IRMapping splits; ///< from values to themselves in two dimensions
};

bool FusedDimension::addSlices() {
  for (Operation *user : cut.getUsers()) {
    auto slice = dyn_cast<tensor::ExtractSliceOp>(user);
    std::optional<int64_t> dim = slice ? getCutDim(slice) : std::nullopt;
    if (!dim || slice.getStaticSizes()[*dim] != partSize)
      return false;
    slices.push_back(slice);
  }
  return true;
}

/// Follows the dimension to whoever makes it. False where that is neither an operation with a loop
/// for it nor a parameter.
bool FusedDimension::add(Value value, int64_t dim) {
  auto [known, isNew] = dims.insert({value, dim});
  if (!isNew)
    return known->second == dim;
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    auto function = cast<func::FuncOp>(argument.getOwner()->getParentOp());
    auto attr = function.getArgAttrOfType<model::ArgumentAttr>(argument.getArgNumber(),
                                                               model::kArgumentAttrName);
    bool isParameter = attr && attr.getRole() == model::Role::parameter;
    hasParameter |= isParameter;
    return isParameter;
  }
  Operation *op = value.getDefiningOp();
  if (isa<tensor::EmptyOp>(op))
    return true;
  auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
  if (!linalgOp || op->getNumResults() != 1 || linalgOp.hasIndexSemantics())
    return false;
  AffineMap map = linalgOp.getIndexingMapMatchingResult(op->getResult(0));
  return addOp(linalgOp, map.getDimPosition(dim));
}

bool FusedDimension::addOp(linalg::LinalgOp op, unsigned loop) {
  loops.insert({op, loop});
  for (OpOperand &operand : op->getOpOperands()) {
    AffineMap map = op.getMatchingIndexingMap(&operand);
    for (unsigned dim = 0; dim < map.getNumResults(); ++dim)
      if (map.getDimPosition(dim) == loop && !add(operand.get(), dim))
        return false;
  }
  return true;
}

/// Nobody else reads what changes its shape. What is empty or filled is made anew.
bool FusedDimension::areUsesKnown() const {
  return llvm::all_of(dims, [&](auto &entry) {
    Value value = entry.first;
    Operation *op = value.getDefiningOp();
    return value == cut || isa_and_nonnull<tensor::EmptyOp, linalg::FillOp>(op) ||
           llvm::all_of(value.getUsers(), [&](Operation *user) { return loops.contains(user); });
  });
}

//===----------------------------------------------------------------------===//
// Rewriting
//===----------------------------------------------------------------------===//

RankedTensorType FusedDimension::getSplitType(Value value, int64_t dim) const {
  auto type = cast<RankedTensorType>(value.getType());
  SmallVector<int64_t> shape(type.getShape());
  shape[dim] /= partSize;
  shape.insert(shape.begin() + dim + 1, partSize);
  return RankedTensorType::get(shape, type.getElementType());
}

/// With two loops in place of `loop`.
AffineMap FusedDimension::getSplitMap(AffineMap map, unsigned loop) const {
  MLIRContext *context = map.getContext();
  SmallVector<AffineExpr> results;
  for (AffineExpr result : map.getResults()) {
    unsigned position = cast<AffineDimExpr>(result).getPosition();
    results.push_back(getAffineDimExpr(position > loop ? position + 1 : position, context));
    if (position == loop)
      results.push_back(getAffineDimExpr(loop + 1, context));
  }
  return AffineMap::get(map.getNumDims() + 1, 0, results, context);
}

void FusedDimension::splitArgument(BlockArgument argument, int64_t dim) {
  argument.setType(getSplitType(argument, dim));
  auto function = cast<func::FuncOp>(argument.getOwner()->getParentOp());
  function.setType(FunctionType::get(function.getContext(), argument.getOwner()->getArgumentTypes(),
                                     function.getResultTypes()));
  splits.map(argument, argument);
}

void FusedDimension::splitOp(linalg::LinalgOp op, unsigned loop) {
  OpBuilder builder(op);
  SmallVector<Value> operands;
  SmallVector<Attribute> maps;
  for (OpOperand &operand : op->getOpOperands()) {
    AffineMap map = op.getMatchingIndexingMap(&operand);
    maps.push_back(AffineMapAttr::get(getSplitMap(map, loop)));
    operands.push_back(map.isFunctionOfDim(loop) ? splits.lookup(operand.get()) : operand.get());
  }
  Value result = op->getResult(0);
  Operation *made = mlir::clone(builder, op, getSplitType(result, dims.lookup(result)), operands);
  // A fill has its maps from its operands.
  if (made->hasAttr("indexing_maps"))
    made->setAttr("indexing_maps", builder.getArrayAttr(maps));
  if (auto generic = dyn_cast<linalg::GenericOp>(made)) {
    SmallVector<Attribute> iterators(generic.getIteratorTypes().getValue());
    iterators.insert(iterators.begin() + loop, iterators[loop]);
    generic.setIteratorTypesAttr(builder.getArrayAttr(iterators));
  }
  splits.map(result, made->getResult(0));
}

void FusedDimension::splitSlice(tensor::ExtractSliceOp slice) {
  OpBuilder builder(slice);
  int64_t dim = dims.lookup(cut);
  SmallVector<OpFoldResult> offsets = slice.getMixedOffsets(), sizes = slice.getMixedSizes();
  int64_t part = slice.getStaticOffsets()[dim] / partSize;
  offsets[dim] = builder.getIndexAttr(part);
  sizes[dim] = builder.getIndexAttr(1);
  offsets.insert(offsets.begin() + dim + 1, builder.getIndexAttr(0));
  sizes.insert(sizes.begin() + dim + 1, builder.getIndexAttr(partSize));
  SmallVector<OpFoldResult> strides(offsets.size(), builder.getIndexAttr(1));
  Value taken = tensor::ExtractSliceOp::create(builder, slice.getLoc(), splits.lookup(cut), offsets,
                                               sizes, strides);
  SmallVector<ReassociationIndices> groups;
  for (int64_t to = 0, from = 0; to < slice.getType().getRank(); ++to) {
    groups.push_back({from++});
    if (to == dim)
      groups.back().push_back(from++);
  }
  Value joined = tensor::CollapseShapeOp::create(builder, slice.getLoc(), taken, groups);
  slice.replaceAllUsesWith(joined);
  slice.erase();
}

void FusedDimension::split() {
  // Makers before users: the walk went the other way.
  for (auto &[value, dim] : llvm::reverse(dims)) {
    if (auto argument = dyn_cast<BlockArgument>(value))
      splitArgument(argument, dim);
    auto empty = value.getDefiningOp<tensor::EmptyOp>();
    if (!empty)
      continue;
    OpBuilder builder(empty);
    RankedTensorType type = getSplitType(value, dim);
    splits.map(value, tensor::EmptyOp::create(builder, empty.getLoc(), type.getShape(),
                                              type.getElementType())
                          .getResult());
  }
  SmallVector<std::pair<Operation *, unsigned>> ordered(loops.begin(), loops.end());
  llvm::sort(ordered, [](auto &a, auto &b) { return a.first->isBeforeInBlock(b.first); });
  for (auto [op, loop] : ordered)
    splitOp(cast<linalg::LinalgOp>(op), loop);
  for (tensor::ExtractSliceOp slice : slices)
    splitSlice(slice);
  for (auto [op, loop] : llvm::reverse(ordered))
    if (op->use_empty())
      op->erase();
}

struct SplitFused : impl::ModelSplitFusedBase<SplitFused> {
  void runOnOperation() override {
    struct Cut {
      int64_t dim, partSize;
    };
    llvm::MapVector<Value, Cut> cuts;
    getOperation().walk([&](tensor::ExtractSliceOp slice) {
      if (std::optional<int64_t> dim = getCutDim(slice))
        cuts.insert({slice.getSource(), {*dim, slice.getStaticSizes()[*dim]}});
    });
    for (auto &[value, cut] : cuts)
      if (FusedDimension fused(value, cut.dim, cut.partSize); fused)
        fused.split();
  }
};

} // namespace
} // namespace planwright
