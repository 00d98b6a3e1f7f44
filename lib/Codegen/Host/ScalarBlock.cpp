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
    isa<CastOpInterface>(operation) ? cloneCast(operation) : cloneWide(operation);
  }

  /// Casts round to 16-bit floats where the block says so; everything else is computed in f32.
  void cloneCast(Operation &operation) {
    Value result = lookup(operation.getOperand(0));
    Type from = operation.getOperand(0).getType(), to = operation.getResult(0).getType();
    bool isBitcast = isa<arith::BitcastOp>(operation);
    if (isBitcast && isNarrowFloat(from))
      result = b.toStorage(result, from);
    result = castWide(operation, result, isBitcast ? getStorageType(to) : getComputeType(to));
    if (isNarrowFloat(to))
      result = b.fromStorage(isBitcast ? result : b.toStorage(result, to), to);
    mapping.map(operation.getResult(0), result);
  }

  /// The cast with another result type; between f32 and f32 there is nothing to do.
  Value castWide(Operation &operation, Value operand, Type to) {
    if (operand.getType() == to)
      return operand;
    IRMapping operands;
    operands.map(operation.getOperand(0), operand);
    Operation *clone = b.clone(operation, operands);
    clone->getResult(0).setType(to);
    return clone->getResult(0);
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
