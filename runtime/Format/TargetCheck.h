// Does this machine's CPU have what the plan's kernels were compiled for? No other question about
// the machine.

#ifndef PLANWRIGHT_RUNTIME_FORMAT_TARGETCHECK_H
#define PLANWRIGHT_RUNTIME_FORMAT_TARGETCHECK_H

#include "absl/status/status.h"

#include <set>
#include <string>
#include <string_view>

namespace planwright::rt {

/// The "flags" (or "Features") of /proc/cpuinfo, empty where there are none.
std::set<std::string> readCpuFlags();

/// An error that lists the missing features if a CPU with `flags` cannot run code for `targetCpu`
/// with `targetFeatures` (as LLVM spells them: "+avx2,+fma,-avx512f"). Without flags nothing is
/// checked.
absl::Status checkTarget(std::string_view targetCpu, std::string_view targetFeatures,
                         const std::set<std::string> &flags);

} // namespace planwright::rt

#endif // PLANWRIGHT_RUNTIME_FORMAT_TARGETCHECK_H
