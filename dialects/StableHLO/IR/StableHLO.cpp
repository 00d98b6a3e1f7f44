// Registration of the stablehlo dialect, and the traits that its operations share.
// Not here: attributes' text (Attributes.cpp), operations' text (Syntax.cpp), verifiers
// (Verify*.cpp).
#include "dialects/StableHLO/IR/StableHLO.h"

#include "dialects/StableHLO/IR/Syntax.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/Transforms/InliningUtils.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace planwright::stablehlo;

#include "dialects/StableHLO/IR/StableHLODialect.cpp.inc"
#include "dialects/StableHLO/IR/StableHLOEnums.cpp.inc"
#define GET_ATTRDEF_CLASSES
#include "dialects/StableHLO/IR/StableHLOAttrs.cpp.inc"
#define GET_TYPEDEF_CLASSES
#include "dialects/StableHLO/IR/StableHLOTypes.cpp.inc"
#define GET_OP_CLASSES
#include "dialects/StableHLO/IR/StableHLOOps.cpp.inc"

namespace {
/// Every operation may move with the function that it stands in.
struct StableHLOInlinerInterface : DialectInlinerInterface {
  using DialectInlinerInterface::DialectInlinerInterface;
  bool isLegalToInline(Operation *, Region *, bool, IRMapping &) const final { return true; }
  bool isLegalToInline(Region *, Region *, bool, IRMapping &) const final { return true; }
};
} // namespace

void StableHLODialect::initialize() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "dialects/StableHLO/IR/StableHLOAttrs.cpp.inc"
      >();
  addTypes<
#define GET_TYPEDEF_LIST
#include "dialects/StableHLO/IR/StableHLOTypes.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "dialects/StableHLO/IR/StableHLOOps.cpp.inc"
      >();
  addInterfaces<StableHLOInlinerInterface>();
}

std::optional<Dialect::ParseOpHook>
StableHLODialect::getParseOperationHook(StringRef opName) const {
  return lookUpSyntax(opName);
}

OpFoldResult ConstantOp::fold(FoldAdaptor) { return getValue(); }

//===----------------------------------------------------------------------===//
// Traits
//===----------------------------------------------------------------------===//

/// Calls `check` with each operand's and result's type and a name for it, until one fails.
static LogicalResult
forEachType(Operation *op, llvm::function_ref<LogicalResult(Type, const char *, unsigned)> check) {
  for (auto [i, type] : llvm::enumerate(op->getOperandTypes()))
    if (failed(check(type, "operand #", i)))
      return failure();
  for (auto [i, type] : llvm::enumerate(op->getResultTypes()))
    if (failed(check(type, "result #", i)))
      return failure();
  return success();
}

/// The type that the others are compared with.
static Type getFirstType(Operation *op) {
  return op->getNumOperands() ? op->getOperand(0).getType() : op->getResult(0).getType();
}

LogicalResult planwright::stablehlo::detail::verifySameType(Operation *op) {
  Type first = getFirstType(op);
  return forEachType(op, [&](Type type, const char *what, unsigned i) -> LogicalResult {
    if (type == first)
      return success();
    return op->emitOpError() << what << i << " has type " << type << ", but " << first
                             << " is expected, the type of operand #0";
  });
}

LogicalResult planwright::stablehlo::detail::verifySameShape(Operation *op) {
  auto first = dyn_cast<ShapedType>(getFirstType(op));
  return forEachType(op, [&](Type type, const char *what, unsigned i) -> LogicalResult {
    auto shaped = dyn_cast<ShapedType>(type);
    if (first && shaped && shaped.getShape() == first.getShape())
      return success();
    return op->emitOpError() << what << i << " has type " << type << ", but the shape of "
                             << getFirstType(op) << " is expected, the type of operand #0";
  });
}

LogicalResult planwright::stablehlo::detail::verifyReturningRegions(Operation *op) {
  for (auto [i, region] : llvm::enumerate(op->getRegions())) {
    bool returns =
        region.hasOneBlock() && !region.front().empty() && isa<ReturnOp>(region.front().back());
    if (!returns)
      return op->emitOpError() << "region #" << i
                               << " has to be one block that ends in stablehlo.return";
  }
  return success();
}
