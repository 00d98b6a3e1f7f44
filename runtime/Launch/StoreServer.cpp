// The server: one thread, one poll loop.

#include "runtime/Format/StatusMacros.h"
#include "runtime/Launch/Store.h"

#include <poll.h>
#include <sys/socket.h>

namespace planwright::rt {

using Clock = std::chrono::steady_clock;

static constexpr auto tick = std::chrono::milliseconds(20);
/// More connections than ranks come from port scanners and late retries; still more are turned
/// away.
static constexpr size_t spareClients = 64;

absl::StatusOr<std::unique_ptr<StoreServer>>
StoreServer::start(const std::string &address, int port, int size, std::string planHash,
                   std::chrono::milliseconds joinTimeout) {
  std::unique_ptr<StoreServer> server(new StoreServer);
  PLANWRIGHT_ASSIGN_OR_RETURN(server->listener, listenOn(address, port));
  server->port = getLocalPort(server->listener);
  server->size = size;
  server->planHash = std::move(planHash);
  server->joinDeadline = Clock::now() + joinTimeout;
  server->lastTick = Clock::now();
  server->thread = std::thread([raw = server.get()] { raw->serve(); });
  return server;
}

StoreServer::~StoreServer() {
  stopping = true;
  if (thread.joinable())
    thread.join();
}

std::vector<StoreEvent> StoreServer::takeEvents() {
  std::lock_guard lock(mutex);
  return std::exchange(events, {});
}

std::vector<RankReport> StoreServer::takeReports() {
  std::lock_guard lock(mutex);
  std::vector<RankReport> taken;
  for (auto &[rank, report] : std::exchange(reports, {}))
    taken.push_back(std::move(report));
  return taken;
}

void StoreServer::end(const std::string &message) {
  std::lock_guard lock(mutex);
  ending = message;
}

bool StoreServer::haveAllLeft() {
  std::lock_guard lock(mutex);
  return departed.size() == static_cast<size_t>(size);
}

/// The first event about a rank is the one that counts, but for what it says itself.
void StoreServer::addEvent(int rank, StoreEvent::Kind kind, std::string message) {
  std::lock_guard lock(mutex);
  bool itsOwnWords = kind == StoreEvent::Kind::Failed || kind == StoreEvent::Kind::LostOther;
  if (reported.insert(rank).second || itsOwnWords)
    events.push_back({rank, kind, std::move(message)});
}

void StoreServer::accept() {
  int fd = ::accept4(listener.get(), nullptr, nullptr, SOCK_CLOEXEC);
  if (fd < 0)
    return;
  Client client;
  client.socket = Socket(fd);
  client.lastHeard = Clock::now();
  if (clients.size() < static_cast<size_t>(size) + spareClients)
    clients.push_back(std::move(client));
}

void StoreServer::answer(Client &client, const std::string &key) {
  auto it = values.find(key);
  if (it == values.end() || client.wanted.erase(key) == 0)
    return;
  // A client that cannot be reached is found by its silence.
  (void)sendFrame(client.socket,
                  {static_cast<uint8_t>(StoreFrame::Value), packStrings({key, it->second})});
}

bool StoreServer::handleHello(Client &client, const Frame &frame) {
  auto strings = unpackStrings(frame.payload, 4);
  if (frame.type != static_cast<uint8_t>(StoreFrame::Hello) || !strings ||
      (*strings)[0] != storeMagic || (*strings)[1].size() > 7)
    return false;
  int rank = std::atoi((*strings)[1].c_str());
  if (rank < 0 || rank >= size)
    return false;
  client.rank = rank;
  (void)sendFrame(client.socket, {static_cast<uint8_t>(StoreFrame::Welcome), storeMagic});
  bool isNew;
  {
    std::lock_guard lock(mutex);
    isNew = joined.insert(rank).second;
  }
  if (!isNew)
    addEvent(rank, StoreEvent::Kind::Refused, "two processes claim to be this rank");
  else if ((*strings)[2] != std::to_string(size))
    addEvent(
        rank, StoreEvent::Kind::Refused,
        absl::StrCat("it was started as one of ", (*strings)[2], " ranks, this job has ", size));
  else if ((*strings)[3] != planHash)
    addEvent(rank, StoreEvent::Kind::Refused,
             absl::StrCat("it runs another plan than rank 0: program.fb has ", (*strings)[3],
                          ", here ", planHash));
  return true;
}

void StoreServer::handleReport(Client &client, const std::string &payload) {
  std::optional<RankReport> report = unpackReport(payload);
  if (!report)
    return;
  report->rank = client.rank;
  client.where = report->where;
  std::lock_guard lock(mutex);
  reports[client.rank] = std::move(*report);
}

/// False if the client is not one of ours.
bool StoreServer::handle(Client &client, const Frame &frame) {
  client.lastHeard = Clock::now();
  if (client.rank < 0)
    return handleHello(client, frame);
  switch (static_cast<StoreFrame>(frame.type)) {
  case StoreFrame::Set:
    if (auto strings = unpackStrings(frame.payload, 2)) {
      values[(*strings)[0]] = (*strings)[1];
      for (Client &other : clients)
        answer(other, (*strings)[0]);
    }
    return true;
  case StoreFrame::Get:
    if (auto strings = unpackStrings(frame.payload, 1)) {
      client.wanted.insert((*strings)[0]);
      answer(client, (*strings)[0]);
    }
    return true;
  case StoreFrame::Alive:
    (void)sendFrame(client.socket, {static_cast<uint8_t>(StoreFrame::Alive), ""});
    return true;
  case StoreFrame::Fail:
    if (auto strings = unpackStrings(frame.payload, 2))
      addEvent(client.rank,
               (*strings)[0] == "1" ? StoreEvent::Kind::LostOther : StoreEvent::Kind::Failed,
               (*strings)[1]);
    return true;
  case StoreFrame::Report:
    handleReport(client, frame.payload);
    return true;
  case StoreFrame::Leave: {
    client.left = true;
    std::lock_guard lock(mutex);
    departed.insert(client.rank);
    return true;
  }
  default:
    return false;
  }
}

/// Heartbeats and arrivals.
void StoreServer::checkClocks() {
  auto now = Clock::now();
  // If this process itself was stopped, nobody's silence counts.
  if (now - lastTick > std::chrono::seconds(1))
    for (Client &client : clients)
      client.lastHeard = now;
  lastTick = now;
  for (Client &client : clients)
    if (client.rank >= 0 && !client.left && now - client.lastHeard > heartbeatLimit)
      addEvent(client.rank, StoreEvent::Kind::Silent, client.where);
  if (now < joinDeadline)
    return;
  for (int rank = 0; rank < size; ++rank) {
    bool missing;
    {
      std::lock_guard lock(mutex);
      missing = joined.count(rank) == 0;
    }
    if (missing)
      addEvent(rank, StoreEvent::Kind::Missing);
  }
}

void StoreServer::serve() {
  while (!stopping) {
    std::vector<pollfd> descriptors = {{listener.get(), POLLIN, 0}};
    for (Client &client : clients)
      descriptors.push_back({client.socket.get(), POLLIN, 0});
    ::poll(descriptors.data(), descriptors.size(), static_cast<int>(tick.count()));
    size_t i = 1;
    for (auto client = clients.begin(); client != clients.end(); ++i) {
      bool open = descriptors[i].revents == 0 || client->reader.readFrom(client->socket);
      bool ours = true;
      while (std::optional<Frame> frame = ours ? client->reader.next() : std::nullopt)
        ours = handle(*client, *frame);
      if (open && ours) {
        ++client;
        continue;
      }
      if (client->rank >= 0 && !client->left)
        addEvent(client->rank, StoreEvent::Kind::Closed);
      client = clients.erase(client);
    }
    if (descriptors[0].revents != 0)
      accept();
    checkClocks();
    std::lock_guard lock(mutex);
    if (ending) {
      for (Client &client : clients)
        if (client.rank >= 0 && !client.left)
          (void)sendFrame(client.socket, {static_cast<uint8_t>(StoreFrame::End), *ending});
      ending.reset();
    }
  }
}

} // namespace planwright::rt
