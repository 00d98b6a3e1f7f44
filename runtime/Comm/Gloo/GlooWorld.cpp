// Gloo's unbound buffers as a wire. Its collectives are not used: their results depend on the
// algorithm, they know no bf16, and there is no reduce-scatter.

#include "runtime/Comm/Gloo/GlooWorld.h"

#include "runtime/Comm/Wire.h"
#include "runtime/Format/StatusMacros.h"

#include <atomic>
#include <exception>
#include <mutex>

#include <gloo/rendezvous/context.h>
#include <gloo/rendezvous/store.h>
#include <gloo/transport/tcp/device.h>
#include <gloo/transport/unbound_buffer.h>

namespace planwright::rt {

namespace {

/// Our store under Gloo's interface. Errors travel as exceptions here: the caller catches them.
class GlooStore : public gloo::rendezvous::Store {
public:
  explicit GlooStore(KeyValueStore &store) : store(store) {}

  void set(const std::string &key, const std::vector<char> &data) override {
    throwIfError(store.set("gloo/" + key, std::string(data.begin(), data.end())));
  }
  std::vector<char> get(const std::string &key) override {
    absl::StatusOr<std::string> value = store.get("gloo/" + key);
    throwIfError(value.status());
    return {value->begin(), value->end()};
  }
  void wait(const std::vector<std::string> &keys) override {
    for (const std::string &key : keys)
      get(key);
  }
  void wait(const std::vector<std::string> &keys, const std::chrono::milliseconds &) override {
    wait(keys);
  }

private:
  static void throwIfError(const absl::Status &status) {
    if (!status.ok())
      throw std::runtime_error(std::string(status.message()));
  }

  KeyValueStore &store;
};

/// Memory that Gloo knows, and what is under way in it.
struct Region {
  std::byte *data;
  size_t bytes;
  std::unique_ptr<gloo::transport::UnboundBuffer> buffer;
  int sends = 0;
  int receives = 0;
};

class GlooWire : public Wire {
public:
  GlooWire(std::shared_ptr<gloo::rendezvous::Context> context, std::chrono::milliseconds timeout)
      : context(std::move(context)), timeout(timeout) {}

  int getRank() const override { return context->rank; }
  int getSize() const override { return context->size; }
  absl::Status registerMemory(void *data, size_t bytes) override;
  absl::Status send(int destination, uint64_t tag, const void *data, size_t bytes) override;
  absl::Status receive(int source, uint64_t tag, void *data, size_t bytes) override;
  absl::Status wait() override;
  void abort(const absl::Status &status) override;

private:
  absl::StatusOr<Region *> findRegion(const void *data, size_t bytes);
  absl::Status getAbort();

  std::shared_ptr<gloo::rendezvous::Context> context;
  std::chrono::milliseconds timeout;
  std::vector<Region> regions;
  std::mutex mutex; // Guards `aborted`, and `regions` while it grows.
  absl::Status aborted;
};

} // namespace

/// Runs `body`, the only place where Gloo is called; an exception becomes a status.
template <typename Body> static absl::Status guard(Body body) {
  try {
    return body();
  } catch (const std::exception &exception) {
    return absl::AbortedError(absl::StrCat("lost another rank: ", exception.what()));
  }
}

absl::Status GlooWire::registerMemory(void *data, size_t bytes) {
  return guard([&] {
    auto buffer = context->createUnboundBuffer(data, bytes);
    std::lock_guard lock(mutex);
    regions.push_back({static_cast<std::byte *>(data), bytes, std::move(buffer)});
    return absl::OkStatus();
  });
}

absl::StatusOr<Region *> GlooWire::findRegion(const void *data, size_t bytes) {
  const auto *begin = static_cast<const std::byte *>(data);
  for (Region &region : regions)
    if (begin >= region.data && begin + bytes <= region.data + region.bytes)
      return &region;
  return absl::InternalError("a message outside of registered memory");
}

absl::Status GlooWire::getAbort() {
  std::lock_guard lock(mutex);
  return aborted;
}

absl::Status GlooWire::send(int destination, uint64_t tag, const void *data, size_t bytes) {
  PLANWRIGHT_RETURN_IF_ERROR(getAbort());
  PLANWRIGHT_ASSIGN_OR_RETURN(Region * region, findRegion(data, bytes));
  return guard([&] {
    region->buffer->send(destination, tag, static_cast<const std::byte *>(data) - region->data,
                         bytes);
    ++region->sends;
    return absl::OkStatus();
  });
}

absl::Status GlooWire::receive(int source, uint64_t tag, void *data, size_t bytes) {
  PLANWRIGHT_RETURN_IF_ERROR(getAbort());
  PLANWRIGHT_ASSIGN_OR_RETURN(Region * region, findRegion(data, bytes));
  return guard([&] {
    region->buffer->recv(source, tag, static_cast<std::byte *>(data) - region->data, bytes);
    ++region->receives;
    return absl::OkStatus();
  });
}

absl::Status GlooWire::wait() {
  return guard([&]() -> absl::Status {
    bool completed = true;
    for (Region &region : regions) {
      for (; completed && region.receives > 0; --region.receives)
        completed = region.buffer->waitRecv(timeout);
      for (; completed && region.sends > 0; --region.sends)
        completed = region.buffer->waitSend(timeout);
    }
    PLANWRIGHT_RETURN_IF_ERROR(getAbort());
    return completed ? absl::OkStatus() : absl::CancelledError("a message was cancelled");
  });
}

void GlooWire::abort(const absl::Status &status) {
  std::lock_guard lock(mutex);
  if (aborted.ok())
    aborted = status;
  for (Region &region : regions) {
    region.buffer->abortWaitRecv();
    region.buffer->abortWaitSend();
  }
}

absl::StatusOr<std::unique_ptr<World>> createGlooWorld(const GlooOptions &options,
                                                       KeyValueStore &store) {
  std::unique_ptr<World> world;
  absl::Status status = guard([&] {
    gloo::transport::tcp::attr attributes(options.address.c_str());
    std::shared_ptr<gloo::transport::Device> device =
        gloo::transport::tcp::CreateDevice(attributes);
    auto context = std::make_shared<gloo::rendezvous::Context>(options.rank, options.size);
    context->setTimeout(options.timeout);
    GlooStore glooStore(store);
    context->connectFullMesh(glooStore, device);
    world = createWorld(std::make_unique<GlooWire>(std::move(context), options.timeout));
    return absl::OkStatus();
  });
  PLANWRIGHT_RETURN_IF_ERROR(status);
  return world;
}

} // namespace planwright::rt
