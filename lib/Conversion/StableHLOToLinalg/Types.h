// How types change on the way out of StableHLO: dimensions of size one are dropped, integers lose
// their sign.
//
//   SqueezingTypeConverter converter;              // tensor<8x64x1xui8> -> tensor<8x64xi8>
//   SqueezedDims dims({8, 64, 1});                 // dims[0] = 0, dims[1] = 1, dims[2] = nothing
//
// Not here: any operation.
#ifndef PLANWRIGHT_LIB_CONVERSION_STABLEHLOTOLINALG_TYPES_H
#define PLANWRIGHT_LIB_CONVERSION_STABLEHLOTOLINALG_TYPES_H

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/Transforms/DialectConversion.h"

#include <optional>

namespace planwright {

class SqueezingTypeConverter : public mlir::TypeConverter {
public:
  SqueezingTypeConverter();
};

/// Only the sign is dropped: for the entry function's arguments, whose shapes are those of files.
class SignlessTypeConverter : public mlir::TypeConverter {
public:
  SignlessTypeConverter();
};

/// `i8` for `ui8`; null for what we have no arithmetic for (complex, quantised).
mlir::Type getSignlessType(mlir::Type elementType);

/// Which dimension of the squeezed value each dimension of the original one is.
class SqueezedDims {
public:
  explicit SqueezedDims(llvm::ArrayRef<int64_t> shape);
  explicit SqueezedDims(mlir::Value value);

  std::optional<int64_t> operator[](int64_t dim) const { return dims[dim]; }
  /// Entries of `values` that belong to dimensions that stay.
  template <typename T> llvm::SmallVector<T> select(llvm::ArrayRef<T> values) const {
    llvm::SmallVector<T> kept;
    for (auto [dim, value] : llvm::zip_equal(dims, values))
      if (dim)
        kept.push_back(value);
    return kept;
  }

private:
  llvm::SmallVector<std::optional<int64_t>> dims;
};

/// Shape of a tensor-typed value.
llvm::ArrayRef<int64_t> getShape(mlir::Value value);
mlir::RankedTensorType getTensorType(mlir::Value value);

} // namespace planwright

#endif // PLANWRIGHT_LIB_CONVERSION_STABLEHLOTOLINALG_TYPES_H
