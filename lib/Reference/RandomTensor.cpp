// Random tensors from a hash of (seed, index).

#include "planwright/Reference/RandomTensor.h"

#include "llvm/Support/xxhash.h"

#include <cmath>

using namespace mlir;

namespace planwright::reference {

/// The finaliser of SplitMix64: every bit of the input changes half the bits of the result.
static uint64_t mix(uint64_t x) {
  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9;
  x = (x ^ x >> 27) * 0x94d049bb133111eb;
  return x ^ x >> 31;
}

Tensor makeRandomTensor(ElementType type, ArrayRef<int64_t> shape, StringRef seed, double low,
                        double high) {
  Tensor result = Tensor::makeUninitialized(ElementType::F64, shape);
  result.getDataToOverwrite();
  uint64_t base = llvm::xxh3_64bits(seed);
  for (auto [i, element] : llvm::enumerate(result.getMutable<double>())) {
    double unit = static_cast<double>(mix(base + (i + 1) * 0x9e3779b97f4a7c15) >> 11) * 0x1p-53;
    element = low + unit * (high - low);
    if (!isFloat(type))
      element = std::floor(element);
  }
  return result.convert(type);
}

} // namespace planwright::reference
