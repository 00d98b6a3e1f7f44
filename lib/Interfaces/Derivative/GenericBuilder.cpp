// Construction of normal-form linalg.generic operations. Not here: derivatives.
#include "planwright/Interfaces/GenericBuilder.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;

namespace planwright {

TypedAttr getSplat(Value tensor) {
  DenseElementsAttr elements;
  if (matchPattern(tensor, m_Constant(&elements)) && elements.isSplat())
    return cast<TypedAttr>(elements.getSplatValue<Attribute>());
  TypedAttr scalar;
  if (auto fill = tensor.getDefiningOp<linalg::FillOp>())
    if (matchPattern(fill.getInputs().front(), m_Constant(&scalar)))
      return scalar;
  return {};
}

Value createZeroFill(OpBuilder &builder, Location loc, ArrayRef<int64_t> shape, Type elementType) {
  Value zero = arith::ConstantOp::create(builder, loc, builder.getZeroAttr(elementType));
  Value empty = tensor::EmptyOp::create(builder, loc, shape, elementType);
  return linalg::FillOp::create(builder, loc, zero, empty).getResult(0);
}

GenericBuilder::GenericBuilder(OpBuilder &builder, Location loc, ArrayRef<int64_t> loopSizes)
    : builder(builder), loc(loc), loopSizes(loopSizes), block(std::make_unique<Block>()),
      body(builder.getContext()) {
  body.setInsertionPointToEnd(block.get());
}

GenericBuilder::~GenericBuilder() = default;

Value GenericBuilder::read(Value tensor, AffineMap map) {
  return read(cast<RankedTensorType>(tensor.getType()).getElementType(), map, getSplat(tensor),
              [tensor] { return tensor; });
}

Value GenericBuilder::read(Type elementType, AffineMap map, TypedAttr splat,
                           std::function<Value()> getTensor) {
  if (splat)
    return arith::ConstantOp::create(body, loc, splat);
  inputs.push_back({map, std::move(getTensor)});
  return block->addArgument(elementType, loc);
}

const GenericBuilder::Input *GenericBuilder::getInput(Value scalar) const {
  auto argument = dyn_cast<BlockArgument>(scalar);
  return argument ? &inputs[argument.getArgNumber()] : nullptr;
}

SmallVector<int64_t> GenericBuilder::getShape(AffineMap map) const {
  SmallVector<int64_t> shape;
  for (AffineExpr expr : map.getResults())
    shape.push_back(loopSizes[cast<AffineDimExpr>(expr).getPosition()]);
  return shape;
}

/// Removes operations and inputs that no yield needs.
void GenericBuilder::dropUnused(ArrayRef<Yield> yields) {
  llvm::SmallDenseSet<Value> yielded;
  for (const Yield &yield : yields)
    yielded.insert(yield.scalar);
  auto isUnused = [&](Value v) { return v.use_empty() && !yielded.contains(v); };
  for (Operation &op : llvm::make_early_inc_range(llvm::reverse(*block)))
    if (isPure(&op) && llvm::all_of(op.getResults(), isUnused))
      op.erase();
  BitVector unused(inputs.size());
  SmallVector<Input> kept;
  for (auto [index, input] : llvm::enumerate(inputs)) {
    if (isUnused(block->getArgument(index)))
      unused.set(index);
    else
      kept.push_back(std::move(input));
  }
  block->eraseArguments(unused);
  inputs = std::move(kept);
}

/// Makes every loop's size visible: a loop that neither an input nor the result has gets an empty
/// tensor, which the body does not read.
void GenericBuilder::coverLoops(AffineMap outMap) {
  BitVector covered(loopSizes.size());
  auto cover = [&](AffineMap map) {
    for (AffineExpr expr : map.getResults())
      covered.set(cast<AffineDimExpr>(expr).getPosition());
  };
  cover(outMap);
  for (const Input &input : inputs)
    cover(input.map);
  SmallVector<AffineExpr> missing;
  for (unsigned loop = 0; loop < loopSizes.size(); ++loop)
    if (!covered.test(loop))
      missing.push_back(body.getAffineDimExpr(loop));
  if (missing.empty())
    return;
  AffineMap map = AffineMap::get(loopSizes.size(), 0, missing, body.getContext());
  Type elementType = body.getI8Type();
  Value sizes = tensor::EmptyOp::create(builder, loc, getShape(map), elementType);
  read(elementType, map, {}, [sizes] { return sizes; });
}

linalg::GenericOp GenericBuilder::create(ArrayRef<Yield> yields, ValueRange outs) {
  SmallVector<AffineMap> maps;
  SmallVector<Value> tensors, scalars;
  for (const Input &input : inputs) {
    maps.push_back(input.map);
    tensors.push_back(input.getTensor());
  }
  SmallVector<utils::IteratorType> iterators(loopSizes.size(), utils::IteratorType::reduction);
  for (const Yield &yield : yields) {
    maps.push_back(yield.map);
    scalars.push_back(yield.scalar);
    for (AffineExpr expr : yield.map.getResults())
      iterators[cast<AffineDimExpr>(expr).getPosition()] = utils::IteratorType::parallel;
  }
  linalg::YieldOp::create(body, loc, scalars);
  auto op =
      linalg::GenericOp::create(builder, loc, TypeRange(outs), tensors, outs, maps, iterators);
  op.getRegion().push_back(block.release());
  return op;
}

SmallVector<Value> GenericBuilder::finishPointwise(ArrayRef<Yield> yields) {
  dropUnused(yields);
  SmallVector<Value> outs;
  for (const Yield &yield : yields) {
    Type elementType = yield.scalar.getType();
    outs.push_back(tensor::EmptyOp::create(builder, loc, getShape(yield.map), elementType));
    block->addArgument(elementType, loc);
  }
  return llvm::to_vector_of<Value>(create(yields, outs).getResults());
}

Value GenericBuilder::finishSum(Yield yield) {
  dropUnused({yield});
  coverLoops(yield.map);
  Type elementType = yield.scalar.getType();
  Value out = createZeroFill(builder, loc, getShape(yield.map), elementType);
  Value sum = block->addArgument(elementType, loc);
  Value next = arith::AddFOp::create(body, loc, sum, yield.scalar);
  return create({{next, yield.map}}, out).getResult(0);
}

} // namespace planwright
