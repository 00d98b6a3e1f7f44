// Tensors from and to safetensors views.

#include "planwright/Reference/TensorFile.h"

#include <cstring>

using namespace mlir;

namespace planwright::reference {

static ElementType fromDType(rt::DType type) {
  // In the order of rt::DType.
  static constexpr ElementType table[] = {
      ElementType::I1,   ElementType::I8,  ElementType::I8,  ElementType::I16, ElementType::I16,
      ElementType::I32,  ElementType::I32, ElementType::I64, ElementType::I64, ElementType::F16,
      ElementType::BF16, ElementType::F32, ElementType::F64};
  return table[static_cast<size_t>(type)];
}

static rt::DType toDType(ElementType type) {
  // In the order of ElementType.
  static constexpr rt::DType table[] = {rt::DType::Bool, rt::DType::I8,  rt::DType::I16,
                                        rt::DType::I32,  rt::DType::I64, rt::DType::F16,
                                        rt::DType::BF16, rt::DType::F32, rt::DType::F64};
  return table[static_cast<size_t>(type)];
}

Tensor fromView(const rt::TensorView &view) {
  Tensor result = Tensor::makeUninitialized(fromDType(view.dtype), view.shape);
  if (!view.bytes.empty())
    std::memcpy(result.getDataToOverwrite(), view.bytes.data(), view.bytes.size());
  return result;
}

rt::TensorView toView(StringRef name, const Tensor &tensor) {
  return {name.str(),
          toDType(tensor.getType()),
          {tensor.getShape().begin(), tensor.getShape().end()},
          std::span(static_cast<const std::byte *>(tensor.getData()), tensor.getNumBytes())};
}

} // namespace planwright::reference
