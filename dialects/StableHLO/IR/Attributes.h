// What the parsers of operations share with the parsers of attributes. Internal to this dialect.
#ifndef PLANWRIGHT_DIALECTS_STABLEHLO_IR_ATTRIBUTES_H
#define PLANWRIGHT_DIALECTS_STABLEHLO_IR_ATTRIBUTES_H

#include "dialects/StableHLO/IR/StableHLO.h"

namespace planwright::stablehlo {

/// Parses `[b, 0, f]x[0, i, o]->[b, 0, f]`. Null after an error.
ConvDimensionNumbersAttr parseConvDimensionNumbers(mlir::AsmParser &parser);

} // namespace planwright::stablehlo

#endif // PLANWRIGHT_DIALECTS_STABLEHLO_IR_ATTRIBUTES_H
