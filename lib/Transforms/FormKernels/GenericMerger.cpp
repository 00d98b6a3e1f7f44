// Builds merged linalg.generic operations: equal inputs once, bodies one after the other, dead
// scalars dropped.
#include "GenericMerger.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace planwright::kernels;

namespace {
/// The operands, maps and body of an operation that is being built.
class Merger {
public:
  explicit Merger(SmallVector<utils::IteratorType> iterators) : iterators(std::move(iterators)) {}

  /// Adds the inputs of `op`, its loops being `loopMap` of the new loops, but for operands in
  /// `skipped`.
  void addInputs(linalg::GenericOp op, AffineMap loopMap, function_ref<bool(Value)> isSkipped) {
    for (OpOperand *input : op.getDpsInputOperands())
      if (!isSkipped(input->get()))
        addInput(input->get(), op.getMatchingIndexingMap(input).compose(loopMap));
  }

  void addOutput(Value init, AffineMap map) {
    inits.push_back(init);
    outputMaps.push_back(map);
  }

  linalg::GenericOp
  create(RewriterBase &rewriter, Location location,
         function_ref<SmallVector<Value>(OpBuilder &, ValueRange, ValueRange)> body) {
    SmallVector<AffineMap> maps = inputMaps;
    llvm::append_range(maps, outputMaps);
    return linalg::GenericOp::create(
        rewriter, location, TypeRange(ValueRange(inits)), inputs, inits, maps, iterators,
        [&](OpBuilder &builder, Location bodyLocation, ValueRange arguments) {
          SmallVector<Value> results = body(builder, arguments.take_front(inputs.size()),
                                            arguments.drop_front(inputs.size()));
          linalg::YieldOp::create(builder, bodyLocation, results);
          eraseDeadCode(rewriter, builder.getInsertionBlock());
        });
  }

  /// Clones the body of `op`; its inputs are looked up among ours unless `known` has them.
  SmallVector<Value> cloneBody(OpBuilder &builder, linalg::GenericOp op, AffineMap loopMap,
                               ValueRange arguments, ValueRange outputs,
                               function_ref<Value(Value)> known) {
    IRMapping mapping;
    for (OpOperand *input : op.getDpsInputOperands()) {
      Value value = known(input->get());
      if (!value)
        value =
            arguments[findInput(input->get(), op.getMatchingIndexingMap(input).compose(loopMap))];
      mapping.map(op.getMatchingBlockArgument(input), value);
    }
    for (auto [argument, output] : llvm::zip(op.getRegionOutputArgs(), outputs))
      mapping.map(argument, output);
    for (Operation &inner : op.getBody()->without_terminator()) {
      if (auto index = dyn_cast<linalg::IndexOp>(inner)) {
        unsigned loop = loopMap.getDimPosition(index.getDim());
        mapping.map(index.getResult(),
                    linalg::IndexOp::create(builder, index.getLoc(), loop).getResult());
        continue;
      }
      builder.clone(inner, mapping);
    }
    return llvm::map_to_vector(op.getBody()->getTerminator()->getOperands(),
                               [&](Value value) { return mapping.lookupOrDefault(value); });
  }

private:
  void addInput(Value value, AffineMap map) {
    if (findInput(value, map) != inputs.size())
      return;
    inputs.push_back(value);
    inputMaps.push_back(map);
  }

  size_t findInput(Value value, AffineMap map) const {
    size_t number = 0;
    while (number < inputs.size() && (inputs[number] != value || inputMaps[number] != map))
      ++number;
    return number;
  }

  static void eraseDeadCode(RewriterBase &rewriter, Block *block) {
    // The last one first, so that what only it used is dead as well.
    for (Operation *inner = block->getTerminator()->getPrevNode(); inner;) {
      Operation *previous = inner->getPrevNode();
      if (isOpTriviallyDead(inner))
        inner->erase();
      inner = previous;
    }
  }

  SmallVector<utils::IteratorType> iterators;
  SmallVector<Value> inputs, inits;
  SmallVector<AffineMap> inputMaps, outputMaps;
};
} // namespace

AffineMap planwright::kernels::getLoopMap(linalg::GenericOp producer, OpOperand &operand) {
  auto consumer = cast<linalg::GenericOp>(operand.getOwner());
  AffineMap result = producer.getIndexingMapMatchingResult(cast<OpResult>(operand.get()));
  if (!result.isPermutation())
    return AffineMap();
  AffineMap loops = inversePermutation(result).compose(consumer.getMatchingIndexingMap(&operand));
  return llvm::all_of(loops.getResults(), llvm::IsaPred<AffineDimExpr>) ? loops : AffineMap();
}

linalg::GenericOp planwright::kernels::fuseProducer(RewriterBase &rewriter,
                                                    linalg::GenericOp producer,
                                                    linalg::GenericOp consumer, AffineMap loopMap,
                                                    bool keepResults) {
  rewriter.setInsertionPoint(consumer);
  auto isProduced = [&](Value value) { return value.getDefiningOp() == producer; };
  AffineMap identity = rewriter.getMultiDimIdentityMap(consumer.getNumLoops());
  Merger merger(consumer.getIteratorTypesArray());
  merger.addInputs(producer, loopMap, [](Value) { return false; });
  merger.addInputs(consumer, identity, isProduced);
  for (OpOperand &init : consumer.getDpsInitsMutable())
    merger.addOutput(init.get(), consumer.getMatchingIndexingMap(&init));
  SmallVector<OpResult> kept;
  for (OpResult result : producer->getResults()) {
    bool isUsedElsewhere =
        llvm::any_of(result.getUsers(), [&](Operation *user) { return user != consumer; });
    if (!keepResults || !isUsedElsewhere)
      continue;
    kept.push_back(result);
    auto type = cast<RankedTensorType>(result.getType());
    Value init = tensor::EmptyOp::create(rewriter, producer.getLoc(), type.getShape(),
                                         type.getElementType());
    merger.addOutput(init, producer.getIndexingMapMatchingResult(result).compose(loopMap));
  }
  linalg::GenericOp fused = merger.create(
      rewriter, consumer.getLoc(), [&](OpBuilder &builder, ValueRange inputs, ValueRange outputs) {
        auto unknown = [](Value) { return Value(); };
        SmallVector<Value> produced =
            merger.cloneBody(builder, producer, loopMap, inputs, {}, unknown);
        auto known = [&](Value value) {
          return isProduced(value) ? produced[cast<OpResult>(value).getResultNumber()] : Value();
        };
        SmallVector<Value> results =
            merger.cloneBody(builder, consumer, identity, inputs, outputs, known);
        for (OpResult result : kept)
          results.push_back(produced[result.getResultNumber()]);
        return results;
      });
  for (auto [number, result] : llvm::enumerate(kept))
    rewriter.replaceAllUsesExcept(result, fused.getResult(consumer.getNumResults() + number),
                                  consumer);
  rewriter.replaceOp(consumer, fused.getResults().take_front(consumer.getNumResults()));
  if (producer.use_empty())
    rewriter.eraseOp(producer);
  return fused;
}

linalg::GenericOp planwright::kernels::mergeSiblings(RewriterBase &rewriter,
                                                     linalg::GenericOp first,
                                                     linalg::GenericOp second, bool atFirst) {
  rewriter.setInsertionPoint(atFirst ? first : second);
  SmallVector<utils::IteratorType> iterators = first.getIteratorTypesArray();
  for (auto [mine, other] : llvm::zip_equal(iterators, second.getIteratorTypesArray()))
    mine = other == utils::IteratorType::reduction ? other : mine;
  AffineMap identity = rewriter.getMultiDimIdentityMap(first.getNumLoops());
  Merger merger(iterators);
  for (linalg::GenericOp op : {first, second}) {
    merger.addInputs(op, identity, [](Value) { return false; });
    for (OpOperand &init : op.getDpsInitsMutable())
      merger.addOutput(init.get(), op.getMatchingIndexingMap(&init));
  }
  Location location = rewriter.getFusedLoc({first.getLoc(), second.getLoc()});
  unsigned split = first.getNumResults();
  linalg::GenericOp merged = merger.create(
      rewriter, location, [&](OpBuilder &builder, ValueRange inputs, ValueRange outputs) {
        auto unknown = [](Value) { return Value(); };
        SmallVector<Value> results =
            merger.cloneBody(builder, first, identity, inputs, outputs.take_front(split), unknown);
        llvm::append_range(results, merger.cloneBody(builder, second, identity, inputs,
                                                     outputs.drop_front(split), unknown));
        return results;
      });
  rewriter.replaceOp(first, merged.getResults().take_front(split));
  rewriter.replaceOp(second, merged.getResults().drop_front(split));
  return merged;
}
