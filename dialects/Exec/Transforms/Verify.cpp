// exec-verify: follows a step instruction by instruction and proves that memory and order are
// sound. Not here: what a single op can know about itself (IR/).
#include "dialects/Exec/Transforms/Passes.h"

#include "llvm/ADT/DenseMap.h"

#include <map>

namespace planwright::exec {
#define GEN_PASS_DEF_EXECVERIFY
#include "dialects/Exec/Transforms/Passes.h.inc"
} // namespace planwright::exec

using namespace mlir;
using namespace planwright::exec;

namespace {

/// For each stream, how many of its instructions are known to be done.
using Clock = SmallVector<int64_t>;

/// Some bytes of the arena that have been treated alike so far.
struct Cell {
  Operation *owner = nullptr; ///< buffer through which it was last written
  int64_t writeStream = -1, writeTime = 0;
  Clock reads; ///< for each stream, the time of its last read since that write
};

/// The arena as cells; a cell reaches to the next key.
class Memory {
public:
  explicit Memory(int64_t streams) { cells[0].reads.assign(streams, 0); }

  /// Calls `visit` on each cell of [begin, end), cut to fit.
  template <typename Visit> void forEach(int64_t begin, int64_t end, Visit visit) {
    cutAt(begin);
    cutAt(end);
    for (auto it = cells.find(begin); it != cells.end() && it->first < end; ++it)
      visit(it->second);
  }

private:
  void cutAt(int64_t offset) {
    auto after = cells.upper_bound(offset);
    auto cell = std::prev(after);
    if (cell->first != offset)
      cells.emplace_hint(after, offset, cell->second);
  }

  std::map<int64_t, Cell> cells;
};

/// One walk over the tasks of a step.
class Walk {
public:
  explicit Walk(ProgramOp program)
      : program(program), symbols(program), streams(countStreams(program)), memory(streams),
        clocks(streams, Clock(streams, 0)) {}

  LogicalResult run() {
    if (failed(verifyPlaces()) || failed(verifyCommunicators()))
      return failure();
    for (TaskOp task : program.getOps<TaskOp>()) {
      if (!task.getSubprogramAttr())
        continue;
      auto subprogram = symbols.lookup<SubprogramOp>(*task.getSubprogram());
      for (auto step : subprogram.getOps<StepOpInterface>())
        if (failed(verifyStep(step, task)))
          return failure();
    }
    return success();
  }

private:
  static int64_t countStreams(ProgramOp program) {
    int64_t streams = 1;
    program.walk(
        [&](StepOpInterface step) { streams = std::max(streams, step.getStepStream() + 1); });
    return streams;
  }

  LogicalResult verifyPlaces();
  LogicalResult verifyCommunicators();
  LogicalResult verifyStep(StepOpInterface step, TaskOp task);
  LogicalResult verifyOperand(StepOpInterface step, TaskOp task, OperandAttr operand, int64_t now);
  FailureOr<int64_t> addressOf(StepOpInterface step, TaskOp task, RegionAttr region,
                               BufferOp buffer);

  ProgramOp program;
  SymbolTable symbols;
  int64_t streams;
  Memory memory;
  SmallVector<Clock> clocks; ///< what each stream knows of all streams
  llvm::DenseMap<int64_t, Clock> recorded;
};

} // namespace

/// Rule 1.
LogicalResult Walk::verifyPlaces() {
  std::optional<int64_t> arena = program.getArenaBytes();
  if (!arena)
    return program.emitOpError("has no arena yet: run exec-assign-offsets");
  std::map<int64_t, BufferOp> own; // by offset; parts are covered by their bucket
  for (BufferOp buffer : program.getOps<BufferOp>()) {
    if (!buffer.getOffset() ||
        static_cast<int64_t>(*buffer.getOffset() + buffer.getSize()) > *arena)
      return buffer.emitOpError("does not lie in the arena of ") << *arena << " bytes";
    if (buffer.isShared() || buffer.getBucket())
      continue;
    auto [other, isNew] = own.insert({*buffer.getOffset(), buffer});
    if (!isNew)
      return (buffer.emitOpError("overlaps another buffer").attachNote(other->second.getLoc())
              << "this one");
  }
  BufferOp previous;
  for (auto [offset, buffer] : own) {
    if (previous && static_cast<int64_t>(*previous.getOffset() + previous.getSize()) > offset)
      return (buffer.emitOpError("overlaps another buffer").attachNote(previous.getLoc())
              << "this one");
    previous = buffer;
  }
  for (BufferOp buffer : program.getOps<BufferOp>())
    if (buffer.isShared() && previous &&
        *buffer.getOffset() < *previous.getOffset() + previous.getSize())
      return buffer.emitOpError("shares memory with buffers that keep their place");
  return success();
}

/// Rule 6.
LogicalResult Walk::verifyCommunicators() {
  llvm::DenseMap<Attribute, StepOpInterface> first;
  WalkResult result = program.walk([&](CollectiveStepOpInterface collective) {
    auto step = cast<StepOpInterface>(collective.getOperation());
    auto [entry, isNew] = first.insert({collective.getGroup(), step});
    if (entry->second.getStepStream() == step.getStepStream())
      return WalkResult::advance();
    (step->emitOpError("runs on stream ")
     << step.getStepStream() << ", but others of " << collective.getGroup() << " on stream "
     << entry->second.getStepStream())
            .attachNote(entry->second.getLoc())
        << "for example this one";
    return WalkResult::interrupt();
  });
  return failure(result.wasInterrupted());
}

/// Rule 3: the address of `region` when `task` runs it.
FailureOr<int64_t> Walk::addressOf(StepOpInterface step, TaskOp task, RegionAttr region,
                                   BufferOp buffer) {
  ArrayRef<int64_t> bases = task.getBases().value_or(ArrayRef<int64_t>());
  int64_t base = 0;
  if (region.getBase() > 0) {
    if (region.getBase() >= static_cast<int64_t>(bases.size()))
      return (step->emitOpError("uses base ") << region.getBase()).attachNote(task.getLoc())
             << "which this task does not have";
    base = bases[region.getBase()];
  }
  int64_t inBuffer = region.getOffset() + base;
  if (inBuffer < 0 || inBuffer + region.getSize() > static_cast<int64_t>(buffer.getSize()))
    return (step->emitOpError("region ") << region << " leaves its buffer")
               .attachNote(task.getLoc())
           << "with base " << base << " of this task";
  return *buffer.getOffset() + inBuffer;
}

/// Rules 2 and 5 for one operand.
LogicalResult Walk::verifyOperand(StepOpInterface step, TaskOp task, OperandAttr operand,
                                  int64_t now) {
  auto buffer = symbols.lookup<BufferOp>(operand.getRegion().getBuffer().getAttr());
  FailureOr<int64_t> address = addressOf(step, task, operand.getRegion(), buffer);
  if (failed(address))
    return failure();
  int64_t stream = step.getStepStream();
  const Clock &known = clocks[stream];
  bool reads = operand.getAccess() != Access::write, writes = operand.getAccess() != Access::read;
  Operation *stranger = nullptr;
  bool isUnwritten = false, isRace = false;
  memory.forEach(*address, *address + operand.getRegion().getSize(), [&](Cell &cell) {
    if (reads && buffer.isShared() && cell.owner != buffer) {
      stranger = cell.owner;
      isUnwritten = true;
    }
    isRace |= cell.writeStream >= 0 && known[cell.writeStream] < cell.writeTime;
    if (reads)
      cell.reads[stream] = now;
    if (!writes)
      return;
    for (int64_t other = 0; other < streams; ++other)
      isRace |= other != stream && known[other] < cell.reads[other];
    cell = Cell{buffer, stream, now, Clock(streams, 0)};
  });
  if (isUnwritten) {
    InFlightDiagnostic error = step->emitOpError("reads ")
                               << operand.getRegion()
                               << (stranger ? " after another buffer took its place"
                                            : " before anything was written there");
    error.attachNote(task.getLoc()) << "in this task";
    if (stranger)
      error.attachNote(stranger->getLoc()) << "the other buffer";
    return error;
  }
  if (isRace)
    return step->emitOpError("touches ")
           << operand.getRegion() << " without waiting for another stream that does";
  return success();
}

LogicalResult Walk::verifyStep(StepOpInterface step, TaskOp task) {
  int64_t stream = step.getStepStream();
  for (int64_t event : step.getStepWaits()) {
    auto clock = recorded.find(event);
    if (clock == recorded.end()) // rule 4
      return step->emitOpError("waits for event ") << event << ", which is not recorded before";
    for (auto [known, other] : llvm::zip_equal(clocks[stream], clock->second))
      known = std::max(known, other);
  }
  int64_t now = ++clocks[stream][stream];
  SmallVector<OperandAttr> operands;
  step.getOperandRegions(operands);
  // Reads first: an instruction that updates in place reads what was there before.
  for (Access access : {Access::read, Access::update, Access::write})
    for (OperandAttr operand : operands)
      if (operand.getAccess() == access && failed(verifyOperand(step, task, operand, now)))
        return failure();
  if (std::optional<int64_t> event = step.getStepRecord())
    recorded[*event] = clocks[stream];
  return success();
}

namespace {
struct ExecVerify : planwright::exec::impl::ExecVerifyBase<ExecVerify> {
  void runOnOperation() override {
    WalkResult result = getOperation()->walk([](ProgramOp program) {
      return failed(Walk(program).run()) ? WalkResult::interrupt() : WalkResult::skip();
    });
    if (result.wasInterrupted())
      signalPassFailure();
  }
};
} // namespace
