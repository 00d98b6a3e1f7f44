// Definition and verifiers of the model dialect.
// Not here: how an operation shards, costs, differentiates or runs (lib/Interfaces, lib/Reference,
// lib/Codegen).
#include "dialects/Model/IR/Model.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/Transforms/InliningUtils.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace planwright::model;

#include "dialects/Model/IR/ModelDialect.cpp.inc"
#include "dialects/Model/IR/ModelEnums.cpp.inc"
#define GET_ATTRDEF_CLASSES
#include "dialects/Model/IR/ModelAttrs.cpp.inc"
#define GET_OP_CLASSES
#include "dialects/Model/IR/ModelOps.cpp.inc"

namespace {
/// Every operation may move with the layer function that it stands in.
struct ModelInlinerInterface : DialectInlinerInterface {
  using DialectInlinerInterface::DialectInlinerInterface;
  bool isLegalToInline(Operation *, Region *, bool, IRMapping &) const final { return true; }
};
} // namespace

void ModelDialect::initialize() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "dialects/Model/IR/ModelAttrs.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "dialects/Model/IR/ModelOps.cpp.inc"
      >();
  addInterfaces<ModelInlinerInterface>();
}

ArgumentAttr planwright::model::getArgument(func::FuncOp function, unsigned index) {
  return function.getArgAttrOfType<ArgumentAttr>(index, kArgumentAttrName);
}

LogicalResult ArgumentAttr::verify(function_ref<InFlightDiagnostic()> emitError, Role role,
                                   StringRef name, int64_t batchDim, bool trainable) {
  if (name.empty()) // argument_c1
    return emitError() << "an argument needs a name";
  bool hasNoExamples = role == Role::parameter || role == Role::constant;
  if (hasNoExamples && batchDim != -1) // argument_c2
    return emitError() << stringifyRole(role) << " \"" << name
                       << "\" cannot have a batch dimension, but has " << batchDim;
  return success();
}

/// `rows` is the shape of the indices followed by `trailing`, or the verifier of `op` says so.
static LogicalResult verifyRows(Operation *op, ShapedType rows, ShapedType indices,
                                ShapedType table) {
  if (table.getRank() < 1 || !indices.getElementType().isIntOrIndex()) // lookup_c1
    return op->emitOpError("needs a table with at least one dimension and integer indices");
  SmallVector<int64_t> expected(indices.getShape());
  llvm::append_range(expected, table.getShape().drop_front());
  if (rows.getShape() != ArrayRef<int64_t>(expected)) // lookup_c2
    return op->emitOpError("rows have shape ")
           << rows << ", but indices " << indices << " of table " << table << " give shape ["
           << expected << "]";
  if (rows.getElementType() != table.getElementType()) // lookup_c3
    return op->emitOpError("rows and table differ in element type: ")
           << rows.getElementType() << " and " << table.getElementType();
  return success();
}

LogicalResult LookupOp::verify() {
  return verifyRows(*this, getResult().getType(), getIndices().getType(), getTable().getType());
}

LogicalResult LookupGradOp::verify() {
  return verifyRows(*this, getGradient().getType(), getIndices().getType(), getResult().getType());
}

LogicalResult CumulativeSumOp::verify() {
  auto type = cast<ShapedType>(getInput().getType());
  int64_t dim = getDim();
  if (dim < 0 || dim >= type.getRank()) // cumulative_sum_c1
    return emitOpError("dimension ") << dim << " does not exist in " << type;
  return success();
}

LogicalResult TopKOp::verify() {
  auto input = cast<ShapedType>(getInput().getType());
  auto values = cast<ShapedType>(getValues().getType());
  auto indices = cast<ShapedType>(getIndices().getType());
  bool shapesAgree = input.getRank() > 0 && input.getRank() == values.getRank() &&
                     input.getShape().drop_back() == values.getShape().drop_back() &&
                     values.getShape().back() <= input.getShape().back();
  if (!shapesAgree) // top_k_c1
    return emitOpError("cannot take values ")
           << values << " out of the last dimension of " << input;
  if (!indices.getElementType().isIntOrIndex() ||
      indices.getShape() != values.getShape()) // top_k_c2
    return emitOpError("indices ") << indices << " do not match values " << values;
  if (input.getElementType() != values.getElementType()) // top_k_c3
    return emitOpError("input and values differ in element type: ")
           << input.getElementType() << " and " << values.getElementType();
  return success();
}
