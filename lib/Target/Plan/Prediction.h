// How long an instruction should take, by itself, on the machine that a plan is for.
//
//   Prediction prediction(program, rates);
//   uint64_t nanoseconds = prediction.predict(Work{.bytes = 1e6});
//
// Not here: the formulas (lib/Cost).
#ifndef PLANWRIGHT_LIB_TARGET_PLAN_PREDICTION_H
#define PLANWRIGHT_LIB_TARGET_PLAN_PREDICTION_H

#include "dialects/Exec/IR/Exec.h"
#include "planwright/Cost/Machine.h"

#include "runtime/Format/program_generated.h"

namespace planwright {

/// Times in nanoseconds; 0 where a rate that they depend on is unknown.
class Prediction {
public:
  Prediction(exec::ProgramOp program, const MachineRates &rates) : program(program), rates(rates) {}

  uint64_t predict(Work work) const;

  /// `bytes` is the size of the source on one rank.
  uint64_t predict(rt::fb::CollectiveKind kind, int64_t bytes, exec::CommunicatorOp group) const;

private:
  /// The link that a group of these axes goes over: ranks lie on devices in their order.
  const LinkCost *findLink(mlir::ArrayAttr axes) const;

  exec::ProgramOp program;
  const MachineRates &rates;
};

} // namespace planwright

#endif // PLANWRIGHT_LIB_TARGET_PLAN_PREDICTION_H
