// The whole of plan-run after its flags: load the plan, find out how we were started, go.

#ifndef PLANWRIGHT_RUNTIME_LAUNCH_RUN_H
#define PLANWRIGHT_RUNTIME_LAUNCH_RUN_H

#include "runtime/Launch/Options.h"

namespace planwright::rt {

/// Returns the exit code. `argv` is the command line, for ranks that we start ourselves.
int runPlan(const RunOptions &options, char **argv);

} // namespace planwright::rt

#endif // PLANWRIGHT_RUNTIME_LAUNCH_RUN_H
