// The comm dialect on pretend ranks: every collective sees the operands of all ranks at once.

#include "Blocks.h"
#include "Elements.h"
#include "OpTable.h"
#include "ScalarTable.h"

#include "dialects/Comm/IR/Comm.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace planwright::reference {

using RankLists = SmallVector<TensorList>;

static SmallVector<StringRef> getAxes(ArrayAttr axes) {
  return llvm::map_to_vector(axes.getAsValueRange<StringAttr>(),
                             [](StringRef name) { return name; });
}

/// The groups of an operation's axes, once the axes are known to exist on the grid and all ranks
/// are there.
static FailureOr<SmallVector<SmallVector<int64_t>>>
getGroups(Operation *op, ArrayAttr axes, size_t numRanks, const Interpreter &interpreter) {
  const RankGrid &grid = interpreter.getGrid();
  if (static_cast<int64_t>(numRanks) != grid.getNumRanks())
    return op->emitOpError("runs on ")
           << numRanks << " ranks where plan.mesh has " << grid.getNumRanks();
  for (StringRef axis : getAxes(axes))
    if (!llvm::is_contained(grid.getNames(), axis))
      return op->emitOpError("names axis \"") << axis << "\", which plan.mesh does not have";
  return grid.getGroups(getAxes(axes));
}

//===----------------------------------------------------------------------===//
// Combining
//===----------------------------------------------------------------------===//

/// The arith operation of a combiner on floats and on integers.
struct CombinerRow {
  plan::Combiner combiner;
  StringRef floats, integers;
};

static Kernel getKernel(plan::Combiner combiner, Lane lane) {
  const CombinerRow rows[] = {
      {plan::Combiner::sum, arith::AddFOp::getOperationName(), arith::AddIOp::getOperationName()},
      {plan::Combiner::max, arith::MaximumFOp::getOperationName(),
       arith::MaxSIOp::getOperationName()},
      {plan::Combiner::min, arith::MinimumFOp::getOperationName(),
       arith::MinSIOp::getOperationName()}};
  for (const CombinerRow &row : rows)
    if (row.combiner == combiner)
      return ScalarTable::get()
          .find(lane == Lane::I64 ? row.integers : row.floats)
          ->choose(nullptr, {lane, lane}, lane);
  return nullptr;
}

/// Combines equal tensors in the order given, in the widest lane of their kind, and rounds once.
static FailureOr<Tensor> combine(Operation *op, ArrayRef<Tensor> tensors, plan::Combiner combiner) {
  ElementType type = tensors[0].getType();
  ElementType wide = isFloat(type) ? ElementType::F64 : ElementType::I64;
  Kernel kernel = getKernel(combiner, getLane(wide));
  if (!kernel)
    return op->emitOpError("combines in a way that the reference interpreter does not know");
  Tensor sum = tensors[0].convert(wide);
  void *to = sum.getMutableData();
  for (const Tensor &tensor : tensors.drop_front()) {
    Tensor term = tensor.convert(wide);
    const void *operands[] = {to, term.getData()};
    kernel(to, operands, sum.getNumElements());
  }
  return sum.convert(type);
}

/// Operand `index` of every member of a group.
static TensorList getOperands(ArrayRef<int64_t> group, MutableArrayRef<TensorList> operands,
                              size_t index) {
  return llvm::map_to_vector(group, [&](int64_t rank) { return operands[rank][index]; });
}

//===----------------------------------------------------------------------===//
// The operations
//===----------------------------------------------------------------------===//

static FailureOr<RankLists> runAllReduce(Operation *op, MutableArrayRef<TensorList> operands,
                                         const Interpreter &interpreter) {
  auto reduce = cast<comm::AllReduceOp>(op);
  auto groups = getGroups(op, reduce.getAxes(), operands.size(), interpreter);
  if (failed(groups))
    return failure();
  RankLists results(operands.size());
  for (ArrayRef<int64_t> group : *groups)
    for (size_t i = 0; i < op->getNumOperands(); ++i) {
      FailureOr<Tensor> sum = combine(op, getOperands(group, operands, i), reduce.getCombiner());
      if (failed(sum))
        return failure();
      for (int64_t rank : group)
        results[rank].push_back(*sum);
    }
  return results;
}

static FailureOr<RankLists> runAllGather(Operation *op, MutableArrayRef<TensorList> operands,
                                         const Interpreter &interpreter) {
  auto gather = cast<comm::AllGatherOp>(op);
  auto groups = getGroups(op, gather.getAxes(), operands.size(), interpreter);
  if (failed(groups))
    return failure();
  RankLists results(operands.size());
  for (ArrayRef<int64_t> group : *groups) {
    Tensor whole = join(getOperands(group, operands, 0), gather.getDim());
    for (int64_t rank : group)
      results[rank].push_back(whole);
  }
  return results;
}

static FailureOr<RankLists> runReduceScatter(Operation *op, MutableArrayRef<TensorList> operands,
                                             const Interpreter &interpreter) {
  auto scatter = cast<comm::ReduceScatterOp>(op);
  auto groups = getGroups(op, scatter.getAxes(), operands.size(), interpreter);
  if (failed(groups))
    return failure();
  RankLists results(operands.size());
  for (ArrayRef<int64_t> group : *groups) {
    FailureOr<Tensor> sum = combine(op, getOperands(group, operands, 0), scatter.getCombiner());
    if (failed(sum))
      return failure();
    for (auto [i, rank] : llvm::enumerate(group))
      results[rank].push_back(cut(*sum, scatter.getDim(), i, group.size()));
  }
  return results;
}

static FailureOr<RankLists> runAllToAll(Operation *op, MutableArrayRef<TensorList> operands,
                                        const Interpreter &interpreter) {
  auto exchange = cast<comm::AllToAllOp>(op);
  auto groups = getGroups(op, exchange.getAxes(), operands.size(), interpreter);
  if (failed(groups))
    return failure();
  RankLists results(operands.size());
  for (ArrayRef<int64_t> group : *groups) {
    TensorList whole = getOperands(group, operands, 0);
    for (auto [i, rank] : llvm::enumerate(group)) {
      TensorList arrived = llvm::map_to_vector(whole, [&, i = i](const Tensor &tensor) {
        return cut(tensor, exchange.getSplitDim(), i, group.size());
      });
      results[rank].push_back(join(arrived, exchange.getConcatDim()));
    }
  }
  return results;
}

static FailureOr<RankLists> runAllSlice(Operation *op, MutableArrayRef<TensorList> operands,
                                        const Interpreter &interpreter) {
  auto slice = cast<comm::AllSliceOp>(op);
  auto mesh = interpreter.getModule()->getAttrOfType<plan::MeshAttr>(plan::kMeshAttrName);
  if (!mesh)
    return op->emitOpError("needs plan.mesh on the module");
  RankLists results(operands.size());
  for (auto [rank, list] : llvm::enumerate(operands)) {
    int64_t index = 0, count = 1;
    for (StringRef axis : getAxes(slice.getAxes())) {
      int64_t size = mesh.getSize(axis);
      bool inTime = axis == plan::kMicroBatchAxis;
      index = index * size + (inTime ? interpreter.getOptions().microBatch
                                     : interpreter.getGrid().getCoordinate(rank, axis));
      count *= size;
    }
    if (list[0].getShape()[slice.getDim()] % count != 0)
      return op->emitOpError("does not divide over ") << count << " blocks";
    results[rank].push_back(cut(list[0], slice.getDim(), index, count));
  }
  return results;
}

void addCollectives(OpTable &table) {
  table.add(comm::AllReduceOp::getOperationName(), GroupFunction(runAllReduce));
  table.add(comm::AllGatherOp::getOperationName(), GroupFunction(runAllGather));
  table.add(comm::ReduceScatterOp::getOperationName(), GroupFunction(runReduceScatter));
  table.add(comm::AllToAllOp::getOperationName(), GroupFunction(runAllToAll));
  table.add(comm::AllSliceOp::getOperationName(), GroupFunction(runAllSlice));
}

} // namespace planwright::reference
