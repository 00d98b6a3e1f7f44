// The life of a rank's process.

#include "runtime/Launch/Rank.h"

#include "runtime/Comm/InProcess/InProcess.h"
#include "runtime/Format/StatusMacros.h"
#include "runtime/Launch/Job.h"
#include "runtime/Launch/Judge.h"
#include "runtime/Launch/StallReporter.h"
#include "runtime/Launch/Threads.h"

#include <cstdio>
#include <unistd.h>

namespace planwright::rt {

namespace {

/// How long a failed rank waits to be told the cause before it speaks for itself.
constexpr auto verdictPatience = std::chrono::seconds(4);

class RankProcess {
public:
  RankProcess(const Plan &plan, const RunOptions &options, const RankEnvironment &environment)
      : plan(plan), options(options), environment(environment) {}
  ~RankProcess();

  int run();

private:
  absl::Status startServer();
  absl::Status connect();
  absl::StatusOr<std::unique_ptr<World>> createWorld();
  absl::Status runConnected();
  void watch();
  void end(bool ended, const std::string &message);
  [[noreturn]] void fail(const absl::Status &status);
  int finish();

  bool hostsStore() const { return environment.rank == 0 && !environment.isSupervised; }

  const Plan &plan;
  const RunOptions &options;
  const RankEnvironment &environment;
  std::unique_ptr<StoreServer> server; // Of rank 0 only, and not under our own supervisor.
  std::atomic<bool> stopWatching = false;
  std::thread watcher;
  std::unique_ptr<StoreClient> client;
};

} // namespace

[[noreturn]] static void exitAtOnce() {
  // Other threads may hold any lock: no destructors.
  std::fflush(nullptr);
  ::_exit(1);
}

static void print(const std::string &message) {
  std::fprintf(stderr, "plan-run: %s\n", message.c_str());
}

RankProcess::~RankProcess() {
  stopWatching = true;
  if (watcher.joinable())
    watcher.join();
}

/// Rank 0 under another launcher: decides for all ranks what went wrong.
void RankProcess::watch() {
  Judge judge;
  StallReporter stalls(options.stallLimits.getTick());
  while (!stopWatching) {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    auto now = Judge::Clock::now();
    for (const StoreEvent &event : server->takeEvents())
      judge.add(event, now);
    for (RankReport &report : server->takeReports())
      stalls.add(std::move(report), now);
    for (const std::string &line : stalls.takeLines(now))
      print(line);
    std::optional<std::string> cause = judge.decide(now);
    if (!cause)
      continue;
    print(*cause);
    server->end(*cause);
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
    exitAtOnce();
  }
}

absl::Status RankProcess::startServer() {
  std::string address = options.listen.empty() ? environment.masterAddress : options.listen;
  auto joinTimeout = std::chrono::seconds(options.joinTimeoutSeconds);
  auto start = [&](const std::string &where) {
    return StoreServer::start(where, environment.masterPort, environment.size, plan.getHash(),
                              joinTimeout);
  };
  auto started = start(address);
  // The name of the machine may stand for an address that only others use, behind a router or in a
  // container.
  if (absl::IsNotFound(started.status()) && options.listen.empty())
    started = start("0.0.0.0");
  if (absl::IsAlreadyExists(started.status()))
    return annotate(started.status(), "MASTER_PORT");
  PLANWRIGHT_RETURN_IF_ERROR(started.status());
  server = std::move(*started);
  watcher = std::thread([this] { watch(); });
  return absl::OkStatus();
}

/// News from the store, on the client's thread.
void RankProcess::end(bool ended, const std::string &) {
  if (hostsStore())
    return; // `watch` prints and exits.
  if (!ended && !environment.isSupervised)
    print(absl::StrCat("rank ", environment.rank, ": lost rank 0 at ", environment.masterAddress,
                       ":", environment.masterPort, ": it died, or its machine cannot be reached"));
  exitAtOnce();
}

absl::Status RankProcess::connect() {
  StoreClient::Options wanted;
  wanted.address =
      hostsStore() && !options.listen.empty() ? options.listen : environment.masterAddress;
  wanted.port = environment.masterPort;
  wanted.rank = environment.rank;
  wanted.size = environment.size;
  wanted.planHash = plan.getHash();
  wanted.joinTimeout = std::chrono::seconds(options.joinTimeoutSeconds);
  PLANWRIGHT_ASSIGN_OR_RETURN(
      client, StoreClient::connect(
                  wanted, [this](bool ended, const std::string &message) { end(ended, message); }));
  return absl::OkStatus();
}

absl::StatusOr<std::unique_ptr<World>> RankProcess::createWorld() {
  if (environment.size == 1)
    return std::move(createInProcessWorlds(1, std::chrono::minutes(10)).front());
  GlooOptions gloo;
  gloo.rank = environment.rank;
  gloo.size = environment.size;
  gloo.address = options.listen.empty() ? client->getLocalAddress() : options.listen;
  return createGlooWorld(gloo, *client);
}

absl::Status RankProcess::runConnected() {
  PLANWRIGHT_RETURN_IF_ERROR(checkJob(plan, options));
  PLANWRIGHT_ASSIGN_OR_RETURN(std::unique_ptr<World> world, createWorld());
  JobListener listener;
  listener.onReport = [this](const RankReport &report) { client->report(report); };
  listener.onFailure = [this](const absl::Status &status) { fail(status); };
  return runJob(plan, options, *world, chooseThreads(options, environment.localSize), listener);
}

/// Tells the store's holder, who prints the cause and ends us all.
void RankProcess::fail(const absl::Status &status) {
  client->fail(absl::IsAborted(status), std::string(status.message()));
  std::this_thread::sleep_for(verdictPatience);
  print(absl::StrCat("rank ", environment.rank, ": ", status.message()));
  exitAtOnce();
}

int RankProcess::finish() {
  client->leave();
  // The others need the store until they have left.
  for (int i = 0; server && !server->haveAllLeft() && i < 500; ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  return 0;
}

int RankProcess::run() {
  absl::Status status = hostsStore() ? startServer() : absl::OkStatus();
  if (status.ok())
    status = connect();
  if (!status.ok()) {
    print(absl::StrCat("rank ", environment.rank, ": ", status.message()));
    return 1;
  }
  status = runConnected();
  if (!status.ok())
    fail(status);
  return finish();
}

int runRank(const Plan &plan, const RunOptions &options, const RankEnvironment &environment) {
  return RankProcess(plan, options, environment).run();
}

} // namespace planwright::rt
