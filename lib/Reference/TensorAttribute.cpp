// Tensors from constants and back.

#include "planwright/Reference/Tensor.h"

#include "Elements.h"

#include "mlir/IR/DialectResourceBlobManager.h"

#include <cstring>

using namespace mlir;

namespace planwright::reference {

/// Repeats the first element over the whole tensor.
static void spreadFirst(Tensor &tensor) {
  char *data = static_cast<char *>(tensor.getMutableData());
  int64_t size = getByteSize(tensor.getType());
  for (int64_t i = 1; i < tensor.getNumElements(); ++i)
    std::memcpy(data + i * size, data, size);
}

static FailureOr<Tensor> fromDense(DenseElementsAttr attribute, ElementType type) {
  Tensor result = Tensor::makeUninitialized(type, attribute.getType().getShape());
  char *to = static_cast<char *>(result.getDataToOverwrite());
  if (result.getNumElements() == 0)
    return result;
  if (type == ElementType::I1) { // Bits, which may be packed in the attribute.
    for (auto [i, bit] : llvm::enumerate(attribute.getValues<bool>()))
      to[i] = bit;
    return result;
  }
  ArrayRef<char> raw = attribute.getRawData();
  int64_t expected = attribute.isSplat() ? getByteSize(type) : result.getNumBytes();
  if (static_cast<int64_t>(raw.size()) != expected)
    return failure();
  std::memcpy(to, raw.data(), raw.size());
  if (attribute.isSplat())
    spreadFirst(result);
  return result;
}

static FailureOr<Tensor> fromResource(DenseResourceElementsAttr attribute, ElementType type) {
  AsmResourceBlob *blob = attribute.getRawHandle().getBlob();
  Tensor result = Tensor::makeUninitialized(type, attribute.getType().getShape());
  if (!blob || type == ElementType::I1 ||
      static_cast<int64_t>(blob->getData().size()) != result.getNumBytes())
    return failure();
  std::memcpy(result.getDataToOverwrite(), blob->getData().data(), result.getNumBytes());
  return result;
}

FailureOr<Tensor> Tensor::fromAttribute(Attribute attribute) {
  auto typed = dyn_cast<TypedAttr>(attribute);
  if (!typed)
    return failure();
  std::optional<ElementType> type =
      reference::getElementType(getElementTypeOrSelf(typed.getType()));
  if (!type)
    return failure();
  if (auto dense = dyn_cast<DenseElementsAttr>(attribute))
    return fromDense(dense, *type);
  if (auto resource = dyn_cast<DenseResourceElementsAttr>(attribute))
    return fromResource(resource, *type);
  if (auto integer = dyn_cast<IntegerAttr>(attribute)) {
    APInt value = integer.getValue();
    return makeScalar(*type == ElementType::I1 ? int64_t(value.getZExtValue())
                                               : value.getSExtValue())
        .convert(*type);
  }
  if (auto number = dyn_cast<FloatAttr>(attribute))
    return makeScalar(number.getValueAsDouble()).convert(*type);
  return failure();
}

FailureOr<DenseElementsAttr> Tensor::toAttribute(ShapedType shapedType) const {
  if (shapedType.getShape() != getShape() ||
      reference::getElementType(shapedType.getElementType()) != type)
    return failure();
  if (type == ElementType::I1) {
    SmallVector<bool> bits(get<uint8_t>());
    return DenseElementsAttr::get(shapedType, bits);
  }
  return DenseElementsAttr::getFromRawBuffer(
      shapedType, {static_cast<const char *>(getData()), size_t(getNumBytes())});
}

} // namespace planwright::reference
