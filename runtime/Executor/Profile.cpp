// Adding up and formatting.

#include "runtime/Executor/Profile.h"

#include "runtime/Format/StatusMacros.h"

#include "absl/strings/str_format.h"

#include <algorithm>

namespace planwright::rt {

static double getSeconds(InstructionObserver::Clock::duration duration) {
  return std::chrono::duration<double>(duration).count();
}

void Profile::observe(const InstructionInfo &info, const fb::Task &task, Clock::time_point begin,
                      Clock::time_point end) {
  Total &total = totals[info.family];
  total.seconds += getSeconds(end - begin);
  ++total.calls;
  total.flops += info.flops;
  total.bytes += info.bytes;
  if (keepTimeline)
    events.push_back({&info, task.kind(), task.micro_batch(), begin, end});
}

/// "12.3 G", or "-" for nothing.
static std::string formatRate(uint64_t amount, double seconds) {
  if (amount == 0 || seconds <= 0)
    return "-";
  return absl::StrFormat("%.2f G", static_cast<double>(amount) / seconds * 1e-9);
}

std::string Profile::formatTable() const {
  std::vector<std::pair<std::string, Total>> rows(totals.begin(), totals.end());
  std::sort(rows.begin(), rows.end(),
            [](const auto &a, const auto &b) { return a.second.seconds > b.second.seconds; });
  double all = 0;
  for (const auto &[family, total] : rows)
    all += total.seconds;
  std::string text = absl::StrFormat("%-24s %10s %7s %9s %12s %12s\n", "family", "seconds", "share",
                                     "calls", "FLOP/s", "bytes/s");
  for (const auto &[family, total] : rows)
    absl::StrAppend(&text, absl::StrFormat("%-24s %10.4f %6.1f%% %9d %12s %12s\n", family,
                                           total.seconds, all > 0 ? 100 * total.seconds / all : 0.0,
                                           total.calls, formatRate(total.flops, total.seconds),
                                           formatRate(total.bytes, total.seconds)));
  return text;
}

/// `text` inside a JSON string.
static std::string escape(std::string_view text) {
  std::string result;
  for (char c : text) {
    if (c == '"' || c == '\\')
      result += '\\';
    result += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
  }
  return result;
}

std::string Profile::formatTimeline(int rank) const {
  std::string text = absl::StrFormat(
      R"({"ph":"M","name":"process_name","pid":%d,"args":{"name":"rank %d"}})", rank, rank);
  for (const Event &event : events)
    absl::StrAppend(
        &text,
        absl::StrFormat(
            ",\n"
            R"({"ph":"X","name":"%s","cat":"%s","pid":%d,"tid":0,"ts":%.3f,"dur":%.3f,"args":{"task":"%s","micro_batch":%d}})",
            escape(event.info->label), escape(event.info->family), rank,
            getSeconds(event.begin - origin) * 1e6, getSeconds(event.end - event.begin) * 1e6,
            fb::EnumNameTaskKind(event.task), event.microBatch));
  return text;
}

} // namespace planwright::rt
