// The client, and the packing that both sides share.

#include "runtime/Launch/Store.h"

#include "runtime/Format/StatusMacros.h"

#include <cerrno>
#include <poll.h>

namespace planwright::rt {

using Clock = std::chrono::steady_clock;

std::string packStrings(const std::vector<std::string> &strings) {
  std::string payload;
  for (const std::string &string : strings) {
    uint32_t size = static_cast<uint32_t>(string.size());
    for (int i = 0; i < 4; ++i)
      payload += static_cast<char>(size >> 8 * i);
    payload += string;
  }
  return payload;
}

std::optional<std::vector<std::string>> unpackStrings(std::string_view payload, size_t count) {
  std::vector<std::string> strings;
  for (size_t n = 0; n < count; ++n) {
    if (payload.size() < 4)
      return std::nullopt;
    size_t size = 0;
    for (int i = 0; i < 4; ++i)
      size |= size_t(static_cast<uint8_t>(payload[i])) << 8 * i;
    payload.remove_prefix(4);
    if (payload.size() < size)
      return std::nullopt;
    strings.emplace_back(payload.substr(0, size));
    payload.remove_prefix(size);
  }
  return payload.empty() ? std::optional(strings) : std::nullopt;
}

/// Waits for the server's Welcome: whoever else listens on that port does not know it.
static absl::Status awaitWelcome(const Socket &socket, const StoreClient::Options &options) {
  FrameReader reader;
  auto deadline = Clock::now() + heartbeatLimit;
  while (Clock::now() < deadline) {
    pollfd readable = {socket.get(), POLLIN, 0};
    if (::poll(&readable, 1, 100) <= 0)
      continue;
    bool open = reader.readFrom(socket);
    if (std::optional<Frame> frame = reader.next())
      if (frame->type == static_cast<uint8_t>(StoreFrame::Welcome) && frame->payload == storeMagic)
        return absl::OkStatus();
    if (!open)
      break;
  }
  return absl::FailedPreconditionError(absl::StrCat("what listens on ", options.address, ":",
                                                    options.port, " is not rank 0 of this job"));
}

absl::StatusOr<std::unique_ptr<StoreClient>> StoreClient::connect(const Options &options,
                                                                  EndCallback onEnd) {
  // Rank 0 may start later than we do.
  auto deadline = Clock::now() + options.joinTimeout;
  absl::StatusOr<Socket> socket = connectTo(options.address, options.port);
  while (!socket.ok()) {
    if (Clock::now() > deadline)
      return annotate(socket.status(),
                      absl::StrCat("rank 0 did not answer within ",
                                   options.joinTimeout / std::chrono::seconds(1), " s"));
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    socket = connectTo(options.address, options.port);
  }
  std::unique_ptr<StoreClient> client(new StoreClient);
  client->socket = std::move(*socket);
  client->onEnd = std::move(onEnd);
  PLANWRIGHT_RETURN_IF_ERROR(client->send(
      StoreFrame::Hello, packStrings({storeMagic, std::to_string(options.rank),
                                      std::to_string(options.size), options.planHash})));
  PLANWRIGHT_RETURN_IF_ERROR(awaitWelcome(client->socket, options));
  client->thread = std::thread([raw = client.get()] { raw->listen(); });
  return client;
}

StoreClient::~StoreClient() {
  stopping = true;
  if (thread.joinable())
    thread.join();
}

absl::Status StoreClient::send(StoreFrame type, const std::string &payload) {
  std::lock_guard lock(sendMutex);
  return sendFrame(socket, {static_cast<uint8_t>(type), payload});
}

/// Receives, and sends a heartbeat now and then, until the end.
void StoreClient::listen() {
  FrameReader reader;
  auto lastSent = Clock::now() - heartbeatInterval;
  auto lastTick = Clock::now();
  auto lastHeard = lastTick;
  bool alive = true;
  while (!stopping && alive) {
    auto now = Clock::now();
    if (now - lastTick > std::chrono::seconds(1)) // We were stopped, not the server.
      lastHeard = now;
    lastTick = now;
    if (now - lastSent >= heartbeatInterval) {
      alive = send(StoreFrame::Alive, "").ok();
      lastSent = now;
    }
    alive = alive && now - lastHeard < heartbeatLimit;
    pollfd readable = {socket.get(), POLLIN, 0};
    if (::poll(&readable, 1, 50) <= 0)
      continue;
    alive = reader.readFrom(socket) && alive;
    while (std::optional<Frame> frame = reader.next()) {
      lastHeard = now;
      if (frame->type == static_cast<uint8_t>(StoreFrame::End))
        return onEnd(true, frame->payload);
      auto strings = unpackStrings(frame->payload, 2);
      if (frame->type != static_cast<uint8_t>(StoreFrame::Value) || !strings)
        continue;
      std::lock_guard lock(mutex);
      values[(*strings)[0]] = (*strings)[1];
      arrived.notify_all();
    }
  }
  if (stopping)
    return;
  {
    std::lock_guard lock(mutex);
    lost = true;
    arrived.notify_all();
  }
  onEnd(false, "");
}

absl::Status StoreClient::set(const std::string &key, const std::string &value) {
  return send(StoreFrame::Set, packStrings({key, value}));
}

absl::StatusOr<std::string> StoreClient::get(const std::string &key) {
  PLANWRIGHT_RETURN_IF_ERROR(send(StoreFrame::Get, packStrings({key})));
  std::unique_lock lock(mutex);
  // Ranks that never come are the server's worry: it ends the job.
  arrived.wait(lock, [&] { return lost || values.count(key) != 0; });
  if (lost)
    return absl::AbortedError("lost rank 0");
  return values[key];
}

void StoreClient::report(const RankReport &report) {
  // The next one comes soon, and heartbeats notice a lost server.
  (void)send(StoreFrame::Report, packReport(report));
}

void StoreClient::fail(bool aboutAnotherRank, const std::string &message) {
  // If this does not arrive the closing connection tells the same story.
  (void)send(StoreFrame::Fail, packStrings({aboutAnotherRank ? "1" : "0", message}));
}

void StoreClient::leave() {
  stopping = true;
  (void)send(StoreFrame::Leave, "");
}

std::string StoreClient::getLocalAddress() const { return planwright::rt::getLocalAddress(socket); }

} // namespace planwright::rt
