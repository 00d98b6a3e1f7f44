// From a module to a solved problem.
#include "lib/Transforms/Sharding/AxisPass.h"

using namespace mlir;
using namespace planwright;

FailureOr<std::unique_ptr<AxisProblem>> planwright::solveAxis(ModuleOp module, plan::MeshAttr mesh,
                                                              const AxisOptions &options) {
  func::FuncOp forward = findTask(module, plan::TaskKind::forward);
  func::FuncOp backward = findTask(module, plan::TaskKind::backward);
  if (!forward || !backward)
    return module.emitError("has no forward or no backward task: run plan-form-tasks first");
  auto problem = std::make_unique<AxisProblem>(forward, backward, mesh, options);
  if (!problem->reportUndivided())
    return failure();
  switch (problem->solve()) {
  case SolveStatus::Infeasible:
    return forward.emitError("cannot be divided over ")
           << describeAxes(options.axis, mesh) << ": no choice of layouts fits together";
  case SolveStatus::TooWide:
    return forward.emitError("is too entangled to choose layouts for ")
           << options.axis.getValue() << " exactly";
  case SolveStatus::Optimal:
    break;
  }
  if (!problem->reportUneven())
    return failure();
  return problem;
}
