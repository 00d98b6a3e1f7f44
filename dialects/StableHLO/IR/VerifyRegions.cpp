// Verifiers of RegionOps.td. They run when the operations inside are known to be consistent.
#include "dialects/StableHLO/IR/Verify.h"

using namespace mlir;
using namespace planwright::stablehlo;

LogicalResult ReturnOp::verify() {
  Operation *parent = (*this)->getParentOp();
  if (!parent || !isa_and_present<StableHLODialect>(parent->getDialect())) // return_c1
    return emitOpError("ends a region of a StableHLO operation, but stands elsewhere");
  return success();
}

//===----------------------------------------------------------------------===//
// Reductions
//===----------------------------------------------------------------------===//

/// One scalar for each value, of its element type.
static SmallVector<Type> scalarsOf(ValueRange values) {
  return llvm::map_to_vector(values, [](Value value) -> Type { return scalarOf(value.getType()); });
}

/// There is an input, and all have one shape, which is returned.
static FailureOr<RankedTensorType> verifyInputs(Operation *op, ValueRange inputs) {
  if (inputs.empty())
    return op->emitOpError("has no input, but at least one is expected");
  auto first = cast<RankedTensorType>(inputs.front().getType());
  for (auto [i, input] : llvm::enumerate(inputs))
    if (failed(verifyShape(op, "input #" + Twine(i), cast<RankedTensorType>(input.getType()),
                           first.getShape())))
      return failure();
  return first;
}

/// What reduce and reduce_window share: initial values, results of shape `expected`, the region.
static LogicalResult verifyReduction(Operation *op, ValueRange inputs, ValueRange initValues,
                                     ArrayRef<Size> expected, Region &body) {
  if (op->getNumResults() != inputs.size())
    return op->emitOpError() << "has " << op->getNumResults() << " results, but " << inputs.size()
                             << " are expected, one for each input";
  SmallVector<Type> scalars = scalarsOf(inputs);
  for (auto [i, init, result] : llvm::enumerate(initValues, op->getResults())) {
    auto type = cast<RankedTensorType>(result.getType());
    if (failed(verifyType(op, "initial value #" + Twine(i), init.getType(), scalars[i])) ||
        failed(verifyShape(op, "result #" + Twine(i), type, expected)) ||
        failed(
            verifyElementType(op, "result #" + Twine(i), type, getElementTypeOrSelf(scalars[i]))))
      return failure();
  }
  SmallVector<Type> arguments = scalars;
  llvm::append_range(arguments, scalars);
  return verifyRegion(op, "the body", body, arguments, scalars);
}

LogicalResult ReduceOp::verifyRegions() {
  FailureOr<RankedTensorType> type = verifyInputs(*this, getInputs()); // reduce_c1
  if (failed(type) ||
      failed(verifyDims(*this, "dimensions", getDimensions(), type->getRank()))) // reduce_c3
    return failure();
  SmallVector<Size> expected;
  for (auto [i, size] : llvm::enumerate(type->getShape()))
    if (!llvm::is_contained(getDimensions(), int64_t(i)))
      expected.push_back(size);
  return verifyReduction(*this, getInputs(), getInitValues(), expected, getBody()); // c2, c4, c5
}

LogicalResult ReduceWindowOp::verifyRegions() {
  FailureOr<RankedTensorType> type = verifyInputs(*this, getInputs()); // reduce_window_c1
  if (failed(type) || failed(verifyCount(*this, "window_dimensions", getWindowDimensions().size(),
                                         type->getRank())))
    return failure();
  FailureOr<Window> window = readWindow(*this, getWindowDimensions(), getWindowStrides(), // c3
                                        getPadding(), getBaseDilations(), getWindowDilations());
  if (failed(window))
    return failure();
  SmallVector<Size> expected;
  for (auto [i, size] : llvm::enumerate(type->getShape()))
    expected.push_back(window->getPlaces(i, size));
  return verifyReduction(*this, getInputs(), getInitValues(), expected, getBody()); // c2, c4, c5
}

LogicalResult SelectAndScatterOp::verifyRegions() {
  RankedTensorType operand = getOperand().getType(), source = getSource().getType();
  RankedTensorType scalar = scalarOf(operand);
  if (failed(verifyType(*this, "the initial value", getInitValue().getType(), scalar)) || // c1
      failed(verifyType(*this, "result", getType(), operand)))
    return failure();
  SmallVector<int64_t> sizes(operand.getRank(), 1);
  if (std::optional<ArrayRef<int64_t>> given = getWindowDimensions())
    sizes = llvm::to_vector(*given);
  if (failed(verifyCount(*this, "window_dimensions", sizes.size(), operand.getRank())))
    return failure();
  FailureOr<Window> window = // select_and_scatter_c2
      readWindow(*this, sizes, getWindowStrides(), getPadding(), std::nullopt, std::nullopt);
  if (failed(window))
    return failure();
  SmallVector<Size> expected;
  for (auto [i, size] : llvm::enumerate(operand.getShape()))
    expected.push_back(window->getPlaces(i, size));
  if (failed(verifyShape(*this, "source", source, expected)) || // select_and_scatter_c3
      failed(verifyElementType(*this, "source", source, operand.getElementType())))
    return failure();
  Type boolean = RankedTensorType::get({}, IntegerType::get(getContext(), 1));
  if (failed(verifyRegion(*this, "select", getSelect(), {scalar, scalar}, boolean))) // c4
    return failure();
  return verifyRegion(*this, "scatter", getScatter(), {scalar, scalar}, {scalar});
}

LogicalResult MapOp::verifyRegions() {
  FailureOr<RankedTensorType> type = verifyInputs(*this, getInputs()); // map_c1
  if (failed(type) || failed(verifyShape(*this, "result", getType(), type->getShape())))
    return failure();
  if (!llvm::equal(getDimensions(), llvm::seq<int64_t>(0, type->getRank()))) // map_c2
    return emitOpError() << "dimensions are [" << getDimensions() << "], but all "
                         << type->getRank() << " are expected, in order";
  return verifyRegion(*this, "the computation", getComputation(), scalarsOf(getInputs()), // map_c3
                      {scalarOf(getType())});
}

LogicalResult SortOp::verifyRegions() {
  FailureOr<RankedTensorType> type = verifyInputs(*this, getInputs()); // sort_c1
  if (failed(type))
    return failure();
  if ((*this)->getResultTypes() != getInputs().getTypes())
    return emitOpError() << "results are (" << (*this)->getResultTypes() << "), but ("
                         << getInputs().getTypes() << ") are expected";
  int64_t dim = getDimension(), rank = type->getRank();
  if (failed(verifyDims(*this, "dimension", dim < 0 ? dim + rank : dim, rank))) // sort_c2
    return failure();
  SmallVector<Type> arguments;
  for (Type scalar : scalarsOf(getInputs()))
    arguments.append(2, scalar);
  Type boolean = RankedTensorType::get({}, IntegerType::get(getContext(), 1));
  return verifyRegion(*this, "the comparator", getComparator(), arguments, {boolean}); // sort_c3
}

//===----------------------------------------------------------------------===//
// Loops and branches
//===----------------------------------------------------------------------===//

LogicalResult WhileOp::verifyRegions() {
  TypeRange types = getOperand().getTypes();
  if ((*this)->getResultTypes() != types) // while_c1
    return emitOpError() << "results are (" << (*this)->getResultTypes() << "), but (" << types
                         << ") are expected";
  Type boolean = RankedTensorType::get({}, IntegerType::get(getContext(), 1));
  if (failed(verifyRegion(*this, "the condition", getCond(), types, {boolean}))) // while_c2
    return failure();
  return verifyRegion(*this, "the body", getBody(), types, types);
}

LogicalResult IfOp::verifyRegions() {
  if (getPred().getType().getRank() != 0) // if_c1
    return emitOpError() << "the predicate has type " << getPred().getType()
                         << ", but a scalar is expected";
  TypeRange types = (*this)->getResultTypes(); // if_c2
  if (failed(verifyRegion(*this, "the true branch", getTrueBranch(), {}, types)))
    return failure();
  return verifyRegion(*this, "the false branch", getFalseBranch(), {}, types);
}

LogicalResult CaseOp::verifyRegions() {
  if (getIndex().getType().getRank() != 0 || getBranches().empty()) // case_c1
    return emitOpError() << "a scalar index and at least one branch are expected, but there are "
                         << getIndex().getType() << " and " << getBranches().size();
  for (Region &branch : getBranches()) // case_c2
    if (failed(verifyRegion(*this, "a branch", branch, {}, (*this)->getResultTypes())))
      return failure();
  return success();
}
