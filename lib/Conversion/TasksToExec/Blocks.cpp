// Strides of blocks, and loops with as few iterations as the strides allow.
#include "Blocks.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace planwright;
using namespace planwright::exec;

Blocks::Blocks(RankedTensorType type, int64_t dim, ArrayAttr names, plan::MeshAttr mesh)
    : context(type.getContext()) {
  for (auto name : llvm::reverse(names.getAsRange<StringAttr>())) {
    axes.push_back({name, mesh.getSize(name), numBlocks, 1});
    numBlocks *= axes.back().size;
  }
  std::reverse(axes.begin(), axes.end());
  int64_t ranks = 1;
  for (auto name : llvm::reverse(mesh.getNames()))
    for (Axis &axis : axes)
      if (axis.name == name && name.getValue() != plan::kMicroBatchAxis) {
        axis.rankStride = ranks;
        ranks *= axis.size;
      }
  for (int64_t size : type.getShape().take_front(dim))
    numRows *= size;
  runBytes = getTensorBytes(type) / numRows / numBlocks;
}

/// Leaves out loops of one iteration and joins those that go on where the next inner one ends.
static ByteLoops simplify(MLIRContext *context, ByteLoops from) {
  ByteLoops to = {from.bytes, {}};
  for (ByteLoopAttr loop : llvm::reverse(from.loops)) { // innermost first
    int64_t extent = loop.getExtent(), source = loop.getSource(), target = loop.getDestination();
    if (extent == 1)
      continue;
    if (to.loops.empty() && source == to.bytes && target == to.bytes) {
      to.bytes *= extent;
      continue;
    }
    ByteLoopAttr inner = to.loops.empty() ? nullptr : to.loops.back();
    if (inner && source == inner.getSource() * inner.getExtent() &&
        target == inner.getDestination() * inner.getExtent())
      to.loops.back() = ByteLoopAttr::get(context, extent * inner.getExtent(), inner.getSource(),
                                          inner.getDestination());
    else
      to.loops.push_back(loop);
  }
  std::reverse(to.loops.begin(), to.loops.end());
  return to;
}

ByteLoops Blocks::getLoopsFromBlocks() const {
  ByteLoops made = {runBytes, {}};
  for (const Axis &axis : axes)
    made.loops.push_back(ByteLoopAttr::get(context, axis.size, axis.rankStride * numRows * runBytes,
                                           axis.cutStride * runBytes));
  made.loops.push_back(ByteLoopAttr::get(context, numRows, runBytes, numBlocks * runBytes));
  return simplify(context, made);
}

ByteLoops Blocks::getLoopsToBlocks() const {
  ByteLoops made = getLoopsFromBlocks();
  for (ByteLoopAttr &loop : made.loops)
    loop = ByteLoopAttr::get(context, loop.getExtent(), loop.getDestination(), loop.getSource());
  return made;
}

ByteLoops Blocks::getLoopsToBlock() const {
  return simplify(
      context, {runBytes, {ByteLoopAttr::get(context, numRows, numBlocks * runBytes, runBytes)}});
}

SmallVector<CoordinateAttr> Blocks::getCoordinates() const {
  SmallVector<CoordinateAttr> coordinates;
  for (const Axis &axis : axes)
    if (axis.size > 1 && axis.name != plan::kMicroBatchAxis)
      coordinates.push_back(CoordinateAttr::get(context, axis.name, axis.cutStride * runBytes));
  return coordinates;
}

int64_t Blocks::getMicroBatchStride() const {
  for (const Axis &axis : axes)
    if (axis.size > 1 && axis.name == plan::kMicroBatchAxis)
      return axis.cutStride * runBytes;
  return 0;
}
