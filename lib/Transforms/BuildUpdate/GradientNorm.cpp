// The norm of all gradients together. Each gradient is summed over its inner dimensions first and
// its outermost one then, so that a large one is many independent sums; the sums of all gradients
// are added in a tree.
#include "lib/Transforms/BuildUpdate/StepScalars.h"

#include "lib/Interfaces/Derivative/ScalarExpression.h"
#include "planwright/Interfaces/GenericBuilder.h"

using namespace mlir;

namespace planwright {

/// Scalars that one operation adds up.
static constexpr size_t kMostTerms = 16;

/// Sum of the elements of `tensor`, or of their squares, keeping the first `numKept` dimensions.
static Value buildSum(OpBuilder &builder, Location loc, Value tensor, unsigned numKept,
                      bool squares) {
  auto type = cast<RankedTensorType>(tensor.getType());
  AffineMap identity = builder.getMultiDimIdentityMap(type.getRank());
  GenericBuilder generic(builder, loc, type.getShape());
  Scalar x(generic.getBody(), loc, generic.read(tensor, identity));
  AffineMap outer = AffineMap::get(type.getRank(), 0, identity.getResults().take_front(numKept),
                                   builder.getContext());
  return generic.finishSum({(squares ? x * x : x).getValue(), outer});
}

/// The square of a scalar tensor.
static Value buildSquare(OpBuilder &builder, Location loc, Value tensor) {
  AffineMap none = builder.getMultiDimIdentityMap(0);
  GenericBuilder generic(builder, loc, {});
  Scalar x(generic.getBody(), loc, generic.read(tensor, none));
  return generic.finishPointwise({{(x * x).getValue(), none}}).front();
}

static Value buildSumOfSquares(OpBuilder &builder, Location loc, Value tensor) {
  int64_t rank = cast<RankedTensorType>(tensor.getType()).getRank();
  if (rank == 0)
    return buildSquare(builder, loc, tensor);
  if (rank == 1)
    return buildSum(builder, loc, tensor, 0, /*squares=*/true);
  Value rows = buildSum(builder, loc, tensor, 1, /*squares=*/true);
  return buildSum(builder, loc, rows, 0, /*squares=*/false);
}

/// The sum of scalar tensors.
static Value addScalars(OpBuilder &builder, Location loc, ArrayRef<Value> terms) {
  AffineMap none = builder.getMultiDimIdentityMap(0);
  SmallVector<Value> sums(terms);
  while (sums.size() > 1) {
    SmallVector<Value> next;
    for (ArrayRef<Value> rest = sums; !rest.empty();) {
      ArrayRef<Value> group = rest.take_front(kMostTerms);
      rest = rest.drop_front(group.size());
      GenericBuilder generic(builder, loc, {});
      Scalar sum;
      for (Value term : group) {
        Scalar x =
            Scalar(generic.getBody(), loc, generic.read(term, none)).convert(builder.getF32Type());
        sum = sum ? sum + x : x;
      }
      next.push_back(generic.finishPointwise({{sum.getValue(), none}}).front());
    }
    sums = std::move(next);
  }
  return sums.front();
}

GradientNorm buildGradientNorm(OpBuilder &builder, Location loc, double clipNorm,
                               ArrayRef<Value> gradients) {
  SmallVector<Value> squares;
  for (Value gradient : gradients)
    squares.push_back(buildSumOfSquares(builder, loc, gradient));
  AffineMap none = builder.getMultiDimIdentityMap(0);
  GenericBuilder generic(builder, loc, {});
  Value sum = generic.read(addScalars(builder, loc, squares), none);
  Scalar norm = sqrt(Scalar(generic.getBody(), loc, sum).convert(builder.getF32Type()));
  SmallVector<GenericBuilder::Yield> yields = {{norm.getValue(), none}};
  if (clipNorm > 0.0) {
    Scalar factor = clipNorm / (norm + 1e-6);
    Scalar one = norm.constant(1.0);
    yields.push_back(
        {factor.build<arith::MinimumFOp>(factor.getValue(), one.getValue()).getValue(), none});
  }
  SmallVector<Value> results = generic.finishPointwise(yields);
  results.resize(2);
  return {results[0], results[1]};
}

} // namespace planwright
