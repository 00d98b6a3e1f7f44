// Passes of the exec dialect alone: where buffers lie, and the proof that a program is sound.

#ifndef PLANWRIGHT_DIALECTS_EXEC_TRANSFORMS_PASSES_TD
#define PLANWRIGHT_DIALECTS_EXEC_TRANSFORMS_PASSES_TD

include "mlir/Pass/PassBase.td"

def ExecAssignOffsets : Pass<"exec-assign-offsets"> {
  let summary = "Give every buffer its place in the arena";
  let description = [{
    Needs a program whose buffers have no offsets (or any: they are assigned anew). Kinds that live always or a whole
    step stand first, in the order of their declaration; temporaries and residuals follow and share memory where their
    lives do not meet. A life runs from the first to the last instruction that touches the buffer, in the order in which
    tasks first run their subprograms. Writes `arena_bytes`, `persistent_bytes` and `lower_bound_bytes` (what no
    assignment can go below) on the program. Never changes an instruction.
  }];
  let dependentDialects = ["::planwright::exec::ExecDialect"];
}

def ExecVerify : Pass<"exec-verify"> {
  let summary = "Prove that a program with offsets is sound";
  let description = [{
    Follows all tasks of a step, micro-batch by micro-batch, and proves:

    1. Every buffer has an offset and lies in the arena; buffers with a place of their own overlap nothing else.
    2. Every byte that is read of a shared place was written before, and last, through the same buffer.
    3. Base offsets exist and stay inside the buffer.
    4. Every event is recorded before it is awaited.
    5. Instructions of different streams that touch the same bytes, one of them writing, are ordered by events.
    6. All collectives of one communicator run on one stream: every rank issues them in the same order.

    Changes nothing.
  }];
  let dependentDialects = ["::planwright::exec::ExecDialect"];
}

#endif // PLANWRIGHT_DIALECTS_EXEC_TRANSFORMS_PASSES_TD
