// Which operand of a linalg op picks iterations of a loop, as labels pick classes: in a body that
// asks whether a loop's index equals a value that the loop does not change.
//
//   if (std::optional<unsigned> operand = findPicker(op, loop)) ...
//
// Not here: tables that are looked up by index (ModelModels.cpp).
#ifndef PLANWRIGHT_LIB_INTERFACES_SHARDING_LOOPPICKS_H
#define PLANWRIGHT_LIB_INTERFACES_SHARDING_LOOPPICKS_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace planwright {

/// The first operand that the picked index is computed from; absent where the body picks none.
std::optional<unsigned> findPicker(mlir::linalg::LinalgOp op, unsigned loop);

} // namespace planwright

#endif // PLANWRIGHT_LIB_INTERFACES_SHARDING_LOOPPICKS_H
