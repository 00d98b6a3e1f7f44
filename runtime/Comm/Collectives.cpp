// The five collectives on a wire. Each is direct: everyone sends to everyone, and sums are formed
// in rank order, so the bits depend neither on the transport nor on who computes them. For 3 ranks
// an all-reduce of one segment is
//
//     piece      0          1          2
//     rank 0   sums it   to rank 1  to rank 2      then everyone sends its piece to the others.
//     rank 1  to rank 0   sums it   to rank 2
//     rank 2  to rank 0  to rank 1   sums it
//
// The bytes on the wire are those of a ring, in two rounds instead of 2 (n - 1).

#include "runtime/Comm/Reduce.h"
#include "runtime/Comm/Wire.h"
#include "runtime/Format/ElementTypes.h"
#include "runtime/Format/StatusMacros.h"

#include <algorithm>
#include <cstring>
#include <string>

namespace planwright::rt {

namespace {

/// Scratch of one rank: operands of the others while a sum is formed.
constexpr size_t scratchBytes = 4 << 20;

/// What all groups of one world share.
struct SharedWire {
  std::unique_ptr<Wire> wire;
  std::vector<std::byte> scratch;
  uint64_t nextGroup = 1; // Group 0 is the world's own messages.
};

class WireCommunicator : public Communicator {
public:
  WireCommunicator(SharedWire &shared, std::vector<int> ranks, int rank, uint64_t group)
      : shared(shared), ranks(std::move(ranks)), rank(rank), tag(group << 40) {}

  int getRank() const override { return rank; }
  int getSize() const override { return static_cast<int>(ranks.size()); }

  absl::Status allReduce(void *destination, const void *source, size_t count, fb::ElementType type,
                         fb::Reduction reduction) override;
  absl::Status allGather(void *destination, const void *source, size_t count,
                         fb::ElementType type) override;
  absl::Status reduceScatter(void *destination, const void *source, size_t count,
                             fb::ElementType type, fb::Reduction reduction) override;
  absl::Status allToAll(void *destination, const void *source, size_t count,
                        fb::ElementType type) override;
  absl::Status broadcast(void *destination, const void *source, size_t count,
                         fb::ElementType type) override;

private:
  size_t getSegmentElements(fb::ElementType type) const;
  absl::Status sumPieces(std::byte *destination, const std::byte *mine, size_t count,
                         fb::ElementType type, fb::Reduction reduction);
  absl::Status allReduceSegment(std::byte *data, size_t count, fb::ElementType type,
                                fb::Reduction reduction);

  absl::Status send(int member, const void *data, size_t bytes) {
    return bytes == 0 ? absl::OkStatus() : shared.wire->send(ranks[member], tag, data, bytes);
  }
  absl::Status receive(int member, void *data, size_t bytes) {
    return bytes == 0 ? absl::OkStatus() : shared.wire->receive(ranks[member], tag, data, bytes);
  }
  /// Ends one round; messages of the next round carry another tag.
  absl::Status endRound() {
    ++tag;
    return shared.wire->wait();
  }

  SharedWire &shared;
  std::vector<int> ranks;
  int rank;
  uint64_t tag;
};

class WireWorld : public World {
public:
  explicit WireWorld(std::unique_ptr<Wire> wire) { shared.wire = std::move(wire); }

  int getRank() const override { return shared.wire->getRank(); }
  int getSize() const override { return shared.wire->getSize(); }
  absl::Status registerMemory(void *data, size_t bytes) override {
    return shared.wire->registerMemory(data, bytes);
  }
  absl::StatusOr<std::unique_ptr<Communicator>> createGroup(std::vector<int> ranks) override;
  size_t getScratchBytes() const override { return getSize() > 1 ? scratchBytes : 0; }
  absl::Status send(int destination, const void *data, size_t bytes) override;
  absl::Status receive(int source, void *data, size_t bytes) override;
  absl::Status barrier() override;
  void abort(const absl::Status &status) override { shared.wire->abort(status); }

private:
  absl::Status prepareScratch();

  SharedWire shared;
  uint64_t barrierTag = 1;
};

} // namespace

/// Elements per rank and round, so that all others' pieces fit into the scratch.
size_t WireCommunicator::getSegmentElements(fb::ElementType type) const {
  return std::max<size_t>(shared.scratch.size() / (ranks.size() * getByteSize(type)), 1);
}

/// After the others' pieces have arrived in the scratch, in the order of their ranks.
absl::Status WireCommunicator::sumPieces(std::byte *destination, const std::byte *mine,
                                         size_t count, fb::ElementType type,
                                         fb::Reduction reduction) {
  size_t bytes = count * getByteSize(type);
  // Piece i of the scratch belongs to member i; ours is copied in, so that `destination` may be
  // `mine`.
  std::byte *pieces = shared.scratch.data();
  std::memcpy(pieces + rank * bytes, mine, bytes);
  for (size_t member = 1; member < ranks.size(); ++member)
    reduceInto(pieces, pieces + member * bytes, count, type, reduction);
  std::memcpy(destination, pieces, bytes);
  return absl::OkStatus();
}

absl::Status WireCommunicator::allReduceSegment(std::byte *data, size_t count, fb::ElementType type,
                                                fb::Reduction reduction) {
  size_t size = getByteSize(type);
  size_t members = ranks.size();
  size_t piece = (count + members - 1) / members;
  auto begin = [&](size_t member) { return std::min(member * piece, count); };
  size_t mine = begin(rank + 1) - begin(rank);
  for (size_t member = 0; member < members; ++member) {
    if (member == static_cast<size_t>(rank))
      continue;
    size_t theirs = begin(member + 1) - begin(member);
    PLANWRIGHT_RETURN_IF_ERROR(
        receive(member, shared.scratch.data() + member * mine * size, mine * size));
    PLANWRIGHT_RETURN_IF_ERROR(send(member, data + begin(member) * size, theirs * size));
  }
  PLANWRIGHT_RETURN_IF_ERROR(endRound());
  std::byte *own = data + begin(rank) * size;
  PLANWRIGHT_RETURN_IF_ERROR(sumPieces(own, own, mine, type, reduction));
  for (size_t member = 0; member < members; ++member) {
    if (member == static_cast<size_t>(rank))
      continue;
    size_t theirs = begin(member + 1) - begin(member);
    PLANWRIGHT_RETURN_IF_ERROR(receive(member, data + begin(member) * size, theirs * size));
    PLANWRIGHT_RETURN_IF_ERROR(send(member, own, mine * size));
  }
  return endRound();
}

absl::Status WireCommunicator::allReduce(void *destination, const void *source, size_t count,
                                         fb::ElementType type, fb::Reduction reduction) {
  size_t size = getByteSize(type);
  if (destination != source)
    std::memmove(destination, source, count * size);
  if (ranks.size() == 1)
    return absl::OkStatus();
  size_t segment = getSegmentElements(type) * ranks.size();
  for (size_t done = 0; done < count; done += segment)
    PLANWRIGHT_RETURN_IF_ERROR(allReduceSegment(static_cast<std::byte *>(destination) + done * size,
                                                std::min(segment, count - done), type, reduction));
  return absl::OkStatus();
}

absl::Status WireCommunicator::allGather(void *destination, const void *source, size_t count,
                                         fb::ElementType type) {
  size_t bytes = count * getByteSize(type);
  auto *to = static_cast<std::byte *>(destination);
  // Our own piece may already lie at its place.
  std::memmove(to + rank * bytes, source, bytes);
  for (int member = 0; member < getSize(); ++member) {
    if (member == rank)
      continue;
    PLANWRIGHT_RETURN_IF_ERROR(receive(member, to + member * bytes, bytes));
    PLANWRIGHT_RETURN_IF_ERROR(send(member, to + rank * bytes, bytes));
  }
  return endRound();
}

absl::Status WireCommunicator::reduceScatter(void *destination, const void *source, size_t count,
                                             fb::ElementType type, fb::Reduction reduction) {
  size_t size = getByteSize(type);
  size_t piece = count / ranks.size();
  auto *to = static_cast<std::byte *>(destination);
  const auto *from = static_cast<const std::byte *>(source);
  if (ranks.size() == 1) { // A world of one has no scratch either.
    std::memmove(destination, source, count * size);
    return absl::OkStatus();
  }
  size_t segment = getSegmentElements(type);
  for (size_t done = 0; done < piece; done += segment) {
    size_t elements = std::min(segment, piece - done);
    for (int member = 0; member < getSize(); ++member) {
      if (member == rank)
        continue;
      PLANWRIGHT_RETURN_IF_ERROR(
          receive(member, shared.scratch.data() + member * elements * size, elements * size));
      PLANWRIGHT_RETURN_IF_ERROR(
          send(member, from + (member * piece + done) * size, elements * size));
    }
    PLANWRIGHT_RETURN_IF_ERROR(endRound());
    PLANWRIGHT_RETURN_IF_ERROR(sumPieces(to + done * size, from + (rank * piece + done) * size,
                                         elements, type, reduction));
  }
  return absl::OkStatus();
}

absl::Status WireCommunicator::allToAll(void *destination, const void *source, size_t count,
                                        fb::ElementType type) {
  size_t bytes = count / ranks.size() * getByteSize(type);
  auto *to = static_cast<std::byte *>(destination);
  const auto *from = static_cast<const std::byte *>(source);
  if (to != from)
    std::memcpy(to + rank * bytes, from + rank * bytes, bytes);
  for (int member = 0; member < getSize(); ++member) {
    if (member == rank)
      continue;
    PLANWRIGHT_RETURN_IF_ERROR(receive(member, to + member * bytes, bytes));
    PLANWRIGHT_RETURN_IF_ERROR(send(member, from + member * bytes, bytes));
  }
  return endRound();
}

absl::Status WireCommunicator::broadcast(void *destination, const void *source, size_t count,
                                         fb::ElementType type) {
  size_t bytes = count * getByteSize(type);
  if (rank != 0)
    PLANWRIGHT_RETURN_IF_ERROR(receive(0, destination, bytes));
  for (int member = 1; rank == 0 && member < getSize(); ++member)
    PLANWRIGHT_RETURN_IF_ERROR(send(member, source, bytes));
  PLANWRIGHT_RETURN_IF_ERROR(endRound());
  if (rank == 0 && destination != source)
    std::memmove(destination, source, bytes);
  return absl::OkStatus();
}

absl::Status WireWorld::prepareScratch() {
  if (!shared.scratch.empty() || getSize() == 1)
    return absl::OkStatus();
  shared.scratch.resize(scratchBytes);
  return shared.wire->registerMemory(shared.scratch.data(), shared.scratch.size());
}

absl::StatusOr<std::unique_ptr<Communicator>> WireWorld::createGroup(std::vector<int> ranks) {
  PLANWRIGHT_RETURN_IF_ERROR(prepareScratch());
  auto self = std::find(ranks.begin(), ranks.end(), getRank());
  if (self == ranks.end() || ranks.back() >= getSize())
    return absl::InternalError("a group without this rank");
  int rank = static_cast<int>(self - ranks.begin());
  return std::make_unique<WireCommunicator>(shared, std::move(ranks), rank, shared.nextGroup++);
}

absl::Status WireWorld::send(int destination, const void *data, size_t bytes) {
  PLANWRIGHT_RETURN_IF_ERROR(prepareScratch());
  const auto *from = static_cast<const std::byte *>(data);
  // Through the scratch: the wire need not know the caller's memory.
  for (size_t done = 0; done < bytes;) {
    size_t piece = std::min(bytes - done, shared.scratch.size());
    std::memcpy(shared.scratch.data(), from + done, piece);
    PLANWRIGHT_RETURN_IF_ERROR(shared.wire->send(destination, 0, shared.scratch.data(), piece));
    PLANWRIGHT_RETURN_IF_ERROR(shared.wire->wait());
    done += piece;
  }
  return absl::OkStatus();
}

absl::Status WireWorld::receive(int source, void *data, size_t bytes) {
  PLANWRIGHT_RETURN_IF_ERROR(prepareScratch());
  auto *to = static_cast<std::byte *>(data);
  for (size_t done = 0; done < bytes;) {
    size_t piece = std::min(bytes - done, shared.scratch.size());
    PLANWRIGHT_RETURN_IF_ERROR(shared.wire->receive(source, 0, shared.scratch.data(), piece));
    PLANWRIGHT_RETURN_IF_ERROR(shared.wire->wait());
    std::memcpy(to + done, shared.scratch.data(), piece);
    done += piece;
  }
  return absl::OkStatus();
}

absl::Status WireWorld::barrier() {
  PLANWRIGHT_RETURN_IF_ERROR(prepareScratch());
  uint64_t tag = barrierTag++;
  for (int member = 0; member < getSize(); ++member) {
    if (member == getRank())
      continue;
    PLANWRIGHT_RETURN_IF_ERROR(
        shared.wire->receive(member, tag, shared.scratch.data() + 1 + member, 1));
    PLANWRIGHT_RETURN_IF_ERROR(shared.wire->send(member, tag, shared.scratch.data(), 1));
  }
  return shared.wire->wait();
}

std::unique_ptr<World> createWorld(std::unique_ptr<Wire> wire) {
  return std::make_unique<WireWorld>(std::move(wire));
}

} // namespace planwright::rt
