// All ranks of a world in one test process, one thread each, over either transport.

#ifndef PLANWRIGHT_TEST_RUNTIME_COMM_WORLDS_H
#define PLANWRIGHT_TEST_RUNTIME_COMM_WORLDS_H

#include "runtime/Comm/Communicator.h"

#include <functional>
#include <string>

namespace planwright::rt::test {

/// Makes worlds of `ranks` ranks over "InProcess" or "Gloo" and runs `body` on each in a thread of
/// its own. Returns the first error by rank.
absl::Status runOnWorlds(const std::string &transport, int ranks,
                         const std::function<absl::Status(World &)> &body);

} // namespace planwright::rt::test

#endif // PLANWRIGHT_TEST_RUNTIME_COMM_WORLDS_H
