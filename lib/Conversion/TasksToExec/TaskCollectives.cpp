// Collectives and slices of a task. The communicator takes and gives blocks one after another; a
// tensor that is cut along an inner dimension is copied into blocks before, or out of them
// afterwards.
#include "TaskLowering.h"

using namespace mlir;
using namespace planwright;
using namespace planwright::exec;

static Reduction getReduction(plan::Combiner combiner) {
  switch (combiner) {
  case plan::Combiner::sum:
    return Reduction::sum;
  case plan::Combiner::max:
    return Reduction::max;
  case plan::Combiner::min:
    return Reduction::min;
  }
  llvm_unreachable("every combiner is a reduction");
}

/// The one region that `places` make up, where they follow each other in a bucket; else null.
static RegionAttr getBucketRegion(ArrayRef<Place> places) {
  int64_t end = -1;
  for (Place place : places) {
    BufferOp part = place.buffer;
    if (!part.getBucket() || part.getBucket() != BufferOp(places.front().buffer).getBucket())
      return {};
    int64_t begin = *part.getPartOffset();
    if (end >= 0 && begin != alignBytes(end))
      return {};
    end = begin + part.getSize();
  }
  BufferOp first = places.front().buffer;
  if (!first)
    return {};
  int64_t begin = *first.getPartOffset();
  return RegionAttr::get(first.getContext(), first.getBucketAttr(), begin, end - begin, 0);
}

FailureOr<bool> TaskLowering::tryAllReduce(Operation *op) {
  auto reduce = dyn_cast<comm::AllReduceOp>(op);
  if (!reduce)
    return false;
  SmallVector<Place> reduced;
  for (OpResult result : op->getResults()) {
    FailureOr<Place> place = update(result, getUpdated(result));
    if (failed(place))
      return failure();
    reduced.push_back(*place);
  }
  SmallVector<RegionAttr> regions;
  if (RegionAttr bucket = reduced.size() > 1 ? getBucketRegion(reduced) : nullptr)
    regions.push_back(bucket);
  else
    for (auto [place, result] : llvm::zip_equal(reduced, op->getResults()))
      regions.push_back(getRegion(place, result));
  for (RegionAttr region : regions)
    AllReduceOp::create(builder, op->getLoc(), getReduction(reduce.getCombiner()), region,
                        program.getCommunicator(reduce.getAxes()),
                        getTensorType(op->getResult(0)).getElementType());
  return true;
}

//===----------------------------------------------------------------------===//
// Blocks
//===----------------------------------------------------------------------===//

FailureOr<bool> TaskLowering::tryAllSlice(Operation *op) {
  auto slice = dyn_cast<comm::AllSliceOp>(op);
  if (!slice)
    return false;
  Blocks blocks(slice.getInput().getType(), slice.getDim(), slice.getAxes(), program.getMesh());
  FailureOr<Place> source = read(slice.getInput());
  if (failed(source))
    return failure();
  RegionAttr region = getRegion(*source, slice.getInput());
  if (int64_t stride = blocks.getMicroBatchStride()) {
    if (source->base != 0)
      return op->emitOpError("slices over micro-batches what is one micro-batch's already");
    int64_t others = program.getMesh().getSize(plan::kMicroBatchAxis) - 1;
    region = RegionAttr::get(op->getContext(), region.getBuffer(), region.getOffset(),
                             region.getSize() - others * stride, program.getMicroBatchBase(stride));
  }
  auto [bytes, loops] = blocks.getLoopsToBlock();
  Place destination = write(cast<OpResult>(slice.getResult()));
  StridedCopyOp::create(builder, op->getLoc(), region, getRegion(destination, slice.getResult()),
                        bytes, loops, blocks.getCoordinates());
  return true;
}

RegionAttr TaskLowering::putInBlocks(Location loc, RegionAttr source, RankedTensorType type,
                                     const Blocks &blocks) {
  if (blocks.areInOrder())
    return source;
  RegionAttr inBlocks = program.makeTemporary(loc, type).getRegion(type);
  auto [bytes, loops] = blocks.getLoopsToBlocks();
  StridedCopyOp::create(builder, loc, source, inBlocks, bytes, loops, ArrayRef<CoordinateAttr>());
  return inBlocks;
}

void TaskLowering::takeFromBlocks(Location loc, RegionAttr destination, RankedTensorType type,
                                  const Blocks &blocks,
                                  llvm::function_ref<void(RegionAttr)> exchange) {
  if (blocks.areInOrder())
    return exchange(destination);
  RegionAttr inBlocks = program.makeTemporary(loc, type).getRegion(type);
  exchange(inBlocks);
  auto [bytes, loops] = blocks.getLoopsFromBlocks();
  StridedCopyOp::create(builder, loc, inBlocks, destination, bytes, loops,
                        ArrayRef<CoordinateAttr>());
}

FailureOr<bool> TaskLowering::tryAllGather(Operation *op) {
  auto gather = dyn_cast<comm::AllGatherOp>(op);
  if (!gather)
    return false;
  FailureOr<Place> source = read(gather.getInput());
  if (failed(source))
    return failure();
  RankedTensorType type = gather.getResult().getType();
  Place destination = write(cast<OpResult>(gather.getResult()));
  takeFromBlocks(
      op->getLoc(), destination.getRegion(type), type,
      Blocks(type, gather.getDim(), gather.getAxes(), program.getMesh()), [&](RegionAttr inBlocks) {
        AllGatherOp::create(builder, op->getLoc(), getRegion(*source, gather.getInput()), inBlocks,
                            program.getCommunicator(gather.getAxes()), type.getElementType());
      });
  return true;
}

FailureOr<bool> TaskLowering::tryReduceScatter(Operation *op) {
  auto scatter = dyn_cast<comm::ReduceScatterOp>(op);
  if (!scatter)
    return false;
  FailureOr<Place> source = read(scatter.getInput());
  if (failed(source))
    return failure();
  RankedTensorType type = scatter.getInput().getType();
  RegionAttr inBlocks =
      putInBlocks(op->getLoc(), source->getRegion(type), type,
                  Blocks(type, scatter.getDim(), scatter.getAxes(), program.getMesh()));
  Place destination = write(cast<OpResult>(scatter.getResult()));
  ReduceScatterOp::create(builder, op->getLoc(), getReduction(scatter.getCombiner()), inBlocks,
                          getRegion(destination, scatter.getResult()),
                          program.getCommunicator(scatter.getAxes()), type.getElementType());
  return true;
}

FailureOr<bool> TaskLowering::tryAllToAll(Operation *op) {
  auto exchange = dyn_cast<comm::AllToAllOp>(op);
  if (!exchange)
    return false;
  FailureOr<Place> source = read(exchange.getInput());
  if (failed(source))
    return failure();
  RankedTensorType sent = exchange.getInput().getType(), received = exchange.getResult().getType();
  RegionAttr sentBlocks =
      putInBlocks(op->getLoc(), source->getRegion(sent), sent,
                  Blocks(sent, exchange.getSplitDim(), exchange.getAxes(), program.getMesh()));
  Place destination = write(cast<OpResult>(exchange.getResult()));
  takeFromBlocks(op->getLoc(), destination.getRegion(received), received,
                 Blocks(received, exchange.getConcatDim(), exchange.getAxes(), program.getMesh()),
                 [&](RegionAttr receivedBlocks) {
                   AllToAllOp::create(builder, op->getLoc(), sentBlocks, receivedBlocks,
                                      program.getCommunicator(exchange.getAxes()),
                                      sent.getElementType());
                 });
  return true;
}
