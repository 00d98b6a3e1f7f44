// exec-emit-plan: emitPlan as a pass.
#include "Passes.h"

#include "planwright/Target/Plan/EmitPlan.h"

namespace planwright {
#define GEN_PASS_DEF_EXECEMITPLAN
#include "lib/Target/Plan/Passes.h.inc"
} // namespace planwright

namespace {
struct ExecEmitPlan : planwright::impl::ExecEmitPlanBase<ExecEmitPlan> {
  using ExecEmitPlanBase::ExecEmitPlanBase;

  void runOnOperation() override {
    if (output.empty()) {
      getOperation().emitError() << "exec-emit-plan needs the option output";
      return signalPassFailure();
    }
    planwright::EmitOptions options;
    options.name = name;
    if (!cpu.empty())
      options.target = {.cpu = cpu, .features = "", .threads = 0};
    if (failed(planwright::emitPlan(getOperation(), output, options)))
      signalPassFailure();
    markAllAnalysesPreserved();
  }
};
} // namespace
