// Reports as strings: they are few and short.

#include "runtime/Launch/RankReport.h"

#include "runtime/Launch/Store.h"

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"

namespace planwright::rt {

std::string packReport(const RankReport &report) {
  std::string numbers = absl::StrJoin(
      {absl::StrCat(report.rank), absl::StrCat(report.place.step), absl::StrCat(report.place.task),
       absl::StrCat(report.place.instruction), absl::StrCat(report.predictedNs),
       absl::StrCat(static_cast<int>(report.isStalled)), absl::StrCat(report.stalledSeconds)},
      " ");
  return packStrings({numbers, report.where, absl::StrJoin(report.group, " ")});
}

std::optional<RankReport> unpackReport(std::string_view payload) {
  auto strings = unpackStrings(payload, 3);
  if (!strings)
    return std::nullopt;
  std::vector<std::string> numbers = absl::StrSplit((*strings)[0], ' ');
  RankReport report;
  if (numbers.size() != 7 || !absl::SimpleAtoi(numbers[0], &report.rank) ||
      !absl::SimpleAtoi(numbers[1], &report.place.step) ||
      !absl::SimpleAtoi(numbers[2], &report.place.task) ||
      !absl::SimpleAtoi(numbers[3], &report.place.instruction) ||
      !absl::SimpleAtoi(numbers[4], &report.predictedNs) ||
      !absl::SimpleAtob(numbers[5], &report.isStalled) ||
      !absl::SimpleAtod(numbers[6], &report.stalledSeconds))
    return std::nullopt;
  report.where = (*strings)[1];
  for (absl::string_view member : absl::StrSplit((*strings)[2], ' ', absl::SkipEmpty()))
    if (!absl::SimpleAtoi(member, &report.group.emplace_back()))
      return std::nullopt;
  return report;
}

} // namespace planwright::rt
