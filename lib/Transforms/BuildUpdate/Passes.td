// The pass that adds the optimizer's update.

#ifndef PLANWRIGHT_LIB_TRANSFORMS_BUILDUPDATE_PASSES_TD
#define PLANWRIGHT_LIB_TRANSFORMS_BUILDUPDATE_PASSES_TD

include "mlir/Pass/PassBase.td"

def BuildUpdatePass : Pass<"model-build-update", "::mlir::ModuleOp"> {
  let summary = "Adds @update: gradients change the parameters";
  let description = [{
    Adds a public function `@update` on global shapes. Arguments: the scalar `step` (`tensor<i64>`, from 1), the trainable
    parameters, their gradients, the optimizer's states; results: parameters, states, and the scalars `learning_rate` and
    `grad_norm` (`tensor<f32>`, before clipping). Each carries `plan.object`; what is both taken and returned is updated
    in place, by one `linalg.generic` per parameter whose `outs` are the parameter and its states.

    | optimizer | states of parameter p | update |
    |---|---|---|
    | `sgd` | `m/p` if there is momentum | `m = momentum m + g; p -= lr (m + weight-decay p)` |
    | `adamw` | `m/p`, `v/p` | `p -= lr (mhat / (sqrt(vhat) + eps) + weight-decay p)` |

    with the old `p` on the right, `mhat = m / (1 - beta1^step)`, `vhat = v / (1 - beta2^step)`. Decay is decoupled in both.
    States and gradients are f32. A parameter narrower than f32 has an f32 state `master/p`, which starts as the parameter;
    the update is made on it and `p` is its rounding. All other states start at zero. The learning rate and the bias
    corrections are computed from `step` in f64.

    The norm is over all gradients; each is summed over its inner dimensions first. With `clip-norm`, gradients are
    multiplied by `min(1, clip-norm / (norm + 1e-6))`.

    Needs the backward function of a loss, as `model-derive` makes it. Never changes other functions.
  }];
  let options = [
    Option<"optimizer", "optimizer", "std::string", "\"\"",
           "sgd:lr=0.1,momentum=0.9 or adamw:lr=3e-4,beta1=0.9,beta2=0.95,eps=1e-8,weight-decay=0.1">,
    Option<"schedule", "lr-schedule", "std::string", "\"constant\"",
           "constant or cosine:warmup=100,steps=10000,min=0.1">,
    Option<"clipNorm", "clip-norm", "double", "0.0", "largest norm of all gradients together; 0 for no limit">,
    Option<"noDecay", "no-decay", "std::string", "\"\"", "regular expression of parameter names that do not decay">];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect", "::mlir::math::MathDialect",
    "::mlir::tensor::TensorDialect", "::planwright::plan::PlanDialect"];
}

#endif // PLANWRIGHT_LIB_TRANSFORMS_BUILDUPDATE_PASSES_TD
