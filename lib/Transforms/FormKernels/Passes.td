// Passes that form kernels: which tensor operations of a local task function become one loop nest.

#ifndef PLANWRIGHT_LIB_TRANSFORMS_FORMKERNELS_PASSES_TD
#define PLANWRIGHT_LIB_TRANSFORMS_FORMKERNELS_PASSES_TD

include "mlir/Pass/PassBase.td"

def KernelSplitReductions : Pass<"kernel-split-reductions", "::mlir::func::FuncOp"> {
  let summary = "Split large reductions that have too little parallelism";
  let description = [{
    A reduction of many elements to few (a loss, a gradient's norm) would be the work of one thread. Its outermost
    reduction loop becomes parallel, which gives partial results; a second, small reduction combines them. The order
    of additions is fixed by the shapes.

    Needs normal form; leaves normal form. Never splits reductions with several results or without a neutral element.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect", "::mlir::tensor::TensorDialect"];
}

def KernelFuse : Pass<"kernel-fuse", "::mlir::func::FuncOp"> {
  let summary = "Fuse pointwise operations into their consumers, and reductions that read the same tensors";
  let description = [{
    Three visits of all operations, in program order:
    1. A pointwise producer becomes part of its consumer when this is its only use, or when it is cheap to compute
       again: few scalar operations, none of them expensive, and few operands.
    2. Operations with the same iteration space that read a tensor in common become one with several results.
    3. A pointwise producer with several uses becomes part of the first of them if that walks the same iteration space;
       the fused operation returns the producer's result as well.

    An expensive producer is never computed again over dimensions that it does not have, except outside of the
    innermost loop. Reshapes stay where they are. What an operation updates in place is not read later than before.

    Needs normal form on tensors. Leaves `linalg.generic` whose results may stand over all loops or over the parallel
    ones.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect", "::mlir::tensor::TensorDialect"];
}

#endif // PLANWRIGHT_LIB_TRANSFORMS_FORMKERNELS_PASSES_TD
