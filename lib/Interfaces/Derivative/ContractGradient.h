// The derivative of linalg.contract. Not here: other operations.
#ifndef PLANWRIGHT_LIB_INTERFACES_DERIVATIVE_CONTRACTGRADIENT_H
#define PLANWRIGHT_LIB_INTERFACES_DERIVATIVE_CONTRACTGRADIENT_H

#include "planwright/Interfaces/DifferentiableOpInterface.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace planwright {

/// Builds the gradients of the operands of `op`: two contractions over the same loops.
mlir::LogicalResult buildContractGradients(mlir::linalg::ContractOp op, mlir::OpBuilder &builder,
                                           GradientContext &context);

} // namespace planwright

#endif // PLANWRIGHT_LIB_INTERFACES_DERIVATIVE_CONTRACTGRADIENT_H
