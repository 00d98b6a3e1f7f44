// Cutting contractions and calling the BLAS.

#include "runtime/Device/Host/Gemm.h"

#include <algorithm>
#include <cblas.h>
#include <utility>

namespace planwright::rt {

namespace {

/// Work below which a task is not worth handing to another thread: about 50 us on one core.
constexpr int64_t minTaskFlops = 2'000'000;
/// More tasks than any machine has cores for; each task packs its operands again, so fewer is
/// better.
constexpr int64_t maxTasks = 64;
/// Chunks are multiples of this, which the BLAS kernels' register tiles divide.
constexpr int64_t chunkMultiple = 48;
/// Packing the other operand costs about 1/rows of the work: below this it would show.
constexpr int64_t minChunk = 96;

} // namespace

/// True if the matrix can be passed as stored by rows; else it is stored by columns (the verifier
/// saw to it).
static bool isRowMajor(int64_t rows, int64_t columns, int64_t rowStride, int64_t columnStride) {
  return (columns == 1 || columnStride == 1) && (rows == 1 || rowStride >= columns);
}

/// A leading dimension that the BLAS accepts; a stride that is never used may have any value.
static int64_t getLeading(int64_t lines, int64_t lineStride, int64_t lineLength) {
  return lines == 1 ? std::max<int64_t>(lineLength, 1) : lineStride;
}

HostGemm::HostGemm(const GemmShape &original) : shape(original) {
  // C stored by columns: compute its transpose, C^T = B^T A^T.
  if (!isRowMajor(shape.m, shape.n, shape.cMStride, shape.cNStride)) {
    std::swap(shape.m, shape.n);
    std::swap(shape.cMStride, shape.cNStride);
    std::swap(shape.aMStride, shape.bNStride);
    std::swap(shape.aKStride, shape.bKStride);
    for (GemmLoopShape &loop : shape.loops)
      std::swap(loop.aStride, loop.bStride);
    swapped = true;
  }
  transposeA = !isRowMajor(shape.m, shape.k, shape.aMStride, shape.aKStride);
  transposeB = !isRowMajor(shape.k, shape.n, shape.bKStride, shape.bNStride);
  aLeading = transposeA ? getLeading(shape.k, shape.aKStride, shape.m)
                        : getLeading(shape.m, shape.aMStride, shape.k);
  bLeading = transposeB ? getLeading(shape.n, shape.bNStride, shape.k)
                        : getLeading(shape.k, shape.bKStride, shape.n);
  cLeading = getLeading(shape.m, shape.cMStride, shape.n);
  for (const GemmLoopShape &loop : shape.loops) {
    bool reduces = loop.cStride == 0;
    (reduces ? reductions : outer).push_back(loop);
    (reduces ? reductionIterations : outerIterations) *= loop.extent;
  }
  chooseChunks();
}

/// Pieces of `size`: `wanted` of them, but none smaller than minChunk.
static int64_t chooseChunk(int64_t size, int64_t wanted) {
  int64_t chunk = std::max((size + wanted - 1) / wanted, minChunk);
  chunk = (chunk + chunkMultiple - 1) / chunkMultiple * chunkMultiple;
  return std::min(chunk, size);
}

void HostGemm::chooseChunks() {
  double flops = 2.0 * static_cast<double>(shape.m) * static_cast<double>(shape.n) *
                 static_cast<double>(shape.k) * static_cast<double>(reductionIterations);
  double total = flops * static_cast<double>(outerIterations);
  auto tasks = static_cast<int64_t>(std::min<double>(total / minTaskFlops, maxTasks));
  int64_t wanted = std::max<int64_t>(tasks / outerIterations, 1);
  // The longer side is cut first: its chunks stay further from the smallest useful size.
  rowChunk = shape.m;
  columnChunk = shape.n;
  if (shape.m >= shape.n) {
    rowChunk = chooseChunk(shape.m, wanted);
    wanted /= (shape.m + rowChunk - 1) / rowChunk;
    columnChunk = chooseChunk(shape.n, std::max<int64_t>(wanted, 1));
  } else {
    columnChunk = chooseChunk(shape.n, wanted);
    wanted /= (shape.n + columnChunk - 1) / columnChunk;
    rowChunk = chooseChunk(shape.m, std::max<int64_t>(wanted, 1));
  }
  rowChunks = (shape.m + rowChunk - 1) / rowChunk;
  columnChunks = (shape.n + columnChunk - 1) / columnChunk;
}

/// Offsets of iteration `index` (row-major) of `loops`, in elements.
static GemmLoopShape getOffsets(const std::vector<GemmLoopShape> &loops, int64_t index) {
  GemmLoopShape offsets;
  for (size_t i = loops.size(); i-- > 0;) {
    int64_t position = index % loops[i].extent;
    index /= loops[i].extent;
    offsets.aStride += position * loops[i].aStride;
    offsets.bStride += position * loops[i].bStride;
    offsets.cStride += position * loops[i].cStride;
  }
  return offsets;
}

void HostGemm::callBlas(int64_t row, int64_t rows, int64_t column, int64_t columns, const void *a,
                        const void *b, void *c, bool accumulate) const {
  CBLAS_TRANSPOSE opA = transposeA ? CblasTrans : CblasNoTrans;
  CBLAS_TRANSPOSE opB = transposeB ? CblasTrans : CblasNoTrans;
  int64_t aOffset = row * (transposeA ? 1 : aLeading);
  int64_t bOffset = column * (transposeB ? bLeading : 1);
  int64_t cOffset = row * cLeading + column;
  auto call = [&](auto blas, auto zero) {
    using T = decltype(zero);
    blas(CblasRowMajor, opA, opB, static_cast<int>(rows), static_cast<int>(columns),
         static_cast<int>(shape.k), T(1), static_cast<const T *>(a) + aOffset,
         static_cast<int>(aLeading), static_cast<const T *>(b) + bOffset,
         static_cast<int>(bLeading), accumulate ? T(1) : T(0), static_cast<T *>(c) + cOffset,
         static_cast<int>(cLeading));
  };
  if (shape.isDouble)
    call(cblas_dgemm, 0.0);
  else
    call(cblas_sgemm, 0.0f);
}

void HostGemm::runTask(int64_t task, const void *a, const void *b, void *c) const {
  if (swapped)
    std::swap(a, b);
  int64_t row = task / columnChunks % rowChunks * rowChunk;
  int64_t column = task % columnChunks * columnChunk;
  int64_t rows = std::min(rowChunk, shape.m - row);
  int64_t columns = std::min(columnChunk, shape.n - column);
  int64_t size = shape.isDouble ? 8 : 4;
  GemmLoopShape base = getOffsets(outer, task / (rowChunks * columnChunks));
  for (int64_t i = 0; i < reductionIterations; ++i) {
    GemmLoopShape inner = getOffsets(reductions, i);
    callBlas(row, rows, column, columns,
             static_cast<const std::byte *>(a) + (base.aStride + inner.aStride) * size,
             static_cast<const std::byte *>(b) + (base.bStride + inner.bStride) * size,
             static_cast<std::byte *>(c) + base.cStride * size, shape.accumulate || i != 0);
  }
}

} // namespace planwright::rt
