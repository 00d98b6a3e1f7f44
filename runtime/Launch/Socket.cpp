// Berkeley sockets.

#include "runtime/Launch/Socket.h"

#include "runtime/Format/StatusMacros.h"

#include <arpa/inet.h>
#include <cerrno>
#include <cstring>
#include <memory>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

namespace planwright::rt {

Socket::~Socket() {
  if (fd >= 0)
    ::close(fd);
}

using AddressList = std::unique_ptr<addrinfo, void (*)(addrinfo *)>;

static absl::StatusOr<AddressList> lookUp(const std::string &address, int port, bool passive) {
  addrinfo hints = {};
  hints.ai_socktype = SOCK_STREAM;
  hints.ai_flags = AI_NUMERICSERV | (passive ? AI_PASSIVE : 0);
  addrinfo *list = nullptr;
  int error = ::getaddrinfo(address.c_str(), std::to_string(port).c_str(), &hints, &list);
  if (error != 0)
    return absl::NotFoundError(
        absl::StrCat("cannot look up host \"", address, "\": ", ::gai_strerror(error)));
  return AddressList(list, &::freeaddrinfo);
}

absl::StatusOr<Socket> listenOn(const std::string &address, int port) {
  PLANWRIGHT_ASSIGN_OR_RETURN(AddressList list, lookUp(address, port, /*passive=*/true));
  int error = 0;
  for (addrinfo *entry = list.get(); entry; entry = entry->ai_next) {
    Socket socket(::socket(entry->ai_family, entry->ai_socktype | SOCK_CLOEXEC, 0));
    int yes = 1;
    ::setsockopt(socket.get(), SOL_SOCKET, SO_REUSEADDR, &yes, sizeof(yes));
    if (::bind(socket.get(), entry->ai_addr, entry->ai_addrlen) == 0 &&
        ::listen(socket.get(), 4096) == 0)
      return socket;
    error = errno;
  }
  if (error == EADDRINUSE)
    return absl::AlreadyExistsError(
        absl::StrCat("port ", port, " on ", address, " is in use by another program"));
  if (error == EADDRNOTAVAIL)
    return absl::NotFoundError(absl::StrCat(address, " is not an address of this machine"));
  return absl::UnavailableError(
      absl::StrCat("cannot listen on ", address, ":", port, ": ", std::strerror(error)));
}

absl::StatusOr<Socket> connectTo(const std::string &address, int port) {
  PLANWRIGHT_ASSIGN_OR_RETURN(AddressList list, lookUp(address, port, /*passive=*/false));
  int error = 0;
  for (addrinfo *entry = list.get(); entry; entry = entry->ai_next) {
    Socket socket(::socket(entry->ai_family, entry->ai_socktype | SOCK_CLOEXEC, 0));
    if (::connect(socket.get(), entry->ai_addr, entry->ai_addrlen) == 0) {
      int yes = 1;
      ::setsockopt(socket.get(), IPPROTO_TCP, TCP_NODELAY, &yes, sizeof(yes));
      return socket;
    }
    error = errno;
  }
  return absl::UnavailableError(
      absl::StrCat("cannot connect to ", address, ":", port, ": ", std::strerror(error)));
}

static sockaddr_storage getLocal(const Socket &socket) {
  sockaddr_storage local = {};
  socklen_t length = sizeof(local);
  ::getsockname(socket.get(), reinterpret_cast<sockaddr *>(&local), &length);
  return local;
}

int getLocalPort(const Socket &socket) {
  sockaddr_storage local = getLocal(socket);
  return ntohs(local.ss_family == AF_INET6 ? reinterpret_cast<sockaddr_in6 &>(local).sin6_port
                                           : reinterpret_cast<sockaddr_in &>(local).sin_port);
}

std::string getLocalAddress(const Socket &socket) {
  sockaddr_storage local = getLocal(socket);
  char text[NI_MAXHOST] = "";
  ::getnameinfo(reinterpret_cast<sockaddr *>(&local), sizeof(local), text, sizeof(text), nullptr, 0,
                NI_NUMERICHOST);
  return text;
}

/// Sends all bytes; a peer that takes none for five seconds counts as gone.
static absl::Status sendAll(const Socket &socket, const char *data, size_t size) {
  while (size != 0) {
    ssize_t sent = ::send(socket.get(), data, size, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (sent > 0) {
      data += sent;
      size -= static_cast<size_t>(sent);
      continue;
    }
    pollfd writable = {socket.get(), POLLOUT, 0};
    if (errno == EINTR || (errno == EAGAIN && ::poll(&writable, 1, 5000) > 0))
      continue;
    return absl::UnavailableError(absl::StrCat("connection lost: ", std::strerror(errno)));
  }
  return absl::OkStatus();
}

absl::Status sendFrame(const Socket &socket, const Frame &frame) {
  uint32_t length = static_cast<uint32_t>(frame.payload.size() + 1);
  std::string bytes(5, '\0');
  for (int i = 0; i < 4; ++i)
    bytes[i] = static_cast<char>(length >> 8 * i);
  bytes[4] = static_cast<char>(frame.type);
  bytes += frame.payload;
  return sendAll(socket, bytes.data(), bytes.size());
}

static uint32_t readLength(const std::string &buffer) {
  uint32_t length = 0;
  for (int i = 0; i < 4; ++i)
    length |= uint32_t(static_cast<uint8_t>(buffer[i])) << 8 * i;
  return length;
}

bool FrameReader::readFrom(const Socket &socket) {
  char piece[65536];
  ssize_t size = ::recv(socket.get(), piece, sizeof(piece), MSG_DONTWAIT);
  if (size == 0)
    return false;
  if (size < 0)
    return errno == EAGAIN || errno == EINTR;
  buffer.append(piece, static_cast<size_t>(size));
  return buffer.size() < 4 || (readLength(buffer) >= 1 && readLength(buffer) <= maxFrameBytes);
}

std::optional<Frame> FrameReader::next() {
  if (buffer.size() < 4)
    return std::nullopt;
  size_t length = readLength(buffer);
  if (length < 1 || buffer.size() < 4 + length)
    return std::nullopt;
  Frame frame = {static_cast<uint8_t>(buffer[4]), buffer.substr(5, length - 1)};
  buffer.erase(0, 4 + length);
  return frame;
}

} // namespace planwright::rt
