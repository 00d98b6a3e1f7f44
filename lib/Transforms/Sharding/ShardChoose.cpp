// shard-choose: where an axis lies in forward and backward, chosen by cost.
// Not here: the axes that inputs and parameters carry already (ShardPropagate.cpp).
#include "lib/Transforms/Sharding/AxisPass.h"

#include "planwright/Transforms/Sharding/Passes.h"

namespace planwright {
#define GEN_PASS_DEF_SHARDCHOOSE
#include "lib/Transforms/Sharding/Passes.h.inc"
} // namespace planwright

using namespace mlir;
using namespace planwright;

namespace {

struct ShardChoose : public AxisPass<planwright::impl::ShardChooseBase<ShardChoose>> {
  using AxisPass::AxisPass;

  LogicalResult apply(AxisProblem &problem) override {
    func::FuncOp forward = findTask(getOperation(), plan::TaskKind::forward);
    auto chosen = forward->getAttrOfType<plan::AxesAttr>(plan::kChosenAxesAttrName);
    if (chosen && chosen.contains(StringAttr::get(&getContext(), axis)))
      return forward.emitError("has been divided over ") << axis << " already";
    problem.write();
    return success();
  }
};

} // namespace
