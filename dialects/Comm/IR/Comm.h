// The comm dialect: collectives on named axes.
//
//   if (auto collective = dyn_cast<comm::CollectiveOpInterface>(op))
//     bytes += collective.getPayloadBytes();
//
// Not here: groups of ranks, algorithms, predicted times (they come with placement), streams.
#ifndef PLANWRIGHT_DIALECTS_COMM_IR_COMM_H
#define PLANWRIGHT_DIALECTS_COMM_IR_COMM_H

#include "dialects/Plan/IR/Plan.h" // for Combiner and the name of the axis in time

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace planwright::comm {

enum class CollectiveKind { AllReduce, AllGather, ReduceScatter, AllToAll };

/// The spec's word for a kind: "all_reduce", ...
llvm::StringRef stringifyCollectiveKind(CollectiveKind kind);

/// Bytes of static tensors, whole bytes an element.
int64_t getNumBytes(mlir::TypeRange tensors);

} // namespace planwright::comm

#include "dialects/Comm/IR/CommDialect.h.inc"
#include "dialects/Comm/IR/CommInterfaces.h.inc"
#define GET_OP_CLASSES
#include "dialects/Comm/IR/CommOps.h.inc"

#endif // PLANWRIGHT_DIALECTS_COMM_IR_COMM_H
