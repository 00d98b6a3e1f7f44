// Which elements of an operand a loop nest touches, and walking over them in runs of constant
// stride. Internal to Reference. No data is moved here.

#ifndef PLANWRIGHT_REFERENCE_ACCESS_H
#define PLANWRIGHT_REFERENCE_ACCESS_H

#include "mlir/IR/AffineMap.h"
#include "llvm/ADT/SmallVector.h"

namespace planwright::reference {

/// Element = offset + sum of strides[d] * (value of loop d).
struct Access {
  int64_t offset = 0;
  llvm::SmallVector<int64_t, 6> strides;
};

/// The access of a row-major operand of `shape` through `map` from loops to its dimensions. Fails
/// where a result of the map is not a sum of multiples of loops.
mlir::FailureOr<Access> getAccess(mlir::AffineMap map, llvm::ArrayRef<int64_t> shape);

/// The same access seen from some of the loops only, in the order of `loops`; the others stand at
/// 0.
Access restrictTo(const Access &access, llvm::ArrayRef<unsigned> loops);

/// Whether walking all loops row-major touches consecutive elements from 0.
bool isContiguous(const Access &access, llvm::ArrayRef<int64_t> sizes);

/// Walks a loop nest in row-major order, some positions at a time:
///
///   Cursor cursor(sizes, access);
///   cursor.advance(1024, [&](int64_t position, int64_t element, int64_t stride, int64_t count) {
///   ... });
///
/// calls the function for each run: `count` positions, the first of them `position` (counted from
/// the start of this advance), whose elements begin at `element` and are `stride` apart.
class Cursor {
public:
  Cursor(llvm::ArrayRef<int64_t> sizes, const Access &access);

  /// Goes to the given position of the whole nest.
  void seek(int64_t position);

  /// Adds to every element from here on.
  void shift(int64_t elements) { element += elements; }

  template <typename Run> void advance(int64_t positions, Run run) {
    int64_t done = 0;
    while (done < positions) {
      int64_t count = std::min(positions - done, sizes.back() - indices.back());
      run(done, element, strides.back(), count);
      done += count;
      step(count);
    }
  }

private:
  void step(int64_t count);

  // Neighbouring loops that step alike are merged, so runs are long. At least one loop.
  llvm::SmallVector<int64_t, 6> sizes, strides, indices;
  int64_t offset = 0;
  int64_t element = 0;
};

} // namespace planwright::reference

#endif // PLANWRIGHT_REFERENCE_ACCESS_H
