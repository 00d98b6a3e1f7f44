// The chlo dialect: registration, syntax and verifiers.
// Not here: stablehlo, whose traits and parsers it shares.
#include "dialects/StableHLO/IR/Chlo.h"

#include "dialects/StableHLO/IR/Syntax.h"
#include "dialects/StableHLO/IR/Verify.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/Transforms/InliningUtils.h"

using namespace mlir;
using namespace planwright;
using namespace planwright::chlo;

#include "dialects/StableHLO/IR/ChloDialect.cpp.inc"
#define GET_OP_CLASSES
#include "dialects/StableHLO/IR/ChloOps.cpp.inc"

namespace {
/// Every operation may move with the function that it stands in.
struct ChloInlinerInterface : DialectInlinerInterface {
  using DialectInlinerInterface::DialectInlinerInterface;
  bool isLegalToInline(Operation *, Region *, bool, IRMapping &) const final { return true; }
};
} // namespace

void ChloDialect::initialize() {
  addOperations<
#define GET_OP_LIST
#include "dialects/StableHLO/IR/ChloOps.cpp.inc"
      >();
  addInterfaces<ChloInlinerInterface>();
}

std::optional<Dialect::ParseOpHook> ChloDialect::getParseOperationHook(StringRef opName) const {
  static constexpr stablehlo::SyntaxFn plain = stablehlo::parseOperandsAndTypes;
  static constexpr stablehlo::SyntaxFn constant = stablehlo::parseConstant;
  static constexpr stablehlo::SyntaxFn topK = stablehlo::parseTopK;
  if (opName == ConstantOp::getOperationName())
    return constant;
  if (opName == TopKOp::getOperationName())
    return topK;
  return plain;
}

OpFoldResult ConstantOp::fold(FoldAdaptor) { return getValue(); }

LogicalResult ConstantOp::verify() {
  return stablehlo::verifyType(*this, "result", getType(), getValue().getType()); // constant_c1
}

LogicalResult TopKOp::verify() {
  RankedTensorType operand = getOperand().getType();
  int64_t k = getK();
  if (operand.getRank() == 0 || k < 0 || k > operand.getShape().back()) // top_k_c1
    return emitOpError() << "cannot take " << k << " elements out of the last dimension of "
                         << operand;
  SmallVector<int64_t> shape(operand.getShape());
  shape.back() = k;
  Type indices = RankedTensorType::get(shape, getIndices().getType().getElementType());
  Type values = RankedTensorType::get(shape, operand.getElementType());
  if (failed(stablehlo::verifyType(*this, "values", getValues().getType(), values))) // top_k_c2
    return failure();
  return stablehlo::verifyType(*this, "indices", getIndices().getType(), indices);
}
