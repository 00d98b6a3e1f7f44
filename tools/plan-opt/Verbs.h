// The verbs of plan-opt: drivers over the same passes that single-pass calls run.
// Not here: what a verb does (one file each), pass order (lib/Pipelines).
#ifndef PLANWRIGHT_TOOLS_PLANOPT_VERBS_H
#define PLANWRIGHT_TOOLS_PLANOPT_VERBS_H

#include "mlir/IR/DialectRegistry.h"

#include <optional>

namespace planwright {

/// Exit codes of every verb, as the command line promises them.
enum ExitCode { kDone = 0, kWrongInput = 1, kWrongCall = 2, kNoPlanFits = 3 };

/// Runs the verb that `argv[1]` names and returns its exit code; nullopt where it is no verb.
std::optional<int> runVerb(int argc, char **argv, mlir::DialectRegistry &registry);

/// `plan-opt compile MODEL --cluster C.yaml ... -o JOB.plan`
int runCompile(mlir::DialectRegistry &registry);

} // namespace planwright

#endif // PLANWRIGHT_TOOLS_PLANOPT_VERBS_H
