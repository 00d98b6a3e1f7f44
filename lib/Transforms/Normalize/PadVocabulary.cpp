// model-pad-vocabulary: vocabularies of a size that divides, without anybody noticing. Not here:
// files, which keep their shapes (runtime/Data).
#include "lib/Transforms/Normalize/Passes.h"

#include "dialects/Model/IR/Model.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;

namespace planwright {
#define GEN_PASS_DEF_MODELPADVOCABULARY
#include "lib/Transforms/Normalize/Passes.h.inc"

namespace {

bool isParameter(Value value) {
  auto argument = dyn_cast<BlockArgument>(value);
  if (!argument)
    return false;
  auto function = cast<func::FuncOp>(argument.getOwner()->getParentOp());
  auto attr = function.getArgAttrOfType<model::ArgumentAttr>(argument.getArgNumber(),
                                                             model::kArgumentAttrName);
  return attr && attr.getRole() == model::Role::parameter;
}

/// The operation at the end of a reduction's body, if it leaves its accumulator alone for some
/// element.
Operation *getCombiner(linalg::GenericOp generic) {
  Operation *combiner = generic.getBody()->getTerminator()->getOperand(0).getDefiningOp();
  bool isKnown = combiner && combiner->getNumOperands() == 2 && arith::getNeutralElement(combiner);
  return generic.getNumResults() == 1 && isKnown ? combiner : nullptr;
}

/// One dimension that is to be longer, followed from a parameter to everything that has it.
class LongerDimension {
public:
  LongerDimension(Value parameter, int64_t dim, int64_t padded)
      : size(cast<ShapedType>(parameter.getType()).getDimSize(dim)), padded(padded) {
    isValid = add(parameter, dim);
  }

  explicit operator bool() const { return isValid; }
  void pad();

private:
  bool add(Value value, int64_t dim);
  bool addUser(Operation *user, Value value, int64_t dim);
  bool addOp(linalg::LinalgOp op, unsigned loop);

  RankedTensorType getPaddedType(Value value) const;
  Value getPadded(OpBuilder &builder, Value value, AffineMap map, unsigned loop);
  void padOp(linalg::LinalgOp op, unsigned loop);
  void padSlice(tensor::ExtractSliceOp slice);
  void padLookup(model::LookupOp lookup);
  void mask(linalg::GenericOp generic, unsigned loop) const;

  int64_t size, padded;
  bool isValid;
  llvm::MapVector<Value, int64_t> dims;        ///< of each value, which dimension it is
  llvm::DenseMap<Operation *, unsigned> loops; ///< of each linalg operation, which loop it is
  llvm::SetVector<Operation *> ops;            ///< all that read or make such values
  IRMapping made;
};

/// Without memory of its own: made anew in any shape.
bool isMadeAnew(Value value) {
  SplatElementsAttr splat;
  return value.getDefiningOp<tensor::EmptyOp>() || value.getDefiningOp<linalg::FillOp>() ||
         matchPattern(value, m_Constant(&splat));
}

bool LongerDimension::add(Value value, int64_t dim) {
  auto [known, isNew] = dims.insert({value, dim});
  if (!isNew || isMadeAnew(value))
    return known->second == dim;
  if (!isParameter(value)) {
    Operation *op = value.getDefiningOp();
    if (auto linalgOp = dyn_cast_or_null<linalg::LinalgOp>(op)) {
      AffineMap map = linalgOp.getIndexingMapMatchingResult(cast<OpResult>(value));
      if (!addOp(linalgOp, map.getDimPosition(dim)))
        return false;
    } else if (!op || !ops.contains(op)) {
      return false;
    }
  }
  return llvm::all_of(value.getUses(),
                      [&](OpOperand &use) { return addUser(use.getOwner(), value, dim); });
}

bool LongerDimension::addUser(Operation *user, Value value, int64_t dim) {
  if (auto lookup = dyn_cast<model::LookupOp>(user)) {
    ops.insert(user);
    return dim == 0 && lookup.getTable() == value && lookup.getIndices() != value;
  }
  if (auto slice = dyn_cast<tensor::ExtractSliceOp>(user)) {
    ops.insert(user);
    return slice.getStaticSizes()[dim] == size && slice.getStaticOffsets()[dim] == 0 &&
           slice.getType().getRank() == slice.getSourceType().getRank() &&
           add(slice.getResult(), dim);
  }
  auto op = dyn_cast<linalg::LinalgOp>(user);
  if (!op)
    return false;
  for (OpOperand &operand : user->getOpOperands())
    if (operand.get() == value &&
        !addOp(op, op.getMatchingIndexingMap(&operand).getDimPosition(dim)))
      return false;
  return true;
}

/// Everything over the loop is padded. What is summed over it is masked, or zero where a parameter
/// is padded.
bool LongerDimension::addOp(linalg::LinalgOp op, unsigned loop) {
  auto [known, isNew] = loops.insert({op, loop});
  if (!isNew)
    return known->second == loop;
  ops.insert(op);
  bool isReduced = op.getIteratorTypesArray()[loop] == utils::IteratorType::reduction;
  auto generic = dyn_cast<linalg::GenericOp>(op.getOperation());
  if (isReduced && generic && !getCombiner(generic))
    return false;
  if (isReduced && !generic && llvm::none_of(op->getOperands(), isParameter))
    return false;
  for (OpOperand &operand : op->getOpOperands()) {
    AffineMap map = op.getMatchingIndexingMap(&operand);
    for (unsigned dim = 0; dim < map.getNumResults(); ++dim)
      if (map.getDimPosition(dim) == loop && !add(operand.get(), dim))
        return false;
  }
  for (OpResult result : op->getResults()) {
    AffineMap map = op.getIndexingMapMatchingResult(result);
    for (unsigned dim = 0; dim < map.getNumResults(); ++dim)
      if (map.getDimPosition(dim) == loop && !add(result, dim))
        return false;
  }
  return true;
}

//===----------------------------------------------------------------------===//
// Rewriting
//===----------------------------------------------------------------------===//

RankedTensorType LongerDimension::getPaddedType(Value value) const {
  auto type = cast<RankedTensorType>(value.getType());
  SmallVector<int64_t> shape(type.getShape());
  shape[dims.lookup(value)] = padded;
  return RankedTensorType::get(shape, type.getElementType());
}

Value LongerDimension::getPadded(OpBuilder &builder, Value value, AffineMap map, unsigned loop) {
  if (!map.isFunctionOfDim(loop))
    return value;
  if (Value known = made.lookupOrNull(value))
    return known;
  Location loc = value.getLoc();
  RankedTensorType type = getPaddedType(value);
  SplatElementsAttr splat;
  if (matchPattern(value, m_Constant(&splat)))
    return arith::ConstantOp::create(builder, loc, splat.resizeSplat(type));
  Value empty = tensor::EmptyOp::create(builder, loc, type.getShape(), type.getElementType());
  auto fill = value.getDefiningOp<linalg::FillOp>();
  return fill ? linalg::FillOp::create(builder, loc, fill.getInputs(), empty).getResult(0) : empty;
}

/// Lets the reduction pass over what is beyond the end.
void LongerDimension::mask(linalg::GenericOp generic, unsigned loop) const {
  Operation *combiner = getCombiner(generic);
  BlockArgument accumulator = generic.getBody()->getArguments().back();
  OpOperand &element = combiner->getOpOperand(combiner->getOperand(0) == accumulator ? 1 : 0);
  OpBuilder builder(combiner);
  Location loc = combiner->getLoc();
  Value index = arith::IndexCastOp::create(builder, loc, builder.getI64Type(),
                                           linalg::IndexOp::create(builder, loc, loop));
  Value end = arith::ConstantOp::create(builder, loc, builder.getI64IntegerAttr(size));
  Value isInside = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::slt, index, end);
  Value neutral = arith::ConstantOp::create(builder, loc, *arith::getNeutralElement(combiner));
  element.set(arith::SelectOp::create(builder, loc, isInside, element.get(), neutral));
}

void LongerDimension::padOp(linalg::LinalgOp op, unsigned loop) {
  OpBuilder builder(op);
  SmallVector<Value> operands;
  for (OpOperand &operand : op->getOpOperands())
    operands.push_back(
        getPadded(builder, operand.get(), op.getMatchingIndexingMap(&operand), loop));
  SmallVector<Type> types;
  for (Value result : op->getResults())
    types.push_back(dims.contains(result) ? getPaddedType(result) : result.getType());
  Operation *clone = mlir::clone(builder, op, types, operands);
  bool isReduced = op.getIteratorTypesArray()[loop] == utils::IteratorType::reduction;
  if (auto generic = dyn_cast<linalg::GenericOp>(clone); generic && isReduced)
    mask(generic, loop);
  for (auto [result, longer] : llvm::zip_equal(op->getResults(), clone->getResults())) {
    if (dims.contains(result))
      made.map(result, longer);
    else
      result.replaceAllUsesWith(longer);
  }
}

void LongerDimension::padSlice(tensor::ExtractSliceOp slice) {
  OpBuilder builder(slice);
  SmallVector<OpFoldResult> sizes = slice.getMixedSizes();
  sizes[dims.lookup(slice.getResult())] = builder.getIndexAttr(padded);
  made.map(slice.getResult(),
           tensor::ExtractSliceOp::create(builder, slice.getLoc(), made.lookup(slice.getSource()),
                                          slice.getMixedOffsets(), sizes, slice.getMixedStrides())
               .getResult());
}

/// An index beyond the end reads the last row, not the padding.
void LongerDimension::padLookup(model::LookupOp lookup) {
  OpBuilder builder(lookup);
  Location loc = lookup.getLoc();
  auto type = cast<RankedTensorType>(lookup.getIndices().getType());
  Value empty = tensor::EmptyOp::create(builder, loc, type.getShape(), type.getElementType());
  SmallVector<AffineMap> maps(2, builder.getMultiDimIdentityMap(type.getRank()));
  SmallVector<utils::IteratorType> parallel(type.getRank(), utils::IteratorType::parallel);
  auto clamp = [&](OpBuilder &b, Location l, ValueRange arguments) {
    Value last =
        arith::ConstantOp::create(b, l, b.getIntegerAttr(arguments[0].getType(), size - 1));
    linalg::YieldOp::create(b, l, arith::MinSIOp::create(b, l, arguments[0], last).getResult());
  };
  Value indices = linalg::GenericOp::create(builder, loc, type, lookup.getIndices(), empty, maps,
                                            parallel, clamp)
                      .getResult(0);
  lookup->setOperands({made.lookup(lookup.getTable()), indices});
}

void LongerDimension::pad() {
  for (auto &[value, dim] : dims)
    if (auto argument = dyn_cast<BlockArgument>(value)) {
      argument.setType(getPaddedType(argument));
      auto function = cast<func::FuncOp>(argument.getOwner()->getParentOp());
      function.setType(FunctionType::get(function.getContext(),
                                         argument.getOwner()->getArgumentTypes(),
                                         function.getResultTypes()));
      made.map(argument, argument);
    }
  SmallVector<Operation *> ordered(ops.begin(), ops.end());
  llvm::sort(ordered, [](Operation *a, Operation *b) { return a->isBeforeInBlock(b); });
  for (Operation *op : ordered) {
    if (auto lookup = dyn_cast<model::LookupOp>(op))
      padLookup(lookup);
    else if (auto slice = dyn_cast<tensor::ExtractSliceOp>(op))
      padSlice(slice);
    else
      padOp(cast<linalg::LinalgOp>(op), loops.lookup(op));
  }
  for (Operation *op : llvm::reverse(ordered))
    if (!isa<model::LookupOp>(op))
      op->erase();
}

struct PadVocabulary : impl::ModelPadVocabularyBase<PadVocabulary> {
  using ModelPadVocabularyBase::ModelPadVocabularyBase;

  void runOnOperation() override {
    for (auto function : getOperation().getOps<func::FuncOp>())
      if (!function.isDeclaration())
        runOn(function);
  }

  /// The dimensions of parameters that count what looked-up tables have rows for.
  void runOn(func::FuncOp function) {
    llvm::SmallSetVector<int64_t, 2> sizes;
    function.walk([&](model::LookupOp lookup) {
      if (isParameter(lookup.getTable()))
        sizes.insert(cast<ShapedType>(lookup.getTable().getType()).getDimSize(0));
    });
    for (int64_t size : sizes)
      if (size % multiple != 0)
        for (BlockArgument argument : function.getArguments())
          padArgument(argument, size);
  }

  void padArgument(BlockArgument argument, int64_t size) {
    if (!isParameter(argument))
      return;
    for (auto [dim, length] : llvm::enumerate(cast<ShapedType>(argument.getType()).getShape())) {
      if (length != size)
        continue;
      int64_t padded = (size + multiple - 1) / multiple * multiple;
      if (LongerDimension longer(argument, dim, padded); longer)
        longer.pad();
    }
  }
};

} // namespace
} // namespace planwright
