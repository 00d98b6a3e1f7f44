// Formatting and writing of steps.

#include "runtime/Launch/JobRecord.h"

#include "runtime/Format/StatusMacros.h"

#include "absl/strings/str_format.h"
#include "nlohmann/json.hpp"

#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <unistd.h>

namespace planwright::rt {

std::string formatMetrics(const StepMetrics &metrics) {
  nlohmann::ordered_json json;
  auto put = [&](const char *name, std::optional<double> value) {
    if (value && std::isfinite(*value))
      json[name] = *value;
    else
      json[name] = nullptr;
  };
  json["step"] = metrics.step;
  put("loss", metrics.loss);
  put("grad_norm", metrics.gradientNorm);
  put("learning_rate", metrics.learningRate);
  put("step_seconds", metrics.seconds);
  put("tokens_per_second",
      metrics.tokens != 0 && metrics.seconds > 0
          ? std::optional(static_cast<double>(metrics.tokens) / metrics.seconds)
          : std::nullopt);
  return json.dump();
}

std::string History::format() const {
  std::string text;
  uint64_t kept = std::min<uint64_t>(count, ring.size());
  for (uint64_t i = count - kept; i < count; ++i) {
    const StepMetrics &metrics = ring[i % ring.size()];
    absl::StrAppend(&text, text.empty() ? "last steps: " : ", ", metrics.step, " (");
    if (metrics.loss)
      absl::StrAppend(&text, absl::StrFormat("loss %.6g, ", *metrics.loss));
    absl::StrAppend(&text, absl::StrFormat("%.3g s)", metrics.seconds));
  }
  return text;
}

Progress::Progress(int64_t totalSteps, bool quiet)
    : totalSteps(totalSteps), quiet(quiet), terminal(::isatty(STDOUT_FILENO) == 1) {}

absl::Status Progress::openMetrics(const std::string &path) {
  metricsPath = path;
  metricsFile.open(path, std::ios::trunc);
  if (!metricsFile)
    return absl::InvalidArgumentError(
        absl::StrCat("cannot write metrics ", path, ": ", std::strerror(errno)));
  return absl::OkStatus();
}

/// "1:02:03" or "4:05".
static std::string formatDuration(double seconds) {
  auto whole = static_cast<int64_t>(seconds + 0.5);
  if (whole >= 3600)
    return absl::StrFormat("%d:%02d:%02d", whole / 3600, whole / 60 % 60, whole % 60);
  return absl::StrFormat("%d:%02d", whole / 60, whole % 60);
}

void Progress::print(const StepMetrics &metrics) {
  std::string line = absl::StrCat("step ", metrics.step + 1, "/", totalSteps);
  if (metrics.loss)
    absl::StrAppend(&line, absl::StrFormat("  loss %.6g", *metrics.loss));
  if (metrics.tokens != 0 && metrics.seconds > 0)
    absl::StrAppend(&line, absl::StrFormat("  %.0f tokens/s",
                                           static_cast<double>(metrics.tokens) / metrics.seconds));
  double left = secondsSoFar / static_cast<double>(stepsSoFar) *
                static_cast<double>(totalSteps - metrics.step - 1);
  absl::StrAppend(&line, "  ", formatDuration(left), " left");
  std::fprintf(stdout, terminal ? "\r\033[K%s" : "%s\n", line.c_str());
  std::fflush(stdout);
  lineOpen = terminal;
}

absl::Status Progress::report(const StepMetrics &metrics) {
  secondsSoFar += metrics.seconds;
  ++stepsSoFar;
  if (metricsFile.is_open()) {
    // A line is complete on disk or not there: who watches the file or kills the job sees whole
    // objects.
    metricsFile << formatMetrics(metrics) + "\n" << std::flush;
    if (!metricsFile)
      return absl::UnavailableError(
          absl::StrCat("cannot write metrics ", metricsPath, ": ", std::strerror(errno)));
  }
  auto now = std::chrono::steady_clock::now();
  bool atEnd = metrics.step == 0 || metrics.step + 1 == totalSteps;
  bool due =
      now - lastPrint >= (terminal ? std::chrono::milliseconds(50) : std::chrono::seconds(1));
  if (!quiet && (atEnd || due)) {
    print(metrics);
    lastPrint = now;
  }
  return absl::OkStatus();
}

void Progress::finish() {
  if (lineOpen)
    std::fputc('\n', stdout);
  std::fflush(stdout);
  lineOpen = false;
}

} // namespace planwright::rt
