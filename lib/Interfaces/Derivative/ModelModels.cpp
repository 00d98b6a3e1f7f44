// Derivatives of the model dialect's operations.
// Not here: linalg (GenericGradient.cpp), moving elements (TensorModels.cpp).
#include "dialects/Model/IR/Model.h"
#include "lib/Interfaces/Derivative/Models.h"
#include "lib/Interfaces/Derivative/ScalarExpression.h"
#include "planwright/Interfaces/DifferentiableOpInterface.h"
#include "planwright/Interfaces/GenericBuilder.h"

using namespace mlir;

namespace planwright {

namespace {

template <typename Model, typename Op>
using Base = DifferentiableOpInterface::ExternalModel<Model, Op>;

/// Rows that were read get their gradients added up.
struct LookupModel : Base<LookupModel, model::LookupOp> {
  LogicalResult buildOperandGradients(Operation *op, OpBuilder &builder,
                                      GradientContext &context) const {
    auto lookup = cast<model::LookupOp>(op);
    Value gradient = context.getCotangentTensor(lookup.getResult());
    if (!gradient)
      return success();
    // Many rows may be added into one: in f32, as every gradient of a parameter.
    Type elementType = context.getGradientElementType(lookup.getTable());
    gradient = convertCotangent(builder, op->getLoc(), makeCotangent(gradient), elementType).tensor;
    Type type = lookup.getTable().getType().clone(elementType);
    Value indices = context.getPrimal(lookup.getIndices());
    context.add(lookup.getTable(),
                makeCotangent(model::LookupGradOp::create(builder, op->getLoc(), type, gradient,
                                                          indices, lookup.getMasked())));
    return success();
  }
};

struct LookupGradModel : Base<LookupGradModel, model::LookupGradOp> {
  LogicalResult buildOperandGradients(Operation *op, OpBuilder &builder,
                                      GradientContext &context) const {
    auto lookup = cast<model::LookupGradOp>(op);
    if (Value gradient = context.getCotangentTensor(lookup.getResult()))
      context.add(lookup.getGradient(),
                  makeCotangent(model::LookupOp::create(
                      builder, op->getLoc(), lookup.getGradient().getType(), gradient,
                      context.getPrimal(lookup.getIndices()), lookup.getMasked())));
    return success();
  }
};

struct CumulativeSumModel : Base<CumulativeSumModel, model::CumulativeSumOp> {
  LogicalResult buildOperandGradients(Operation *op, OpBuilder &builder,
                                      GradientContext &context) const {
    auto sum = cast<model::CumulativeSumOp>(op);
    if (Value gradient = context.getCotangentTensor(sum.getResult()))
      context.add(sum.getInput(), makeCotangent(model::CumulativeSumOp::create(
                                      builder, op->getLoc(), gradient.getType(), gradient,
                                      sum.getDim(), !sum.getReverse())));
    return success();
  }
};

/// The element that became value `k` gets the gradient of value `k`: dx[.., n] = sum over k with
/// index[.., k] == n.
struct TopKModel : Base<TopKModel, model::TopKOp> {
  LogicalResult buildOperandGradients(Operation *op, OpBuilder &builder,
                                      GradientContext &context) const {
    auto top = cast<model::TopKOp>(op);
    Cotangent gradient = context.getCotangent(top.getValues());
    if (!gradient)
      return success();
    Location loc = op->getLoc();
    auto type = cast<RankedTensorType>(top.getInput().getType());
    unsigned rank = type.getRank();
    SmallVector<int64_t> loopSizes(type.getShape());
    loopSizes.push_back(cast<RankedTensorType>(top.getValues().getType()).getShape().back());
    AffineMap inputMap =
        AffineMap::getMultiDimIdentityMap(rank + 1, op->getContext()).dropResult(rank);
    AffineMap valueMap =
        AffineMap::getMultiDimIdentityMap(rank + 1, op->getContext()).dropResult(rank - 1);

    GenericBuilder generic(builder, loc, loopSizes);
    OpBuilder &body = generic.getBody();
    Value index = generic.read(context.getPrimal(top.getIndices()), valueMap);
    Value position = linalg::IndexOp::create(body, loc, rank - 1);
    if (index.getType() != position.getType())
      position = arith::IndexCastOp::create(body, loc, index.getType(), position);
    Scalar isChosen(body, loc,
                    arith::CmpIOp::create(body, loc, arith::CmpIPredicate::eq, index, position));
    Scalar g(body, loc, generic.read(gradient.tensor, gradient.map.compose(valueMap)));
    // At most one k is chosen for each n, so the sum is exact in any type.
    Scalar element = select(isChosen, g.convert(type.getElementType()),
                            g.convert(type.getElementType()).constant(0));
    context.add(top.getInput(), makeCotangent(generic.finishSum({element.getValue(), inputMap})));
    return success();
  }
};

} // namespace

void registerModelDerivatives(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, model::ModelDialect *) {
    model::LookupOp::attachInterface<LookupModel>(*context);
    model::LookupGradOp::attachInterface<LookupGradModel>(*context);
    model::CumulativeSumOp::attachInterface<CumulativeSumModel>(*context);
    model::TopKOp::attachInterface<TopKModel>(*context);
  });
}

} // namespace planwright
