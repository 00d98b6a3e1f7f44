// How a reduction folds its scalars into the accumulators. Not here: gradients.
#ifndef PLANWRIGHT_LIB_INTERFACES_DERIVATIVE_COMBINER_H
#define PLANWRIGHT_LIB_INTERFACES_DERIVATIVE_COMBINER_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace planwright {

/// How a reduction folds a scalar of its body into an accumulator.
struct Combiner {
  enum class Kind { sum, extremum, choice, unknown };
  Kind kind = Kind::unknown;
  mlir::Value
      scalar; // what is folded in; for a choice, the candidate that may replace the accumulator
};

/// The combiner of result `index` of a reduction.
Combiner matchCombiner(mlir::linalg::GenericOp op, unsigned index);

} // namespace planwright

#endif // PLANWRIGHT_LIB_INTERFACES_DERIVATIVE_COMBINER_H
