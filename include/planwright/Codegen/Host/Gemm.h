// Contractions as calls of a matrix product: C[m, n] (+)= sum over k of A[m, k] * B[k, n], inside
// loops.
//
//   codegen::GemmRefusal refusal;
//   FailureOr<codegen::GemmDescriptor> gemm = codegen::describeGemm(contract, &refusal);
//   if (failed(gemm) && refusal.transpose) ... copy that operand into the given order, then ask
//   again ... else if (failed(gemm)) ... kernels.add(contract) ...
//
// Fields are those of table Gemm in runtime/Format/program.fbs. All operands are contiguous and
// row-major. Not here: code for contractions that no BLAS does (HostKernels.h).
#ifndef PLANWRIGHT_CODEGEN_HOST_GEMM_H
#define PLANWRIGHT_CODEGEN_HOST_GEMM_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"

#include <optional>
#include <string>

namespace planwright::codegen {

/// One loop around the product; strides in elements. `cStride` 0 is a reduction: iterations after
/// the first accumulate.
struct GemmLoop {
  int64_t extent = 1;
  int64_t aStride = 0;
  int64_t bStride = 0;
  int64_t cStride = 0;
};

struct GemmDescriptor {
  mlir::Type elementType; ///< f32 or f64
  mlir::Value a, b;       ///< the contraction's inputs, in its order
  int64_t m = 1, n = 1, k = 1;
  int64_t aMStride = 0, aKStride = 0; ///< in elements; in each matrix one of the two is 1
  int64_t bKStride = 0, bNStride = 0;
  int64_t cMStride = 0, cNStride = 0;
  llvm::SmallVector<GemmLoop> loops; ///< outermost first; reduction loops innermost
  bool accumulate = false;           ///< the `outs` is a tensor to add to, not a fill of zero
};

/// Why a contraction is no matrix product.
struct GemmRefusal {
  std::string reason;

  /// A copy of input `operand` with its dimensions in the order `permutation` (dimension i of the
  /// copy is dimension permutation[i] of the operand) makes it one.
  struct Transpose {
    unsigned operand;
    llvm::SmallVector<int64_t> permutation;
  };
  std::optional<Transpose> transpose;
};

/// The contraction as a matrix product, or failure (nothing is emitted) with the reason in
/// `refusal`. Contractions that a generated kernel does faster are refused too: no k, or tiny m, n
/// and k.
mlir::FailureOr<GemmDescriptor> describeGemm(mlir::linalg::ContractOp contract,
                                             GemmRefusal *refusal = nullptr);

} // namespace planwright::codegen

#endif // PLANWRIGHT_CODEGEN_HOST_GEMM_H
