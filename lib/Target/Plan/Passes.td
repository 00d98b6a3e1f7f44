// The pass that writes a plan.

#ifndef PLANWRIGHT_LIB_TARGET_PLAN_PASSES_TD
#define PLANWRIGHT_LIB_TARGET_PLAN_PASSES_TD

include "mlir/Pass/PassBase.td"

def ExecEmitPlan : Pass<"exec-emit-plan", "::mlir::ModuleOp"> {
  let summary = "Write the module's exec program as a .plan folder";
  let description = [{
    Needs one `exec.program` with offsets. Writes the folder `output` and changes nothing. Without a signature, what
    `plan-run` should know about arguments is made up from the program's buffers: roles, shapes and names, but no rules
    for random weights or token files. `plan-opt compile` passes the signature on.
  }];
  let options = [
    Option<"output", "output", "std::string", "", "The folder to write, such as job.plan">,
    Option<"name", "name", "std::string", "\"plan\"", "The plan's name in messages">,
    Option<"cpu", "cpu", "std::string", "", "The CPU to compile for; this machine's if empty">
  ];
}

#endif // PLANWRIGHT_LIB_TARGET_PLAN_PASSES_TD
