// Reading a command line into Abseil's flags. Abseil's own reader ends the process with code 1
// where a call is wrong, and spells names with underscores; ours have dashes, as the compiler's do.
// Not here: which flags there are (plan-run.cpp).
#ifndef PLANWRIGHT_TOOLS_PLAN_RUN_FLAGS_H
#define PLANWRIGHT_TOOLS_PLAN_RUN_FLAGS_H

#include <string>
#include <vector>

namespace planwright {

/// Sets the flags in `arguments` (without the program) and moves what is no flag to `positional`.
/// Empty, or what is wrong.
///
///   --name=value, --name value, --switch, --noswitch; behind `--` nothing is a flag
std::string readFlags(const std::vector<std::string> &arguments,
                      std::vector<std::string> &positional);

/// One paragraph for each flag that `file` defines.
std::string describeFlags(const std::string &file);

} // namespace planwright

#endif // PLANWRIGHT_TOOLS_PLAN_RUN_FLAGS_H
