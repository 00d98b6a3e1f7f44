// linalg.contract as a batch of matrix products of a BLAS library. Contractions that are none run
// as any linalg operation does.

#include "Access.h"
#include "Elements.h"
#include "OpTable.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"

#include <cblas.h>
#include <numeric>

using namespace mlir;

namespace planwright::reference {

namespace {

/// The loops of a contraction by the operands they appear in.
struct LoopKinds {
  SmallVector<unsigned> batch;   // all three
  SmallVector<unsigned> rows;    // left and result
  SmallVector<unsigned> columns; // right and result
  SmallVector<unsigned> inner;   // left and right
};

/// A matrix operand ready for BLAS: batch x rows x columns, dense, in one lane.
struct Matrices {
  Tensor tensor; // Keeps the data alive.
  bool transposed = false;
};

/// Sizes of the batch of products.
struct ProductShape {
  int64_t batch, rows, columns, inner;
};

} // namespace

static bool usesLoop(AffineMap map, unsigned loop) { return map.isFunctionOfDim(loop); }

/// Sorts the loops, in the order of the result's dimensions where they appear in it. Nothing if a
/// loop fits no kind.
static std::optional<LoopKinds> sortLoops(ArrayRef<AffineMap> maps) {
  LoopKinds kinds;
  SmallVector<unsigned> order;
  for (AffineExpr expr : maps[2].getResults())
    order.push_back(cast<AffineDimExpr>(expr).getPosition());
  for (unsigned loop = 0; loop < maps[0].getNumDims(); ++loop)
    if (!usesLoop(maps[2], loop))
      order.push_back(loop);
  for (unsigned loop : order) {
    bool left = usesLoop(maps[0], loop), right = usesLoop(maps[1], loop),
         result = usesLoop(maps[2], loop);
    if (left && right)
      (result ? kinds.batch : kinds.inner).push_back(loop);
    else if (result && (left || right))
      (left ? kinds.rows : kinds.columns).push_back(loop);
    else
      return std::nullopt;
  }
  return kinds;
}

static SmallVector<unsigned> concat(ArrayRef<unsigned> a, ArrayRef<unsigned> b,
                                    ArrayRef<unsigned> c) {
  SmallVector<unsigned> result(a);
  llvm::append_range(result, b);
  llvm::append_range(result, c);
  return result;
}

static SmallVector<int64_t> getSizes(ArrayRef<int64_t> sizes, ArrayRef<unsigned> loops) {
  return llvm::map_to_vector(loops, [&](unsigned loop) { return sizes[loop]; });
}

static int64_t countPositions(ArrayRef<int64_t> sizes, ArrayRef<unsigned> loops) {
  int64_t result = 1;
  for (unsigned loop : loops)
    result *= sizes[loop];
  return result;
}

/// Brings an operand to batch x rows x columns, without moving it where it lies so (or transposed)
/// already.
static Matrices pack(const Tensor &tensor, const Access &access, ArrayRef<int64_t> sizes,
                     ArrayRef<unsigned> batch, ArrayRef<unsigned> rows, ArrayRef<unsigned> columns,
                     ElementType type) {
  SmallVector<unsigned> straight = concat(batch, rows, columns),
                        swapped = concat(batch, columns, rows);
  if (isContiguous(restrictTo(access, straight), getSizes(sizes, straight)))
    return {tensor.convert(type), false};
  if (isContiguous(restrictTo(access, swapped), getSizes(sizes, swapped)))
    return {tensor.convert(type), true};
  Tensor packed = Tensor::makeUninitialized(type, getSizes(sizes, straight));
  LoadRun load = getLoadRun(tensor.getType(), getLane(type));
  char *to = static_cast<char *>(packed.getDataToOverwrite());
  Cursor cursor(getSizes(sizes, straight), restrictTo(access, straight));
  cursor.advance(packed.getNumElements(), [&](int64_t position, int64_t element, int64_t stride,
                                              int64_t count) {
    load(tensor.getData(), element, stride, count, to + position * getByteSize(type));
  });
  return {std::move(packed), false};
}

/// result += left * right for every matrix of the batch.
static void multiply(const ProductShape &shape, const Matrices &left, const Matrices &right,
                     Tensor &result) {
  auto transposed = [](const Matrices &m) { return m.transposed ? CblasTrans : CblasNoTrans; };
  int64_t leftStride = left.transposed ? shape.rows : shape.inner;
  int64_t rightStride = right.transposed ? shape.inner : shape.columns;
  int64_t size = getByteSize(result.getType());
  char *to = static_cast<char *>(result.getMutableData());
  const char *a = static_cast<const char *>(left.tensor.getData()),
             *b = static_cast<const char *>(right.tensor.getData());
  for (int64_t i = 0; i < shape.batch; ++i) {
    const void *ai = a + i * shape.rows * shape.inner * size,
               *bi = b + i * shape.inner * shape.columns * size;
    void *ci = to + i * shape.rows * shape.columns * size;
    if (result.getType() == ElementType::F64)
      cblas_dgemm(CblasRowMajor, transposed(left), transposed(right), shape.rows, shape.columns,
                  shape.inner, 1, static_cast<const double *>(ai), leftStride,
                  static_cast<const double *>(bi), rightStride, 1, static_cast<double *>(ci),
                  shape.columns);
    else
      cblas_sgemm(CblasRowMajor, transposed(left), transposed(right), shape.rows, shape.columns,
                  shape.inner, 1, static_cast<const float *>(ai), leftStride,
                  static_cast<const float *>(bi), rightStride, 1, static_cast<float *>(ci),
                  shape.columns);
  }
}

/// Brings a result of batch x rows x columns to the order of its map.
static void unpack(const Tensor &packed, const Access &access, ArrayRef<int64_t> sizes,
                   ArrayRef<unsigned> loops, Tensor &result) {
  StoreRun store = getStoreRun(result.getType(), getLane(packed.getType()));
  void *to = result.getDataToOverwrite();
  const char *from = static_cast<const char *>(packed.getData());
  Cursor cursor(getSizes(sizes, loops), restrictTo(access, loops));
  cursor.advance(packed.getNumElements(), [&](int64_t position, int64_t element, int64_t stride,
                                              int64_t count) {
    store(from + position * getByteSize(packed.getType()), to, element, stride, count);
  });
}

/// Sizes must fit BLAS's int.
static bool fitsBlas(const ProductShape &shape) {
  return std::max({shape.rows, shape.columns, shape.inner}) <= std::numeric_limits<int>::max() &&
         std::min({shape.batch, shape.rows, shape.columns, shape.inner}) > 0;
}

static FailureOr<TensorList> runContract(Operation *op, MutableArrayRef<Tensor> operands,
                                         const Interpreter &interpreter) {
  auto linalgOp = cast<linalg::LinalgOp>(op);
  SmallVector<AffineMap> maps = linalgOp.getIndexingMapsArray();
  SmallVector<int64_t> sizes = linalgOp.getStaticLoopRanges();
  ElementType resultType = operands[2].getType();
  std::optional<LoopKinds> kinds;
  if (isFloat(resultType) &&
      llvm::all_of(maps, [](AffineMap map) { return map.isProjectedPermutation(); }))
    kinds = sortLoops(maps);
  if (!kinds)
    return runStructured(op, operands, interpreter);
  ProductShape shape = {countPositions(sizes, kinds->batch), countPositions(sizes, kinds->rows),
                        countPositions(sizes, kinds->columns), countPositions(sizes, kinds->inner)};
  if (!fitsBlas(shape))
    return runStructured(op, operands, interpreter);
  ElementType type = resultType == ElementType::F64 ? ElementType::F64 : ElementType::F32;
  SmallVector<Access> accesses;
  for (auto [map, tensor] : llvm::zip_equal(maps, operands))
    accesses.push_back(*getAccess(map, tensor.getShape())); // Permutations are linear.
  Matrices left =
      pack(operands[0], accesses[0], sizes, kinds->batch, kinds->rows, kinds->inner, type);
  Matrices right =
      pack(operands[1], accesses[1], sizes, kinds->batch, kinds->inner, kinds->columns, type);
  SmallVector<unsigned> resultLoops = concat(kinds->batch, kinds->rows, kinds->columns);
  Tensor result = pack(operands[2], accesses[2], sizes, resultLoops, {}, {}, type).tensor;
  Tensor unpacked = Tensor::makeUninitialized(resultType, operands[2].getShape());
  operands[2] = Tensor(); // So that the product is added in place.
  multiply(shape, left, right, result);
  if (isContiguous(restrictTo(accesses[2], resultLoops), getSizes(sizes, resultLoops)))
    return TensorList{result.convert(resultType)};
  unpack(result, accesses[2], sizes, resultLoops, unpacked);
  return TensorList{std::move(unpacked)};
}

void addContractions(OpTable &table) {
  // The library's own threads would only get into the way of whoever runs programs side by side.
  openblas_set_num_threads(1);
  table.add(linalg::ContractOp::getOperationName(), LocalFunction(runContract));
}

} // namespace planwright::reference
