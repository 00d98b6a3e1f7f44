// The table of scalar rules, and regions of scalars.
#include "ScalarRules.h"

#include "Types.h"

#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace planwright {

bool ScalarOp::isUnsigned(unsigned operand) const {
  Type element = getElementTypeOrSelf(op->getOperand(operand));
  return element.isUnsignedInteger() || element.isInteger(1);
}

Value ScalarOp::number(Type type, double value) const {
  TypedAttr attr = isa<FloatType>(type) ? TypedAttr(b.getFloatAttr(type, value))
                                        : TypedAttr(b.getIntegerAttr(type, int64_t(value)));
  return arith::ConstantOp::create(b, loc, attr);
}

ScalarRule getScalarRule(Operation *op) {
  static const ScalarTable table = [] {
    ScalarTable table;
    addArithmeticRules(table);
    addFunctionRules(table);
    addLogicRules(table);
    return table;
  }();
  StringRef name = op->getName().getStringRef();
  // A custom call is named by its target.
  if (auto target = op->getAttrOfType<StringAttr>("call_target_name"))
    name = target.getValue();
  auto found = table.find(name);
  return found == table.end() ? nullptr : found->second;
}

//===----------------------------------------------------------------------===//
// Regions
//===----------------------------------------------------------------------===//

/// The scalar that a constant tensor of one element holds, without its sign.
static TypedAttr getScalarConstant(Value value) {
  DenseElementsAttr constant;
  if (!matchPattern(value, m_Constant(&constant)) || !constant.isSplat())
    return {};
  Type type = getSignlessType(constant.getElementType());
  if (!type)
    return {};
  if (isa<FloatType>(type))
    return constant.getSplatValue<TypedAttr>();
  return IntegerAttr::get(type, constant.getSplatValue<APInt>());
}

/// Moves on scalars do nothing.
static bool isMovement(Operation *op) {
  StringRef name = op->getName().getStringRef();
  return name == "stablehlo.reshape" || name == "stablehlo.broadcast_in_dim" ||
         name == "stablehlo.transpose";
}

LogicalResult checkRegion(Block &block, function_ref<void(const Twine &)> refuse) {
  for (Operation &op : block.without_terminator()) {
    bool isKnown = isMovement(&op) || getScalarRule(&op) || getScalarConstant(op.getResult(0));
    if (op.getNumResults() != 1 || !isKnown || op.getNumRegions() != 0) {
      refuse("its region has a '" + op.getName().getStringRef() + "'");
      return failure();
    }
    Type element = getElementTypeOrSelf(op.getResult(0));
    if (!getSignlessType(element)) {
      refuse("its region computes on an element type without arithmetic");
      return failure();
    }
  }
  for (Operation &op : block)
    for (Value operand : op.getOperands())
      if (operand.getParentBlock() != &block && !getScalarConstant(operand)) {
        refuse("its region uses a value from outside that is no constant");
        return failure();
      }
  return success();
}

FailureOr<SmallVector<Value>> emitRegion(OpBuilder &b, Block &block, ValueRange arguments,
                                         function_ref<void(const Twine &)> refuse) {
  IRMapping mapping;
  mapping.map(block.getArguments(), arguments);
  auto lookup = [&](Value value) -> Value {
    if (Value known = mapping.lookupOrNull(value))
      return known;
    TypedAttr constant = getScalarConstant(value);
    return constant ? arith::ConstantOp::create(b, value.getLoc(), constant).getResult() : Value();
  };
  for (Operation &op : block.without_terminator()) {
    if (getScalarConstant(op.getResult(0)))
      continue; // copied where it is used
    SmallVector<Value> scalars = llvm::map_to_vector(op.getOperands(), lookup);
    Value result = scalars.empty() ? Value() : scalars[0];
    if (!isMovement(&op)) {
      ScalarRule rule = getScalarRule(&op);
      Type type = getSignlessType(getElementTypeOrSelf(op.getResult(0)));
      result = rule && type ? rule({b, op.getLoc(), &op, scalars, type}) : Value();
    }
    if (!result) {
      refuse("its region has a '" + op.getName().getStringRef() + "'");
      return failure();
    }
    mapping.map(op.getResult(0), result);
  }
  return llvm::map_to_vector(block.getTerminator()->getOperands(), lookup);
}

} // namespace planwright
