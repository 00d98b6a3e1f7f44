// Learning rate and bias corrections, in f64 and rounded once: 1 - 0.999 in f32 would already be
// off by 5e-5. Not here: the norm (GradientNorm.cpp).
#include "lib/Transforms/BuildUpdate/StepScalars.h"

#include "lib/Interfaces/Derivative/ScalarExpression.h"
#include "planwright/Interfaces/GenericBuilder.h"

#include <cmath>
#include <numbers>

using namespace mlir;

namespace planwright {

static Scalar minimum(Scalar x, Scalar y) {
  return x.build<arith::MinimumFOp>(x.getValue(), y.getValue());
}
static Scalar maximum(Scalar x, Scalar y) {
  return x.build<arith::MaximumFOp>(x.getValue(), y.getValue());
}

/// The learning rate at step `t`.
static Scalar buildLearningRate(const OptimizerSpec &spec, Scalar t) {
  const LearningRateSchedule &schedule = spec.schedule;
  Scalar rate = t.constant(spec.learningRate);
  if (schedule.warmup > 0)
    rate = rate * minimum(t / static_cast<double>(schedule.warmup), t.constant(1.0));
  if (schedule.kind == LearningRateSchedule::Kind::constant)
    return rate;
  double length = static_cast<double>(schedule.steps - schedule.warmup);
  Scalar done = maximum(t - static_cast<double>(schedule.warmup), t.constant(0.0)) / length;
  Scalar wave = 0.5 * (1.0 + cos(std::numbers::pi * minimum(done, t.constant(1.0))));
  return rate * (schedule.minimum + (1.0 - schedule.minimum) * wave);
}

/// 1 / (1 - beta^t).
static Scalar buildCorrection(double beta, Scalar t) {
  if (beta == 0.0)
    return t.constant(1.0);
  return 1.0 / (1.0 - exp(std::log(beta) * t));
}

StepScalars buildStepScalars(OpBuilder &builder, Location loc, const OptimizerSpec &spec,
                             Value step) {
  AffineMap none = builder.getMultiDimIdentityMap(0);
  GenericBuilder generic(builder, loc, {});
  OpBuilder &body = generic.getBody();
  Type f64 = builder.getF64Type(), f32 = builder.getF32Type();
  Scalar t(body, loc, arith::SIToFPOp::create(body, loc, f64, generic.read(step, none)));
  SmallVector<GenericBuilder::Yield> yields;
  auto yield = [&](Scalar x) { yields.push_back({x.convert(f32).getValue(), none}); };
  yield(buildLearningRate(spec, t));
  if (spec.kind == OptimizerSpec::Kind::adamw) {
    yield(buildCorrection(spec.beta1, t));
    yield(buildCorrection(spec.beta2, t));
  }
  SmallVector<Value> results = generic.finishPointwise(yields);
  results.resize(3);
  return {results[0], results[1], results[2]};
}

} // namespace planwright
