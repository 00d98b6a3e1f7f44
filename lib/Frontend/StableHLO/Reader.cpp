// From a file to a verified module: decompress, scan, parse, check dialects.
// Not here: what is checked before parsing (Prescan.cpp), what is reported afterwards
// (Supported.cpp).
#include "planwright/Frontend/StableHLO/Reader.h"

#include "Decompress.h"
#include "Prescan.h"

#include "dialects/StableHLO/IR/Chlo.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/SourceMgr.h"

using namespace mlir;
using namespace planwright;

/// `offset` in `text`, as file, line and column.
static Location getLocation(MLIRContext &context, StringRef file, StringRef text, size_t offset) {
  StringRef before = text.take_front(offset);
  size_t lineStart = before.rfind('\n') + 1; // npos + 1 is 0
  unsigned line = before.count('\n') + 1;
  return FileLineColLoc::get(&context, file, line, offset - lineStart + 1);
}

static LogicalResult scan(const llvm::MemoryBuffer &buffer, MLIRContext &context) {
  StringRef text = buffer.getBuffer(), file = buffer.getBufferIdentifier();
  if (text.starts_with("ML\xefR"))
    return emitError(getLocation(context, file, text, 0),
                     "this is MLIR bytecode, but text is expected");
  if (std::optional<PrescanError> error = prescan(text))
    return emitError(getLocation(context, file, text, error->offset), error->message);
  return success();
}

/// Operations that a graph may have.
static bool isRead(Operation *op) {
  return isa<ModuleOp>(op) ||
         isa_and_present<func::FuncDialect, stablehlo::StableHLODialect, chlo::ChloDialect>(
             op->getDialect());
}

OwningOpRef<ModuleOp> planwright::readStableHLO(std::unique_ptr<llvm::MemoryBuffer> buffer,
                                                MLIRContext &context) {
  context.loadDialect<func::FuncDialect, stablehlo::StableHLODialect, chlo::ChloDialect>();
  context.allowUnregisteredDialects();
  std::string file(buffer->getBufferIdentifier());
  llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>> text = decompress(std::move(buffer));
  if (!text) {
    emitError(FileLineColLoc::get(&context, file, 1, 1), llvm::toString(text.takeError()));
    return nullptr;
  }
  if (failed(scan(**text, context)))
    return nullptr;
  llvm::SourceMgr sources;
  sources.AddNewSourceBuffer(std::move(*text), llvm::SMLoc());
  OwningOpRef<ModuleOp> module = parseSourceFile<ModuleOp>(sources, ParserConfig(&context));
  if (!module || failed(checkSupported(*module, isRead)))
    return nullptr;
  return module;
}

OwningOpRef<ModuleOp> planwright::readStableHLO(StringRef path, MLIRContext &context) {
  auto buffer = llvm::MemoryBuffer::getFileOrSTDIN(path);
  if (buffer)
    return readStableHLO(std::move(*buffer), context);
  emitError(UnknownLoc::get(&context))
      << "cannot read " << path << ": " << buffer.getError().message();
  return nullptr;
}
