// Ranks as threads of one process: messages are copies. For tests and `plan-run --in-process`.

#ifndef PLANWRIGHT_RUNTIME_COMM_INPROCESS_INPROCESS_H
#define PLANWRIGHT_RUNTIME_COMM_INPROCESS_INPROCESS_H

#include "runtime/Comm/Communicator.h"

#include <chrono>

namespace planwright::rt {

/// One world per rank, for one thread each. An abort of one is an abort of all. A message that
/// nobody takes within `timeout` is an error that names both ranks.
std::vector<std::unique_ptr<World>> createInProcessWorlds(int ranks,
                                                          std::chrono::milliseconds timeout);

} // namespace planwright::rt

#endif // PLANWRIGHT_RUNTIME_COMM_INPROCESS_INPROCESS_H
