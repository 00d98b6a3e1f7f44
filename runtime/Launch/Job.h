// The job of one rank from a loaded plan to saved weights. Who the other ranks are and how they
// were started is the caller's business.

#ifndef PLANWRIGHT_RUNTIME_LAUNCH_JOB_H
#define PLANWRIGHT_RUNTIME_LAUNCH_JOB_H

#include "runtime/Comm/Communicator.h"
#include "runtime/Format/Plan.h"
#include "runtime/Launch/Options.h"
#include "runtime/Launch/RankReport.h"

#include <functional>

namespace planwright::rt {

/// Checks that make sense before any rank is started: files that can be opened for reading, options
/// that fit together, the CPU.
absl::Status checkJob(const Plan &plan, const RunOptions &options);

/// Who wants to know how a job goes.
struct JobListener {
  /// Called a few times a second while steps run, from a thread of its own.
  std::function<void(const RankReport &)> onReport;
  /// Called before memory is given back, for other ranks may still be writing into it: it need not
  /// return.
  std::function<void(const absl::Status &)> onFailure = [](const absl::Status &) {};
};

/// Runs all steps as rank world.getRank() with `threads` threads. A kAborted status is about
/// another rank.
absl::Status runJob(const Plan &plan, const RunOptions &options, World &world, int threads,
                    const JobListener &listener);

} // namespace planwright::rt

#endif // PLANWRIGHT_RUNTIME_LAUNCH_JOB_H
