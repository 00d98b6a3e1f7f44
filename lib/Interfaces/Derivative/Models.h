// Who attaches the derivative models, dialect by dialect. Private to this room: users call
// registerDerivativeModels.
#ifndef PLANWRIGHT_LIB_INTERFACES_DERIVATIVE_MODELS_H
#define PLANWRIGHT_LIB_INTERFACES_DERIVATIVE_MODELS_H

#include "mlir/IR/DialectRegistry.h"

namespace planwright {

void registerLinalgDerivatives(mlir::DialectRegistry &registry);
void registerTensorDerivatives(mlir::DialectRegistry &registry);
void registerModelDerivatives(mlir::DialectRegistry &registry);

} // namespace planwright

#endif // PLANWRIGHT_LIB_INTERFACES_DERIVATIVE_MODELS_H
