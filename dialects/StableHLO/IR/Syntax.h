// The pretty syntax of operations, as a table from name to parser. Internal to this folder.
#ifndef PLANWRIGHT_DIALECTS_STABLEHLO_IR_SYNTAX_H
#define PLANWRIGHT_DIALECTS_STABLEHLO_IR_SYNTAX_H

#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpImplementation.h"

namespace planwright::stablehlo {

using SyntaxFn = mlir::ParseResult (*)(mlir::OpAsmParser &, mlir::OperationState &);

/// The parser of operation `name` ("stablehlo.slice"), or nothing where it is only read in generic
/// form.
std::optional<mlir::Dialect::ParseOpHook> lookUpSyntax(llvm::StringRef name);

/// `%a, %b {attributes} : types`, where types are one for all (`t`), one for each operand and then
/// the results
/// (`t, t -> t`), or a function type (`(t, t) -> t`).
mlir::ParseResult parseOperandsAndTypes(mlir::OpAsmParser &parser, mlir::OperationState &result);

/// `dense<...> : t`.
mlir::ParseResult parseConstant(mlir::OpAsmParser &parser, mlir::OperationState &result);

/// `(%a, k = 2) {attributes} : types`.
mlir::ParseResult parseTopK(mlir::OpAsmParser &parser, mlir::OperationState &result);

} // namespace planwright::stablehlo

#endif // PLANWRIGHT_DIALECTS_STABLEHLO_IR_SYNTAX_H
