// The whole stablehlo dialect; each part has its own file. CHLO is a language of its own: Chlo.td.

#ifndef PLANWRIGHT_DIALECTS_STABLEHLO_IR_STABLEHLO_TD
#define PLANWRIGHT_DIALECTS_STABLEHLO_IR_STABLEHLO_TD

include "dialects/StableHLO/IR/StableHLOAttrs.td"
include "dialects/StableHLO/IR/StableHLOBase.td"

include "dialects/StableHLO/IR/CollectiveOps.td"
include "dialects/StableHLO/IR/ContractionOps.td"
include "dialects/StableHLO/IR/ElementwiseOps.td"
include "dialects/StableHLO/IR/IndexOps.td"
include "dialects/StableHLO/IR/OtherOps.td"
include "dialects/StableHLO/IR/RegionOps.td"
include "dialects/StableHLO/IR/ShapeOps.td"

#endif // PLANWRIGHT_DIALECTS_STABLEHLO_IR_STABLEHLO_TD
