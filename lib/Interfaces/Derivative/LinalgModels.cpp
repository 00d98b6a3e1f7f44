// Attaches the derivatives of linalg operations, and registers those of all dialects.
// Not here: the derivatives themselves (GenericGradient.cpp, ContractGradient.cpp).
#include "lib/Interfaces/Derivative/ContractGradient.h"
#include "lib/Interfaces/Derivative/GenericGradient.h"
#include "lib/Interfaces/Derivative/Models.h"

using namespace mlir;

namespace planwright {

namespace {

struct GenericModel : DifferentiableOpInterface::ExternalModel<GenericModel, linalg::GenericOp> {
  LogicalResult buildOperandGradients(Operation *op, OpBuilder &builder,
                                      GradientContext &context) const {
    return buildGenericGradients(cast<linalg::GenericOp>(op), builder, context);
  }
};

struct ContractModel : DifferentiableOpInterface::ExternalModel<ContractModel, linalg::ContractOp> {
  LogicalResult buildOperandGradients(Operation *op, OpBuilder &builder,
                                      GradientContext &context) const {
    return buildContractGradients(cast<linalg::ContractOp>(op), builder, context);
  }
};

} // namespace

void registerLinalgDerivatives(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, linalg::LinalgDialect *) {
    linalg::GenericOp::attachInterface<GenericModel>(*context);
    linalg::ContractOp::attachInterface<ContractModel>(*context);
  });
}

void registerDerivativeModels(DialectRegistry &registry) {
  registerLinalgDerivatives(registry);
  registerTensorDerivatives(registry);
  registerModelDerivatives(registry);
}

} // namespace planwright
