// The cluster dialect: what a job runs on, as numbers with units in their names.
//
//   for (auto level : clusterOp.getOps<cluster::LevelOp>())
//     total = level.getDevices();          // levels are innermost first
//
// Not here: reading cluster files (lib/Frontend/ClusterYaml), paths and placement (lib/Topology).
#ifndef PLANWRIGHT_DIALECTS_CLUSTER_IR_CLUSTER_H
#define PLANWRIGHT_DIALECTS_CLUSTER_IR_CLUSTER_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/RegionKindInterface.h"
#include "mlir/IR/SymbolTable.h"

#include "dialects/Cluster/IR/ClusterDialect.h.inc"
#include "dialects/Cluster/IR/ClusterEnums.h.inc"
#define GET_OP_CLASSES
#include "dialects/Cluster/IR/ClusterOps.h.inc"

#endif // PLANWRIGHT_DIALECTS_CLUSTER_IR_CLUSTER_H
