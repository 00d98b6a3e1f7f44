// Threads that run one loop at a time. How a loop is cut never changes what it computes: pieces
// begin at multiples of the grain.

#ifndef PLANWRIGHT_RUNTIME_DEVICE_HOST_THREADPOOL_H
#define PLANWRIGHT_RUNTIME_DEVICE_HOST_THREADPOOL_H

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <thread>
#include <vector>

namespace planwright::rt {

/// The caller is one of the threads. Between loops workers spin for about 50 us, then sleep: the
/// next loop of a step usually comes sooner, and a pool that spun for ever would starve the other
/// ranks of the machine.
class ThreadPool {
public:
  /// Body of a loop over [low, high).
  using Body = void (*)(const void *context, int64_t low, int64_t high);

  explicit ThreadPool(int threads);
  ~ThreadPool();

  int getNumThreads() const { return static_cast<int>(workers.size()) + 1; }

  /// Runs `body` over [0, count), each thread on one contiguous range that starts at a multiple of
  /// `grain`. Returns when all is done. Not reentrant.
  void run(Body body, const void *context, int64_t count, int64_t grain);

private:
  void work(int index);
  void runShare(int index) const;
  uint64_t awaitGeneration(uint64_t seen);

  Body body = nullptr;
  const void *context = nullptr;
  int64_t count = 0;
  int64_t grain = 1;
  std::atomic<uint64_t> generation = 0; // Counts loops; a change is the signal to start.
  std::atomic<int> unfinished = 0;      // Workers still in the current loop.
  std::atomic<int> sleepers = 0;
  std::atomic<bool> stopping = false;
  std::mutex mutex;
  std::condition_variable awake;
  std::vector<std::thread> workers;
};

} // namespace planwright::rt

#endif // PLANWRIGHT_RUNTIME_DEVICE_HOST_THREADPOOL_H
