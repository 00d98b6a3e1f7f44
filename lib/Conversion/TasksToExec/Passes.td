// Conversion of task functions to an exec program.

#ifndef PLANWRIGHT_LIB_CONVERSION_TASKSTOEXEC_PASSES_TD
#define PLANWRIGHT_LIB_CONVERSION_TASKSTOEXEC_PASSES_TD

include "mlir/Pass/PassBase.td"

def ConvertTasksToExec : Pass<"convert-tasks-to-exec", "::mlir::ModuleOp"> {
  let summary = "Turn task functions into an exec program";
  let description = [{
    Needs task functions with local shapes in normal form (`plan.task`, `plan.object` and `plan.layout` on every argument
    and result) and the module's `plan.mesh` and `plan.schedule`. Gives one `exec.program @step`, without offsets; the
    functions are gone, the module's attributes stay.

    Each function becomes a subprogram. Contractions become `exec.gemm` where a matrix product can do them (an operand
    whose dimensions interleave is copied into order first), everything else a launch of a kernel, whose text stays on
    `exec.kernel`. Reshapes, empty tensors, fills and splats that a kernel folds give no instruction. A result that is
    an object is computed in the object's place where that is safe; an operation that updates a tensor works in place
    where nobody needs the old one. Operands of one `comm.all_reduce` that are objects lie in one bucket and are reduced
    in one exchange. Other collectives exchange blocks one after another; a tensor cut along an inner dimension is copied
    into blocks before, or out of them afterwards, and a rank takes its block of an `all_slice` by such a copy. An
    accumulation of a matrix product is done by the product.

    Never reorders operations and never decides where buffers lie.
  }];
  let dependentDialects = ["::planwright::exec::ExecDialect", "::mlir::linalg::LinalgDialect",
                           "::mlir::arith::ArithDialect", "::mlir::tensor::TensorDialect"];
}

#endif // PLANWRIGHT_LIB_CONVERSION_TASKSTOEXEC_PASSES_TD
