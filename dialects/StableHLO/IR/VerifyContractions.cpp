// Verifiers of ContractionOps.td.
#include "dialects/StableHLO/IR/Verify.h"

using namespace mlir;
using namespace planwright::stablehlo;

//===----------------------------------------------------------------------===//
// dot and dot_general
//===----------------------------------------------------------------------===//

LogicalResult DotOp::verify() {
  RankedTensorType lhs = getLhs().getType(), rhs = getRhs().getType();
  auto isVectorOrMatrix = [](RankedTensorType type) {
    return type.getRank() == 1 || type.getRank() == 2;
  };
  bool fits = isVectorOrMatrix(lhs) && isVectorOrMatrix(rhs) &&
              lhs.getShape().back() == rhs.getShape().front();
  if (!fits) // dot_c1
    return emitOpError() << "cannot multiply " << lhs << " by " << rhs;
  SmallVector<int64_t> expected(lhs.getShape().drop_back());
  llvm::append_range(expected, rhs.getShape().drop_front());
  if (failed(verifyShape(*this, "result", getType(), expected))) // dot_c2
    return failure();
  return verifySameKind(*this); // dot_c3
}

/// Nothing, an empty list, or one entry for each of the two sides.
static LogicalResult verifyPrecision(Operation *op, std::optional<ArrayAttr> precision) {
  if (!precision || precision->empty())
    return success();
  return verifyCount(op, "precision_config", precision->size(), 2);
}

/// Dimensions of both sides that go together are as many and as large.
static LogicalResult verifyDimPairs(Operation *op, StringRef what, RankedTensorType lhs,
                                    ArrayRef<int64_t> lhsDims, RankedTensorType rhs,
                                    ArrayRef<int64_t> rhsDims) {
  if (lhsDims.size() != rhsDims.size())
    return op->emitOpError() << what << " dimensions come in pairs, but there are "
                             << lhsDims.size() << " of the left and " << rhsDims.size()
                             << " of the right side";
  for (auto [l, r] : llvm::zip_equal(lhsDims, rhsDims))
    if (lhs.getDimSize(l) != rhs.getDimSize(r))
      return op->emitOpError() << what << " dimension " << l << " of " << lhs << " has size "
                               << lhs.getDimSize(l) << ", but dimension " << r << " of " << rhs
                               << ", which goes with it, has size " << rhs.getDimSize(r);
  return success();
}

/// Appends what neither batches nor contracts.
static void appendFreeDims(RankedTensorType type, ArrayRef<int64_t> batching,
                           ArrayRef<int64_t> contracting, SmallVector<int64_t> &shape) {
  for (auto [dim, size] : llvm::enumerate(type.getShape()))
    if (!llvm::is_contained(batching, int64_t(dim)) &&
        !llvm::is_contained(contracting, int64_t(dim)))
      shape.push_back(size);
}

LogicalResult DotGeneralOp::verify() {
  RankedTensorType lhs = getLhs().getType(), rhs = getRhs().getType();
  DotDimensionNumbersAttr dims = getDotDimensionNumbers();
  ArrayRef<int64_t> lhsBatch = dims.getLhsBatchingDimensions();
  ArrayRef<int64_t> rhsBatch = dims.getRhsBatchingDimensions();
  ArrayRef<int64_t> lhsContract = dims.getLhsContractingDimensions();
  ArrayRef<int64_t> rhsContract = dims.getRhsContractingDimensions();
  SmallVector<int64_t> lhsAll = llvm::to_vector(llvm::concat<const int64_t>(lhsBatch, lhsContract));
  SmallVector<int64_t> rhsAll = llvm::to_vector(llvm::concat<const int64_t>(rhsBatch, rhsContract));
  if (failed(verifyDims(*this, "the left side", lhsAll, lhs.getRank())) || // dot_general_c1
      failed(verifyDims(*this, "the right side", rhsAll, rhs.getRank())) ||
      failed(verifyDimPairs(*this, "batching", lhs, lhsBatch, rhs, rhsBatch)) || // dot_general_c2
      failed(verifyDimPairs(*this, "contracting", lhs, lhsContract, rhs, rhsContract)))
    return failure();
  auto expected = llvm::map_to_vector(lhsBatch, [&](int64_t d) { return lhs.getDimSize(d); });
  appendFreeDims(lhs, lhsBatch, lhsContract, expected);
  appendFreeDims(rhs, rhsBatch, rhsContract, expected);
  if (failed(verifyShape(*this, "result", getType(), expected)) || // dot_general_c3
      failed(verifySameKind(*this)))                               // dot_general_c4
    return failure();
  return verifyPrecision(*this, getPrecisionConfig()); // dot_general_c5
}

//===----------------------------------------------------------------------===//
// convolution
//===----------------------------------------------------------------------===//

/// convolution_c3 and convolution_c4.
static LogicalResult verifyGroups(ConvolutionOp op) {
  ConvDimensionNumbersAttr dims = op.getDimensionNumbers();
  int64_t features = op.getLhs().getType().getDimSize(dims.getInputFeatureDimension());
  int64_t batch = op.getLhs().getType().getDimSize(dims.getInputBatchDimension());
  int64_t kernelIn = op.getRhs().getType().getDimSize(dims.getKernelInputFeatureDimension());
  int64_t kernelOut = op.getRhs().getType().getDimSize(dims.getKernelOutputFeatureDimension());
  int64_t featureGroups = op.getFeatureGroupCount(), batchGroups = op.getBatchGroupCount();
  if (featureGroups < 1 || batchGroups < 1 || (featureGroups > 1 && batchGroups > 1))
    return op.emitOpError() << "groups have to be positive, and either of features or of the "
                               "batch, but there are "
                            << featureGroups << " and " << batchGroups;
  bool divides = features % featureGroups == 0 && batch % batchGroups == 0 &&
                 kernelOut % featureGroups == 0 && kernelOut % batchGroups == 0;
  if (!divides)
    return op.emitOpError() << featureGroups << " groups of features and " << batchGroups
                            << " of the batch do not divide " << op.getLhs().getType() << " and "
                            << op.getRhs().getType();
  if (kernelIn != features / featureGroups)
    return op.emitOpError() << "the kernel has " << kernelIn << " input features, but "
                            << features / featureGroups << " are expected: " << features << " in "
                            << featureGroups << " groups";
  return success();
}

static LogicalResult verifyConvolutionShape(ConvolutionOp op) {
  ConvDimensionNumbersAttr dims = op.getDimensionNumbers();
  RankedTensorType lhs = op.getLhs().getType(), rhs = op.getRhs().getType();
  auto kernelSizes = llvm::map_to_vector(dims.getKernelSpatialDimensions(),
                                         [&](int64_t d) { return rhs.getDimSize(d); });
  FailureOr<Window> window =
      readWindow(op, kernelSizes, op.getWindowStrides(), // convolution_c1, c2
                 op.getPadding(), op.getLhsDilation(), op.getRhsDilation(),
                 /*sizesFromKernel=*/true);
  if (failed(window))
    return failure();
  std::optional<ArrayRef<bool>> reversal = op.getWindowReversal();
  if (reversal && failed(verifyCount(op, "window_reversal", reversal->size(), kernelSizes.size())))
    return failure();
  SmallVector<Size> expected(lhs.getRank());
  expected[dims.getOutputBatchDimension()] =
      lhs.getDimSize(dims.getInputBatchDimension()) / int64_t(op.getBatchGroupCount());
  expected[dims.getOutputFeatureDimension()] =
      rhs.getDimSize(dims.getKernelOutputFeatureDimension());
  for (auto [i, dim] : llvm::enumerate(dims.getOutputSpatialDimensions()))
    expected[dim] = window->getPlaces(i, lhs.getDimSize(dims.getInputSpatialDimensions()[i]));
  return verifyShape(op, "result", op.getType(), expected); // convolution_c5
}

LogicalResult ConvolutionOp::verify() {
  size_t rank = getDimensionNumbers().getInputSpatialDimensions().size() + 2;
  for (Type type : {getLhs().getType(), getRhs().getType(), getType()})
    if (size_t(cast<RankedTensorType>(type).getRank()) != rank) // convolution_c1
      return emitOpError() << "dimension numbers name " << rank << " dimensions, but one side is "
                           << type;
  if (failed(verifyGroups(*this)) || failed(verifyConvolutionShape(*this)) ||
      failed(verifySameKind(*this))) // convolution_c6
    return failure();
  return verifyPrecision(*this, getPrecisionConfig()); // convolution_c7
}

//===----------------------------------------------------------------------===//
// Batch normalisation
//===----------------------------------------------------------------------===//

/// `full` have the operand's type, `vectors` one element for each feature.
static LogicalResult verifyBatchNorm(Operation *op, RankedTensorType operand, int64_t featureIndex,
                                     ValueRange full, ValueRange vectors) {
  if (failed(verifyDims(op, "feature_index", featureIndex, operand.getRank()))) // batch_norm_c1
    return failure();
  for (Value value : full) // batch_norm_c2
    if (failed(verifyType(op, "a full-size value", value.getType(), operand)))
      return failure();
  auto expected = RankedTensorType::get(operand.getDimSize(featureIndex), operand.getElementType());
  for (Value value : vectors)
    if (failed(verifyType(op, "a value per feature", value.getType(), expected)))
      return failure();
  return success();
}

LogicalResult BatchNormTrainingOp::verify() {
  return verifyBatchNorm(*this, getOperand().getType(), getFeatureIndex(), getOutput(),
                         {getScale(), getOffset(), getBatchMean(), getBatchVar()});
}

LogicalResult BatchNormInferenceOp::verify() {
  return verifyBatchNorm(*this, getOperand().getType(), getFeatureIndex(), getResult(),
                         {getScale(), getOffset(), getMean(), getVariance()});
}

LogicalResult BatchNormGradOp::verify() {
  return verifyBatchNorm(*this, getOperand().getType(), getFeatureIndex(),
                         {getGradOutput(), getGradOperand()},
                         {getScale(), getMean(), getVariance(), getGradScale(), getGradOffset()});
}

//===----------------------------------------------------------------------===//
// Linear algebra
//===----------------------------------------------------------------------===//

static LogicalResult verifySquare(Operation *op, RankedTensorType type) {
  int64_t rank = type.getRank();
  if (rank >= 2 && type.getDimSize(rank - 1) == type.getDimSize(rank - 2))
    return success();
  return op->emitOpError() << "square matrices are expected, but operand #0 is " << type;
}

LogicalResult CholeskyOp::verify() { return verifySquare(*this, getA().getType()); } // cholesky_c1

LogicalResult TriangularSolveOp::verify() {
  RankedTensorType a = getA().getType(), b = getB().getType();
  if (failed(verifySquare(*this, a))) // triangular_solve_c1
    return failure();
  if (a.getRank() != b.getRank())
    return emitOpError() << "both sides need the same number of dimensions, but are " << a
                         << " and " << b;
  return verifyType(*this, "result", getType(), b); // triangular_solve_c2
}

LogicalResult FftOp::verify() {
  size_t count = getFftLength().size();
  RankedTensorType operand = getOperand().getType();
  if (count < 1 || count > 3 || count > size_t(operand.getRank())) // fft_c1
    return emitOpError() << "cannot transform " << count << " dimensions of " << operand;
  if (operand.getRank() != getType().getRank()) // fft_c2
    return emitOpError() << "result " << getType() << " needs as many dimensions as " << operand;
  return success();
}
