// The interface's definitions and the small operations on cotangents. Not here: rules.
#include "planwright/Interfaces/DifferentiableOpInterface.h"

#include "lib/Interfaces/Derivative/ScalarExpression.h"
#include "planwright/Interfaces/GenericBuilder.h"

using namespace mlir;

#include "lib/Interfaces/Derivative/DifferentiableOpInterface.cpp.inc"

namespace planwright {

GradientContext::~GradientContext() = default;

Cotangent makeCotangent(Value tensor) {
  int64_t rank = cast<RankedTensorType>(tensor.getType()).getRank();
  return {tensor, AffineMap::getMultiDimIdentityMap(rank, tensor.getContext())};
}

Cotangent convertCotangent(OpBuilder &builder, Location loc, Cotangent cotangent,
                           Type elementType) {
  RankedTensorType type = cotangent.getType();
  if (type.getElementType() == elementType)
    return cotangent;
  if (auto splat = dyn_cast_or_null<FloatAttr>(getSplat(cotangent.tensor))) {
    auto number = builder.getFloatAttr(elementType, splat.getValueAsDouble());
    cotangent.tensor = arith::ConstantOp::create(
        builder, loc, DenseElementsAttr::get(type.clone(elementType), number));
    return cotangent;
  }
  AffineMap identity = builder.getMultiDimIdentityMap(type.getRank());
  GenericBuilder generic(builder, loc, type.getShape());
  Scalar scalar(generic.getBody(), loc, generic.read(cotangent.tensor, identity));
  Value converted = scalar.convert(elementType).getValue();
  cotangent.tensor = generic.finishPointwise({{converted, identity}}).front();
  return cotangent;
}

} // namespace planwright
