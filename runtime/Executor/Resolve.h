// Instructions of the file made ready to run: functions instead of indices, prepared gemms, operand
// lists in one piece. Addresses stay relative to arena and bases, because a subprogram runs with
// many.

#ifndef PLANWRIGHT_RUNTIME_EXECUTOR_RESOLVE_H
#define PLANWRIGHT_RUNTIME_EXECUTOR_RESOLVE_H

#include "runtime/Comm/Communicator.h"
#include "runtime/Device/Device.h"
#include "runtime/Executor/KernelLibraries.h"
#include "runtime/Format/program_generated.h"

#include <memory>
#include <string>
#include <vector>

namespace planwright::rt {

/// What actions run against. Changes from task to task.
struct ActionContext {
  Device *device = nullptr;
  std::byte *arena = nullptr;
  const uint64_t *bases = nullptr;
  const std::vector<std::unique_ptr<Communicator>> *communicators = nullptr;
  std::vector<void *> operands; // Room for the longest operand list.

  std::vector<int64_t> coordinates; // Of this rank, one for each axis.

  std::byte *resolve(fb::Address address) const {
    return arena + address.offset() + bases[address.base()];
  }
};

/// One thing to do. One class for each member of the schema's union Action.
class ResolvedAction {
public:
  virtual ~ResolvedAction() = default;
  virtual absl::Status run(ActionContext &context, int stream) const = 0;
};

/// What profiles and messages say of an instruction.
struct InstructionInfo {
  std::string label;
  std::string family; // A kernel's family, "gemm", "copy", "strided_copy", "zero", or the
                      // collective's kind.
  uint64_t flops = 0;
  uint64_t bytes = 0;       // Read and written, or moved by a collective; 0 where unknown.
  uint64_t predictedNs = 0; // By the compiler; 0 where unknown.
  int communicator = -1;    // Of a collective: index into Program.communicators.
};

struct ResolvedInstruction {
  std::unique_ptr<ResolvedAction> action;
  int stream = 0;
  int record = -1;
  std::vector<uint32_t> waits;
  InstructionInfo info;
};

struct ResolvedSubprogram {
  std::vector<ResolvedInstruction> instructions;
};

/// Resolves all subprograms of a verified program.
absl::StatusOr<std::vector<ResolvedSubprogram>>
resolveSubprograms(const fb::Program &program, const KernelLibraries &libraries, Device &device);

/// Length of the longest operand list.
size_t getMaxOperands(const fb::Program &program);

} // namespace planwright::rt

#endif // PLANWRIGHT_RUNTIME_EXECUTOR_RESOLVE_H
