// What plan-run was asked to do, parsed.

#ifndef PLANWRIGHT_RUNTIME_LAUNCH_OPTIONS_H
#define PLANWRIGHT_RUNTIME_LAUNCH_OPTIONS_H

#include "runtime/Data/Batches.h"

#include <cstdint>
#include <string>

namespace planwright::rt {

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
  bool inProcess = false; // All ranks as threads.
  bool quiet = false;
};

} // namespace planwright::rt

#endif // PLANWRIGHT_RUNTIME_LAUNCH_OPTIONS_H
