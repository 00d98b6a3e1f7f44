// Tensors from and to safetensors files. Errors are Status values of the runtime's file library.

#ifndef PLANWRIGHT_REFERENCE_TENSORFILE_H
#define PLANWRIGHT_REFERENCE_TENSORFILE_H

#include "planwright/Reference/Tensor.h"

#include "runtime/Data/Safetensors.h"

namespace planwright::reference {

/// The tensor of a view. Unsigned types are kept as signed ones of the same width.
Tensor fromView(const rt::TensorView &view);

/// A view of a tensor, valid while the tensor is.
rt::TensorView toView(llvm::StringRef name, const Tensor &tensor);

} // namespace planwright::reference

#endif // PLANWRIGHT_REFERENCE_TENSORFILE_H
