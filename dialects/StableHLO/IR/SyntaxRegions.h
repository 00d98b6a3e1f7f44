// Parsers of the operations whose pretty syntax needs more than a row of the table. Internal to
// this folder.
#ifndef PLANWRIGHT_DIALECTS_STABLEHLO_IR_SYNTAXREGIONS_H
#define PLANWRIGHT_DIALECTS_STABLEHLO_IR_SYNTAXREGIONS_H

#include "mlir/IR/OpImplementation.h"

namespace planwright::stablehlo {

mlir::ParseResult parseReduce(mlir::OpAsmParser &parser, mlir::OperationState &result);
mlir::ParseResult parseWhile(mlir::OpAsmParser &parser, mlir::OperationState &result);
mlir::ParseResult parseConvolution(mlir::OpAsmParser &parser, mlir::OperationState &result);

} // namespace planwright::stablehlo

#endif // PLANWRIGHT_DIALECTS_STABLEHLO_IR_SYNTAXREGIONS_H
