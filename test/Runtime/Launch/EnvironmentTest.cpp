// Every launcher's variables, and what is said about broken ones.

#include "runtime/Launch/Environment.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

#include <map>

namespace planwright::rt {
namespace {

using testing::HasSubstr;
using Variables = std::map<std::string, std::string>;

GetVariable from(Variables variables) {
  return [variables](const char *name) -> std::optional<std::string> {
    auto it = variables.find(name);
    return it == variables.end() ? std::nullopt : std::optional(it->second);
  };
}

RankEnvironment read(Variables variables) {
  auto environment = readEnvironment(from(std::move(variables)));
  EXPECT_TRUE(environment.ok() && environment->has_value()) << environment.status();
  return environment.ok() && environment->has_value() ? **environment : RankEnvironment();
}

TEST(Environment, NoLauncher) {
  auto environment = readEnvironment(from({{"HOME", "/root"}}));
  ASSERT_TRUE(environment.ok());
  EXPECT_FALSE(environment->has_value());
}

TEST(Environment, Torchrun) {
  RankEnvironment environment = read({{"RANK", "3"},
                                      {"WORLD_SIZE", "4"},
                                      {"LOCAL_RANK", "1"},
                                      {"LOCAL_WORLD_SIZE", "2"},
                                      {"MASTER_ADDR", "node0"},
                                      {"MASTER_PORT", "1234"}});
  EXPECT_EQ(environment.rank, 3);
  EXPECT_EQ(environment.size, 4);
  EXPECT_EQ(environment.localSize, 2);
  EXPECT_EQ(environment.masterAddress, "node0");
  EXPECT_EQ(environment.masterPort, 1234);
  EXPECT_EQ(environment.launcher, "torchrun");
}

TEST(Environment, TorchrunsOwnStoreKeepsItsPort) {
  EXPECT_EQ(read({{"RANK", "0"},
                  {"WORLD_SIZE", "1"},
                  {"MASTER_PORT", "1234"},
                  {"TORCHELASTIC_USE_AGENT_STORE", "True"}})
                .masterPort,
            1235);
}

TEST(Environment, Slurm) {
  RankEnvironment environment = read({{"SLURM_PROCID", "2"},
                                      {"SLURM_NTASKS", "8"},
                                      {"SLURM_NTASKS_PER_NODE", "2"},
                                      {"SLURM_JOB_NODELIST", "gpu[07-09,12]"}});
  EXPECT_EQ(environment.rank, 2);
  EXPECT_EQ(environment.size, 8);
  EXPECT_EQ(environment.masterAddress, "gpu07");
}

TEST(Environment, NodeLists) {
  EXPECT_EQ(getFirstNode("a"), "a");
  EXPECT_EQ(getFirstNode("a,b"), "a");
  EXPECT_EQ(getFirstNode("a,b[1-2]"), "a");
  EXPECT_EQ(getFirstNode("n[1,5]"), "n1");
  EXPECT_EQ(getFirstNode("n[003-010],m"), "n003");
}

TEST(Environment, Mpi) {
  EXPECT_EQ(read({{"OMPI_COMM_WORLD_RANK", "1"},
                  {"OMPI_COMM_WORLD_SIZE", "2"},
                  {"OMPI_COMM_WORLD_LOCAL_SIZE", "2"}})
                .rank,
            1);
  EXPECT_EQ(read({{"PMI_RANK", "1"}, {"PMI_SIZE", "2"}}).size, 2);
  auto lost = readEnvironment(from({{"OMPI_COMM_WORLD_RANK", "1"},
                                    {"OMPI_COMM_WORLD_SIZE", "4"},
                                    {"OMPI_COMM_WORLD_LOCAL_SIZE", "2"}}));
  EXPECT_THAT(lost.status().ToString(), HasSubstr("set MASTER_ADDR"));
}

TEST(Environment, BrokenVariables) {
  EXPECT_THAT(readEnvironment(from({{"RANK", "0"}})).status().ToString(),
              HasSubstr("RANK is set, but WORLD_SIZE is not"));
  EXPECT_THAT(readEnvironment(from({{"RANK", "x"}, {"WORLD_SIZE", "2"}})).status().ToString(),
              HasSubstr("RANK=x is not a number from 0 to 1"));
  EXPECT_THAT(readEnvironment(from({{"RANK", "2"}, {"WORLD_SIZE", "2"}})).status().ToString(),
              HasSubstr("RANK=2"));
  EXPECT_THAT(readMaster(from({{"MASTER_PORT", "99999"}})).status().ToString(),
              HasSubstr("MASTER_PORT=99999"));
}

} // namespace
} // namespace planwright::rt
