// Contractions on the host: a shape is cut into tasks once, each task is one or more calls of a
// BLAS that works in the calling thread.

#ifndef PLANWRIGHT_RUNTIME_DEVICE_HOST_GEMM_H
#define PLANWRIGHT_RUNTIME_DEVICE_HOST_GEMM_H

#include "runtime/Device/Device.h"

namespace planwright::rt {

/// How a contraction is cut. A BLAS may round differently for different row counts, so the cut
/// depends on the shape alone and threads take whole tasks: results do not depend on how many there
/// are.
class HostGemm : public PreparedGemm {
public:
  explicit HostGemm(const GemmShape &shape);

  /// Tasks [0, getNumTasks()) may run in any order and at the same time: they write disjoint parts
  /// of C.
  int64_t getNumTasks() const { return outerIterations * rowChunks * columnChunks; }

  void runTask(int64_t task, const void *a, const void *b, void *c) const;

private:
  void chooseChunks();
  void callBlas(int64_t row, int64_t rows, int64_t column, int64_t columns, const void *a,
                const void *b, void *c, bool accumulate) const;

  GemmShape shape; // Strides normalised so that C is row-major.
  std::vector<GemmLoopShape> outer;
  std::vector<GemmLoopShape> reductions;
  int64_t outerIterations = 1;
  int64_t reductionIterations = 1;
  int64_t rowChunk = 1, rowChunks = 1;
  int64_t columnChunk = 1, columnChunks = 1;
  bool swapped = false; // The operands change places.
  bool transposeA = false, transposeB = false;
  int64_t aLeading = 1, bLeading = 1, cLeading = 1;
};

} // namespace planwright::rt

#endif // PLANWRIGHT_RUNTIME_DEVICE_HOST_GEMM_H
