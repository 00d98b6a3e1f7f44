// Starts every rank of a plan on this machine, one process each, and watches over them: when one
// dies or fails, all end, and one message says which and why.

#ifndef PLANWRIGHT_RUNTIME_LAUNCH_SUPERVISOR_H
#define PLANWRIGHT_RUNTIME_LAUNCH_SUPERVISOR_H

#include "runtime/Format/Plan.h"
#include "runtime/Launch/Environment.h"
#include "runtime/Launch/Options.h"

namespace planwright::rt {

/// Runs this very program again for each rank, with `argv` and the variables of a launcher. Returns
/// the exit code: 0, 1, or 128 + the signal that ended us.
int superviseRanks(const Plan &plan, const RunOptions &options, const RankEnvironment &master,
                   char **argv);

} // namespace planwright::rt

#endif // PLANWRIGHT_RUNTIME_LAUNCH_SUPERVISOR_H
