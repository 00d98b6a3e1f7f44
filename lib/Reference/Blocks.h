// Copying boxes of elements between tensors, and cutting tensors into equal blocks. Internal to
// Reference.

#ifndef PLANWRIGHT_REFERENCE_BLOCKS_H
#define PLANWRIGHT_REFERENCE_BLOCKS_H

#include "Access.h"

#include "planwright/Reference/Tensor.h"

namespace planwright::reference {

/// The elements of a row-major tensor that a box touches, which starts at `offsets` and takes every
/// `steps`-th element.
Access getBox(llvm::ArrayRef<int64_t> shape, llvm::ArrayRef<int64_t> offsets,
              llvm::ArrayRef<int64_t> steps);

/// The box that is the whole tensor.
Access getWhole(llvm::ArrayRef<int64_t> shape);

/// Copies a box of `sizes` elements from one tensor to another of the same element type. Both
/// accesses must be in bounds.
void copyElements(const Tensor &from, const Access &fromAccess, Tensor &to, const Access &toAccess,
                  llvm::ArrayRef<int64_t> sizes);

/// Block `index` of `count` equal ones along `dim`.
Tensor cut(const Tensor &tensor, int64_t dim, int64_t index, int64_t count);

/// Equal blocks side by side along `dim`.
Tensor join(llvm::ArrayRef<Tensor> blocks, int64_t dim);

} // namespace planwright::reference

#endif // PLANWRIGHT_REFERENCE_BLOCKS_H
