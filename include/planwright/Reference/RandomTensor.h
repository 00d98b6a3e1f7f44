// Counter-based random tensors: an element depends on the seed's text and its index, on nothing else.

#ifndef PLANWRIGHT_REFERENCE_RANDOMTENSOR_H
#define PLANWRIGHT_REFERENCE_RANDOMTENSOR_H

#include "planwright/Reference/Tensor.h"

namespace planwright::reference {

/// Uniform in [low, high); integers are rounded down.
Tensor makeRandomTensor(ElementType type, llvm::ArrayRef<int64_t> shape, llvm::StringRef seed,
                        double low, double high);

} // namespace planwright::reference

#endif // PLANWRIGHT_REFERENCE_RANDOMTENSOR_H
