// Weights and delays of complaints.

#include "runtime/Launch/Judge.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"

#include <algorithm>
#include <array>
#include <tuple>

namespace planwright::rt {

/// How long a complaint of each weight waits for a heavier one. An own error waits a moment too, so
/// that of many equal ones the lowest rank's is shown.
static constexpr std::array<std::chrono::milliseconds, 4> delays = {
    std::chrono::milliseconds(60), std::chrono::milliseconds(100), std::chrono::milliseconds(400),
    std::chrono::milliseconds(1500)};

void Judge::addComplaint(int rank, int weight, std::string message, Clock::time_point now) {
  complaints.push_back({rank, weight, std::move(message), now + delays[weight]});
}

void Judge::add(const StoreEvent &event, Clock::time_point now) {
  std::string rank = absl::StrCat("rank ", event.rank);
  switch (event.kind) {
  case StoreEvent::Kind::Failed:
  case StoreEvent::Kind::Refused:
    return addComplaint(event.rank, 0, absl::StrCat(rank, ": ", event.message), now);
  case StoreEvent::Kind::Silent:
    return addComplaint(event.rank, 1,
                        absl::StrCat(rank,
                                     " sent no heartbeat for 3 s: it is stopped, or its "
                                     "machine cannot be reached",
                                     event.message.empty() ? "" : "; last seen in ", event.message),
                        now);
  case StoreEvent::Kind::Missing:
    missing.push_back(event.rank);
    return addComplaint(event.rank, 1, "", now);
  case StoreEvent::Kind::Closed:
    return addComplaint(event.rank, 2,
                        absl::StrCat(rank, " died: its connection closed without a word"), now);
  case StoreEvent::Kind::LostOther:
    return addComplaint(event.rank, 3, absl::StrCat(rank, ": ", event.message), now);
  }
}

void Judge::addDeath(int rank, std::string message, Clock::time_point now) {
  addComplaint(rank, 1, absl::StrCat("rank ", rank, " ", message), now);
}

std::optional<std::string> Judge::decide(Clock::time_point now) const {
  auto cause = std::min_element(complaints.begin(), complaints.end(),
                                [](const Complaint &a, const Complaint &b) {
                                  return std::tie(a.weight, a.rank) < std::tie(b.weight, b.rank);
                                });
  if (cause == complaints.end() || now < cause->due)
    return std::nullopt;
  if (cause->message.empty())
    return absl::StrCat(missing.size() == 1 ? "rank " : "ranks ", absl::StrJoin(missing, ", "),
                        " did not arrive in time: started on every machine, with the same "
                        "MASTER_ADDR and MASTER_PORT?");
  return cause->message;
}

} // namespace planwright::rt
