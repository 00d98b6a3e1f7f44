// LLVM's names of x86 features against the kernel's names of CPU flags.

#include "runtime/Format/TargetCheck.h"

#include "runtime/Format/StatusMacros.h"

#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"

#include <array>
#include <fstream>
#include <sstream>
#include <vector>

namespace planwright::rt {

namespace {

struct FeatureRow {
  std::string_view feature; // LLVM's name.
  std::string_view flag;    // /proc/cpuinfo's name.
  int level;                // First x86-64-v<level> that has it; 0: none does.
};

// Only features that change which instructions are emitted; LLVM lists many more for a host.
// Levels are those of the x86-64 psABI.
constexpr std::array<FeatureRow, 34> featureTable = {{
    {"sse3", "pni", 2},
    {"ssse3", "ssse3", 2},
    {"sse4.1", "sse4_1", 2},
    {"sse4.2", "sse4_2", 2},
    {"popcnt", "popcnt", 2},
    {"cx16", "cx16", 2},
    {"avx", "avx", 3},
    {"avx2", "avx2", 3},
    {"bmi", "bmi1", 3},
    {"bmi2", "bmi2", 3},
    {"f16c", "f16c", 3},
    {"fma", "fma", 3},
    {"lzcnt", "abm", 3},
    {"movbe", "movbe", 3},
    {"avx512f", "avx512f", 4},
    {"avx512bw", "avx512bw", 4},
    {"avx512cd", "avx512cd", 4},
    {"avx512dq", "avx512dq", 4},
    {"avx512vl", "avx512vl", 4},
    {"avx512vnni", "avx512_vnni", 0},
    {"avx512bf16", "avx512_bf16", 0},
    {"avx512fp16", "avx512_fp16", 0},
    {"avx512vbmi", "avx512vbmi", 0},
    {"avx512vbmi2", "avx512_vbmi2", 0},
    {"avx512ifma", "avx512ifma", 0},
    {"avx512bitalg", "avx512_bitalg", 0},
    {"avx512vpopcntdq", "avx512_vpopcntdq", 0},
    {"avxvnni", "avx_vnni", 0},
    {"gfni", "gfni", 0},
    {"amx-tile", "amx_tile", 0},
    {"amx-bf16", "amx_bf16", 0},
    {"amx-int8", "amx_int8", 0},
    {"fma4", "fma4", 0},
    {"xop", "xop", 0},
}};

} // namespace

std::set<std::string> readCpuFlags() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    size_t colon = line.find(':');
    if (colon == std::string::npos ||
        (line.rfind("flags", 0) != 0 && line.rfind("Features", 0) != 0))
      continue;
    std::istringstream words(line.substr(colon + 1));
    std::set<std::string> flags;
    for (std::string word; words >> word;)
      flags.insert(word);
    return flags;
  }
  return {};
}

/// N of "x86-64-vN", 0 for any other name.
static int getLevel(std::string_view targetCpu) {
  constexpr std::string_view prefix = "x86-64-v";
  if (targetCpu.size() != prefix.size() + 1 || targetCpu.substr(0, prefix.size()) != prefix)
    return 0;
  return targetCpu.back() - '0';
}

absl::Status checkTarget(std::string_view targetCpu, std::string_view targetFeatures,
                         const std::set<std::string> &flags) {
  if (flags.empty())
    return absl::OkStatus();
  std::set<std::string> wanted;
  for (absl::string_view item : absl::StrSplit(toAbsl(targetFeatures), ',', absl::SkipWhitespace()))
    if (item.size() > 1 && item.front() == '+')
      wanted.insert(std::string(item.substr(1)));
  int level = getLevel(targetCpu);
  std::vector<std::string> missing;
  for (const FeatureRow &row : featureTable) {
    bool needed = wanted.count(std::string(row.feature)) || (row.level != 0 && row.level <= level);
    if (needed && !flags.count(std::string(row.flag)))
      missing.emplace_back(row.feature);
  }
  if (missing.empty())
    return absl::OkStatus();
  return absl::FailedPreconditionError(
      absl::StrCat("the plan's kernels are compiled for the CPU \"", toAbsl(targetCpu),
                   "\", but this machine's CPU lacks ", absl::StrJoin(missing, ", "),
                   "; compile with the cluster file's CPU set to this machine's"));
}

} // namespace planwright::rt
