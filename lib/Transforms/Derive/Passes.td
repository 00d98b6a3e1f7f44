// The pass that takes the reverse-mode derivative of a module's functions.

#ifndef PLANWRIGHT_LIB_TRANSFORMS_DERIVE_PASSES_TD
#define PLANWRIGHT_LIB_TRANSFORMS_DERIVE_PASSES_TD

include "mlir/Pass/PassBase.td"

def DerivePass : Pass<"model-derive", "::mlir::ModuleOp"> {
  let summary = "Reverse-mode derivative: @f becomes @f.fwd and @f.bwd";
  let description = [{
    Replaces each public function `@f` by two:

    * `@f.fwd(args...) -> (results..., residuals...)` computes what `@f` did, and returns what the backward pass needs.
    * `@f.bwd(args..., residuals..., cotangents...) -> gradients...` takes the gradients of the results and returns the
      gradients of the arguments.

    A function whose arguments carry `model.argument` marks is the training loss: it has one scalar float result, whose
    gradient is the constant 1 (there are no cotangents), and the gradients returned are those of the trainable
    parameters, in argument order. Each carries `plan.object = #plan.object<gradient, "name">`; it has the parameter's
    shape and element type, or f32 for a narrower parameter. Of an unmarked function every float argument gets a
    gradient. An argument that does not influence the result gets zeros.

    Called private functions are derived once for each distinct set of arguments that need a gradient; their calls
    become calls of `@callee.fwd` and `@callee.bwd`. A parameter passed to a layer has its gradient in f32 there, too.
    Functions that nothing calls any more are removed.

    Needs static shapes and single-block functions in the normal form. Only operations between a trainable parameter and
    the loss are differentiated, by `DifferentiableOpInterface`; all that cannot be are reported, then the pass fails.

    Residuals: integer and boolean values, values that depend on no trainable parameter, and reshapes are never saved but
    computed again in the backward function; so are pointwise operations and copies all of whose inputs are there
    anyway, or take less than the results (`recompute=pointwise`; `recompute=none` saves the results instead).
    Everything else that a derivative reads is a residual.

    The maximum that softmax subtracts gets no gradient where it can be seen that the result does not depend on it; models
    stop that gradient, and their text does not say so.

    Gradient is shared evenly by all elements that tie for a maximum, as JAX does; where a `select` did not take a value,
    that value's gradient is exactly zero, whatever the other holds. `1 / (1 + exp(-x))` has gradient zero, not NaN,
    where `exp(-x)` overflows.
  }];
  let options = [
    Option<"recompute", "recompute", "std::string", "\"pointwise\"",
           "What is computed again in the backward function rather than saved: pointwise or none">];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect", "::mlir::math::MathDialect",
    "::mlir::tensor::TensorDialect", "::planwright::model::ModelDialect", "::planwright::plan::PlanDialect"];
}

#endif // PLANWRIGHT_LIB_TRANSFORMS_DERIVE_PASSES_TD
