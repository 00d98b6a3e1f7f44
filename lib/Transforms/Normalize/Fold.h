// The two halves of model-fold-broadcasts: generics and contractions.
#ifndef PLANWRIGHT_LIB_TRANSFORMS_NORMALIZE_FOLD_H
#define PLANWRIGHT_LIB_TRANSFORMS_NORMALIZE_FOLD_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"

#include <optional>

namespace planwright {

/// Folds what the inputs of `generic` come from into it. Replaces it, or gives the value that its
/// only result is.
void foldGeneric(mlir::linalg::GenericOp generic);
/// Folds movement of the inputs of `contract` into its maps.
void foldContract(mlir::linalg::ContractOp contract);
/// A transpose that is the only reader of a contraction or generic is written by it. True if it
/// was.
bool foldIntoProducer(mlir::linalg::GenericOp movement);

/// A generic that only yields an input: `result[i...] = source[map(i...)]`.
struct Movement {
  mlir::Value source;
  mlir::AffineMap map; // from the result's dimensions

  static std::optional<Movement> match(mlir::Value result);
};

/// Whether all loops are parallel and the body does not read the (empty) result.
bool isPointwise(mlir::linalg::GenericOp generic);
/// Whether every loop stands in some map.
bool coversAllLoops(llvm::ArrayRef<mlir::AffineMap> maps);

} // namespace planwright

#endif // PLANWRIGHT_LIB_TRANSFORMS_NORMALIZE_FOLD_H
