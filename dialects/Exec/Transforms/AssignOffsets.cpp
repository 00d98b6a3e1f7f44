// exec-assign-offsets: lives of buffers from the order of instructions, then offsets.
// Not here: how lives are packed (Arena.cpp).
#include "dialects/Exec/Transforms/Arena.h"
#include "dialects/Exec/Transforms/Passes.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

namespace planwright::exec {
#define GEN_PASS_DEF_EXECASSIGNOFFSETS
#include "dialects/Exec/Transforms/Passes.h.inc"
} // namespace planwright::exec

using namespace mlir;
using namespace planwright::exec;

/// The subprograms in the order in which tasks first run them.
static SetVector<SubprogramOp> subprogramsInOrder(ProgramOp program, SymbolTable &symbols) {
  SetVector<SubprogramOp> order;
  for (TaskOp task : program.getOps<TaskOp>())
    if (task.getSubprogramAttr())
      order.insert(symbols.lookup<SubprogramOp>(*task.getSubprogram()));
  return order;
}

/// First and last instruction that touch each shared buffer.
static llvm::MapVector<StringAttr, Life> livesOfShared(ProgramOp program, SymbolTable &symbols) {
  llvm::MapVector<StringAttr, Life> lives;
  int64_t now = 0;
  for (SubprogramOp subprogram : subprogramsInOrder(program, symbols))
    for (auto step : subprogram.getOps<StepOpInterface>()) {
      SmallVector<OperandAttr> operands;
      step.getOperandRegions(operands);
      for (OperandAttr operand : operands) {
        StringAttr name = operand.getRegion().getBuffer().getAttr();
        auto buffer = symbols.lookup<BufferOp>(name);
        if (!buffer.isShared())
          continue;
        auto [life, isNew] =
            lives.insert({name, Life{static_cast<int64_t>(buffer.getSize()), now, now}});
        life->second.last = now;
      }
      ++now;
    }
  return lives;
}

/// Places all buffers that keep their place, one after the other; parts lie in their buckets.
/// Returns the end.
static int64_t assignPersistent(ProgramOp program, SymbolTable &symbols) {
  int64_t end = 0;
  for (BufferOp buffer : program.getOps<BufferOp>()) {
    if (buffer.isShared() || buffer.getBucket())
      continue;
    buffer.setOffset(end);
    end += alignBytes(buffer.getSize());
  }
  for (BufferOp buffer : program.getOps<BufferOp>())
    if (buffer.getBucket())
      buffer.setOffset(*symbols.lookup<BufferOp>(*buffer.getBucket()).getOffset() +
                       *buffer.getPartOffset());
  return end;
}

static void assignOffsets(ProgramOp program) {
  SymbolTable symbols(program);
  int64_t persistent = assignPersistent(program, symbols);
  auto lives = livesOfShared(program, symbols);
  SmallVector<Life> numbers = llvm::map_to_vector(lives, [](auto &entry) { return entry.second; });
  ArenaLayout layout = assignArena(numbers);
  for (BufferOp buffer : program.getOps<BufferOp>())
    if (buffer.isShared()) // one that nobody touches takes no room
      buffer.setOffset(persistent);
  for (auto [entry, offset] : llvm::zip_equal(lives, layout.offsets))
    symbols.lookup<BufferOp>(entry.first).setOffset(persistent + offset);
  program.setPersistentBytes(persistent);
  program.setLowerBoundBytes(persistent + arenaLowerBound(numbers));
  program.setArenaBytes(persistent + layout.bytes);
}

namespace {
struct ExecAssignOffsets : planwright::exec::impl::ExecAssignOffsetsBase<ExecAssignOffsets> {
  void runOnOperation() override {
    getOperation()->walk([](ProgramOp program) { assignOffsets(program); });
  }
};
} // namespace
