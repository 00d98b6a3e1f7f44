// model-unstack-parameters: the layers of a stacked parameter become parameters of their own.
#include "lib/Transforms/Normalize/Passes.h"

#include "dialects/Model/IR/Model.h"
#include "dialects/Plan/IR/Plan.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;

namespace planwright {
#define GEN_PASS_DEF_MODELUNSTACKPARAMETERS
#include "lib/Transforms/Normalize/Passes.h.inc"

namespace {

/// Which part along the first dimension `user` takes of `value`, if it takes one, whole in all
/// other dimensions.
std::optional<int64_t> getPart(Operation *user) {
  auto slice = dyn_cast<tensor::ExtractSliceOp>(user);
  if (!slice || !slice.hasUnitStride() || slice.getStaticSizes().front() != 1)
    return std::nullopt;
  RankedTensorType source = slice.getSourceType(), type = slice.getType();
  bool isWhole = slice.getStaticSizes().drop_front() == source.getShape().drop_front();
  bool dropsFirst = type.getShape() == source.getShape().drop_front();
  if (!isWhole || !(dropsFirst || type.getRank() == source.getRank()))
    return std::nullopt;
  return slice.getStaticOffsets().front();
}

/// Everybody takes a part, and every part is taken: what nobody takes would be missing in files.
bool isStack(BlockArgument argument) {
  auto type = cast<RankedTensorType>(argument.getType());
  if (type.getRank() < 2 || type.getDimSize(0) < 2)
    return false;
  llvm::SmallDenseSet<int64_t> parts;
  for (Operation *user : argument.getUsers()) {
    std::optional<int64_t> part = getPart(user);
    if (!part)
      return false;
    parts.insert(*part);
  }
  return static_cast<int64_t>(parts.size()) == type.getDimSize(0);
}

void takePart(tensor::ExtractSliceOp slice, Value part) {
  OpBuilder builder(slice);
  if (slice.getType() != part.getType()) {
    SmallVector<ReassociationIndices> groups;
    for (int64_t dim = 0; dim < slice.getType().getRank() - 1; ++dim)
      groups.push_back({dim + 1});
    groups.front().insert(groups.front().begin(), 0);
    part = tensor::ExpandShapeOp::create(builder, slice.getLoc(), slice.getType(), part, groups);
  }
  slice.replaceAllUsesWith(part);
  slice.erase();
}

/// Puts one argument for each part in the place of argument `index`.
LogicalResult unstack(func::FuncOp function, unsigned index, model::ArgumentAttr mark) {
  BlockArgument stacked = function.getArgument(index);
  auto type = cast<RankedTensorType>(stacked.getType());
  auto partType = RankedTensorType::get(type.getShape().drop_front(), type.getElementType());
  MLIRContext *context = function.getContext();
  for (int64_t part = 0; part < type.getDimSize(0); ++part) {
    NamedAttrList attributes(function.getArgAttrDict(index));
    attributes.set(model::kArgumentAttrName,
                   model::ArgumentAttr::get(context, mark.getRole(),
                                            plan::getPartName(mark.getName(), part),
                                            mark.getBatchDim(), mark.getTrainable()));
    if (failed(function.insertArgument(index + 1 + part, partType,
                                       attributes.getDictionary(context), stacked.getLoc())))
      return failure();
  }
  for (Operation *user : llvm::make_early_inc_range(stacked.getUsers())) {
    int64_t part = *getPart(user);
    takePart(cast<tensor::ExtractSliceOp>(user), function.getArgument(index + 1 + part));
  }
  return function.eraseArgument(index);
}

struct UnstackParameters : impl::ModelUnstackParametersBase<UnstackParameters> {
  void runOnOperation() override {
    for (auto function : getOperation().getOps<func::FuncOp>())
      if (!function.isDeclaration() && failed(runOn(function)))
        return signalPassFailure();
  }

  static LogicalResult runOn(func::FuncOp function) {
    for (unsigned index = function.getNumArguments(); index-- > 0;) {
      model::ArgumentAttr mark = model::getArgument(function, index);
      bool isWeight = mark && (mark.getRole() == model::Role::parameter ||
                               mark.getRole() == model::Role::constant);
      if (isWeight && isStack(function.getArgument(index)) &&
          failed(unstack(function, index, mark)))
        return failure();
    }
    return success();
  }
};

} // namespace
} // namespace planwright
