// What rank 0 tells the world about steps: the metrics file, the progress line, the memory of the
// last few steps.

#ifndef PLANWRIGHT_RUNTIME_LAUNCH_JOBRECORD_H
#define PLANWRIGHT_RUNTIME_LAUNCH_JOBRECORD_H

#include "absl/status/status.h"

#include <array>
#include <chrono>
#include <cstdint>
#include <fstream>
#include <optional>
#include <string>

namespace planwright::rt {

struct StepMetrics {
  int64_t step = 0; // From 0, as in "batch<k>/..." and "grad<k>/...".
  std::optional<double> loss = {};
  std::optional<double> gradientNorm = {};
  std::optional<double> learningRate = {};
  double seconds = 0;
  uint64_t tokens = 0; // Of the step, over all ranks; 0: the model has none.
};

/// One JSON object without line break. What is absent or no number is null.
std::string formatMetrics(const StepMetrics &metrics);

/// The last steps of a rank, in a ring.
class History {
public:
  void add(const StepMetrics &metrics) { ring[count++ % ring.size()] = metrics; }
  /// "last steps: 3 (loss 4.20, 0.51 s), 4 (...)", or nothing before the first step.
  std::string format() const;

private:
  std::array<StepMetrics, 4> ring;
  uint64_t count = 0;
};

/// Writes steps as they come. On a terminal one line is kept up to date, elsewhere lines are
/// printed at most once a second (and the first and the last).
class Progress {
public:
  Progress(int64_t totalSteps, bool quiet);

  absl::Status openMetrics(const std::string &path);
  absl::Status report(const StepMetrics &metrics);
  /// Ends the progress line.
  void finish();

private:
  void print(const StepMetrics &metrics);

  int64_t totalSteps;
  bool quiet;
  bool terminal;
  bool lineOpen = false;
  std::ofstream metricsFile;
  std::string metricsPath;
  double secondsSoFar = 0;
  int64_t stepsSoFar = 0;
  std::chrono::steady_clock::time_point lastPrint;
};

} // namespace planwright::rt

#endif // PLANWRIGHT_RUNTIME_LAUNCH_JOBRECORD_H
