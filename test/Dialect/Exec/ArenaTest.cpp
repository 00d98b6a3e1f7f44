// Arena offsets against brute force: no two lives that meet overlap, the bound is a bound, the
// answer is always the same.
#include "dialects/Exec/Transforms/Arena.h"

#include "dialects/Exec/IR/Exec.h"

#include "gtest/gtest.h"

#include <random>

using namespace planwright::exec;

static std::vector<Life> makeLives(unsigned seed, int count) {
  std::minstd_rand random(seed); // the standard fixes its numbers: the same everywhere
  std::vector<Life> lives(count);
  for (Life &life : lives) {
    life.bytes = 1 + random() % (random() % 8 == 0 ? 100000 : 1000);
    life.first = random() % 200;
    life.last = life.first + random() % (random() % 6 == 0 ? 150 : 10);
  }
  return lives;
}

static bool meet(const Life &a, const Life &b) { return a.first <= b.last && b.first <= a.last; }

/// The first pair that overlaps in time and memory, by looking at all of them.
static std::string findOverlap(const std::vector<Life> &lives, const ArenaLayout &layout) {
  for (size_t i = 0; i < lives.size(); ++i)
    for (size_t j = 0; j < i; ++j)
      if (meet(lives[i], lives[j]) && layout.offsets[i] < layout.offsets[j] + lives[j].bytes &&
          layout.offsets[j] < layout.offsets[i] + lives[i].bytes)
        return std::to_string(j) + " and " + std::to_string(i);
  return "";
}

/// Bytes in use at the worst instruction, by looking at all of them.
static int64_t countMost(const std::vector<Life> &lives) {
  int64_t most = 0;
  for (int64_t now = 0; now < 400; ++now) {
    int64_t used = 0;
    for (const Life &life : lives)
      used += life.first <= now && now <= life.last ? alignBytes(life.bytes) : 0;
    most = std::max(most, used);
  }
  return most;
}

class Arena : public testing::TestWithParam<int> {};

TEST_P(Arena, HoldsWhatBruteForceSays) {
  std::vector<Life> lives = makeLives(GetParam() + 1, 20 + 10 * GetParam());
  ArenaLayout layout = assignArena(lives);
  EXPECT_EQ(findOverlap(lives, layout), "");
  EXPECT_EQ(arenaLowerBound(lives), countMost(lives));
  EXPECT_GE(layout.bytes, arenaLowerBound(lives));
  EXPECT_LE(layout.bytes, arenaLowerBound(lives) * 5 / 4);
  for (size_t i = 0; i < lives.size(); ++i) {
    EXPECT_EQ(layout.offsets[i] % kAlignment, 0);
    EXPECT_LE(layout.offsets[i] + lives[i].bytes, layout.bytes);
  }
  EXPECT_EQ(assignArena(lives).offsets, layout.offsets);
}

INSTANTIATE_TEST_SUITE_P(Random, Arena, testing::Range(0, 30));

TEST(ArenaAlone, NestedLivesNeedNoMoreThanTheBound) {
  // Forward and backward of a network: residual i lives from i to 2n - i.
  std::vector<Life> lives;
  for (int64_t i = 0; i < 50; ++i) {
    lives.push_back({1000 + 64 * i, i, 100 - i});
    lives.push_back({5000, i, i + 1});
    lives.push_back({7000, 100 - i, 101 - i});
  }
  EXPECT_EQ(assignArena(lives).bytes, arenaLowerBound(lives));
}

TEST(ArenaAlone, NothingNeedsNothing) {
  EXPECT_EQ(assignArena({}).bytes, 0);
  EXPECT_EQ(arenaLowerBound({}), 0);
}
