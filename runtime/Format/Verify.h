// What a program must satisfy beyond FlatBuffers' own checks before it may run. All of it is
// arithmetic on the tables; no file is opened. `verifyProgram` is the entry, the others are its
// parts.
//
// 1. Version, axes and ranks agree; no product overflows.
// 2. Arguments have distinct names, sane shapes, ranges and rules.
// 3. Buffers lie inside the arena, their shapes, axes and sizes agree, and those that live always
// do not overlap.
// 4. Communicators, kernels, events, subprograms and tasks name only what exists; kernel libraries
// are relative
//    paths that stay inside the plan's folder.
// 5. Every byte that a copy, zero, gemm or collective touches lies inside the arena, for each
// task's bases.
// 6. An event is waited for only after it was recorded in the same step.

#ifndef PLANWRIGHT_RUNTIME_FORMAT_VERIFY_H
#define PLANWRIGHT_RUNTIME_FORMAT_VERIFY_H

#include "runtime/Format/program_generated.h"

#include "absl/status/status.h"

namespace planwright::rt {

/// Everything above, in this order; stops at the first violation.
absl::Status verifyProgram(const fb::Program &program);

/// Parts 2 and 3; needs part 1.
absl::Status verifyArguments(const fb::Program &program);
absl::Status verifyBuffers(const fb::Program &program);

/// Parts 4 (subprograms and tasks), 5 and 6; needs the others.
absl::Status verifyInstructions(const fb::Program &program);

} // namespace planwright::rt

#endif // PLANWRIGHT_RUNTIME_FORMAT_VERIFY_H
