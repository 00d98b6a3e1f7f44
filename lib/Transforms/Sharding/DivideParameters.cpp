// shard-divide-parameters: each rank of a data axis keeps a block of every parameter.
// Not here: gathering (Propagation.h hides the axis from ops, LocalFunction.cpp then inserts it).
#include "lib/Transforms/Sharding/Propagation.h"
#include "lib/Transforms/Sharding/TaskFunctions.h"

#include "planwright/Transforms/Sharding/Passes.h"

namespace planwright {
#define GEN_PASS_DEF_DIVIDEPARAMETERS
#include "lib/Transforms/Sharding/Passes.h.inc"
} // namespace planwright

using namespace mlir;
using namespace planwright;

/// `layout` with `axis` added to dimension `dim`, innermost.
static plan::LayoutAttr addAxis(plan::LayoutAttr layout, unsigned dim, StringAttr axis) {
  SmallVector<plan::AxesAttr> dims(layout.getDims());
  Axes axes(dims[dim].getNames());
  axes.push_back(axis);
  dims[dim] = plan::AxesAttr::get(layout.getContext(), axes);
  return plan::LayoutAttr::get(layout.getContext(), dims, layout.getPartialAxes(),
                               layout.getPartialCombiners());
}

/// `layout` itself where no dimension divides, or the axis is there already.
static plan::LayoutAttr divide(plan::LayoutAttr layout, Type type, StringAttr axis,
                               plan::MeshAttr mesh) {
  auto hasAxis = [&](plan::AxesAttr axes) { return axes.contains(axis); };
  if (llvm::any_of(layout.getDims(), hasAxis))
    return layout;
  for (bool mayShareDim : {false, true}) {
    for (unsigned dim = 0; dim < layout.getDims().size(); ++dim) {
      plan::LayoutAttr divided = addAxis(layout, dim, axis);
      if ((mayShareDim || layout.getDims()[dim].empty()) && fitsType(divided, type, mesh))
        return divided;
    }
  }
  return layout;
}

static void divideParameters(func::FuncOp task, StringAttr axis, plan::MeshAttr mesh) {
  for (auto [index, type] : llvm::enumerate(task.getArgumentTypes())) {
    plan::ObjectAttr object = getArgumentObject(task, index);
    if (!object || object.getKind() != plan::ObjectKind::parameter)
      continue;
    plan::LayoutAttr layout = getArgumentLayout(task, index);
    if (!layout)
      layout = plan::LayoutAttr::getWhole(task.getContext(), getRankOrZero(type));
    task.setArgAttr(index, plan::kLayoutAttrName, divide(layout, type, axis, mesh));
  }
}

namespace {

struct DivideParameters : public planwright::impl::DivideParametersBase<DivideParameters> {
  using DivideParametersBase::DivideParametersBase;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    auto mesh = getMesh(module);
    if (failed(mesh))
      return signalPassFailure();
    if (mesh->getSize(axis) == 1)
      return markAllAnalysesPreserved();
    auto name = StringAttr::get(&getContext(), axis);
    if (!llvm::is_contained(getDataAxes(*mesh), name)) {
      module.emitError("cannot store parameters divided over ")
          << describeAxes(name, *mesh) << ": they are gathered over axes that divide the batch, "
          << "expected \"dp\" or \"fsdp\"";
      return signalPassFailure();
    }
    for (plan::TaskKind kind : {plan::TaskKind::forward, plan::TaskKind::backward})
      if (func::FuncOp task = findTask(module, kind))
        divideParameters(task, name, *mesh);
  }
};

} // namespace
