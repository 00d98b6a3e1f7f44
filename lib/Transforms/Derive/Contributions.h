// What has been added to the gradient of each value so far, and its sum.
//
//   Contributions gradients(builder);
//   gradients.add(x, cotangent);
//   if (Cotangent sum = gradients.sum(loc, x)) ...
//
// Sums are built when they are asked for: one addition of all contributions, one concatenation of
// all slices. Not here: which values want a gradient (FunctionDerivative.cpp).
#ifndef PLANWRIGHT_LIB_TRANSFORMS_DERIVE_CONTRIBUTIONS_H
#define PLANWRIGHT_LIB_TRANSFORMS_DERIVE_CONTRIBUTIONS_H

#include "planwright/Interfaces/DifferentiableOpInterface.h"

#include "llvm/ADT/DenseMap.h"

namespace planwright {

class Contributions {
public:
  explicit Contributions(mlir::OpBuilder &builder) : builder(builder) {}

  bool contains(mlir::Value value) const { return byValue.contains(value); }
  void add(mlir::Value value, Cotangent cotangent);
  void addSlice(mlir::Value value, mlir::Value gradient, SlicePosition position);
  /// The sum of what was added for `value`, empty if nothing was. The sum takes the contributions'
  /// place.
  Cotangent sum(mlir::Location loc, mlir::Value value);
  /// Forgets `value`: nothing will ask for its gradient again.
  void erase(mlir::Value value) { byValue.erase(value); }

private:
  struct Slice {
    mlir::Value gradient;
    SlicePosition position;
  };
  struct Entry {
    llvm::SmallVector<Cotangent> dense;
    llvm::SmallVector<Slice> slices;
  };

  Cotangent sumDense(mlir::Location loc, mlir::RankedTensorType type,
                     llvm::ArrayRef<Cotangent> terms);
  mlir::Value placeSlices(mlir::Location loc, mlir::RankedTensorType type,
                          llvm::ArrayRef<Slice> slices);
  mlir::Value concatSlices(mlir::Location loc, mlir::RankedTensorType type,
                           llvm::ArrayRef<Slice> slices);
  mlir::Value insertSlices(mlir::Location loc, mlir::RankedTensorType type,
                           llvm::ArrayRef<Slice> slices);
  mlir::Value padSlice(mlir::Location loc, mlir::RankedTensorType type, const Slice &slice);

  mlir::OpBuilder &builder;
  llvm::DenseMap<mlir::Value, Entry> byValue;
};

/// `cotangent` as a tensor of shape `type` and element type `type`: a broadcast or transpose is
/// built if need be.
mlir::Value materialize(mlir::OpBuilder &builder, mlir::Location loc, Cotangent cotangent,
                        mlir::RankedTensorType type);

} // namespace planwright

#endif // PLANWRIGHT_LIB_TRANSFORMS_DERIVE_CONTRIBUTIONS_H
