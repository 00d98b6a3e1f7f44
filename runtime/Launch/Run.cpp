// Choosing between threads, a supervisor, and being one rank of somebody else's.

#include "runtime/Launch/Run.h"

#include "runtime/Format/StatusMacros.h"
#include "runtime/Launch/Job.h"
#include "runtime/Launch/Rank.h"
#include "runtime/Launch/Supervisor.h"
#include "runtime/Launch/Threads.h"

#include <cstdio>

namespace planwright::rt {

static int fail(const absl::Status &status, const std::optional<RankEnvironment> &environment) {
  std::string rank = environment ? absl::StrCat("rank ", environment->rank, ": ") : "";
  std::fprintf(stderr, "plan-run: %s%s\n", rank.c_str(), std::string(status.message()).c_str());
  return 1;
}

static absl::Status checkSize(const Plan &plan, const RankEnvironment &environment) {
  uint32_t ranks = plan.getProgram().ranks();
  if (static_cast<int64_t>(ranks) == environment.size)
    return absl::OkStatus();
  return absl::FailedPreconditionError(absl::StrCat(
      plan.getFolder(), " is a plan for ", ranks, " ranks, but ", environment.launcher, " started ",
      environment.size, "; start ", ranks, " or compile for ", environment.size));
}

int runPlan(const RunOptions &options, char **argv) {
  auto environment = readEnvironment(getProcessVariable);
  if (!environment.ok())
    return fail(environment.status(), std::nullopt);
  absl::StatusOr<Plan> plan = Plan::load(options.plan);
  if (!plan.ok())
    return fail(plan.status(), *environment);
  if (!options.inProcess && *environment) {
    if (absl::Status status = checkSize(*plan, **environment); !status.ok())
      // All ranks find the same; one message is enough.
      return (*environment)->rank == 0 ? fail(status, *environment) : 1;
    return runRank(*plan, options, **environment);
  }
  if (absl::Status status = checkJob(*plan, options); !status.ok())
    return fail(status, std::nullopt);
  if (options.inProcess) {
    absl::Status status = runInProcess(*plan, options);
    return status.ok() ? 0 : fail(status, std::nullopt);
  }
  absl::StatusOr<RankEnvironment> master = readMaster(getProcessVariable);
  return master.ok() ? superviseRanks(*plan, options, *master, argv)
                     : fail(master.status(), std::nullopt);
}

} // namespace planwright::rt
