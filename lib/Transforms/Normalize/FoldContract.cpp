// Folding around contractions: movement of an input becomes part of its map, movement of the result
// of the map of the result.
#include "Fold.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace planwright {

static bool uses(AffineMap map, unsigned loop) { return map.isFunctionOfDim(loop); }

/// Every loop of a contraction that is summed runs over both inputs; every other one over at least
/// one.
static bool isContraction(AffineMap lhs, AffineMap rhs, AffineMap out) {
  for (unsigned loop = 0; loop < out.getNumDims(); ++loop) {
    bool inLhs = uses(lhs, loop), inRhs = uses(rhs, loop);
    if (uses(out, loop) ? !(inLhs || inRhs) : !(inLhs && inRhs))
      return false;
  }
  return true;
}

void foldContract(linalg::ContractOp contract) {
  SmallVector<AffineMap> maps = contract.getIndexingMapsArray();
  bool changed = false;
  for (unsigned i : {0u, 1u}) {
    std::optional<Movement> movement = Movement::match(contract.getInputs()[i]);
    if (!movement)
      continue;
    AffineMap composed = movement->map.compose(maps[i]);
    AffineMap other = maps[1 - i];
    if (!isContraction(i == 0 ? composed : other, i == 0 ? other : composed, maps[2]))
      continue;
    contract->setOperand(i, movement->source);
    maps[i] = composed;
    changed = true;
  }
  if (changed)
    contract.setIndexingMapsAttr(Builder(contract.getContext()).getAffineMapArrayAttr(maps));
}

//===----------------------------------------------------------------------===//
// Transposes behind a producer
//===----------------------------------------------------------------------===//

/// The same fill or empty tensor in another shape; null if it is something else.
static Value reshapeInit(OpBuilder &b, Value init, RankedTensorType type) {
  if (init.getDefiningOp<tensor::EmptyOp>())
    return tensor::EmptyOp::create(b, init.getLoc(), type.getShape(), type.getElementType());
  auto fill = init.getDefiningOp<linalg::FillOp>();
  TypedAttr value;
  if (!fill || !matchPattern(fill.getInputs()[0], m_Constant(&value)))
    return {};
  Value empty = tensor::EmptyOp::create(b, init.getLoc(), type.getShape(), type.getElementType());
  Value scalar = arith::ConstantOp::create(b, init.getLoc(), value);
  return linalg::FillOp::create(b, init.getLoc(), scalar, empty).getResult(0);
}

bool foldIntoProducer(linalg::GenericOp generic) {
  std::optional<Movement> movement = Movement::match(generic.getResult(0));
  if (!movement || !movement->map.isPermutation() || !movement->source.hasOneUse())
    return false;
  auto producer = movement->source.getDefiningOp<linalg::LinalgOp>();
  bool isOurs = producer && isa<linalg::GenericOp, linalg::ContractOp>(producer.getOperation());
  if (!isOurs || producer.getNumDpsInits() != 1)
    return false;
  OpBuilder b(producer);
  auto type = cast<RankedTensorType>(generic.getResult(0).getType());
  Value init = reshapeInit(b, producer.getDpsInits()[0], type);
  if (!init)
    return false;
  // result[i...] = source[map(i...)], so the producer writes dimension j of the source to where the
  // map's inverse has it.
  SmallVector<AffineMap> maps = producer.getIndexingMapsArray();
  maps.back() = inversePermutation(movement->map).compose(maps.back());
  producer->setAttr("indexing_maps", b.getAffineMapArrayAttr(maps));
  producer.getDpsInitsMutable()[0].set(init);
  producer->getResult(0).setType(type);
  generic.getResult(0).replaceAllUsesWith(producer->getResult(0));
  generic.erase();
  return true;
}

} // namespace planwright
