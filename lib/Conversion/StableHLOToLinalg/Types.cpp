// The type converters of the conversion, and what they insert where old and new types meet.
#include "Types.h"

#include "Build.h"

using namespace mlir;

namespace planwright {

Type getSignlessType(Type elementType) {
  if (auto integer = dyn_cast<IntegerType>(elementType))
    return IntegerType::get(elementType.getContext(), integer.getWidth());
  return isa<FloatType>(elementType) ? elementType : Type();
}

static RankedTensorType convertTensor(RankedTensorType type, bool squeeze) {
  Type element = getSignlessType(type.getElementType());
  if (!element || !type.hasStaticShape())
    return {};
  SmallVector<int64_t> shape;
  for (int64_t size : type.getShape())
    if (!squeeze || size != 1)
      shape.push_back(size);
  return RankedTensorType::get(shape, element);
}

/// Both ways a value that differs only by dimensions of size one is reshaped. A change of sign is
/// only a change of name and left to the driver, which leaves no trace of it once nothing uses the
/// old type.
static Value reshapeOrNull(OpBuilder &builder, RankedTensorType type, ValueRange inputs,
                           Location loc) {
  if (inputs.size() != 1)
    return {};
  auto from = dyn_cast<RankedTensorType>(inputs[0].getType());
  if (!from || from.getElementType() != type.getElementType())
    return {};
  return buildReshape(builder, loc, inputs[0], type.getShape());
}

SqueezingTypeConverter::SqueezingTypeConverter() {
  addConversion([](Type type) { return type; });
  addConversion([](RankedTensorType type) -> std::optional<Type> {
    return convertTensor(type, /*squeeze=*/true);
  });
  addTargetMaterialization(reshapeOrNull);
  addSourceMaterialization(reshapeOrNull);
}

SignlessTypeConverter::SignlessTypeConverter() {
  addConversion([](Type type) { return type; });
  addConversion([](RankedTensorType type) -> std::optional<Type> {
    // What has no arithmetic stays as it is, to be reported by whoever computes on it.
    RankedTensorType converted = convertTensor(type, /*squeeze=*/false);
    return converted ? converted : type;
  });
  addTargetMaterialization(reshapeOrNull);
  addSourceMaterialization(reshapeOrNull);
}

SqueezedDims::SqueezedDims(ArrayRef<int64_t> shape) {
  int64_t next = 0;
  for (int64_t size : shape)
    dims.push_back(size == 1 ? std::nullopt : std::optional(next++));
}

SqueezedDims::SqueezedDims(Value value) : SqueezedDims(getShape(value)) {}

ArrayRef<int64_t> getShape(Value value) { return getTensorType(value).getShape(); }

RankedTensorType getTensorType(Value value) { return cast<RankedTensorType>(value.getType()); }

} // namespace planwright
