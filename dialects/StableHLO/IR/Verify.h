// What verifiers share: comparisons with messages that say what was found and what was expected.
// Internal to this folder.
//
// Sizes are computed in 128 bits, in which no sum or product of two 64-bit numbers from a hostile
// text overflows.
#ifndef PLANWRIGHT_DIALECTS_STABLEHLO_IR_VERIFY_H
#define PLANWRIGHT_DIALECTS_STABLEHLO_IR_VERIFY_H

#include "dialects/StableHLO/IR/StableHLO.h"

#include "mlir/IR/TypeUtilities.h"

namespace planwright::stablehlo {

using Size = __int128;

/// `found`, the type of `what` ("result", "operand #1"), is `expected`.
mlir::LogicalResult verifyType(mlir::Operation *op, const llvm::Twine &what, mlir::Type found,
                               mlir::Type expected);

/// The shape of `found` is `expected`.
mlir::LogicalResult verifyShape(mlir::Operation *op, const llvm::Twine &what,
                                mlir::RankedTensorType found, llvm::ArrayRef<Size> expected);
mlir::LogicalResult verifyShape(mlir::Operation *op, const llvm::Twine &what,
                                mlir::RankedTensorType found, llvm::ArrayRef<int64_t> expected);

/// The element types of both are the same.
mlir::LogicalResult verifyElementType(mlir::Operation *op, const llvm::Twine &what,
                                      mlir::RankedTensorType found, mlir::Type expected);

/// `dims` are distinct numbers in [0, rank), in rising order if `sorted`.
mlir::LogicalResult verifyDims(mlir::Operation *op, llvm::StringRef what,
                               llvm::ArrayRef<int64_t> dims, int64_t rank, bool sorted = false);

/// No dimension is in both lists.
mlir::LogicalResult verifyDisjoint(mlir::Operation *op, llvm::StringRef what,
                                   llvm::ArrayRef<int64_t> dims, llvm::StringRef otherWhat,
                                   llvm::ArrayRef<int64_t> other);

/// `what` has `expected` entries.
mlir::LogicalResult verifyCount(mlir::Operation *op, llvm::StringRef what, size_t found,
                                size_t expected);

/// Elements are all integers (or booleans), all floats, or all complex.
mlir::LogicalResult verifySameKind(mlir::Operation *op);

/// The type of a scalar with the element type of `type`.
mlir::RankedTensorType scalarOf(mlir::Type type);

/// A window that moves over a tensor: one entry per dimension.
struct Window {
  llvm::SmallVector<int64_t> sizes, strides, low, high, baseDilations, windowDilations;

  /// In how many places the window lies along dimension `dim` of a tensor of `size` elements there.
  Size getPlaces(int64_t dim, int64_t size) const;
};

/// Fills in what is left out (strides and dilations 1, padding 0). Sizes have to be positive unless
/// `sizesFromKernel`, strides and dilations always.
mlir::FailureOr<Window> readWindow(mlir::Operation *op, llvm::ArrayRef<int64_t> sizes,
                                   std::optional<llvm::ArrayRef<int64_t>> strides,
                                   std::optional<mlir::DenseIntElementsAttr> padding,
                                   std::optional<llvm::ArrayRef<int64_t>> baseDilations,
                                   std::optional<llvm::ArrayRef<int64_t>> windowDilations,
                                   bool sizesFromKernel = false);

/// `region` takes `arguments` and its stablehlo.return gives `results`.
mlir::LogicalResult verifyRegion(mlir::Operation *op, llvm::StringRef what, mlir::Region &region,
                                 mlir::TypeRange arguments, mlir::TypeRange results);

} // namespace planwright::stablehlo

#endif // PLANWRIGHT_DIALECTS_STABLEHLO_IR_VERIFY_H
