// TCP sockets and the frames that our store speaks over them. What a frame means is Store.h's.
//
// A frame is 4 bytes of length (little-endian, of the rest), one byte of type, then the payload.

#ifndef PLANWRIGHT_RUNTIME_LAUNCH_SOCKET_H
#define PLANWRIGHT_RUNTIME_LAUNCH_SOCKET_H

#include "absl/status/status.h"
#include "absl/status/statusor.h"

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>

namespace planwright::rt {

/// A descriptor that closes itself.
class Socket {
public:
  Socket() = default;
  explicit Socket(int fd) : fd(fd) {}
  Socket(Socket &&other) noexcept : fd(std::exchange(other.fd, -1)) {}
  Socket &operator=(Socket &&other) noexcept {
    std::swap(fd, other.fd);
    return *this;
  }
  ~Socket();

  int get() const { return fd; }

private:
  int fd = -1;
};

/// Listens on `address` (name or number); port 0 takes a free one. A taken port is kAlreadyExists.
absl::StatusOr<Socket> listenOn(const std::string &address, int port);

/// One attempt to connect.
absl::StatusOr<Socket> connectTo(const std::string &address, int port);

int getLocalPort(const Socket &socket);

/// The numeric address of this end.
std::string getLocalAddress(const Socket &socket);

struct Frame {
  uint8_t type = 0;
  std::string payload;
};

/// Nothing that we send comes near this; whoever announces more is not one of us.
inline constexpr uint32_t maxFrameBytes = 16 << 20;

/// Sends all of it, or fails.
absl::Status sendFrame(const Socket &socket, const Frame &frame);

/// Puts bytes together to frames.
class FrameReader {
public:
  /// Takes what the socket has (which must be readable); false if the other side is gone or sends
  /// no frames.
  bool readFrom(const Socket &socket);
  /// The next whole frame.
  std::optional<Frame> next();

private:
  std::string buffer;
};

} // namespace planwright::rt

#endif // PLANWRIGHT_RUNTIME_LAUNCH_SOCKET_H
