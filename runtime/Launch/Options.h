// What plan-run was asked to do, parsed.

#ifndef PLANWRIGHT_RUNTIME_LAUNCH_OPTIONS_H
#define PLANWRIGHT_RUNTIME_LAUNCH_OPTIONS_H

#include "runtime/Data/Batches.h"

#include <chrono>
#include <cstdint>
#include <string>

namespace planwright::rt {

/// When a rank is stalled.
struct StallLimits {
  double seconds = 5;         // In one place, at least; 0: never.
  double timesPredicted = 10; // And this many times the predicted time.

  /// How often the watchdog looks, and reports.
  std::chrono::milliseconds getTick() const;
};

struct RunOptions {
  std::string plan;
  std::string weights; // Empty: none.
  bool initRandom = false;
  uint64_t seed = 0;
  std::string data;
  TokenType tokenType = TokenType::Auto;
  int64_t steps = 1;
  std::string metrics;
  std::string saveWeights;
  std::string saveGradients;
  bool profile = false;
  std::string trace;
  int threads = 0;    // Per rank; 0: this machine's cores divided by its ranks.
  std::string listen; // Address for the other ranks; empty: found out.
  int joinTimeoutSeconds = 60;
  StallLimits stallLimits;
  bool inProcess = false; // All ranks as threads.
  bool quiet = false;
};

} // namespace planwright::rt

#endif // PLANWRIGHT_RUNTIME_LAUNCH_OPTIONS_H
