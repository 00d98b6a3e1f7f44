// A post office with one lock: sends wait there until the receiver has copied them.

#include "runtime/Comm/InProcess/InProcess.h"

#include "runtime/Comm/Wire.h"
#include "runtime/Format/StatusMacros.h"

#include <algorithm>
#include <condition_variable>
#include <cstring>
#include <list>
#include <mutex>

namespace planwright::rt {

namespace {

struct Message {
  int source;
  int destination;
  uint64_t tag;
  const void *data;
  size_t bytes;
};

/// Shared by all ranks' ends.
struct PostOffice {
  std::mutex mutex;
  std::condition_variable changed;
  std::list<Message> sent; // Not yet received, in the order of sending.
  absl::Status aborted;
};

class InProcessWire : public Wire {
public:
  InProcessWire(std::shared_ptr<PostOffice> office, int rank, int size,
                std::chrono::milliseconds timeout)
      : office(std::move(office)), rank(rank), size(size), timeout(timeout) {}

  int getRank() const override { return rank; }
  int getSize() const override { return size; }
  absl::Status registerMemory(void *, size_t) override { return absl::OkStatus(); }
  absl::Status send(int destination, uint64_t tag, const void *data, size_t bytes) override;
  absl::Status receive(int source, uint64_t tag, void *data, size_t bytes) override;
  absl::Status wait() override;
  void abort(const absl::Status &status) override;

private:
  struct Receive {
    int source;
    uint64_t tag;
    void *data;
    size_t bytes;
  };

  bool takeMessages(std::unique_lock<std::mutex> &lock, absl::Status &status);
  bool hasUntakenSends() const;

  std::shared_ptr<PostOffice> office;
  int rank;
  int size;
  std::chrono::milliseconds timeout;
  std::vector<Receive> receives;
};

} // namespace

absl::Status InProcessWire::send(int destination, uint64_t tag, const void *data, size_t bytes) {
  std::lock_guard lock(office->mutex);
  office->sent.push_back({rank, destination, tag, data, bytes});
  office->changed.notify_all();
  return absl::OkStatus();
}

absl::Status InProcessWire::receive(int source, uint64_t tag, void *data, size_t bytes) {
  receives.push_back({source, tag, data, bytes});
  return absl::OkStatus();
}

/// Copies what has arrived; true if something had.
bool InProcessWire::takeMessages(std::unique_lock<std::mutex> &lock, absl::Status &status) {
  for (size_t i = 0; i < receives.size(); ++i) {
    Receive receive = receives[i];
    auto message = std::find_if(office->sent.begin(), office->sent.end(), [&](const Message &m) {
      return m.destination == rank && m.source == receive.source && m.tag == receive.tag;
    });
    if (message == office->sent.end())
      continue;
    if (message->bytes != receive.bytes) {
      status = absl::InternalError(absl::StrCat("rank ", receive.source, " sends ", message->bytes,
                                                " bytes, rank ", rank, " expects ", receive.bytes));
      return true;
    }
    Message taken = *message;
    // Out of the lock, so that ranks copy at the same time. The sender waits on `destination`
    // becoming -1.
    message->destination = -1;
    lock.unlock();
    std::memcpy(receive.data, taken.data, taken.bytes);
    lock.lock();
    office->sent.erase(message);
    receives.erase(receives.begin() + static_cast<ptrdiff_t>(i));
    office->changed.notify_all();
    return true;
  }
  return false;
}

bool InProcessWire::hasUntakenSends() const {
  return std::any_of(office->sent.begin(), office->sent.end(),
                     [&](const Message &message) { return message.source == rank; });
}

absl::Status InProcessWire::wait() {
  std::unique_lock lock(office->mutex);
  auto deadline = std::chrono::steady_clock::now() + timeout;
  absl::Status status;
  while (status.ok()) {
    status = office->aborted;
    if (!status.ok())
      break;
    if (takeMessages(lock, status))
      continue;
    if (receives.empty() && !hasUntakenSends())
      return absl::OkStatus();
    if (office->changed.wait_until(lock, deadline) == std::cv_status::timeout)
      status = absl::DeadlineExceededError(
          receives.empty() ? std::string("a message was not taken in time")
                           : absl::StrCat("waited in vain for rank ", receives.front().source));
  }
  // Leave nothing that points into our memory, not even a copy that another rank is in the middle
  // of.
  receives.clear();
  office->sent.remove_if(
      [&](const Message &message) { return message.source == rank && message.destination >= 0; });
  office->changed.wait(lock, [&] { return !hasUntakenSends(); });
  return status;
}

void InProcessWire::abort(const absl::Status &status) {
  std::lock_guard lock(office->mutex);
  if (office->aborted.ok())
    office->aborted = status;
  office->changed.notify_all();
}

std::vector<std::unique_ptr<World>> createInProcessWorlds(int ranks,
                                                          std::chrono::milliseconds timeout) {
  auto office = std::make_shared<PostOffice>();
  std::vector<std::unique_ptr<World>> worlds;
  for (int rank = 0; rank < ranks; ++rank)
    worlds.push_back(createWorld(std::make_unique<InProcessWire>(office, rank, ranks, timeout)));
  return worlds;
}

} // namespace planwright::rt
