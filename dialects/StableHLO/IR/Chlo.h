// The chlo dialect: what JAX prints beside StableHLO.
// Not here: stablehlo itself (StableHLO.h), whose traits are shared.
#ifndef PLANWRIGHT_DIALECTS_STABLEHLO_IR_CHLO_H
#define PLANWRIGHT_DIALECTS_STABLEHLO_IR_CHLO_H

#include "dialects/StableHLO/IR/StableHLO.h"

#include "dialects/StableHLO/IR/ChloDialect.h.inc"
#define GET_OP_CLASSES
#include "dialects/StableHLO/IR/ChloOps.h.inc"

#endif // PLANWRIGHT_DIALECTS_STABLEHLO_IR_CHLO_H
