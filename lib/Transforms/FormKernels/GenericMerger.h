// Two linalg.generic as one: a producer inside its consumer, or two that walk the same iteration
// space side by side. Not here: whether that is a good idea (FusionRules.h).
#ifndef PLANWRIGHT_LIB_TRANSFORMS_FORMKERNELS_GENERICMERGER_H
#define PLANWRIGHT_LIB_TRANSFORMS_FORMKERNELS_GENERICMERGER_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/PatternMatch.h"

namespace planwright::kernels {

/// Where the loops of `producer` are in the loops of `consumer`, which reads it through `operand`:
/// a map from the consumer's loops to the producer's. Null where a map is no permutation.
mlir::AffineMap getLoopMap(mlir::linalg::GenericOp producer, mlir::OpOperand &operand);

/// Replaces `consumer` by an operation that computes `producer` inside; it must read all its
/// results of the producer through `loopMap`. With `keepResults` it returns the producer's results
/// as well, in place of them.
mlir::linalg::GenericOp fuseProducer(mlir::RewriterBase &rewriter, mlir::linalg::GenericOp producer,
                                     mlir::linalg::GenericOp consumer, mlir::AffineMap loopMap,
                                     bool keepResults);

/// Replaces two operations with equal loop ranges by one, at the place of `second`, or of `first`
/// with `atFirst`.
mlir::linalg::GenericOp mergeSiblings(mlir::RewriterBase &rewriter, mlir::linalg::GenericOp first,
                                      mlir::linalg::GenericOp second, bool atFirst);

} // namespace planwright::kernels

#endif // PLANWRIGHT_LIB_TRANSFORMS_FORMKERNELS_GENERICMERGER_H
