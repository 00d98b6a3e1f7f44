// fork, exec, /proc.

#include "test/Runtime/Launch/Command.h"

#include "test/Runtime/Support/TestPlan.h"

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <fstream>
#include <netinet/in.h>
#include <sstream>
#include <sys/socket.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

extern char **environ;

namespace planwright::rt::test {

static constexpr auto pollInterval = std::chrono::milliseconds(5);

std::string readText(const std::string &path) {
  std::ifstream file(path, std::ios::binary);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

static std::vector<std::string>
makeEnvironment(const std::map<std::string, std::string> &variables) {
  std::vector<std::string> result;
  for (char **entry = environ; *entry; ++entry) {
    std::string text = *entry;
    bool ofLauncher = false;
    for (const char *prefix :
         {"RANK=", "WORLD_SIZE=", "LOCAL_", "MASTER_", "SLURM_", "OMPI_", "PMI_"})
      ofLauncher |= text.rfind(prefix, 0) == 0;
    if (!ofLauncher)
      result.push_back(text);
  }
  for (auto &[name, value] : variables)
    result.push_back(name + "=" + value);
  return result;
}

Command::Command(std::vector<std::string> arguments,
                 const std::map<std::string, std::string> &variables) {
  std::string folder = makeTemporaryFolder();
  outputPath = folder + "/stdout";
  errorPath = folder + "/stderr";
  arguments.insert(arguments.begin(), PLAN_RUN);
  std::vector<std::string> environment = makeEnvironment(variables);
  std::vector<char *> argv, envp;
  for (std::string &argument : arguments)
    argv.push_back(argument.data());
  for (std::string &variable : environment)
    envp.push_back(variable.data());
  argv.push_back(nullptr);
  envp.push_back(nullptr);
  begin = std::chrono::steady_clock::now();
  pid = ::fork();
  if (pid == 0) {
    ::dup2(::open(outputPath.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600), STDOUT_FILENO);
    ::dup2(::open(errorPath.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600), STDERR_FILENO);
    ::execve(PLAN_RUN, argv.data(), envp.data());
    ::_exit(127);
  }
}

Command::~Command() {
  if (!waited) {
    ::kill(pid, SIGKILL);
    ::waitpid(pid, nullptr, 0);
  }
}

Outcome Command::wait(std::chrono::seconds limit) {
  Outcome outcome;
  int status = 0;
  auto deadline = std::chrono::steady_clock::now() + limit;
  while (::waitpid(pid, &status, WNOHANG) == 0) {
    if (std::chrono::steady_clock::now() > deadline) {
      ::kill(pid, SIGKILL);
      ::waitpid(pid, &status, 0);
      status = -1;
      break;
    }
    std::this_thread::sleep_for(pollInterval);
  }
  waited = true;
  std::chrono::duration<double> duration = std::chrono::steady_clock::now() - begin;
  outcome.seconds = duration.count();
  if (status != -1)
    outcome.code = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
  outcome.output = readText(outputPath);
  outcome.error = readText(errorPath);
  return outcome;
}

/// RANK in a process's environment, or -1.
static int readRank(pid_t pid) {
  std::string text = readText("/proc/" + std::to_string(pid) + "/environ");
  for (size_t begin = 0; begin < text.size(); begin = text.find('\0', begin) + 1) {
    if (text.compare(begin, 5, "RANK=") == 0)
      return std::atoi(text.c_str() + begin + 5);
    if (text.find('\0', begin) == std::string::npos)
      break;
  }
  return -1;
}

std::vector<pid_t> Command::awaitRanks(size_t count) {
  std::string path = "/proc/" + std::to_string(pid) + "/task/" + std::to_string(pid) + "/children";
  std::vector<pid_t> ranks(count, -1);
  for (int i = 0; i < 4000; ++i) {
    std::istringstream text(readText(path));
    for (pid_t child; text >> child;)
      if (int rank = readRank(child); rank >= 0 && static_cast<size_t>(rank) < count)
        ranks[rank] = child;
    if (std::find(ranks.begin(), ranks.end(), -1) == ranks.end())
      break;
    std::this_thread::sleep_for(pollInterval);
  }
  return ranks;
}

bool Command::awaitError(const std::string &text) const {
  for (int i = 0; i < 6000; ++i) {
    if (readText(errorPath).find(text) != std::string::npos)
      return true;
    std::this_thread::sleep_for(pollInterval);
  }
  return false;
}

void Command::awaitLines(const std::string &path, size_t lines) {
  for (int i = 0; i < 6000; ++i) {
    std::string text = readText(path);
    if (static_cast<size_t>(std::count(text.begin(), text.end(), '\n')) >= lines)
      return;
    std::this_thread::sleep_for(pollInterval);
  }
}

bool isRunning(pid_t pid) {
  std::string stat = readText("/proc/" + std::to_string(pid) + "/stat");
  size_t paren = stat.rfind(')');
  return paren != std::string::npos && paren + 2 < stat.size() && stat[paren + 2] != 'Z';
}

int findFreePort() {
  int fd = ::socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in address = {};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t length = sizeof(address);
  ::bind(fd, reinterpret_cast<sockaddr *>(&address), length);
  ::getsockname(fd, reinterpret_cast<sockaddr *>(&address), &length);
  ::close(fd);
  return ntohs(address.sin_port);
}

} // namespace planwright::rt::test
