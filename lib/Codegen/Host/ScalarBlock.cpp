// Scalar bodies of linalg operations, cloned into loops: narrow floats in f32, fast-math flags
// where they are safe.
#include "NestEmitter.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/CastInterfaces.h"

using namespace mlir;
using namespace planwright::codegen;

static bool isNarrowFloat(Type type) { return type != getComputeType(type); }

Value planwright::codegen::createConstant(ItemBuilder &builder, TypedAttr value) {
  Type type = getComputeType(value.getType());
  if (auto number = dyn_cast<FloatAttr>(value)) {
    APFloat wide = number.getValue();
    bool losesInfo;
    wide.convert(cast<FloatType>(type).getFloatSemantics(), APFloat::rmNearestTiesToEven,
                 &losesInfo);
    value = FloatAttr::get(type, wide);
  }
  return arith::ConstantOp::create(builder, value);
}

namespace {
class BlockCloner {
public:
  BlockCloner(ItemBuilder &builder, Block &block, ValueRange arguments,
              function_ref<Value(unsigned)> ivOf)
      : b(builder), block(block), ivOf(ivOf) {
    mapping.map(block.getArguments(), arguments);
  }

  SmallVector<Value> clone(ArrayRef<unsigned> sums) {
    Operation *yield = block.getTerminator();
    for (unsigned number : sums)
      if (Operation *combiner = yield->getOperand(number).getDefiningOp();
          combiner && llvm::any_of(combiner->getOperands(), llvm::IsaPred<BlockArgument>))
        combiners.insert(combiner);
    for (Operation &operation : block.without_terminator())
      cloneOperation(operation);
    return llvm::map_to_vector(yield->getOperands(), [&](Value value) { return lookup(value); });
  }

private:
  /// A value defined inside the block, or a scalar constant from outside.
  Value lookup(Value value) {
    if (mapping.contains(value))
      return mapping.lookup(value);
    Attribute constant;
    bool isConstant = matchPattern(value, m_Constant(&constant));
    assert(isConstant && "the body was checked to be closed");
    (void)isConstant;
    Value clone = createConstant(b, cast<TypedAttr>(constant));
    mapping.map(value, clone);
    return clone;
  }

  void cloneOperation(Operation &operation) {
    if (auto index = dyn_cast<linalg::IndexOp>(operation))
      return mapping.map(index.getResult(), ivOf(index.getDim()));
    if (auto constant = dyn_cast<arith::ConstantOp>(operation))
      return mapping.map(constant.getResult(), createConstant(b, constant.getValue()));
    if (isa<arith::ExtFOp>(operation) &&
        lookup(operation.getOperand(0)).getType() == operation.getResult(0).getType())
      return mapping.map(operation.getResult(0), lookup(operation.getOperand(0)));
    isa<CastOpInterface>(operation) ? cloneCast(operation) : cloneWide(operation);
  }

  /// Casts to and from 16-bit floats keep their rounding; everything else is computed in f32.
  void cloneCast(Operation &operation) {
    Value operand = lookup(operation.getOperand(0));
    Type from = operation.getOperand(0).getType(), to = operation.getResult(0).getType();
    if (isNarrowFloat(from) && !isa<arith::ExtFOp>(operation))
      operand = arith::TruncFOp::create(b, from, operand);
    IRMapping operands;
    operands.map(operation.getOperand(0), operand);
    Value result = b.clone(operation, operands)->getResult(0);
    if (isNarrowFloat(to))
      result = arith::ExtFOp::create(b, getComputeType(to), result);
    mapping.map(operation.getResult(0), result);
  }

  void cloneWide(Operation &operation) {
    for (Value operand : operation.getOperands())
      lookup(operand);
    Operation *clone = b.clone(operation, mapping);
    for (OpResult result : clone->getResults())
      result.setType(getComputeType(result.getType()));
    setFastMath(clone, combiners.contains(&operation));
  }

  /// Multiply-add may be one instruction everywhere; only a reduction's combiner may be reordered.
  /// Nothing may assume that there is no infinity or NaN: masks are made of them.
  void setFastMath(Operation *operation, bool isCombiner) {
    auto fastMath = dyn_cast<arith::ArithFastMathInterface>(operation);
    if (!fastMath)
      return;
    auto flags = arith::FastMathFlags::contract;
    if (isCombiner)
      flags = flags | arith::FastMathFlags::reassoc | arith::FastMathFlags::nsz;
    operation->setAttr(fastMath.getFastMathAttrName(),
                       arith::FastMathFlagsAttr::get(b.getContext(), flags));
  }

  ItemBuilder &b;
  Block &block;
  function_ref<Value(unsigned)> ivOf;
  IRMapping mapping;
  llvm::SmallPtrSet<Operation *, 2> combiners;
};
} // namespace

SmallVector<Value> planwright::codegen::cloneScalarBlock(ItemBuilder &builder, Block &block,
                                                         ValueRange arguments,
                                                         function_ref<Value(unsigned)> ivOf,
                                                         ArrayRef<unsigned> sums) {
  return BlockCloner(builder, block, arguments, ivOf).clone(sums);
}
