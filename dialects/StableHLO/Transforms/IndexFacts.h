// What is known about integer and boolean tensors before the program runs: their range, and whether
// they are an affine function of the coordinates.
//
//   IndexAnalysis analysis(function);
//   const IndexFacts *facts = analysis.get(value);      // null: nothing is known
//   if (facts && facts->affine && facts->affine->strides[1] == 1) ...
//
// Not here: what is done with it (FoldIndices.cpp, and gathers in
// lib/Conversion/StableHLOToLinalg).
#ifndef PLANWRIGHT_DIALECTS_STABLEHLO_TRANSFORMS_INDEXFACTS_H
#define PLANWRIGHT_DIALECTS_STABLEHLO_TRANSFORMS_INDEXFACTS_H

#include "mlir/IR/Operation.h"
#include "mlir/IR/Value.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"

#include <optional>

namespace planwright::stablehlo {

/// The element at (i0, i1, ...) is offset + sum of strides[d] * i_d.
struct AffineForm {
  int64_t offset = 0;
  llvm::SmallVector<int64_t, 6> strides;

  bool isConstant() const;
};

struct IndexFacts {
  /// Every element lies in [low, high].
  int64_t low = 0, high = 0;
  std::optional<AffineForm> affine;

  bool isConstant() const { return low == high; }
  bool isTrue() const { return low == high && low != 0; }
  bool isFalse() const { return low == high && low == 0; }
};

class IndexAnalysis {
public:
  IndexAnalysis() = default;
  /// Visits every operation under `root` in order.
  explicit IndexAnalysis(mlir::Operation *root);

  /// Facts about `value`, or null.
  const IndexFacts *get(mlir::Value value) const;
  /// Derives the facts about the results of `op` from those about its operands.
  void visit(mlir::Operation *op);

private:
  llvm::DenseMap<mlir::Value, IndexFacts> facts;
};

/// What a rule sees: the operation and what is known so far.
using IndexTransfer = std::optional<IndexFacts> (*)(mlir::Operation *op,
                                                    const IndexAnalysis &analysis);
/// The rule for operations of a name, or null.
IndexTransfer getIndexTransfer(llvm::StringRef operationName);

} // namespace planwright::stablehlo

#endif // PLANWRIGHT_DIALECTS_STABLEHLO_TRANSFORMS_INDEXFACTS_H
