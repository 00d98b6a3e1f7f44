// The small store that ranks meet at: keys and values, heartbeats, and the news that the job is
// over. One process holds the server (the supervisor, or rank 0 under another launcher), each rank
// a client.

#ifndef PLANWRIGHT_RUNTIME_LAUNCH_STORE_H
#define PLANWRIGHT_RUNTIME_LAUNCH_STORE_H

#include "runtime/Comm/Gloo/GlooWorld.h"
#include "runtime/Launch/RankReport.h"
#include "runtime/Launch/Socket.h"

#include <atomic>
#include <condition_variable>
#include <functional>
#include <list>
#include <map>
#include <mutex>
#include <set>
#include <thread>
#include <vector>

namespace planwright::rt {

/// Frames of the protocol. A client begins with Hello and ends with Leave; everything else may come
/// at any time.
enum class StoreFrame : uint8_t {
  Hello = 1, // client: magic, rank, size, hash of the plan
  Welcome,   // server: magic
  Set,       // client: key, value
  Get,       // client: key; answered by Value once the key is set
  Value,     // server: key, value
  Alive,     // both
  Fail,      // client: "1" (about another rank) or "0", message
  Leave,     // client: done, all is well
  End,       // server: the job is over, message
  Report,    // client: a RankReport
};

/// Strings in one payload.
std::string packStrings(const std::vector<std::string> &strings);
std::optional<std::vector<std::string>> unpackStrings(std::string_view payload, size_t count);

inline constexpr const char *storeMagic = "planwright-store-1";
inline constexpr auto heartbeatInterval = std::chrono::milliseconds(500);
inline constexpr auto heartbeatLimit = std::chrono::seconds(3);

/// What a server has noticed about a rank.
struct StoreEvent {
  enum class Kind {
    Failed,    // It said so itself: `message`.
    LostOther, // It lost the connection to some rank: `message`. That one probably has the cause.
    Closed,    // Its connection closed before it left.
    Silent,    // No heartbeat for `heartbeatLimit`; `message` is where it was, if it said.
    Refused,   // It came with another plan or number of ranks: `message`.
    Missing,   // It has not arrived in time.
  };
  int rank;
  Kind kind;
  std::string message;
};

class StoreServer {
public:
  /// Listens and serves from a thread of its own. `joinTimeout` is how long ranks may take to
  /// arrive.
  static absl::StatusOr<std::unique_ptr<StoreServer>> start(const std::string &address, int port,
                                                            int size, std::string planHash,
                                                            std::chrono::milliseconds joinTimeout);
  ~StoreServer();

  int getPort() const { return port; }

  /// What has happened since the last call.
  std::vector<StoreEvent> takeEvents();

  /// The newest report of each rank that has sent one since the last call.
  std::vector<RankReport> takeReports();

  /// Tells all ranks that the job is over.
  void end(const std::string &message);

  /// True when every rank has left.
  bool haveAllLeft();

private:
  struct Client {
    Socket socket;
    FrameReader reader;
    int rank = -1; // Before its Hello.
    bool left = false;
    std::string where;            // Of its last report.
    std::set<std::string> wanted; // Keys that it waits for.
    std::chrono::steady_clock::time_point lastHeard;
  };

  StoreServer() = default;
  void serve();
  void accept();
  bool handle(Client &client, const Frame &frame);
  bool handleHello(Client &client, const Frame &frame);
  void handleReport(Client &client, const std::string &payload);
  void answer(Client &client, const std::string &key);
  void checkClocks();
  void addEvent(int rank, StoreEvent::Kind kind, std::string message = "");

  Socket listener;
  int port = 0;
  int size = 0;
  std::string planHash;
  std::chrono::steady_clock::time_point joinDeadline;
  std::chrono::steady_clock::time_point lastTick;
  std::list<Client> clients; // Of the serving thread only.
  std::map<std::string, std::string> values;
  std::mutex mutex; // Guards what follows.
  std::vector<StoreEvent> events;
  std::map<int, RankReport> reports;
  std::set<int> joined, departed, reported;
  std::optional<std::string> ending;
  std::atomic<bool> stopping = false;
  std::thread thread;
};

class StoreClient : public KeyValueStore {
public:
  struct Options {
    std::string address;
    int port = 0;
    int rank = 0;
    int size = 1;
    std::string planHash;
    std::chrono::milliseconds joinTimeout;
  };

  /// Called once from the client's thread: `ended` with the server's message, or not, when the
  /// server is gone.
  using EndCallback = std::function<void(bool ended, const std::string &message)>;

  static absl::StatusOr<std::unique_ptr<StoreClient>> connect(const Options &options,
                                                              EndCallback onEnd);
  ~StoreClient() override;

  absl::Status set(const std::string &key, const std::string &value) override;
  absl::StatusOr<std::string> get(const std::string &key) override;

  /// Says where this rank is and how it goes.
  void report(const RankReport &report);
  /// Reports this rank's failure.
  void fail(bool aboutAnotherRank, const std::string &message);
  /// Says good-bye; the server expects nothing more of us.
  void leave();

  /// This machine's address as the server's machine sees it.
  std::string getLocalAddress() const;

private:
  StoreClient() = default;
  void listen();
  absl::Status send(StoreFrame type, const std::string &payload);

  Socket socket;
  EndCallback onEnd;
  std::mutex sendMutex;
  std::mutex mutex; // Guards what follows.
  std::condition_variable arrived;
  std::map<std::string, std::string> values;
  bool lost = false;
  std::atomic<bool> stopping = false;
  std::thread thread;
};

} // namespace planwright::rt

#endif // PLANWRIGHT_RUNTIME_LAUNCH_STORE_H
