// Memory and collectives of an exec program.
#include "planwright/Target/Plan/Summary.h"

#include "llvm/ADT/DenseMap.h"

using namespace mlir;
using namespace planwright;
using namespace planwright::exec;

/// The field of the table that counts buffers of this kind.
static int64_t MemoryTable::*getClass(BufferKind kind) {
  switch (kind) {
  case BufferKind::parameter:
  case BufferKind::constant:
    return &MemoryTable::parameterBytes;
  case BufferKind::gradient:
  case BufferKind::bucket:
    return &MemoryTable::gradientBytes;
  case BufferKind::state:
    return &MemoryTable::optimizerStateBytes;
  case BufferKind::input:
    return &MemoryTable::inputBytes;
  case BufferKind::literal:
    return &MemoryTable::literalBytes;
  case BufferKind::loss:
  case BufferKind::scalar:
  case BufferKind::prologue:
    return &MemoryTable::otherBytes;
  case BufferKind::residual:
  case BufferKind::temporary:
    return nullptr; // they share memory: the rest of the arena
  }
  llvm_unreachable("every kind of buffer has its class");
}

MemoryTable planwright::summarizeMemory(ProgramOp program) {
  MemoryTable table;
  for (BufferOp buffer : program.getOps<BufferOp>()) {
    int64_t MemoryTable::*field = getClass(buffer.getKind());
    if (field && !buffer.getBucket()) // parts are counted with their bucket
      table.*field += alignBytes(buffer.getSize());
  }
  table.peakBytes = program.getArenaBytes().value_or(0);
  table.temporaryBytes = table.peakBytes - program.getPersistentBytes().value_or(0);
  table.lowerBoundBytes = program.getLowerBoundBytes().value_or(0);
  return table;
}

static CollectiveRow makeRow(CollectiveStepOpInterface collective, SymbolTable &symbols) {
  CollectiveRow row;
  row.kind = collective->getName().stripDialect().str();
  auto group = symbols.lookup<CommunicatorOp>(collective.getGroup().getAttr());
  for (StringRef axis : group.getAxes().getAsValueRange<StringAttr>())
    row.axes.push_back(axis.str());
  SmallVector<OperandAttr> operands;
  cast<StepOpInterface>(collective.getOperation()).getOperandRegions(operands);
  row.bytes = operands.front().getRegion().getSize();
  row.count = 1;
  return row;
}

std::vector<CollectiveRow> planwright::summarizeCollectives(ProgramOp program) {
  SymbolTable symbols(program);
  std::vector<CollectiveRow> rows;
  for (TaskOp task : program.getOps<TaskOp>()) {
    if (!task.getSubprogramAttr())
      continue;
    auto subprogram = symbols.lookup<SubprogramOp>(*task.getSubprogram());
    for (auto collective : subprogram.getOps<CollectiveStepOpInterface>()) {
      CollectiveRow row = makeRow(collective, symbols);
      auto same = llvm::find_if(rows, [&](const CollectiveRow &other) {
        return other.kind == row.kind && other.axes == row.axes && other.bytes == row.bytes;
      });
      if (same != rows.end())
        ++same->count;
      else
        rows.push_back(row);
    }
  }
  return rows;
}
