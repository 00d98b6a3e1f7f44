// Planning and building of exchanges.
#include "lib/Transforms/Sharding/Reshard.h"

#include "dialects/Comm/IR/Comm.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace planwright;

//===----------------------------------------------------------------------===//
// Planning: each function below appends steps of one kind and brings `current` nearer to the target
//===----------------------------------------------------------------------===//

namespace {
struct MutableLayout {
  SmallVector<Axes> dims;
  llvm::MapVector<StringAttr, plan::Combiner> partial;
};
} // namespace

static MutableLayout toMutable(plan::LayoutAttr layout) {
  MutableLayout result;
  for (plan::AxesAttr axes : layout.getDims())
    result.dims.emplace_back(axes.getNames());
  for (auto [axis, combiner] :
       llvm::zip_equal(layout.getPartialAxes(), layout.getPartialCombiners()))
    result.partial[axis] = combiner;
  return result;
}

static bool isPrefix(ArrayRef<StringAttr> prefix, ArrayRef<StringAttr> list) {
  return prefix.size() <= list.size() && list.take_front(prefix.size()) == prefix;
}

/// Partial axes that the target wants next on a dimension.
static void planReduceScatter(MutableLayout &current, const MutableLayout &target,
                              SmallVectorImpl<ReshardStep> &steps) {
  for (auto [dim, wanted] : llvm::enumerate(target.dims)) {
    Axes &axes = current.dims[dim];
    if (!isPrefix(axes, wanted))
      continue;
    ReshardStep step{ReshardKind::ReduceScatter, {}, static_cast<int64_t>(dim)};
    for (StringAttr axis : ArrayRef(wanted).drop_front(axes.size())) {
      auto found = current.partial.find(axis);
      bool extendsRun =
          found != current.partial.end() && (step.axes.empty() || found->second == step.combiner);
      if (!extendsRun)
        break;
      step.combiner = found->second;
      step.axes.push_back(axis);
    }
    for (StringAttr axis : step.axes)
      current.partial.erase(axis);
    axes.append(step.axes);
    if (!step.axes.empty())
      steps.push_back(step);
  }
}

/// All other partial axes that the target does not keep, one step per combiner.
static void planAllReduce(MutableLayout &current, const MutableLayout &target,
                          SmallVectorImpl<ReshardStep> &steps) {
  llvm::MapVector<plan::Combiner, ReshardStep> byCombiner;
  for (auto [axis, combiner] : current.partial) {
    if (target.partial.contains(axis))
      continue;
    ReshardStep &step = byCombiner[combiner];
    step.kind = ReshardKind::AllReduce;
    step.combiner = combiner;
    step.axes.push_back(axis);
  }
  for (auto &[combiner, step] : byCombiner) {
    for (StringAttr axis : step.axes)
      current.partial.erase(axis);
    steps.push_back(step);
  }
}

/// The innermost axis of one dimension that the target wants next on another one.
static void planAllToAll(MutableLayout &current, const MutableLayout &target,
                         SmallVectorImpl<ReshardStep> &steps) {
  for (auto [from, fromAxes] : llvm::enumerate(current.dims)) {
    for (auto [to, toAxes] : llvm::enumerate(current.dims)) {
      if (from == to || fromAxes.empty() || isPrefix(fromAxes, target.dims[from]))
        continue;
      Axes moved(toAxes);
      moved.push_back(fromAxes.back());
      if (!isPrefix(moved, target.dims[to]))
        continue;
      steps.push_back({ReshardKind::AllToAll,
                       {fromAxes.back()},
                       static_cast<int64_t>(to),
                       static_cast<int64_t>(from)});
      toAxes = moved;
      fromAxes.pop_back();
    }
  }
}

static void planAllGather(MutableLayout &current, const MutableLayout &target,
                          SmallVectorImpl<ReshardStep> &steps) {
  for (auto [dim, axes] : llvm::enumerate(current.dims)) {
    size_t keep = axes.size();
    while (!isPrefix(ArrayRef(axes).take_front(keep), target.dims[dim]))
      --keep;
    if (keep == axes.size())
      continue;
    Axes gathered(llvm::drop_begin(axes, keep));
    steps.push_back({ReshardKind::AllGather, gathered, static_cast<int64_t>(dim)});
    axes.truncate(keep);
  }
}

static void planShare(MutableLayout &current, const MutableLayout &target,
                      SmallVectorImpl<ReshardStep> &steps) {
  ReshardStep step{ReshardKind::Share, {}};
  for (auto [axis, combiner] : target.partial)
    if (!current.partial.contains(axis))
      step.axes.push_back(axis);
  if (!step.axes.empty())
    steps.push_back(step);
}

static void planAllSlice(MutableLayout &current, const MutableLayout &target,
                         SmallVectorImpl<ReshardStep> &steps) {
  for (auto [dim, wanted] : llvm::enumerate(target.dims)) {
    Axes cut(llvm::drop_begin(wanted, current.dims[dim].size()));
    if (!cut.empty())
      steps.push_back({ReshardKind::AllSlice, cut, static_cast<int64_t>(dim)});
    current.dims[dim] = wanted;
  }
}

SmallVector<ReshardStep> planwright::planReshard(plan::LayoutAttr from, plan::LayoutAttr to) {
  SmallVector<ReshardStep> steps;
  if (from == to)
    return steps;
  MutableLayout current = toMutable(from), target = toMutable(to);
  planReduceScatter(current, target, steps);
  planAllReduce(current, target, steps);
  planAllToAll(current, target, steps);
  planAllGather(current, target, steps);
  planShare(current, target, steps);
  planAllSlice(current, target, steps);
  return steps;
}

bool planwright::isExchange(const ReshardStep &step) {
  return step.kind != ReshardKind::Share && step.kind != ReshardKind::AllSlice;
}

//===----------------------------------------------------------------------===//
// Building
//===----------------------------------------------------------------------===//

static int64_t getNumBlocks(const ReshardStep &step, plan::MeshAttr mesh) {
  int64_t blocks = 1;
  for (StringAttr axis : step.axes)
    blocks *= mesh.getSize(axis);
  return blocks;
}

/// `type` with dimension `dim` grown by `blocks`, and `otherDim` shrunk, where they are not -1.
static RankedTensorType resize(RankedTensorType type, int64_t grown, int64_t shrunk,
                               int64_t blocks) {
  SmallVector<int64_t> shape(type.getShape());
  if (grown >= 0)
    shape[grown] *= blocks;
  if (shrunk >= 0)
    shape[shrunk] /= blocks;
  return type.clone(shape);
}

/// value / blocks, elementwise.
static Value buildShare(OpBuilder &builder, Location loc, Value value, int64_t blocks) {
  auto type = cast<RankedTensorType>(value.getType());
  Value init = tensor::EmptyOp::create(builder, loc, type.getShape(), type.getElementType());
  AffineMap identity = builder.getMultiDimIdentityMap(type.getRank());
  SmallVector<utils::IteratorType> loops(type.getRank(), utils::IteratorType::parallel);
  auto body = [&](OpBuilder &b, Location l, ValueRange arguments) {
    auto share = b.getFloatAttr(type.getElementType(), 1.0 / blocks);
    Value factor = arith::ConstantOp::create(b, l, share);
    Value scaled = arith::MulFOp::create(b, l, arguments[0], factor);
    linalg::YieldOp::create(b, l, scaled);
  };
  return linalg::GenericOp::create(builder, loc, TypeRange(type), value, init,
                                   ArrayRef<AffineMap>{identity, identity}, loops, body)
      .getResult(0);
}

Value planwright::applyStep(OpBuilder &builder, Location loc, Value local, const ReshardStep &step,
                            plan::MeshAttr mesh) {
  auto type = cast<RankedTensorType>(local.getType());
  int64_t blocks = getNumBlocks(step, mesh);
  SmallVector<Attribute> names(step.axes.begin(), step.axes.end());
  ArrayAttr axes = builder.getArrayAttr(names);
  switch (step.kind) {
  case ReshardKind::ReduceScatter:
    return comm::ReduceScatterOp::create(builder, loc, resize(type, -1, step.dim, blocks), local,
                                         step.dim, axes, step.combiner);
  case ReshardKind::AllReduce:
    return comm::AllReduceOp::create(builder, loc, TypeRange(type), local, axes, step.combiner)
        .getResult(0);
  case ReshardKind::AllToAll:
    return comm::AllToAllOp::create(builder, loc, resize(type, step.otherDim, step.dim, blocks),
                                    local, step.dim, step.otherDim, axes);
  case ReshardKind::AllGather:
    return comm::AllGatherOp::create(builder, loc, resize(type, step.dim, -1, blocks), local,
                                     step.dim, axes);
  case ReshardKind::Share:
    return buildShare(builder, loc, local, blocks);
  case ReshardKind::AllSlice:
    return comm::AllSliceOp::create(builder, loc, resize(type, -1, step.dim, blocks), local,
                                    step.dim, axes);
  }
  return {};
}
