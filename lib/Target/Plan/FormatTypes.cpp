// Tables from the compiler's words to those of program.fbs.
#include "FormatTypes.h"

#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace planwright;
namespace fb = planwright::rt::fb;

std::optional<fb::ElementType> planwright::toFormat(Type elementType) {
  if (auto integer = dyn_cast<IntegerType>(elementType))
    switch (integer.getWidth()) {
    case 1:
      return fb::ElementType::i1;
    case 8:
      return fb::ElementType::i8;
    case 16:
      return fb::ElementType::i16;
    case 32:
      return fb::ElementType::i32;
    case 64:
      return fb::ElementType::i64;
    default:
      return std::nullopt;
    }
  if (elementType.isF16())
    return fb::ElementType::f16;
  if (elementType.isBF16())
    return fb::ElementType::bf16;
  if (elementType.isF32())
    return fb::ElementType::f32;
  if (elementType.isF64())
    return fb::ElementType::f64;
  return std::nullopt;
}

std::optional<fb::BufferKind> planwright::toFormat(exec::BufferKind kind) {
  switch (kind) {
  case exec::BufferKind::parameter:
    return fb::BufferKind::parameter;
  case exec::BufferKind::constant:
    return fb::BufferKind::constant;
  case exec::BufferKind::input:
    return fb::BufferKind::input;
  case exec::BufferKind::gradient:
    return fb::BufferKind::gradient;
  case exec::BufferKind::state:
    return fb::BufferKind::state;
  case exec::BufferKind::loss:
    return fb::BufferKind::loss;
  case exec::BufferKind::scalar:
    return fb::BufferKind::scalar;
  case exec::BufferKind::literal:
    return fb::BufferKind::literal;
  case exec::BufferKind::prologue:
  case exec::BufferKind::residual:
  case exec::BufferKind::temporary:
  case exec::BufferKind::bucket:
    return std::nullopt;
  }
  llvm_unreachable("every kind of buffer is known");
}

fb::TaskKind planwright::toFormat(exec::TaskKind kind) {
  switch (kind) {
  case exec::TaskKind::prologue:
    return fb::TaskKind::prologue;
  case exec::TaskKind::forward:
    return fb::TaskKind::forward;
  case exec::TaskKind::backward:
    return fb::TaskKind::backward;
  case exec::TaskKind::reduce:
    return fb::TaskKind::reduce;
  case exec::TaskKind::update:
    return fb::TaskKind::update;
  case exec::TaskKind::zero:
    return fb::TaskKind::zero;
  case exec::TaskKind::safe_point:
    return fb::TaskKind::safe_point;
  }
  llvm_unreachable("every kind of task is known");
}

fb::Reduction planwright::toFormat(exec::Reduction reduction) {
  switch (reduction) {
  case exec::Reduction::sum:
    return fb::Reduction::sum;
  case exec::Reduction::max:
    return fb::Reduction::max;
  case exec::Reduction::min:
    return fb::Reduction::min;
  }
  llvm_unreachable("every reduction is known");
}

std::vector<uint8_t> planwright::getLiteralBytes(DenseElementsAttr data) {
  std::vector<uint8_t> bytes;
  if (data.getElementType().isInteger(1)) {
    for (bool value : data.getValues<bool>())
      bytes.push_back(value);
    return bytes;
  }
  ArrayRef<char> raw = data.getRawData();
  int64_t times = data.isSplat() ? data.getNumElements() : 1;
  bytes.reserve(raw.size() * times);
  for (int64_t i = 0; i < times; ++i)
    bytes.insert(bytes.end(), raw.begin(), raw.end());
  return bytes;
}
