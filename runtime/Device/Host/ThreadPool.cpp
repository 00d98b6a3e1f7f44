// The pool's protocol: publish a loop, bump `generation`, wake sleepers; count `unfinished` down to
// 0.

#include "runtime/Device/Host/ThreadPool.h"

#include <algorithm>
#include <chrono>

namespace planwright::rt {

static void pause() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#endif
}

/// Spins until `done` or about 50 us have passed.
template <typename Predicate> static bool spin(Predicate done) {
  auto end = std::chrono::steady_clock::now() + std::chrono::microseconds(50);
  do {
    for (int i = 0; i < 64; ++i) {
      if (done())
        return true;
      pause();
    }
  } while (std::chrono::steady_clock::now() < end);
  return done();
}

ThreadPool::ThreadPool(int threads) {
  for (int i = 1; i < threads; ++i)
    workers.emplace_back([this, i] { work(i); });
}

ThreadPool::~ThreadPool() {
  {
    std::lock_guard lock(mutex);
    stopping = true;
    generation.fetch_add(1);
  }
  awake.notify_all();
  for (std::thread &worker : workers)
    worker.join();
}

void ThreadPool::runShare(int index) const {
  // Grains are dealt out evenly; the split depends on the number of threads, the pieces' borders
  // only on the grain.
  int64_t grains = (count + grain - 1) / grain;
  int64_t threads = getNumThreads();
  int64_t low = grains / threads * index + std::min<int64_t>(grains % threads, index);
  int64_t high = low + grains / threads + (index < grains % threads ? 1 : 0);
  if (low < high)
    body(context, low * grain, std::min(high * grain, count));
}

uint64_t ThreadPool::awaitGeneration(uint64_t seen) {
  auto changed = [&] { return generation.load(std::memory_order_acquire) != seen; };
  if (!spin(changed)) {
    std::unique_lock lock(mutex);
    // Sequentially consistent with `run`: either it sees the sleeper or the sleeper sees the new
    // generation.
    sleepers.fetch_add(1);
    awake.wait(lock, [&] { return generation.load() != seen; });
    sleepers.fetch_sub(1);
  }
  return generation.load(std::memory_order_acquire);
}

void ThreadPool::work(int index) {
  for (uint64_t seen = 0;;) {
    seen = awaitGeneration(seen);
    if (stopping)
      return;
    runShare(index);
    unfinished.fetch_sub(1, std::memory_order_release);
  }
}

void ThreadPool::run(Body newBody, const void *newContext, int64_t newCount, int64_t newGrain) {
  if (newCount <= 0)
    return;
  if (workers.empty() || newCount <= newGrain)
    return newBody(newContext, 0, newCount);
  body = newBody;
  context = newContext;
  count = newCount;
  grain = newGrain;
  unfinished.store(static_cast<int>(workers.size()), std::memory_order_relaxed);
  generation.fetch_add(1);
  if (sleepers.load() != 0) {
    // Taking the lock once makes sure that a worker between its check and its wait is not missed.
    {
      std::lock_guard lock(mutex);
    }
    awake.notify_all();
  }
  runShare(0);
  auto finished = [&] { return unfinished.load(std::memory_order_acquire) == 0; };
  // Beyond the spin another rank may need this core more than we do.
  while (!spin(finished))
    std::this_thread::yield();
}

} // namespace planwright::rt
