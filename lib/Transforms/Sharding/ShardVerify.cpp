// shard-verify: what tensor parallelism must never exchange.
// Not here: whether tasks fit together (VerifyTasks.cpp), how choices avoid this (AxisProblem.cpp).
#include "lib/Transforms/Sharding/DimClasses.h"
#include "lib/Transforms/Sharding/TaskFunctions.h"
#include "lib/Transforms/Sharding/ValueOrigins.h"

#include "planwright/Transforms/Sharding/Passes.h"

namespace planwright {
#define GEN_PASS_DEF_SHARDVERIFY
#include "lib/Transforms/Sharding/Passes.h.inc"
} // namespace planwright

using namespace mlir;
using namespace planwright;

namespace {

/// One tensor that crosses axes on which weights are kept.
struct Exchange {
  Operation *op;
  Value operand;
  std::string axes;                ///< "tp = 2"
  std::optional<int64_t> gathered; ///< the dimension of which a rank has more afterwards
  bool sums;                       ///< does every rank get the sum of all?
  bool isOfPositions;              ///< are the axes those of context parallelism?
};

} // namespace

/// The first dimension of which `has` is true; -1 if there is none.
static int64_t findDim(Value value, llvm::function_ref<bool(int64_t)> has) {
  auto dims = llvm::seq<int64_t>(0, cast<ShapedType>(value.getType()).getRank());
  auto found = llvm::find_if(dims, has);
  return found == dims.end() ? -1 : *found;
}

static std::optional<int64_t> getGatheredDim(Value operand, Value result) {
  auto before = cast<ShapedType>(operand.getType()), after = cast<ShapedType>(result.getType());
  int64_t dim =
      findDim(result, [&](int64_t dim) { return after.getDimSize(dim) > before.getDimSize(dim); });
  return dim < 0 ? std::nullopt : std::optional(dim);
}

//===----------------------------------------------------------------------===//
// The rules
//===----------------------------------------------------------------------===//

/// 1
static LogicalResult verifyWeights(const Exchange &exchange, const ValueOrigins &origins) {
  plan::ObjectAttr parameter = origins.getParameter(exchange.operand);
  if (!parameter || !exchange.gathered)
    return success();
  return exchange.op->emitOpError("gathers dimension ")
         << *exchange.gathered << " of " << describeObject(parameter) << " over " << exchange.axes
         << ": weights stay divided over this axis";
}

/// 2. Labels are shifted by one position, and logits with them: what divides positions pays for it.
static LogicalResult verifyLogits(const Exchange &exchange, const DimClasses &classes) {
  if (exchange.isOfPositions || !classes.isLogits(exchange.operand) ||
      (!exchange.gathered && !exchange.sums))
    return success();
  InFlightDiagnostic error = exchange.op->emitOpError();
  if (exchange.gathered)
    error << "gathers dimension " << *exchange.gathered << " of logits";
  else
    error << "sums whole logits";
  int64_t vocabulary = findDim(
      exchange.operand, [&](int64_t dim) { return classes.isVocabulary(exchange.operand, dim); });
  return error << " over " << exchange.axes << ": dimension " << vocabulary
               << " is their vocabulary";
}

/// 3
static LogicalResult verifyScores(const Exchange &exchange, const DimClasses &classes) {
  if (!classes.isScores(exchange.operand) || !exchange.gathered)
    return success();
  return exchange.op->emitOpError("gathers dimension ")
         << *exchange.gathered << " of scores over " << exchange.axes
         << ": two of their dimensions are positions";
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

/// Classes and origins start from what every argument and result is.
static LogicalResult checkObjects(func::FuncOp task) {
  for (unsigned argument = 0; argument < task.getNumArguments(); ++argument)
    if (!getArgumentObject(task, argument))
      return task.emitError("argument ") << argument << " has no " << plan::kObjectAttrName;
  for (unsigned result = 0; result < task.getNumResults(); ++result)
    if (!getResultObject(task, result))
      return task.emitError("result ") << result << " has no " << plan::kObjectAttrName;
  return success();
}

namespace {

struct ShardVerify : public planwright::impl::ShardVerifyBase<ShardVerify> {
  void runOnOperation() override {
    markAllAnalysesPreserved();
    auto mesh = getMesh(getOperation());
    if (failed(mesh))
      return signalPassFailure();
    SmallVector<StringAttr> axes = getKeptAxes(*mesh);
    if (!axes.empty() && failed(verify(getTasks(getOperation()), axes, *mesh)))
      signalPassFailure();
  }

  /// The axes that divide work: all that are neither time nor divide the batch.
  static SmallVector<StringAttr> getKeptAxes(plan::MeshAttr mesh) {
    SmallVector<StringAttr> data = getDataAxes(mesh);
    return llvm::filter_to_vector(getDividingAxes(mesh), [&](StringAttr axis) {
      return !llvm::is_contained(data, axis) && axis.getValue() != plan::kMicroBatchAxis;
    });
  }

  static LogicalResult verify(ArrayRef<func::FuncOp> tasks, ArrayRef<StringAttr> keptAxes,
                              plan::MeshAttr mesh) {
    for (func::FuncOp task : tasks)
      if (failed(checkObjects(task)))
        return failure();
    DimClasses classes(tasks);
    bool ok = true;
    for (func::FuncOp task : tasks) {
      ValueOrigins origins(task);
      for (const Exchange &exchange : getExchanges(task, keptAxes, mesh)) {
        ok &= succeeded(verifyWeights(exchange, origins));
        ok &= succeeded(verifyLogits(exchange, classes));
        ok &= succeeded(verifyScores(exchange, classes));
      }
    }
    return success(ok);
  }

  static SmallVector<Exchange> getExchanges(func::FuncOp task, ArrayRef<StringAttr> keptAxes,
                                            plan::MeshAttr mesh) {
    SmallVector<Exchange> exchanges;
    for (auto op : task.getBody().front().getOps<comm::CollectiveOpInterface>()) {
      SmallVector<StringAttr> axes;
      for (auto axis : op.getCollectiveAxes().getAsRange<StringAttr>())
        if (llvm::is_contained(keptAxes, axis))
          axes.push_back(axis);
      if (axes.empty())
        continue;
      bool isOfPositions =
          llvm::all_of(axes, [](StringAttr axis) { return axis.getValue() == plan::kContextAxis; });
      for (auto [operand, result] : llvm::zip_equal(op->getOperands(), op->getResults()))
        exchanges.push_back({op, operand, describeAxes(axes, mesh), getGatheredDim(operand, result),
                             op.getKind() == comm::CollectiveKind::AllReduce, isOfPositions});
    }
    return exchanges;
  }
};

} // namespace
