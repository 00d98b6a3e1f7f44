// Ranks as threads.

#include "runtime/Launch/Threads.h"

#include "runtime/Comm/InProcess/InProcess.h"
#include "runtime/Format/StatusMacros.h"
#include "runtime/Launch/Job.h"
#include "runtime/Launch/StallReporter.h"

#include <algorithm>
#include <cstdio>
#include <mutex>
#include <sched.h>
#include <thread>

namespace planwright::rt {

/// Cores that this process may use.
static int countCores() {
  cpu_set_t set;
  return ::sched_getaffinity(0, sizeof(set), &set) == 0 ? CPU_COUNT(&set) : 1;
}

int getMaxThreads() {
  constexpr int kThreadsPerCore = 4, kAlwaysAllowed = 64;
  return std::max(kThreadsPerCore * countCores(), kAlwaysAllowed);
}

int chooseThreads(const RunOptions &options, int ranksHere) {
  return options.threads > 0 ? options.threads : std::max(countCores() / std::max(ranksHere, 1), 1);
}

absl::Status runInProcess(const Plan &plan, const RunOptions &options) {
  int ranks = static_cast<int>(plan.getProgram().ranks());
  int threads = chooseThreads(options, ranks);
  auto worlds = createInProcessWorlds(ranks, std::chrono::minutes(10));
  std::mutex mutex; // Guards all below.
  absl::Status first;
  StallReporter stalls(options.stallLimits.getTick());
  JobListener listener;
  listener.onReport = [&](const RankReport &report) {
    std::lock_guard lock(mutex);
    auto now = StallReporter::Clock::now();
    stalls.add(report, now);
    for (const std::string &line : stalls.takeLines(now))
      std::fprintf(stderr, "plan-run: %s\n", line.c_str());
  };
  auto runRank = [&](int rank) {
    absl::Status status = annotate(runJob(plan, options, *worlds[rank], threads, listener),
                                   absl::StrCat("rank ", rank));
    std::lock_guard lock(mutex);
    if (!status.ok() && first.ok()) {
      first = status;
      worlds[rank]->abort(absl::AbortedError("another rank failed"));
    }
  };
  std::vector<std::thread> others;
  for (int rank = 1; rank < ranks; ++rank)
    others.emplace_back(runRank, rank);
  runRank(0);
  for (std::thread &other : others)
    other.join();
  return first;
}

} // namespace planwright::rt
