// What the passes that choose by cost where one axis lies have in common: their options, and a
// solved problem.
//
//   struct MyPass : AxisPass<impl::MyPassBase<MyPass>> {
//     using AxisPass::AxisPass;
//     LogicalResult apply(AxisProblem &problem) override { ... }
//   };
//
// Not here: the problem (AxisProblem.h), what is done with its solution (the passes).
#ifndef PLANWRIGHT_LIB_TRANSFORMS_SHARDING_AXISPASS_H
#define PLANWRIGHT_LIB_TRANSFORMS_SHARDING_AXISPASS_H

#include "lib/Transforms/Sharding/AxisProblem.h"
#include "lib/Transforms/Sharding/TaskFunctions.h"

namespace planwright {

/// The problem of a module's forward and backward task, solved; or errors that say what is missing
/// or cannot be divided.
mlir::FailureOr<std::unique_ptr<AxisProblem>> solveAxis(mlir::ModuleOp module, plan::MeshAttr mesh,
                                                        const AxisOptions &options);

/// `Base` is generated from a def of class AxisPass in Passes.td.
template <typename Base> class AxisPass : public Base {
public:
  using Base::Base;

  /// Called unless the axis has size 1.
  virtual mlir::LogicalResult apply(AxisProblem &problem) = 0;

  void runOnOperation() final {
    mlir::ModuleOp module = this->getOperation();
    auto mesh = getMesh(module);
    if (mlir::failed(mesh))
      return this->signalPassFailure();
    if (mesh->getSize(this->axis) == 1)
      return this->markAllAnalysesPreserved();
    auto problem = solveAxis(module, *mesh, getOptions(*mesh));
    if (mlir::failed(problem) || mlir::failed(apply(**problem)))
      this->signalPassFailure();
  }

private:
  AxisOptions getOptions(plan::MeshAttr mesh) const {
    AxisOptions options;
    options.axis = mlir::StringAttr::get(mesh.getContext(), this->axis);
    options.dividesWeights = !this->positionsOnly;
    options.dividesPositions = this->sequenceParallel || this->positionsOnly;
    options.costs.ranks = mesh.getSize(this->axis);
    options.costs.link = {.bytesPerSecond = this->bytesPerSecond, .latencyNs = this->latencyNs};
    options.costs.flopsPerSecond = this->flopsPerSecond;
    options.costs.memoryBytesPerSecond = this->memoryBytesPerSecond;
    return options;
  }
};

} // namespace planwright

#endif // PLANWRIGHT_LIB_TRANSFORMS_SHARDING_AXISPASS_H
