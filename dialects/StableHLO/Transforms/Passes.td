// Passes of the stablehlo dialect alone: from a module of functions, calls and loops to one flat function.
// Not here: the way out of the dialect (lib/Conversion/StableHLOToLinalg).

#ifndef PLANWRIGHT_DIALECTS_STABLEHLO_TRANSFORMS_PASSES_TD
#define PLANWRIGHT_DIALECTS_STABLEHLO_TRANSFORMS_PASSES_TD

include "mlir/Pass/PassBase.td"

def StableHLOCheckEntry : Pass<"stablehlo-check-entry", "::mlir::ModuleOp"> {
  let summary = "Explain what is wrong with the entry function";
  let description = [{
    A training job starts from one function, `@main`, that returns one scalar loss. Everything else is refused here, in
    words that name the usual cause: several results, a loss with a value per token, an integer loss, no `@main`.
    Changes nothing.
  }];
}

def StableHLOInlineCalls : Pass<"stablehlo-inline-calls", "::mlir::ModuleOp"> {
  let summary = "Put the bodies of private functions where they are called";
  let description = [{
    JAX outlines what it jits inside; a text has `@_take`, `@silu` or `@closed_call` beside `@main`. After this pass
    `@main` is the only function, calls in the regions of loops included. Composites are replaced by their
    decompositions. Recursion and calls to functions without a body are errors.
  }];
}

def StableHLOUnrollWhile : Pass<"stablehlo-unroll-while", "::mlir::ModuleOp"> {
  let summary = "Replace loops whose trip count is static by their iterations";
  let description = [{
    Needs a module without calls. The condition is evaluated before each iteration; the counter and whatever follows
    from it become constants, so that slices at the counter become slices at a known place. Loop-carried values that
    the body returns unchanged are simply used. Branches (`if`, `case`) whose choice is known are inlined as well.

    A loop whose condition is not known is an error that names the loop; nothing is unrolled then.
  }];
}

def StableHLOFoldIndices : Pass<"stablehlo-fold-indices", "::mlir::ModuleOp"> {
  let summary = "Decide integer and boolean values that follow from shapes and constants";
  let description = [{
    Frameworks guard every index: `select(i < 0, i + n, i)`, then a test of the bounds, even where the index is an
    iota. This pass follows the range, and the affine form over coordinates, of every integer value in one walk.
    Comparisons that are decided become constants, selects by known predicates one of their operands. It also drops
    what only moves bits around: converts, reshapes and broadcasts to the same type, maximum with -inf, a boolean
    converted to a number and compared again.

    ```mlir
    %i = stablehlo.iota dim = 0 : tensor<64xi32>
    %m = stablehlo.compare LT, %i, %zeros, SIGNED : (tensor<64xi32>, tensor<64xi32>) -> tensor<64xi1>
    %s = stablehlo.select %m, %j, %i : tensor<64xi1>, tensor<64xi32>          // is %i
    ```
  }];
}

#endif // PLANWRIGHT_DIALECTS_STABLEHLO_TRANSFORMS_PASSES_TD
