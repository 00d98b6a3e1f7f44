// What each family of operations does as a kernel, and what an operand is when it needs no memory.
// Not here: which family an operation belongs to (HostKernels.cpp).
#ifndef PLANWRIGHT_LIB_CODEGEN_HOST_FAMILIES_H
#define PLANWRIGHT_LIB_CODEGEN_HOST_FAMILIES_H

#include "NestEmitter.h"

#include "dialects/Model/IR/Model.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace planwright::codegen {

/// The value that all elements of `tensor` (or the scalar itself) are known to have, or null.
mlir::TypedAttr getUniformValue(mlir::Value tensor);

/// Nobody cares what the elements of `tensor` are.
bool isUninitialized(mlir::Value tensor);

/// Strides of a contiguous row-major tensor.
llvm::SmallVector<int64_t> getRowMajorStrides(llvm::ArrayRef<int64_t> shape);

// Each adds the operands and parts of its kernel to a draft, or emits an error on the operation.
mlir::FailureOr<KernelDraft> draftLinalg(mlir::linalg::LinalgOp op);
mlir::FailureOr<KernelDraft> draftExtractSlice(mlir::tensor::ExtractSliceOp op);
mlir::FailureOr<KernelDraft> draftInsertSlice(mlir::tensor::InsertSliceOp op);
mlir::FailureOr<KernelDraft> draftPad(mlir::tensor::PadOp op);
mlir::FailureOr<KernelDraft> draftConcat(mlir::tensor::ConcatOp op);
mlir::FailureOr<KernelDraft> draftLookup(model::LookupOp op);
mlir::FailureOr<KernelDraft> draftLookupGrad(model::LookupGradOp op);
mlir::FailureOr<KernelDraft> draftCumulativeSum(model::CumulativeSumOp op);
mlir::FailureOr<KernelDraft> draftTopK(model::TopKOp op);

} // namespace planwright::codegen

#endif // PLANWRIGHT_LIB_CODEGEN_HOST_FAMILIES_H
