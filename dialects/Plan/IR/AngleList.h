// A list in angle brackets.
//
// AsmParser::parseCommaSeparatedList with Delimiter::LessGreater reports a missing '<' and then
// returns success (LLVM 22, mlir/lib/AsmParser/Parser.cpp), so it is not used.
#ifndef PLANWRIGHT_DIALECTS_PLAN_IR_ANGLELIST_H
#define PLANWRIGHT_DIALECTS_PLAN_IR_ANGLELIST_H

#include "mlir/IR/OpImplementation.h"

namespace planwright::plan {

/// `<>` or `<part, part>`.
inline mlir::ParseResult parseAngleList(mlir::AsmParser &parser,
                                        llvm::function_ref<mlir::ParseResult()> parsePart) {
  if (parser.parseLess())
    return mlir::failure();
  if (succeeded(parser.parseOptionalGreater()))
    return mlir::success();
  return mlir::failure(parser.parseCommaSeparatedList(parsePart) || parser.parseGreater());
}

} // namespace planwright::plan

#endif // PLANWRIGHT_DIALECTS_PLAN_IR_ANGLELIST_H
