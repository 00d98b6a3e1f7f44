// One rank as a process: it meets the others at the store, connects to them, runs the job, and
// reports how that ended.

#ifndef PLANWRIGHT_RUNTIME_LAUNCH_RANK_H
#define PLANWRIGHT_RUNTIME_LAUNCH_RANK_H

#include "runtime/Format/Plan.h"
#include "runtime/Launch/Environment.h"
#include "runtime/Launch/Options.h"

namespace planwright::rt {

/// Returns the process's exit code. A failed job may also end the process from inside: of many
/// ranks that fail for one cause only the holder of the store prints, and it prints the cause.
int runRank(const Plan &plan, const RunOptions &options, const RankEnvironment &environment);

} // namespace planwright::rt

#endif // PLANWRIGHT_RUNTIME_LAUNCH_RANK_H
