// fork, exec, wait, kill.

#include "runtime/Launch/Supervisor.h"

#include "runtime/Format/StatusMacros.h"
#include "runtime/Launch/Judge.h"
#include "runtime/Launch/StallReporter.h"

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

namespace planwright::rt {

namespace {

struct Child {
  pid_t pid = -1;
  bool running = false;
};

class Supervisor {
public:
  Supervisor(const Plan &plan, const RunOptions &options, const RankEnvironment &master)
      : plan(plan), options(options), master(master),
        size(static_cast<int>(plan.getProgram().ranks())), children(size),
        stalls(options.stallLimits.getTick()) {}
  ~Supervisor() { killAll(); }

  int run(char **argv);

private:
  absl::Status startServer();
  absl::Status startRank(int rank, char **argv);
  void reap();
  void killAll();
  void tellStalls(Judge::Clock::time_point now);
  int watch();

  const Plan &plan;
  const RunOptions &options;
  const RankEnvironment &master;
  int size;
  std::vector<Child> children;
  std::unique_ptr<StoreServer> server;
  Judge judge;
  StallReporter stalls;
  bool anyFailed = false;
};

volatile std::sig_atomic_t caughtSignal = 0;

} // namespace

static void print(const std::string &message) {
  // A progress line may be open on the terminal.
  std::fprintf(stderr, "%splan-run: %s\n", ::isatty(STDOUT_FILENO) ? "\n" : "", message.c_str());
}

absl::Status Supervisor::startServer() {
  std::string address = options.listen.empty() ? master.masterAddress : options.listen;
  auto started = StoreServer::start(address, master.masterPort, size, plan.getHash(),
                                    std::chrono::seconds(options.joinTimeoutSeconds));
  if (absl::IsAlreadyExists(started.status()))
    return absl::AlreadyExistsError(
        absl::StrCat("MASTER_PORT: ", started.status().message(),
                     "; choose another, or unset it to take a free one"));
  PLANWRIGHT_RETURN_IF_ERROR(started.status());
  server = std::move(*started);
  return absl::OkStatus();
}

/// Our environment with the variables of one rank. Built before fork: afterwards only
/// async-signal-safe calls are allowed.
static std::vector<std::string> makeEnvironment(int rank, int size, const std::string &address,
                                                int port) {
  std::vector<std::pair<std::string, std::string>> own = {
      {"RANK", std::to_string(rank)},
      {"LOCAL_RANK", std::to_string(rank)},
      {"WORLD_SIZE", std::to_string(size)},
      {"LOCAL_WORLD_SIZE", std::to_string(size)},
      {"MASTER_ADDR", address},
      {"MASTER_PORT", std::to_string(port)},
      {"PLANWRIGHT_SUPERVISED", "1"}};
  std::vector<std::string> result;
  for (auto &[name, value] : own)
    result.push_back(name + "=" + value);
  for (char **entry = environ; *entry; ++entry) {
    std::string_view text = *entry;
    bool replaced = text.rfind("TORCHELASTIC_", 0) == 0;
    for (auto &[name, value] : own)
      replaced |= text.substr(0, text.find('=')) == name;
    if (!replaced)
      result.emplace_back(text);
  }
  return result;
}

/// The child's side of fork.
[[noreturn]] static void becomeRank(pid_t parent, char **argv, char **environment) {
  // If the supervisor dies, even by SIGKILL, so do we.
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent)
    ::_exit(1);
  // Ctrl-C goes to the whole group; the supervisor answers it for all.
  ::signal(SIGINT, SIG_IGN);
  int null = ::open("/dev/null", O_RDONLY);
  if (null >= 0)
    ::dup2(null, STDIN_FILENO);
  ::execve("/proc/self/exe", argv, environment);
  ::_exit(127);
}

absl::Status Supervisor::startRank(int rank, char **argv) {
  std::string address = options.listen.empty() ? master.masterAddress : options.listen;
  std::vector<std::string> variables = makeEnvironment(rank, size, address, server->getPort());
  std::vector<char *> environment;
  for (std::string &variable : variables)
    environment.push_back(variable.data());
  environment.push_back(nullptr);
  pid_t parent = ::getpid();
  pid_t pid = ::fork();
  if (pid < 0)
    return absl::ResourceExhaustedError(
        absl::StrCat("cannot start rank ", rank, ": ", std::strerror(errno)));
  if (pid == 0)
    becomeRank(parent, argv, environment.data());
  children[rank] = {pid, true};
  return absl::OkStatus();
}

/// "was killed by signal 9 (Killed)", or nothing for a rank that ended well.
static std::string describeExit(int status) {
  if (WIFSIGNALED(status))
    return absl::StrCat("was killed by signal ", WTERMSIG(status), " (",
                        ::strsignal(WTERMSIG(status)), ")");
  if (WIFEXITED(status) && WEXITSTATUS(status) != 0)
    return absl::StrCat("exited with code ", WEXITSTATUS(status));
  return "";
}

void Supervisor::reap() {
  for (int rank = 0; rank < size; ++rank) {
    int status = 0;
    if (!children[rank].running || ::waitpid(children[rank].pid, &status, WNOHANG) <= 0)
      continue;
    children[rank].running = false;
    if (std::string how = describeExit(status); !how.empty()) {
      judge.addDeath(rank, how, Judge::Clock::now());
      anyFailed = true;
    }
  }
}

void Supervisor::killAll() {
  for (const Child &child : children)
    if (child.running)
      ::kill(child.pid, SIGKILL);
  for (Child &child : children)
    if (child.running) {
      ::waitpid(child.pid, nullptr, 0);
      child.running = false;
    }
}

void Supervisor::tellStalls(Judge::Clock::time_point now) {
  for (RankReport &report : server->takeReports())
    stalls.add(std::move(report), now);
  for (const std::string &line : stalls.takeLines(now))
    print(line);
}

int Supervisor::watch() {
  while (true) {
    ::usleep(10'000);
    if (caughtSignal != 0) {
      killAll();
      print(absl::StrCat("ended by signal ", caughtSignal, "; all ranks are stopped"));
      return 128 + caughtSignal;
    }
    reap();
    auto now = Judge::Clock::now();
    for (const StoreEvent &event : server->takeEvents())
      judge.add(event, now);
    tellStalls(now);
    if (std::optional<std::string> cause = judge.decide(now)) {
      killAll();
      print(*cause);
      return 1;
    }
    bool anyRunning = false;
    for (const Child &child : children)
      anyRunning |= child.running;
    if (!anyRunning && !anyFailed && server->haveAllLeft()) {
      tellStalls(now); // The last reports came before the ranks left.
      return 0;
    }
  }
}

int Supervisor::run(char **argv) {
  struct sigaction action = {};
  action.sa_handler = [](int signal) { caughtSignal = signal; };
  for (int signal : {SIGINT, SIGTERM, SIGHUP})
    ::sigaction(signal, &action, nullptr);
  absl::Status status = startServer();
  for (int rank = 0; status.ok() && rank < size; ++rank)
    status = startRank(rank, argv);
  if (!status.ok()) {
    print(std::string(status.message()));
    return 1;
  }
  return watch();
}

int superviseRanks(const Plan &plan, const RunOptions &options, const RankEnvironment &master,
                   char **argv) {
  return Supervisor(plan, options, master).run(argv);
}

} // namespace planwright::rt
