// The pass that finds a model's repeated layers.

#ifndef PLANWRIGHT_LIB_TRANSFORMS_OUTLINELAYERS_PASSES_TD
#define PLANWRIGHT_LIB_TRANSFORMS_OUTLINELAYERS_PASSES_TD

include "mlir/Pass/PassBase.td"

def OutlineLayersPass : Pass<"model-outline-layers", "::mlir::ModuleOp"> {
  let summary = "Makes each distinct repeated layer one function";
  let description = [{
    Finds stretches of `@main` that repeat, one after the other, and makes each distinct one a private function that is
    called as often: `@layer`, or `@layer_1`, `@layer_2` ... if there are several.

    Only operations that depend on a parameter count. What depends on none is either part of every layer (values that
    depend on no argument at all, such as constants and causal masks) or an operand (values computed from the batch).
    Slices and reshapes of a parameter stay outside: a layer takes the part that it uses. Two stretches are equal when
    their operations are, up to operands that come from outside; such operands become arguments, one for each value.

    Where a repetition can be cut in several places, it is cut where the fewest bytes of activations are live, and of
    these places at the first.

    Needs the normal form after common subexpression elimination. Never changes what @main computes or how its arguments
    are marked.
  }];
  let dependentDialects = ["::mlir::func::FuncDialect"];
}

#endif // PLANWRIGHT_LIB_TRANSFORMS_OUTLINELAYERS_PASSES_TD
