// The derivative of linalg.contract: with C[c] = sum A[a] B[b], the gradient of A is the
// contraction of C's gradient with B, over the same loops, with the maps permuted. Narrow operands
// give an f32 result; the gradient is narrowed to the other operand's type first, as tensor cores
// want it.
#include "lib/Interfaces/Derivative/ContractGradient.h"

#include "planwright/Interfaces/GenericBuilder.h"

using namespace mlir;

namespace planwright {

/// Whether every loop is either in the result and one operand, or in both operands: what
/// linalg.contract can say.
static bool isContraction(AffineMap lhs, AffineMap rhs, AffineMap result) {
  for (unsigned loop = 0; loop < result.getNumDims(); ++loop) {
    bool inLhs = lhs.isFunctionOfDim(loop), inRhs = rhs.isFunctionOfDim(loop);
    if (result.isFunctionOfDim(loop) ? !inLhs && !inRhs : !inLhs || !inRhs)
      return false;
  }
  return true;
}

/// Type in which products of `type` are added up.
static Type getAccumulatorType(Type type) {
  return type.getIntOrFloatBitWidth() < 32 ? Float32Type::get(type.getContext()) : type;
}

static void buildOperandGradient(linalg::ContractOp op, unsigned side, Cotangent gradient,
                                 OpBuilder &builder, GradientContext &context) {
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  Value operand = op.getInputs()[side], other = op.getInputs()[1 - side];
  AffineMap gradientMap = gradient.map.compose(maps[2]);
  if (!isContraction(gradientMap, maps[1 - side], maps[side])) {
    gradient = makeCotangent(context.getCotangentTensor(op.getResult(0)));
    gradientMap = maps[2];
  }
  auto type = cast<RankedTensorType>(operand.getType());
  Type otherType = cast<RankedTensorType>(other.getType()).getElementType();
  gradient = convertCotangent(builder, op.getLoc(), gradient, otherType);
  Value zeros = createZeroFill(builder, op.getLoc(), type.getShape(),
                               getAccumulatorType(type.getElementType()));
  // The operands keep their order, so that the gradient reads like the contraction it comes from.
  SmallVector<Value> inputs = {context.getPrimal(other), context.getPrimal(other)};
  SmallVector<AffineMap> inputMaps = {maps[1 - side], maps[1 - side]};
  inputs[side] = gradient.tensor;
  inputMaps[side] = gradientMap;
  inputMaps.push_back(maps[side]);
  auto contraction = linalg::ContractOp::create(builder, op.getLoc(), zeros.getType(), inputs,
                                                zeros, builder.getAffineMapArrayAttr(inputMaps));
  context.add(operand, makeCotangent(contraction.getResult(0)));
}

LogicalResult buildContractGradients(linalg::ContractOp op, OpBuilder &builder,
                                     GradientContext &context) {
  Cotangent gradient = context.getCotangent(op.getResult(0));
  if (!gradient)
    return success();
  Value init = op.getOutputs().front();
  if (context.isActive(init))
    context.add(init, gradient);
  for (unsigned side : {0u, 1u})
    if (context.isActive(op.getInputs()[side]))
      buildOperandGradient(op, side, gradient, builder, context);
  return success();
}

} // namespace planwright
