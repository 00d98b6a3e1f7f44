// Threads with worlds.

#include "test/Runtime/Comm/Worlds.h"

#include "runtime/Comm/Gloo/GlooWorld.h"
#include "runtime/Comm/InProcess/InProcess.h"

#include <condition_variable>
#include <map>
#include <mutex>
#include <thread>

namespace planwright::rt::test {

namespace {

/// A store in memory.
class LocalStore : public KeyValueStore {
public:
  absl::Status set(const std::string &key, const std::string &value) override {
    std::lock_guard lock(mutex);
    values[key] = value;
    changed.notify_all();
    return absl::OkStatus();
  }
  absl::StatusOr<std::string> get(const std::string &key) override {
    std::unique_lock lock(mutex);
    if (!changed.wait_for(lock, std::chrono::seconds(20), [&] { return values.count(key) != 0; }))
      return absl::DeadlineExceededError(key);
    return values[key];
  }

private:
  std::mutex mutex;
  std::condition_variable changed;
  std::map<std::string, std::string> values;
};

} // namespace

absl::Status runOnWorlds(const std::string &transport, int ranks,
                         const std::function<absl::Status(World &)> &body) {
  LocalStore store;
  auto inProcess = createInProcessWorlds(ranks, std::chrono::seconds(20));
  std::vector<absl::Status> results(ranks);
  auto run = [&](int rank) {
    if (transport == "InProcess") {
      results[rank] = body(*inProcess[rank]);
      return;
    }
    auto world =
        createGlooWorld({.rank = rank, .size = ranks, .timeout = std::chrono::seconds(20)}, store);
    results[rank] = world.ok() ? body(**world) : world.status();
    if (world.ok() && results[rank].ok())
      results[rank] = (*world)->barrier(); // Nobody closes connections that another still uses.
  };
  std::vector<std::thread> threads;
  for (int rank = 0; rank < ranks; ++rank)
    threads.emplace_back(run, rank);
  for (std::thread &thread : threads)
    thread.join();
  for (const absl::Status &result : results)
    if (!result.ok())
      return result;
  return absl::OkStatus();
}

} // namespace planwright::rt::test
