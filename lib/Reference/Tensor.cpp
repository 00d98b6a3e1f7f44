// The tensor class: memory, sharing, conversion. Attributes are TensorAttribute.cpp's.

#include "planwright/Reference/Tensor.h"

#include "Elements.h"

#include "llvm/ADT/STLExtras.h"

#include <cstdlib>
#include <cstring>
#include <numeric>

using namespace mlir;

namespace planwright::reference {

namespace {

struct TypeRow {
  llvm::StringLiteral name;
  int64_t bytes;
};

constexpr TypeRow typeTable[] = {{"i1", 1},  {"i8", 1},   {"i16", 2}, {"i32", 4}, {"i64", 8},
                                 {"f16", 2}, {"bf16", 2}, {"f32", 4}, {"f64", 8}};

} // namespace

int64_t getByteSize(ElementType type) { return typeTable[static_cast<size_t>(type)].bytes; }

StringRef getName(ElementType type) { return typeTable[static_cast<size_t>(type)].name; }

std::optional<ElementType> getElementType(Type type) {
  if (type.isIndex())
    return ElementType::I64;
  if (type.isF16())
    return ElementType::F16;
  if (type.isBF16())
    return ElementType::BF16;
  if (type.isF32())
    return ElementType::F32;
  if (type.isF64())
    return ElementType::F64;
  for (auto [width, result] : {std::pair(1u, ElementType::I1), std::pair(8u, ElementType::I8),
                               std::pair(16u, ElementType::I16), std::pair(32u, ElementType::I32),
                               std::pair(64u, ElementType::I64)})
    if (type.isInteger(width))
      return result;
  return std::nullopt;
}

static std::shared_ptr<void> makeMemory(int64_t bytes) {
  // Zeroed by the system where it is large: pages that are never touched cost nothing.
  return {std::calloc(std::max<int64_t>(bytes, 1), 1), &std::free};
}

Tensor::Tensor(ElementType type, ArrayRef<int64_t> shape) : Tensor(makeUninitialized(type, shape)) {
  data = makeMemory(getNumBytes());
}

Tensor Tensor::makeUninitialized(ElementType type, ArrayRef<int64_t> shape) {
  Tensor result;
  result.type = type;
  result.shape.assign(shape.begin(), shape.end());
  result.numElements = std::accumulate(shape.begin(), shape.end(), int64_t(1), std::multiplies<>());
  result.valid = true;
  return result;
}

Tensor Tensor::makeScalar(double value) {
  Tensor result(ElementType::F64, {});
  result.getMutable<double>()[0] = value;
  return result;
}

Tensor Tensor::makeScalar(int64_t value) {
  Tensor result(ElementType::I64, {});
  result.getMutable<int64_t>()[0] = value;
  return result;
}

const void *Tensor::getData() const {
  if (isUninitialized()) {
    data = makeMemory(getNumBytes());
    // All ones are a NaN in every float format.
    std::memset(data.get(), type == ElementType::I1 ? 1 : 0xff, getNumBytes());
  }
  return data.get();
}

void *Tensor::getMutableData() {
  getData();
  if (data.use_count() > 1) {
    std::shared_ptr<void> copy = makeMemory(getNumBytes());
    std::memcpy(copy.get(), data.get(), getNumBytes());
    data = std::move(copy);
  }
  return data.get();
}

void *Tensor::getDataToOverwrite() {
  if (!data || data.use_count() > 1)
    data = makeMemory(getNumBytes());
  return data.get();
}

double Tensor::getAsDouble(int64_t index) const {
  double result;
  getLoadRun(type, Lane::F64)(getData(), index, 1, 1, &result);
  return result;
}

int64_t Tensor::getAsInteger(int64_t index) const {
  int64_t result;
  getLoadRun(type, Lane::I64)(getData(), index, 1, 1, &result);
  return result;
}

Tensor Tensor::reshape(ArrayRef<int64_t> newShape) const {
  Tensor result = *this;
  result.shape.assign(newShape.begin(), newShape.end());
  return result;
}

Tensor Tensor::convert(ElementType newType) const {
  if (newType == type)
    return *this;
  Tensor result = makeUninitialized(newType, shape);
  Lane lane = getLane(newType);
  LoadRun load = getLoadRun(type, lane);
  StoreRun store = getStoreRun(newType, lane);
  constexpr int64_t chunk = 1024;
  alignas(64) char lanes[chunk * 8];
  const void *from = getData();
  void *to = result.getDataToOverwrite();
  for (int64_t i = 0; i < numElements; i += chunk) {
    int64_t count = std::min(chunk, numElements - i);
    load(from, i, 1, count, lanes);
    store(lanes, to, i, 1, count);
  }
  return result;
}

std::string describe(const Tensor &tensor) {
  if (tensor.isNull())
    return "missing tensor";
  std::string result = "tensor<";
  for (int64_t size : tensor.getShape())
    result += std::to_string(size) + "x";
  return result + getName(tensor.getType()).str() + ">";
}

SmallVector<int64_t> getRowMajorStrides(ArrayRef<int64_t> shape) {
  SmallVector<int64_t> strides(shape.size(), 1);
  for (size_t d = shape.size(); d-- > 1;)
    strides[d - 1] = strides[d] * shape[d];
  return strides;
}

} // namespace planwright::reference
