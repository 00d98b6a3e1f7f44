// A linalg.generic of the normal form, built from its scalars outwards.
//
//   GenericBuilder generic(b, loc, loopSizes);
//   Value x = generic.read(tensor, map);                  // a scalar of the body
//   Value y = exp(Scalar(generic.getBody(), loc, x)).getValue();
//   Value result = generic.finishPointwise({{y, outMap}}).front();
//
// Splat constants are read as scalars; what the body does not use is neither computed nor read.
// Not here: derivatives.
#ifndef PLANWRIGHT_INTERFACES_GENERICBUILDER_H
#define PLANWRIGHT_INTERFACES_GENERICBUILDER_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/Builders.h"

#include <functional>
#include <memory>

namespace planwright {

/// The constant that every element of `tensor` is, or null: a splat constant or a fill with a
/// constant.
mlir::TypedAttr getSplat(mlir::Value tensor);

/// A tensor of zeros, as the start of a sum.
mlir::Value createZeroFill(mlir::OpBuilder &builder, mlir::Location loc,
                           llvm::ArrayRef<int64_t> shape, mlir::Type elementType);

class GenericBuilder {
public:
  /// A scalar of the body that becomes a result, and where its elements go.
  struct Yield {
    mlir::Value scalar;
    mlir::AffineMap map;
  };
  /// A tensor that the body reads.
  struct Input {
    mlir::AffineMap map;
    std::function<mlir::Value()> getTensor;
  };

  GenericBuilder(mlir::OpBuilder &builder, mlir::Location loc, llvm::ArrayRef<int64_t> loopSizes);
  ~GenericBuilder();

  mlir::OpBuilder &getBody() { return body; }
  /// The scalar of `tensor` at `map`.
  mlir::Value read(mlir::Value tensor, mlir::AffineMap map);
  /// The same for a tensor that is only asked for if the scalar is used. `splat` is its value where
  /// all elements are equal.
  mlir::Value read(mlir::Type elementType, mlir::AffineMap map, mlir::TypedAttr splat,
                   std::function<mlir::Value()> getTensor);
  /// The input that `scalar` was read from, or null if it was computed.
  const Input *getInput(mlir::Value scalar) const;

  /// Builds the operation with one result per yield; all loops are parallel and every map is a
  /// permutation.
  llvm::SmallVector<mlir::Value> finishPointwise(llvm::ArrayRef<Yield> yields);
  /// Builds the operation that sums the scalar over the loops that its map leaves out.
  mlir::Value finishSum(Yield yield);

private:
  void dropUnused(llvm::ArrayRef<Yield> yields);
  mlir::linalg::GenericOp create(llvm::ArrayRef<Yield> yields, mlir::ValueRange outs);
  llvm::SmallVector<int64_t> getShape(mlir::AffineMap map) const;
  void coverLoops(mlir::AffineMap outMap);

  mlir::OpBuilder &builder;
  mlir::Location loc;
  llvm::SmallVector<int64_t> loopSizes;
  std::unique_ptr<mlir::Block> block;
  mlir::OpBuilder body;
  llvm::SmallVector<Input> inputs;
};

} // namespace planwright

#endif // PLANWRIGHT_INTERFACES_GENERICBUILDER_H
