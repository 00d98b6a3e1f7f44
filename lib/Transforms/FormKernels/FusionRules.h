// When fusing pays. Numbers and predicates about linalg.generic; nothing is changed here.
#ifndef PLANWRIGHT_LIB_TRANSFORMS_FORMKERNELS_FUSIONRULES_H
#define PLANWRIGHT_LIB_TRANSFORMS_FORMKERNELS_FUSIONRULES_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace planwright::kernels {

enum class Fusion {
  none,
  compute, ///< inside the consumer; other users keep the producer
  keep,    ///< inside the consumer, which returns the producer's results for the other users
};

/// All loops parallel, nothing read from the outputs, every result once for each iteration.
bool isPointwise(mlir::linalg::GenericOp op);

/// What to do with the producer of `operand`, an input of a linalg.generic. `loopMap` as from
/// getLoopMap.
Fusion chooseFusion(mlir::OpOperand &operand, mlir::AffineMap loopMap);

/// Two operations that should be one because they read the same tensor the same way. `atFirst` says
/// where it must stand.
bool shouldMerge(mlir::linalg::GenericOp first, mlir::linalg::GenericOp second, bool &atFirst);

/// The number of iterations, of all loops or of the parallel ones.
int64_t countIterations(mlir::linalg::GenericOp op);
int64_t countParallelIterations(mlir::linalg::GenericOp op);

/// So few parallel iterations for so many elements that one thread would do the work of all.
bool lacksParallelism(mlir::linalg::GenericOp op);

} // namespace planwright::kernels

#endif // PLANWRIGHT_LIB_TRANSFORMS_FORMKERNELS_FUSIONRULES_H
