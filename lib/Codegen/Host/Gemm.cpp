// Contractions as matrix products: loop dimensions are sorted by the operands that they move,
// neighbours are merged where strides allow, and of each class the dimension is taken that leaves
// every matrix with a unit stride.
#include "planwright/Codegen/Host/Gemm.h"
#include "Families.h"

#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace planwright::codegen;

// Below this many multiplications a call costs more than the product.
static constexpr int64_t kMinVolume = 2048;

namespace {
/// A loop dimension and how far it moves each operand; 0 where it does not.
struct Dimension {
  int64_t extent = 1;
  int64_t a = 0, b = 0, c = 0;

  bool isRow() const { return a && !b && c; }
  bool isColumn() const { return !a && b && c; }
  bool isSum() const { return a && b && !c; }
  bool isBatch() const { return a && b && c; }
};

/// One dimension of each class, as indices into a list; none where the class is empty.
struct Choice {
  std::optional<unsigned> m, n, k;
};

using Dimensions = SmallVector<Dimension>;
using Permutation = SmallVector<int64_t>;
} // namespace

//===----------------------------------------------------------------------===//
// Dimensions
//===----------------------------------------------------------------------===//

/// `permutation` reorders the dimensions of the operand in memory, empty for none.
static SmallVector<int64_t> getStrides(linalg::ContractOp op, unsigned operand,
                                       ArrayRef<int64_t> permutation) {
  AffineMap map = op.getIndexingMapsArray()[operand];
  ArrayRef<int64_t> shape = cast<ShapedType>(op->getOperand(operand).getType()).getShape();
  Permutation order = permutation.empty() ? llvm::to_vector(llvm::seq<int64_t>(0, shape.size()))
                                          : Permutation(permutation);
  SmallVector<int64_t> inMemory =
      llvm::map_to_vector(order, [&](int64_t dim) { return shape[dim]; });
  SmallVector<int64_t> strides(map.getNumDims(), 0);
  for (auto [dim, stride] : llvm::zip_equal(order, getRowMajorStrides(inMemory)))
    strides[map.getDimPosition(dim)] = stride;
  return strides;
}

/// Dimension `inner` becomes part of `outer` if each operand walks the two as one.
static bool tryMerge(Dimension &outer, const Dimension &inner) {
  auto follows = [&](int64_t Dimension::*stride) {
    return outer.*stride == inner.*stride * inner.extent;
  };
  if (!follows(&Dimension::a) || !follows(&Dimension::b) || !follows(&Dimension::c))
    return false;
  outer = {outer.extent * inner.extent, inner.a, inner.b, inner.c};
  return true;
}

static void mergeAll(Dimensions &dimensions) {
  for (unsigned outer = 0; outer < dimensions.size();) {
    auto *inner = llvm::find_if(dimensions, [&](const Dimension &other) {
      return &other != &dimensions[outer] && tryMerge(dimensions[outer], other);
    });
    if (inner == dimensions.end()) {
      ++outer;
      continue;
    }
    dimensions.erase(inner);
    outer = 0;
  }
}

static Dimensions getDimensions(linalg::ContractOp op, ArrayRef<int64_t> permutationOfA,
                                ArrayRef<int64_t> permutationOfB) {
  SmallVector<int64_t> a = getStrides(op, 0, permutationOfA), b = getStrides(op, 1, permutationOfB),
                       c = getStrides(op, 2, {});
  Dimensions dimensions;
  auto linalgOp = cast<linalg::LinalgOp>(op.getOperation());
  for (auto [dim, extent] : llvm::enumerate(linalgOp.getStaticLoopRanges()))
    if (extent != 1)
      dimensions.push_back({extent, a[dim], b[dim], c[dim]});
  mergeAll(dimensions);
  return dimensions;
}

//===----------------------------------------------------------------------===//
// Choice of m, n and k
//===----------------------------------------------------------------------===//

static SmallVector<std::optional<unsigned>> select(const Dimensions &dimensions,
                                                   bool (Dimension::*isOfClass)() const) {
  SmallVector<std::optional<unsigned>> selected;
  for (auto [number, dimension] : llvm::enumerate(dimensions))
    if ((dimension.*isOfClass)())
      selected.push_back(number);
  if (selected.empty())
    selected.push_back(std::nullopt);
  return selected;
}

static Dimension getDimension(const Dimensions &dimensions, std::optional<unsigned> number) {
  return number ? dimensions[*number] : Dimension();
}

/// A matrix is stored by rows or by columns; one that is only a vector is both.
static bool hasUnitStride(const Dimension &first, const Dimension &second,
                          int64_t Dimension::*stride) {
  auto isUnit = [&](const Dimension &dimension) {
    return dimension.extent == 1 || dimension.*stride == 1;
  };
  return isUnit(first) || isUnit(second);
}

static std::optional<Choice> choose(const Dimensions &dimensions) {
  std::optional<Choice> best;
  int64_t bestVolume = 0;
  for (std::optional<unsigned> m : select(dimensions, &Dimension::isRow))
    for (std::optional<unsigned> n : select(dimensions, &Dimension::isColumn))
      for (std::optional<unsigned> k : select(dimensions, &Dimension::isSum)) {
        Dimension row = getDimension(dimensions, m), column = getDimension(dimensions, n),
                  sum = getDimension(dimensions, k);
        int64_t volume = row.extent * column.extent * sum.extent;
        if (volume > bestVolume && hasUnitStride(row, sum, &Dimension::a) &&
            hasUnitStride(sum, column, &Dimension::b) &&
            hasUnitStride(row, column, &Dimension::c)) {
          best = Choice{m, n, k};
          bestVolume = volume;
        }
      }
  return best;
}

//===----------------------------------------------------------------------===//
// The descriptor
//===----------------------------------------------------------------------===//

/// Strides of a matrix of `first.extent` x `second.extent`; where an extent is 1 the stride is as
/// in a packed matrix.
static std::pair<int64_t, int64_t> getMatrixStrides(const Dimension &first, const Dimension &second,
                                                    int64_t Dimension::*stride) {
  int64_t one = first.*stride, two = second.*stride;
  if (first.extent == 1)
    one = two == 1 || second.extent == 1 ? second.extent : 1;
  if (second.extent == 1)
    two = one == 1 ? first.extent : 1;
  return {one, two};
}

static GemmDescriptor describe(linalg::ContractOp op, const Dimensions &dimensions,
                               const Choice &choice) {
  Dimension row = getDimension(dimensions, choice.m), column = getDimension(dimensions, choice.n),
            sum = getDimension(dimensions, choice.k);
  GemmDescriptor gemm;
  gemm.elementType = getElementTypeOrSelf(op.getInputs()[0]);
  gemm.a = op.getInputs()[0];
  gemm.b = op.getInputs()[1];
  gemm.m = row.extent;
  gemm.n = column.extent;
  gemm.k = sum.extent;
  std::tie(gemm.aMStride, gemm.aKStride) = getMatrixStrides(row, sum, &Dimension::a);
  std::tie(gemm.bKStride, gemm.bNStride) = getMatrixStrides(sum, column, &Dimension::b);
  std::tie(gemm.cMStride, gemm.cNStride) = getMatrixStrides(row, column, &Dimension::c);
  for (bool areSums : {false, true})
    for (auto [number, dimension] : llvm::enumerate(dimensions)) {
      bool isChosen = number == choice.m || number == choice.n || number == choice.k;
      if (!isChosen && dimension.isSum() == areSums)
        gemm.loops.push_back({dimension.extent, dimension.a, dimension.b, dimension.c});
    }
  gemm.accumulate = !getUniformValue(op.getOutputs().front());
  return gemm;
}

//===----------------------------------------------------------------------===//
// Refusals
//===----------------------------------------------------------------------===//

static std::string findTypeProblem(linalg::ContractOp op) {
  Type type = getElementTypeOrSelf(op->getOperand(0));
  if (!type.isF32() && !type.isF64())
    return "its elements are neither f32 nor f64";
  for (Value operand : op->getOperands()) {
    auto shaped = dyn_cast<RankedTensorType>(operand.getType());
    if (!shaped || !shaped.hasStaticShape() || shaped.getElementType() != type)
      return "its operands are not tensors of static shape and one element type";
  }
  TypedAttr start = getUniformValue(op.getOutputs().front());
  auto number = dyn_cast_if_present<FloatAttr>(start);
  return start && !(number && number.getValue().isZero()) ? "its sums do not start at zero" : "";
}

static std::string findClassProblem(const Dimensions &dimensions) {
  for (const Dimension &dimension : dimensions)
    if (!dimension.isRow() && !dimension.isColumn() && !dimension.isSum() && !dimension.isBatch())
      return "a dimension moves one operand only";
  return "";
}

static std::string findSizeProblem(const GemmDescriptor &gemm) {
  if (gemm.m == 1 || gemm.n == 1)
    return "it is a product with a vector";
  if (gemm.k == 1)
    return "it sums over nothing";
  return gemm.m * gemm.n * gemm.k < kMinVolume ? "its matrices are small" : "";
}

/// The order of an input's dimensions in which the summed ones come last, in the order of the
/// iteration dimensions.
static Permutation getSumsLast(linalg::ContractOp op, unsigned operand) {
  AffineMap map = op.getIndexingMapsArray()[operand], output = op.getIndexingMapsArray()[2];
  Permutation permutation = llvm::to_vector(llvm::seq<int64_t>(0, map.getNumResults()));
  auto key = [&](int64_t dim) {
    unsigned loop = map.getDimPosition(dim);
    // Parallel dimensions in the order of the output, so that as many as possible merge.
    std::optional<unsigned> position =
        output.getResultPosition(getAffineDimExpr(loop, op.getContext()));
    return position ? std::pair(0u, *position) : std::pair(1u, loop);
  };
  llvm::sort(permutation, [&](int64_t left, int64_t right) { return key(left) < key(right); });
  return permutation;
}

/// The input whose copy would give all matrices a unit stride, if there is one.
static std::optional<GemmRefusal::Transpose> findTranspose(linalg::ContractOp op) {
  for (unsigned operand : {0, 1}) {
    Permutation permutation = getSumsLast(op, operand), none;
    if (llvm::is_sorted(permutation))
      continue;
    const Permutation &ofA = operand == 0 ? permutation : none,
                      &ofB = operand == 0 ? none : permutation;
    if (choose(getDimensions(op, ofA, ofB)))
      return GemmRefusal::Transpose{operand, permutation};
  }
  // Both inputs: the caller asks again after the first copy.
  Permutation ofA = getSumsLast(op, 0), ofB = getSumsLast(op, 1);
  if (!llvm::is_sorted(ofA) && choose(getDimensions(op, ofA, ofB)))
    return GemmRefusal::Transpose{0, ofA};
  return std::nullopt;
}

FailureOr<GemmDescriptor> planwright::codegen::describeGemm(linalg::ContractOp contract,
                                                            GemmRefusal *refusal) {
  auto refuse = [&](StringRef reason) -> FailureOr<GemmDescriptor> {
    if (refusal)
      *refusal = {reason.str(), std::nullopt};
    return failure();
  };
  if (std::string problem = findTypeProblem(contract); !problem.empty())
    return refuse(problem);
  Dimensions dimensions = getDimensions(contract, {}, {});
  if (std::string problem = findClassProblem(dimensions); !problem.empty())
    return refuse(problem);
  std::optional<Choice> choice = choose(dimensions);
  if (!choice) {
    auto refused = refuse("a matrix has no dimension of stride 1");
    if (refusal)
      refusal->transpose = findTranspose(contract);
    return refused;
  }
  GemmDescriptor gemm = describe(contract, dimensions, *choice);
  if (std::string problem = findSizeProblem(gemm); !problem.empty())
    return refuse(problem);
  return gemm;
}
