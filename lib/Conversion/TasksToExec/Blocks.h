// Where the blocks of a tensor lie that is cut along one dimension over some axes.
//
//   Blocks blocks(type, dim, axes, mesh);
//   if (!blocks.areInOrder())
//     ... copy with blocks.getLoops(Direction::fromBlocks) ...
//
// Not here: instructions and places (TaskCollectives.cpp).
#ifndef PLANWRIGHT_LIB_CONVERSION_TASKSTOEXEC_BLOCKS_H
#define PLANWRIGHT_LIB_CONVERSION_TASKSTOEXEC_BLOCKS_H

#include "dialects/Exec/IR/Exec.h"
#include "dialects/Plan/IR/Plan.h"

namespace planwright::exec {

/// A copy in loops, outermost first.
struct ByteLoops {
  int64_t bytes = 0; ///< of one iteration
  llvm::SmallVector<ByteLoopAttr> loops;
};

/// The blocks of a whole tensor of `type`, cut along `dim` over `axes` (outermost first). A
/// communicator numbers its ranks in the order of the mesh, so "one after another" means in that
/// order, which need not be the order in which the axes cut.
class Blocks {
public:
  Blocks(mlir::RankedTensorType type, int64_t dim, mlir::ArrayAttr axes, plan::MeshAttr mesh);

  /// The blocks, one after another, are the tensor itself.
  bool areInOrder() const { return getLoopsFromBlocks().loops.empty(); }
  /// From blocks one after another to the tensor, and back.
  ByteLoops getLoopsFromBlocks() const;
  ByteLoops getLoopsToBlocks() const;

  /// From the tensor to one block; where it begins depends on the coordinates of the rank, and on
  /// the micro-batch: `getMicroBatchStride` bytes for each, 0 where the axes do not name it.
  ByteLoops getLoopsToBlock() const;
  llvm::SmallVector<CoordinateAttr> getCoordinates() const;
  int64_t getMicroBatchStride() const;

private:
  struct Axis {
    mlir::StringAttr name;
    int64_t size;
    int64_t cutStride;  ///< blocks along the dimension from one coordinate to the next
    int64_t rankStride; ///< ranks of the group from one coordinate to the next
  };

  mlir::MLIRContext *context;
  llvm::SmallVector<Axis> axes;
  int64_t numBlocks = 1;
  int64_t numRows = 1;  ///< iterations of the dimensions before `dim`
  int64_t runBytes = 0; ///< of one block within one row
};

} // namespace planwright::exec

#endif // PLANWRIGHT_LIB_CONVERSION_TASKSTOEXEC_BLOCKS_H
