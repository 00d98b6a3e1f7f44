// Verifiers of IndexOps.td: gather and scatter.
#include "dialects/StableHLO/IR/Verify.h"

using namespace mlir;
using namespace planwright::stablehlo;

namespace {
/// The part that gather and scatter share: how index vectors address a tensor.
struct Indexing {
  RankedTensorType tensor;
  RankedTensorType indices;
  int64_t indexVectorDim;
  ArrayRef<int64_t> map;             // start_index_map, scatter_dims_to_operand_dims
  ArrayRef<int64_t> dropped;         // collapsed_slice_dims, inserted_window_dims
  ArrayRef<int64_t> tensorBatching;  // operand_batching_dims, input_batching_dims
  ArrayRef<int64_t> indicesBatching; // start_indices_batching_dims, scatter_indices_batching_dims

  /// The shape of the indices without the index vector.
  SmallVector<int64_t> getBatchShape() const {
    SmallVector<int64_t> shape(indices.getShape());
    if (indexVectorDim < indices.getRank())
      shape.erase(shape.begin() + indexVectorDim);
    return shape;
  }
};
} // namespace

static LogicalResult verifyIndexVector(Operation *op, const Indexing &indexing) {
  int64_t rank = indexing.indices.getRank(), dim = indexing.indexVectorDim;
  if (dim < 0 || dim > rank) // gather_c1, scatter_c2
    return op->emitOpError() << "index_vector_dim is " << dim << ", but the indices "
                             << indexing.indices << " have " << rank << " dimensions";
  int64_t length = dim < rank ? indexing.indices.getDimSize(dim) : 1;
  if (int64_t(indexing.map.size()) != length) // gather_c2, scatter_c3
    return op->emitOpError() << "an index vector has " << length
                             << " elements, but they are mapped to dimensions [" << indexing.map
                             << "]";
  return success();
}

/// gather_c5, scatter_c6.
static LogicalResult verifyBatchingPairs(Operation *op, const Indexing &indexing) {
  if (failed(verifyCount(op, "the indices' batching dimensions", indexing.indicesBatching.size(),
                         indexing.tensorBatching.size())))
    return failure();
  if (llvm::is_contained(indexing.indicesBatching, indexing.indexVectorDim))
    return op->emitOpError() << "dimension " << indexing.indexVectorDim
                             << " of the indices holds the index vectors and cannot be batching";
  for (auto [t, i] : llvm::zip_equal(indexing.tensorBatching, indexing.indicesBatching))
    if (indexing.tensor.getDimSize(t) != indexing.indices.getDimSize(i))
      return op->emitOpError() << "batching dimension " << t << " of " << indexing.tensor
                               << " goes with dimension " << i << " of the indices "
                               << indexing.indices << ", but their sizes differ";
  return success();
}

static LogicalResult verifyIndexing(Operation *op, const Indexing &indexing) {
  int64_t rank = indexing.tensor.getRank();
  if (failed(verifyIndexVector(op, indexing)) ||
      failed(verifyDims(op, "the index map", indexing.map, rank)) || // gather_c3, scatter_c4
      failed(verifyDims(op, "the list of dropped dimensions", indexing.dropped, rank, true)) ||
      failed(
          verifyDims(op, "the list of batching dimensions", indexing.tensorBatching, rank, true)) ||
      failed(verifyDims(op, "the list of the indices' batching dimensions",
                        indexing.indicesBatching, indexing.indices.getRank())) ||
      failed(verifyDisjoint(op, "dropped", indexing.dropped, "batching dimensions",
                            indexing.tensorBatching)) ||
      failed(verifyDisjoint(op, "the index map", indexing.map, "the batching dimensions",
                            indexing.tensorBatching)))
    return failure();
  return verifyBatchingPairs(op, indexing);
}

/// A shape of `rank` dimensions: at `windowDims` the sizes of `window`, elsewhere those of `batch`,
/// both in order.
static SmallVector<int64_t> interleave(int64_t rank, ArrayRef<int64_t> windowDims,
                                       ArrayRef<int64_t> window, ArrayRef<int64_t> batch) {
  SmallVector<int64_t> shape;
  for (int64_t dim = 0; dim < rank; ++dim) {
    ArrayRef<int64_t> &source = llvm::is_contained(windowDims, dim) ? window : batch;
    shape.push_back(source.front());
    source = source.drop_front();
  }
  return shape;
}

//===----------------------------------------------------------------------===//
// gather
//===----------------------------------------------------------------------===//

/// gather_c4. Gives the sizes of a slice that appear in the result.
static FailureOr<SmallVector<int64_t>> readSliceSizes(GatherOp op, const Indexing &indexing) {
  ArrayRef<int64_t> sizes = op.getSliceSizes();
  if (failed(verifyCount(op, "slice_sizes", sizes.size(), indexing.tensor.getRank())))
    return failure();
  SmallVector<int64_t> kept;
  for (auto [i, size] : llvm::enumerate(sizes)) {
    bool isDropped = llvm::is_contained(indexing.dropped, int64_t(i)) ||
                     llvm::is_contained(indexing.tensorBatching, int64_t(i));
    int64_t most = isDropped ? std::min<int64_t>(1, indexing.tensor.getDimSize(i))
                             : indexing.tensor.getDimSize(i);
    if (size < 0 || size > most)
      return op.emitOpError() << "takes slices of " << size << " elements of dimension " << i
                              << " of " << indexing.tensor << ", but at most " << most
                              << " are expected";
    if (!isDropped)
      kept.push_back(size);
  }
  return kept;
}

LogicalResult GatherOp::verify() {
  GatherDimensionNumbersAttr dims = getDimensionNumbers();
  Indexing indexing = {getOperand().getType(),
                       getStartIndices().getType(),
                       dims.getIndexVectorDim(),
                       dims.getStartIndexMap(),
                       dims.getCollapsedSliceDims(),
                       dims.getOperandBatchingDims(),
                       dims.getStartIndicesBatchingDims()};
  if (failed(verifyIndexing(*this, indexing)))
    return failure();
  FailureOr<SmallVector<int64_t>> window = readSliceSizes(*this, indexing);
  if (failed(window))
    return failure();
  SmallVector<int64_t> batch = indexing.getBatchShape();
  int64_t rank = batch.size() + window->size();
  ArrayRef<int64_t> offsetDims = dims.getOffsetDims();
  if (failed(verifyCount(*this, "offset_dims", offsetDims.size(), window->size())) ||
      failed(verifyDims(*this, "offset_dims", offsetDims, rank, true))) // gather_c3
    return failure();
  auto expected = RankedTensorType::get(interleave(rank, offsetDims, *window, batch),
                                        getOperand().getType().getElementType());
  return verifyType(*this, "result", getType(), expected); // gather_c6
}

//===----------------------------------------------------------------------===//
// scatter
//===----------------------------------------------------------------------===//

/// scatter_c1, and the region, scatter_c7.
static LogicalResult verifyScatterValues(ScatterOp op) {
  OperandRange inputs = op.getInputs(), updates = op.getUpdates();
  if (inputs.empty())
    return op.emitOpError("has no input, but at least one is expected");
  SmallVector<Type> elements;
  for (Value input : inputs)
    elements.push_back(scalarOf(input.getType()));
  SmallVector<Type> arguments = elements;
  for (auto [i, input, update] : llvm::enumerate(inputs, updates)) {
    auto type = cast<RankedTensorType>(update.getType());
    if (failed(verifyShape(op, "input #" + Twine(i), cast<RankedTensorType>(input.getType()),
                           cast<RankedTensorType>(inputs.front().getType()).getShape())) ||
        failed(verifyShape(op, "update #" + Twine(i), type,
                           cast<RankedTensorType>(updates.front().getType()).getShape())) ||
        failed(verifyElementType(op, "update #" + Twine(i), type,
                                 getElementTypeOrSelf(input.getType()))))
      return failure();
    arguments.push_back(elements[i]);
  }
  if (op->getResultTypes() != inputs.getTypes())
    return op.emitOpError() << "results are (" << op->getResultTypes() << "), but ("
                            << inputs.getTypes() << ") are expected";
  return verifyRegion(op, "the update computation", op.getUpdateComputation(), arguments, elements);
}

/// scatter_c5: windows of the updates fit into the input.
static LogicalResult verifyUpdateShape(ScatterOp op, const Indexing &indexing,
                                       RankedTensorType updates, ArrayRef<int64_t> windowDims) {
  SmallVector<int64_t> batch = indexing.getBatchShape();
  SmallVector<int64_t> room;
  for (auto [i, size] : llvm::enumerate(indexing.tensor.getShape()))
    if (!llvm::is_contained(indexing.dropped, int64_t(i)) &&
        !llvm::is_contained(indexing.tensorBatching, int64_t(i)))
      room.push_back(size);
  int64_t rank = batch.size() + room.size();
  if (failed(verifyCount(op, "update_window_dims", windowDims.size(), room.size())) ||
      failed(verifyDims(op, "update_window_dims", windowDims, rank, true))) // scatter_c4
    return failure();
  if (updates.getRank() != rank)
    return op.emitOpError() << "updates " << updates << " need " << rank << " dimensions";
  auto window = llvm::map_to_vector(windowDims, [&](int64_t d) { return updates.getDimSize(d); });
  for (auto [size, most] : llvm::zip_equal(window, room))
    if (size > most)
      return op.emitOpError() << "updates " << updates << " have windows of " << size
                              << " elements, but at most " << most << " fit into "
                              << indexing.tensor;
  return verifyShape(op, "updates", updates, interleave(rank, windowDims, window, batch));
}

LogicalResult ScatterOp::verifyRegions() {
  if (failed(verifyScatterValues(*this)))
    return failure();
  ScatterDimensionNumbersAttr dims = getScatterDimensionNumbers();
  Indexing indexing = {cast<RankedTensorType>(getInputs().front().getType()),
                       getScatterIndices().getType(),
                       dims.getIndexVectorDim(),
                       dims.getScatterDimsToOperandDims(),
                       dims.getInsertedWindowDims(),
                       dims.getInputBatchingDims(),
                       dims.getScatterIndicesBatchingDims()};
  if (failed(verifyIndexing(*this, indexing)))
    return failure();
  return verifyUpdateShape(*this, indexing, cast<RankedTensorType>(getUpdates().front().getType()),
                           dims.getUpdateWindowDims());
}
