// All ranks as threads of this process, and how many threads a rank gets.

#ifndef PLANWRIGHT_RUNTIME_LAUNCH_THREADS_H
#define PLANWRIGHT_RUNTIME_LAUNCH_THREADS_H

#include "runtime/Format/Plan.h"
#include "runtime/Launch/Options.h"

namespace planwright::rt {

/// The most threads that a rank may ask for: some for each core, and enough for any test. More
/// would only wait for each other, and a machine that refuses to start them ends the process.
int getMaxThreads();

/// Threads for each of `ranksHere` ranks of this machine: what the options say, else an equal share
/// of the cores.
int chooseThreads(const RunOptions &options, int ranksHere);

/// Runs the whole plan in this process. The first rank's error ends the others; the message names
/// the rank.
absl::Status runInProcess(const Plan &plan, const RunOptions &options);

} // namespace planwright::rt

#endif // PLANWRIGHT_RUNTIME_LAUNCH_THREADS_H
