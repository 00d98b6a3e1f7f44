// Folding into generics: splats become scalars, movement becomes maps, masks are computed in place.
#include "Fold.h"
#include "planwright/Interfaces/GenericBuilder.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using linalg::GenericOp;

namespace planwright {

//===----------------------------------------------------------------------===//
// What can be folded
//===----------------------------------------------------------------------===//

/// A mask with more operations is left alone: folding it into each of its readers would not be
/// cheap any more.
static constexpr size_t kMaxMaskOperations = 48;

bool isPointwise(GenericOp generic) {
  if (generic.getNumDpsInits() != 1 || generic.getNumReductionLoops() != 0)
    return false;
  AffineMap outMap = generic.getIndexingMapsArray().back();
  return outMap.isPermutation() && generic.getBody()->getArguments().back().use_empty();
}

static bool isYieldOnly(GenericOp generic) { return llvm::hasSingleElement(*generic.getBody()); }

/// Coordinates and integers in, anything out, by arithmetic that costs next to nothing.
static bool isMask(GenericOp generic) {
  for (Value input : generic.getInputs())
    if (!isa<IntegerType>(getElementTypeOrSelf(input)))
      return false;
  Block *body = generic.getBody();
  if (body->getOperations().size() > kMaxMaskOperations)
    return false;
  return llvm::all_of(body->without_terminator(), [](Operation &op) {
    return isa<linalg::IndexOp>(op) || (isa_and_present<arith::ArithDialect>(op.getDialect()) &&
                                        op.getName().getStringRef() != "arith.divf");
  });
}

/// The generic that makes `tensor`, if it can be computed by a reader instead.
static GenericOp getFoldable(Value tensor) {
  auto producer = tensor.getDefiningOp<GenericOp>();
  if (!producer || !isPointwise(producer) || !(isYieldOnly(producer) || isMask(producer)))
    return {};
  return producer;
}

std::optional<Movement> Movement::match(Value result) {
  auto generic = result.getDefiningOp<GenericOp>();
  if (!generic || !isPointwise(generic) || !isYieldOnly(generic))
    return std::nullopt;
  auto yielded = dyn_cast<BlockArgument>(generic.getBody()->getTerminator()->getOperand(0));
  if (!yielded || yielded.getOwner() != generic.getBody())
    return std::nullopt;
  SmallVector<AffineMap> maps = generic.getIndexingMapsArray();
  AffineMap map = maps[yielded.getArgNumber()].compose(inversePermutation(maps.back()));
  return Movement{generic.getInputs()[yielded.getArgNumber()], map};
}

bool coversAllLoops(ArrayRef<AffineMap> maps) {
  llvm::SmallBitVector covered(maps.front().getNumDims());
  for (AffineMap map : maps)
    for (AffineExpr result : map.getResults())
      covered.set(cast<AffineDimExpr>(result).getPosition());
  return covered.all();
}

//===----------------------------------------------------------------------===//
// The new generic
//===----------------------------------------------------------------------===//

namespace {

/// A tensor that the new generic reads.
struct Read {
  Value tensor;
  AffineMap map;
  bool operator==(const Read &other) const { return tensor == other.tensor && map == other.map; }
};

/// Where the scalar of one of the old inputs comes from.
struct Source {
  TypedAttr splat;             // a constant,
  GenericOp producer;          // or a body to be copied,
  AffineMap map;               //   and where the old generic read its result,
  SmallVector<unsigned> reads; // on these reads (one, if there is no producer)
};

class GenericFolder {
public:
  explicit GenericFolder(GenericOp generic) : generic(generic) {}

  void run();

private:
  /// Decides about one input; true if it is folded.
  bool addInput(Value tensor, AffineMap map, ArrayRef<AffineMap> rest);
  unsigned addRead(Read read);
  GenericOp rebuild();
  void buildBody(Block *body);
  Value emitSource(OpBuilder &b, const Source &source, Block *body);
  /// Copies operations, folding as they are made. Coordinates of a copied producer are looked up
  /// through `map`.
  static void copyBody(OpBuilder &b, Block *from, IRMapping &mapping, AffineMap outMap,
                       AffineMap map);
  bool replaceTrivial();

  GenericOp generic;
  SmallVector<Read> reads;
  SmallVector<Source> sources;
};

unsigned GenericFolder::addRead(Read read) {
  auto found = llvm::find(reads, read);
  if (found == reads.end())
    return reads.push_back(read), reads.size() - 1;
  return found - reads.begin();
}

/// `rest` are the maps of the inputs behind this one and of the outs: together with what is read
/// already they must still bound every loop.
bool GenericFolder::addInput(Value tensor, AffineMap map, ArrayRef<AffineMap> rest) {
  auto covers = [&](ArrayRef<Read> added) {
    SmallVector<AffineMap> maps(rest);
    for (const Read &read : reads)
      maps.push_back(read.map);
    for (const Read &read : added)
      maps.push_back(read.map);
    return coversAllLoops(maps);
  };
  if (TypedAttr splat = getSplat(tensor); splat && covers({})) {
    sources.push_back({splat, {}, {}, {}});
    return true;
  }
  if (GenericOp producer = getFoldable(tensor)) {
    SmallVector<AffineMap> maps = producer.getIndexingMapsArray();
    AffineMap toLoops = inversePermutation(maps.back());
    SmallVector<Read> composed;
    for (auto [input, inputMap] : llvm::zip(producer.getInputs(), maps))
      composed.push_back({input, inputMap.compose(toLoops).compose(map)});
    if (covers(composed)) {
      Source source{{}, producer, map, {}};
      for (const Read &read : composed)
        source.reads.push_back(addRead(read));
      sources.push_back(source);
      return true;
    }
  }
  bool isDuplicate = llvm::is_contained(reads, Read{tensor, map});
  sources.push_back({{}, {}, map, {addRead({tensor, map})}});
  return isDuplicate;
}

void GenericFolder::copyBody(OpBuilder &b, Block *from, IRMapping &mapping, AffineMap outMap,
                             AffineMap map) {
  for (Operation &op : from->without_terminator()) {
    if (auto index = dyn_cast<linalg::IndexOp>(op); index && map) {
      // The producer's loop is a dimension of its result, which is read at one of our loops.
      unsigned dim = *outMap.getResultPosition(b.getAffineDimExpr(index.getDim()));
      mapping.map(index.getResult(),
                  linalg::IndexOp::create(b, op.getLoc(), map.getDimPosition(dim)).getResult());
      continue;
    }
    Operation *clone = b.clone(op, mapping);
    SmallVector<Value> folded;
    if (succeeded(b.tryFold(clone, folded)) && !folded.empty()) {
      mapping.map(op.getResults(), folded);
      clone->erase();
    }
  }
}

Value GenericFolder::emitSource(OpBuilder &b, const Source &source, Block *body) {
  if (source.splat)
    return arith::ConstantOp::create(b, generic.getLoc(), source.splat);
  if (!source.producer)
    return body->getArgument(source.reads.front());
  IRMapping mapping;
  GenericOp producer = source.producer;
  for (auto [argument, read] : llvm::zip(producer.getBody()->getArguments(), source.reads))
    mapping.map(argument, body->getArgument(read));
  copyBody(b, producer.getBody(), mapping, producer.getIndexingMapsArray().back(), source.map);
  return mapping.lookupOrDefault(producer.getBody()->getTerminator()->getOperand(0));
}

void GenericFolder::buildBody(Block *body) {
  OpBuilder b = OpBuilder::atBlockBegin(body);
  IRMapping mapping;
  Block *old = generic.getBody();
  for (auto [argument, source] : llvm::zip(old->getArguments(), sources))
    mapping.map(argument, emitSource(b, source, body));
  unsigned numOuts = generic.getNumDpsInits();
  for (unsigned i = 0; i < numOuts; ++i)
    mapping.map(old->getArgument(sources.size() + i), body->getArgument(reads.size() + i));
  copyBody(b, old, mapping, {}, {});
  SmallVector<Value> yielded;
  for (Value value : old->getTerminator()->getOperands())
    yielded.push_back(mapping.lookupOrDefault(value));
  linalg::YieldOp::create(b, generic.getLoc(), yielded);
  for (Operation &op : llvm::make_early_inc_range(llvm::reverse(*body)))
    if (isOpTriviallyDead(&op))
      op.erase();
}

GenericOp GenericFolder::rebuild() {
  OpBuilder b(generic);
  SmallVector<Value> inputs;
  SmallVector<AffineMap> maps;
  for (const Read &read : reads) {
    inputs.push_back(read.tensor);
    maps.push_back(read.map);
  }
  SmallVector<AffineMap> oldMaps = generic.getIndexingMapsArray();
  maps.append(oldMaps.end() - generic.getNumDpsInits(), oldMaps.end());
  auto folded = GenericOp::create(b, generic.getLoc(), generic.getResultTypes(), inputs,
                                  generic.getOutputs(), maps, generic.getIteratorTypesArray());
  Block *body = &folded.getRegion().emplaceBlock();
  for (Value operand : folded->getOperands())
    body->addArgument(getElementTypeOrSelf(operand), generic.getLoc());
  buildBody(body);
  generic->replaceAllUsesWith(folded);
  generic.erase();
  return folded;
}

/// A generic that yields an input unmoved is that input; one that yields a constant is a constant.
bool GenericFolder::replaceTrivial() {
  if (!isPointwise(generic))
    return false;
  Value result = generic.getResult(0);
  if (auto movement = Movement::match(result);
      movement && movement->map.isIdentity() && movement->source.getType() == result.getType()) {
    result.replaceAllUsesWith(movement->source);
    return true;
  }
  TypedAttr value;
  if (!matchPattern(generic.getBody()->getTerminator()->getOperand(0), m_Constant(&value)))
    return false;
  OpBuilder b(generic);
  auto splat = DenseElementsAttr::get(cast<RankedTensorType>(result.getType()), value);
  result.replaceAllUsesWith(arith::ConstantOp::create(b, generic.getLoc(), splat));
  return true;
}

void GenericFolder::run() {
  SmallVector<AffineMap> maps = generic.getIndexingMapsArray();
  bool changed = false;
  for (auto [i, input] : llvm::enumerate(generic.getInputs()))
    changed |= addInput(input, maps[i], ArrayRef(maps).drop_front(i + 1));
  if (changed)
    generic = rebuild();
  if (replaceTrivial())
    generic.erase();
}

} // namespace

void foldGeneric(GenericOp generic) { GenericFolder(generic).run(); }

} // namespace planwright
