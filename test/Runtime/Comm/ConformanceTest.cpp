// What every communicator must do, over every transport and size. Inputs such as 1, 10, 100, 1000
// show in the digits who took part.

#include "runtime/Format/StatusMacros.h"
#include "test/Runtime/Comm/Worlds.h"

#include "gtest/gtest.h"

#include <cmath>
#include <mutex>
#include <numeric>

namespace planwright::rt {
namespace {

using fb::ElementType;
using fb::Reduction;

class Conformance : public testing::TestWithParam<std::tuple<std::string, int>> {
protected:
  int getRanks() const { return std::get<1>(GetParam()); }

  /// Runs `body` on a communicator of all ranks.
  void run(const std::function<absl::Status(Communicator &, World &)> &body) {
    absl::Status status =
        test::runOnWorlds(std::get<0>(GetParam()), getRanks(), [&](World &world) -> absl::Status {
          std::vector<int> all(world.getSize());
          std::iota(all.begin(), all.end(), 0);
          memory.resize(getRanks());
          PLANWRIGHT_RETURN_IF_ERROR(
              world.registerMemory(getMemory(world).data(), getMemory(world).size() * 8));
          PLANWRIGHT_ASSIGN_OR_RETURN(auto group, world.createGroup(all));
          return body(*group, world);
        });
    EXPECT_TRUE(status.ok()) << status;
  }

  /// Registered memory of a rank, 64 KiB.
  std::vector<int64_t> &getMemory(World &world) {
    std::lock_guard lock(mutex);
    memory.resize(16); // Never grows later: references stay valid.
    if (memory[world.getRank()].empty())
      memory[world.getRank()].resize(8192);
    return memory[world.getRank()];
  }

  std::mutex mutex;
  std::vector<std::vector<int64_t>> memory = std::vector<std::vector<int64_t>>(16);
};

double power(int rank) { return std::pow(10.0, rank); }

TEST_P(Conformance, AllReduceSums) {
  run([&](Communicator &group, World &world) -> absl::Status {
    auto *values = reinterpret_cast<double *>(getMemory(world).data());
    for (size_t count : {1, 2, 3, 7, 1000}) {
      for (size_t i = 0; i < count; ++i)
        values[i] = power(world.getRank()) * (double(i) + 1);
      PLANWRIGHT_RETURN_IF_ERROR(
          group.allReduce(values, values, count, ElementType::f64, Reduction::sum));
      double all = 0;
      for (int rank = 0; rank < getRanks(); ++rank)
        all += power(rank);
      for (size_t i = 0; i < count; ++i)
        EXPECT_EQ(values[i], all * (double(i) + 1));
    }
    return absl::OkStatus();
  });
}

TEST_P(Conformance, AllReduceMaxAndMinOfIntegersOutOfPlace) {
  run([&](Communicator &group, World &world) -> absl::Status {
    auto *from = reinterpret_cast<int32_t *>(getMemory(world).data());
    int32_t *to = from + 100;
    for (int i = 0; i < 10; ++i)
      from[i] = (world.getRank() + i) % getRanks();
    PLANWRIGHT_RETURN_IF_ERROR(group.allReduce(to, from, 10, ElementType::i32, Reduction::max));
    EXPECT_EQ(to[9], getRanks() - 1);
    PLANWRIGHT_RETURN_IF_ERROR(group.allReduce(to, from, 10, ElementType::i32, Reduction::min));
    EXPECT_EQ(to[9], 0);
    EXPECT_EQ(from[3], (world.getRank() + 3) % getRanks());
    return absl::OkStatus();
  });
}

TEST_P(Conformance, AllGatherKeepsRankOrder) {
  run([&](Communicator &group, World &world) -> absl::Status {
    auto *to = reinterpret_cast<float *>(getMemory(world).data());
    float *from = to + 1000;
    from[0] = float(world.getRank());
    from[1] = float(world.getRank()) + 0.5f;
    PLANWRIGHT_RETURN_IF_ERROR(group.allGather(to, from, 2, ElementType::f32));
    for (int rank = 0; rank < getRanks(); ++rank)
      EXPECT_EQ(to[2 * rank + 1], float(rank) + 0.5f);
    return absl::OkStatus();
  });
}

TEST_P(Conformance, ReduceScatterGivesEachItsPiece) {
  run([&](Communicator &group, World &world) -> absl::Status {
    auto *from = reinterpret_cast<int64_t *>(getMemory(world).data());
    int64_t *to = from + 1000;
    int64_t all = 0;
    for (int rank = 0; rank < getRanks(); ++rank) {
      all += int64_t(power(rank));
      from[2 * rank] = int64_t(power(world.getRank())) * (rank + 1);
      from[2 * rank + 1] = -from[2 * rank];
    }
    PLANWRIGHT_RETURN_IF_ERROR(
        group.reduceScatter(to, from, 2 * getRanks(), ElementType::i64, Reduction::sum));
    EXPECT_EQ(to[0], all * (world.getRank() + 1));
    EXPECT_EQ(to[1], -all * (world.getRank() + 1));
    return absl::OkStatus();
  });
}

TEST_P(Conformance, AllToAllTransposes) {
  run([&](Communicator &group, World &world) -> absl::Status {
    auto *from = reinterpret_cast<int32_t *>(getMemory(world).data());
    int32_t *to = from + 1000;
    for (int rank = 0; rank < getRanks(); ++rank)
      from[rank] = 100 * world.getRank() + rank;
    PLANWRIGHT_RETURN_IF_ERROR(group.allToAll(to, from, getRanks(), ElementType::i32));
    for (int rank = 0; rank < getRanks(); ++rank)
      EXPECT_EQ(to[rank], 100 * rank + world.getRank());
    return absl::OkStatus();
  });
}

TEST_P(Conformance, BroadcastTakesTheFirst) {
  run([&](Communicator &group, World &world) -> absl::Status {
    auto *value = reinterpret_cast<int32_t *>(getMemory(world).data());
    value[0] = world.getRank() + 7;
    PLANWRIGHT_RETURN_IF_ERROR(group.broadcast(value, value, 1, ElementType::i32));
    EXPECT_EQ(value[0], 7);
    return absl::OkStatus();
  });
}

TEST_P(Conformance, SubgroupsDoNotDisturbEachOther) {
  if (getRanks() != 4)
    return; // Too few to form them.
  run([&](Communicator &, World &world) -> absl::Status {
    int rank = world.getRank();
    PLANWRIGHT_ASSIGN_OR_RETURN(
        auto rows, world.createGroup(rank < 2 ? std::vector<int>{0, 1} : std::vector<int>{2, 3}));
    PLANWRIGHT_ASSIGN_OR_RETURN(
        auto columns,
        world.createGroup(rank % 2 == 0 ? std::vector<int>{0, 2} : std::vector<int>{1, 3}));
    auto *value = reinterpret_cast<double *>(getMemory(world).data());
    for (int repeat = 0; repeat < 20; ++repeat) {
      value[0] = value[1] = power(rank);
      PLANWRIGHT_RETURN_IF_ERROR(
          rows->allReduce(value, value, 1, ElementType::f64, Reduction::sum));
      PLANWRIGHT_RETURN_IF_ERROR(
          columns->allReduce(value + 1, value + 1, 1, ElementType::f64, Reduction::sum));
      EXPECT_EQ(value[0], rank < 2 ? 11 : 1100);
      EXPECT_EQ(value[1], rank % 2 == 0 ? 101 : 1010);
    }
    return absl::OkStatus();
  });
}

TEST_P(Conformance, SumsHaveTheBitsOfRankOrder) {
  run([&](Communicator &group, World &world) -> absl::Status {
    auto *values = reinterpret_cast<float *>(getMemory(world).data());
    auto term = [](int rank, size_t i) { return 1.0f / float(3 * rank + 1) + float(i) * 0.37f; };
    for (size_t i = 0; i < 5000; ++i)
      values[i] = term(world.getRank(), i);
    PLANWRIGHT_RETURN_IF_ERROR(
        group.allReduce(values, values, 5000, ElementType::f32, Reduction::sum));
    for (size_t i = 0; i < 5000; ++i) {
      float sum = term(0, i);
      for (int rank = 1; rank < getRanks(); ++rank)
        sum += term(rank, i);
      EXPECT_EQ(values[i], sum);
    }
    return absl::OkStatus();
  });
}

TEST_P(Conformance, SendAndReceiveUnregisteredMemory) {
  if (getRanks() < 2)
    return; // Too few to form them.
  run([&](Communicator &, World &world) -> absl::Status {
    std::vector<uint32_t> big(3 << 20, uint32_t(world.getRank())); // Larger than the scratch.
    big.back() = 42;
    if (world.getRank() == 1)
      PLANWRIGHT_RETURN_IF_ERROR(world.send(0, big.data(), big.size() * 4));
    if (world.getRank() == 0) {
      PLANWRIGHT_RETURN_IF_ERROR(world.receive(1, big.data(), big.size() * 4));
      EXPECT_EQ(big.front(), 1u);
      EXPECT_EQ(big.back(), 42u);
    }
    return world.barrier();
  });
}

INSTANTIATE_TEST_SUITE_P(All, Conformance,
                         testing::Combine(testing::Values("InProcess", "Gloo"),
                                          testing::Values(1, 2, 3, 4)),
                         [](const auto &info) {
                           return std::get<0>(info.param) + std::to_string(std::get<1>(info.param));
                         });

/// Larger than the scratch, so in several segments.
TEST(Segments, LargeBuffersOverBothTransports) {
  for (const char *transport : {"InProcess", "Gloo"}) {
    absl::Status status = test::runOnWorlds(transport, 2, [](World &world) -> absl::Status {
      size_t count = 3'000'001;
      std::vector<float> values(count, float(world.getRank() + 1));
      PLANWRIGHT_RETURN_IF_ERROR(world.registerMemory(values.data(), count * 4));
      PLANWRIGHT_ASSIGN_OR_RETURN(auto group, world.createGroup({0, 1}));
      PLANWRIGHT_RETURN_IF_ERROR(
          group->allReduce(values.data(), values.data(), count, ElementType::f32, Reduction::sum));
      EXPECT_EQ(std::count(values.begin(), values.end(), 3.0f), ptrdiff_t(count));
      return world.barrier();
    });
    EXPECT_TRUE(status.ok()) << status;
  }
}

} // namespace
} // namespace planwright::rt
