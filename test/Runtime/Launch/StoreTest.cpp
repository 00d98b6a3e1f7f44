// The store: keys, arrivals, heartbeats, ends, and strangers on its port.

#include "runtime/Launch/Store.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

#include <future>
#include <sys/socket.h>

namespace planwright::rt {
namespace {

using testing::HasSubstr;

std::unique_ptr<StoreServer> startServer(int size, int joinSeconds = 60) {
  return std::move(
      *StoreServer::start("127.0.0.1", 0, size, "hash", std::chrono::seconds(joinSeconds)));
}

absl::StatusOr<std::unique_ptr<StoreClient>> connect(
    const StoreServer &server, int rank, int size, const std::string &hash = "hash",
    StoreClient::EndCallback onEnd = [](bool, const std::string &) {}) {
  return StoreClient::connect(
      {"127.0.0.1", server.getPort(), rank, size, hash, std::chrono::seconds(5)}, onEnd);
}

/// The next event, or one of rank -1 after five seconds.
StoreEvent awaitEvent(StoreServer &server) {
  for (int i = 0; i < 500; ++i) {
    for (StoreEvent &event : server.takeEvents())
      return event;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  return {-1, StoreEvent::Kind::Failed, "nothing happened"};
}

TEST(Store, ValuesTravelAndGetWaits) {
  auto server = startServer(2);
  auto first = connect(*server, 0, 2), second = connect(*server, 1, 2);
  ASSERT_TRUE(first.ok() && second.ok());
  std::string value(100'000, 'x');
  std::thread setter([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    EXPECT_TRUE((*second)->set("key", value).ok());
  });
  EXPECT_EQ(*(*first)->get("key"), value);
  EXPECT_EQ(*(*second)->get("key"), value);
  setter.join();
  (*first)->leave();
  (*second)->leave();
  for (int i = 0; i < 200 && !server->haveAllLeft(); ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  EXPECT_TRUE(server->haveAllLeft());
  EXPECT_TRUE(server->takeEvents().empty());
}

TEST(Store, AClosedConnectionIsNoticed) {
  auto server = startServer(2);
  auto first = connect(*server, 0, 2);
  {
    auto second = connect(*server, 1, 2);
  }
  StoreEvent event = awaitEvent(*server);
  EXPECT_EQ(event.rank, 1);
  EXPECT_EQ(event.kind, StoreEvent::Kind::Closed);
}

TEST(Store, SilenceIsNoticed) {
  auto server = startServer(1);
  auto socket = connectTo("127.0.0.1", server->getPort());
  ASSERT_TRUE(socket.ok());
  ASSERT_TRUE(
      sendFrame(*socket, {uint8_t(StoreFrame::Hello), packStrings({storeMagic, "0", "1", "hash"})})
          .ok());
  StoreEvent event = awaitEvent(*server);
  EXPECT_EQ(event.rank, 0);
  EXPECT_EQ(event.kind, StoreEvent::Kind::Silent);
}

TEST(Store, OtherPlansAndSizesAreRefused) {
  auto server = startServer(2);
  auto first = connect(*server, 0, 2, "another");
  EXPECT_THAT(awaitEvent(*server).message, HasSubstr("runs another plan than rank 0"));
  auto second = connect(*server, 1, 3);
  EXPECT_THAT(awaitEvent(*server).message, HasSubstr("one of 3 ranks, this job has 2"));
}

TEST(Store, TwoOfOneRankAreRefused) {
  auto server = startServer(2);
  auto first = connect(*server, 1, 2), second = connect(*server, 1, 2);
  EXPECT_THAT(awaitEvent(*server).message, HasSubstr("two processes claim"));
}

TEST(Store, MissingRanksAreNoticed) {
  auto server = startServer(2, /*joinSeconds=*/0);
  StoreEvent event = awaitEvent(*server);
  EXPECT_EQ(event.kind, StoreEvent::Kind::Missing);
}

TEST(Store, TheEndReachesEveryone) {
  auto server = startServer(1);
  std::promise<std::string> message;
  auto client = connect(*server, 0, 1, "hash",
                        [&](bool, const std::string &text) { message.set_value(text); });
  ASSERT_TRUE(client.ok());
  server->end("because");
  EXPECT_EQ(message.get_future().get(), "because");
}

TEST(Store, FailuresKeepTheirWords) {
  auto server = startServer(1);
  auto client = connect(*server, 0, 1);
  (*client)->fail(false, "a bad token");
  StoreEvent event = awaitEvent(*server);
  EXPECT_EQ(event.kind, StoreEvent::Kind::Failed);
  EXPECT_EQ(event.message, "a bad token");
}

TEST(Store, TheNewestReportOfEachRankArrives) {
  auto server = startServer(2);
  auto client = connect(*server, 1, 2);
  RankReport report;
  report.place = {3, 1, 17};
  report.where = "step 3, task 1";
  report.predictedNs = 1200;
  report.isStalled = true;
  report.stalledSeconds = 5.5;
  report.group = {0, 1};
  for (report.rank = 0; report.place.step < 5; ++report.place.step) // It is the client that counts.
    (*client)->report(report);
  std::optional<RankReport> newest;
  for (int i = 0; i < 500 && !(newest && newest->place.step == 4); ++i) {
    for (const RankReport &taken : server->takeReports())
      newest = taken;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  ASSERT_TRUE(newest.has_value());
  EXPECT_EQ(newest->rank, 1);
  EXPECT_EQ(newest->place, (Place{4, 1, 17}));
  EXPECT_EQ(newest->where, "step 3, task 1");
  EXPECT_EQ(newest->predictedNs, 1200u);
  EXPECT_TRUE(newest->isStalled);
  EXPECT_EQ(newest->stalledSeconds, 5.5);
  EXPECT_EQ(newest->group, (std::vector<int>{0, 1}));
}

TEST(Store, WhatIsNoReportIsNotBelieved) {
  EXPECT_FALSE(unpackReport("noise").has_value());
  EXPECT_FALSE(unpackReport(packStrings({"1 2 3", "where", ""})).has_value());
  EXPECT_FALSE(unpackReport(packStrings({"1 2 3 4 5 yes many", "where", ""})).has_value());
  EXPECT_FALSE(unpackReport(packStrings({"1 2 3 4 5 1 0.5", "where", "0 x"})).has_value());
  EXPECT_TRUE(unpackReport(packStrings({"1 2 3 4 5 1 0.5", "where", "0 1"})).has_value());
}

TEST(Store, StrangersDoNoHarm) {
  auto server = startServer(1);
  auto stranger = connectTo("127.0.0.1", server->getPort());
  std::string noise = "GET / HTTP/1.1\r\n\r\n";
  ::send(stranger->get(), noise.data(), noise.size(), MSG_NOSIGNAL);
  auto client = connect(*server, 0, 1);
  EXPECT_TRUE(client.ok()) << client.status();
  EXPECT_TRUE(server->takeEvents().empty());
}

TEST(Store, AStrangersServerIsNotRankZero) {
  auto listener = listenOn("127.0.0.1", 0);
  auto client = StoreClient::connect(
      {"127.0.0.1", getLocalPort(*listener), 0, 1, "hash", std::chrono::seconds(1)},
      [](bool, const std::string &) {});
  EXPECT_THAT(client.status().ToString(), HasSubstr("is not rank 0 of this job"));
}

TEST(Socket, ATakenPortIsNamed) {
  auto first = listenOn("127.0.0.1", 0);
  auto second = listenOn("127.0.0.1", getLocalPort(*first));
  EXPECT_EQ(second.status().code(), absl::StatusCode::kAlreadyExists);
  EXPECT_THAT(second.status().ToString(), HasSubstr("is in use by another program"));
}

} // namespace
} // namespace planwright::rt
