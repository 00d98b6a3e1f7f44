// shard-choose: where an axis lies in forward and backward, chosen by cost.
// Not here: the axes that inputs and parameters carry already (ShardPropagate.cpp).
#include "lib/Transforms/Sharding/AxisProblem.h"
#include "lib/Transforms/Sharding/TaskFunctions.h"

#include "planwright/Transforms/Sharding/Passes.h"

namespace planwright {
#define GEN_PASS_DEF_SHARDCHOOSE
#include "lib/Transforms/Sharding/Passes.h.inc"
} // namespace planwright

using namespace mlir;
using namespace planwright;

namespace {

struct ShardChoose : public planwright::impl::ShardChooseBase<ShardChoose> {
  using ShardChooseBase::ShardChooseBase;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    auto mesh = getMesh(module);
    if (failed(mesh))
      return signalPassFailure();
    if (mesh->getSize(axis) == 1)
      return markAllAnalysesPreserved();
    if (failed(choose(module, *mesh)))
      signalPassFailure();
  }

  AxisOptions getOptions(plan::MeshAttr mesh) const {
    AxisOptions options;
    options.axis = StringAttr::get(mesh.getContext(), axis);
    options.dividesWeights = !positionsOnly;
    options.dividesPositions = sequenceParallel || positionsOnly;
    options.costs.ranks = mesh.getSize(axis);
    options.costs.link = {.bytesPerSecond = bytesPerSecond, .latencyNs = latencyNs};
    options.costs.flopsPerSecond = flopsPerSecond;
    options.costs.memoryBytesPerSecond = memoryBytesPerSecond;
    return options;
  }

  LogicalResult choose(ModuleOp module, plan::MeshAttr mesh) {
    func::FuncOp forward = findTask(module, plan::TaskKind::forward);
    func::FuncOp backward = findTask(module, plan::TaskKind::backward);
    if (!forward || !backward)
      return module.emitError("has no forward or no backward task: run plan-form-tasks first");
    AxisProblem problem(forward, backward, mesh, getOptions(mesh));
    if (!problem.reportUndivided())
      return failure();
    switch (problem.solve()) {
    case SolveStatus::Infeasible:
      return forward.emitError("cannot be divided over ")
             << axis << " = " << mesh.getSize(axis) << ": no choice of layouts fits together";
    case SolveStatus::TooWide:
      return forward.emitError("is too entangled to choose layouts for ") << axis << " exactly";
    case SolveStatus::Optimal:
      break;
    }
    if (!problem.reportUneven())
      return failure();
    problem.write();
    return success();
  }
};

} // namespace
