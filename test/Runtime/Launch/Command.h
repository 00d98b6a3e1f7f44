// Starting plan-run as a process and looking at how it ends.

#ifndef PLANWRIGHT_TEST_RUNTIME_LAUNCH_COMMAND_H
#define PLANWRIGHT_TEST_RUNTIME_LAUNCH_COMMAND_H

#include <chrono>
#include <map>
#include <string>
#include <sys/types.h>
#include <vector>

namespace planwright::rt::test {

struct Outcome {
  int code = -1; // Exit code, or 128 + signal.
  std::string output;
  std::string error;
  double seconds = 0;
};

/// One plan-run process. Variables are added to the environment; those of launchers are taken out
/// first.
class Command {
public:
  explicit Command(std::vector<std::string> arguments,
                   const std::map<std::string, std::string> &variables = {});
  Command(const Command &) = delete;
  ~Command();

  /// Waits for the end, at most `limit`; kills it then, and code is -1.
  Outcome wait(std::chrono::seconds limit = std::chrono::seconds(60));

  /// Its children by RANK, once there are `count`.
  std::vector<pid_t> awaitRanks(size_t count);

  /// Waits until what it has said on stderr contains `text`; false if that does not come.
  bool awaitError(const std::string &text) const;

  /// Waits until the file has `lines` lines.
  static void awaitLines(const std::string &path, size_t lines);

  pid_t getPid() const { return pid; }

private:
  pid_t pid;
  std::string outputPath, errorPath;
  std::chrono::steady_clock::time_point begin;
  bool waited = false;
};

/// True if the process exists and is no zombie.
bool isRunning(pid_t pid);

std::string readText(const std::string &path);

/// A port that was free a moment ago.
int findFreePort();

} // namespace planwright::rt::test

#endif // PLANWRIGHT_TEST_RUNTIME_LAUNCH_COMMAND_H
