// Linalg operations through their maps and body, and arith or math operations on whole tensors.

#include "Nest.h"
#include "OpTable.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"

using namespace mlir;

namespace planwright::reference {

/// Whether an operation may combine elements in any order. Every commutative one of arith is
/// associative, too.
static bool isCombiner(Operation *op) {
  return op->hasTrait<OpTrait::IsCommutative>() && op->getNumOperands() == 2 &&
         op->getNumResults() == 1;
}

namespace {

/// A body that is `combine(out, f(ins))` for every output.
struct Reduction {
  SmallVector<Value> terms; // f(ins)
  SmallVector<Combiner> combiners;
};

} // namespace

/// Sees a body as a plain reduction, if it is one.
static std::optional<Reduction> matchReduction(linalg::LinalgOp op) {
  Reduction result;
  for (auto [argument, yielded] :
       llvm::zip_equal(op.getRegionOutputArgs(), op.getBlock()->getTerminator()->getOperands())) {
    Operation *combiner = yielded.getDefiningOp();
    if (!combiner || combiner->getBlock() != op.getBlock() || !isCombiner(combiner) ||
        !argument.hasOneUse() || *argument.user_begin() != combiner)
      return std::nullopt;
    result.terms.push_back(combiner->getOperand(combiner->getOperand(0) == argument ? 1 : 0));
    Lane lane = isa<FloatType>(argument.getType()) ? Lane::F64 : Lane::I64;
    const ScalarRow *row = ScalarTable::get().find(combiner->getName().getStringRef());
    Kernel kernel = row ? row->choose(combiner, {lane, lane}, lane) : nullptr;
    if (!kernel)
      return std::nullopt;
    result.combiners.push_back({kernel});
  }
  return result;
}

static FailureOr<Nest> makeNest(linalg::LinalgOp op, MutableArrayRef<Tensor> operands) {
  Nest nest;
  nest.sizes = op.getStaticLoopRanges();
  op.getParallelDims(nest.parallelLoops);
  op.getReductionDims(nest.reductionLoops);
  if (nest.parallelLoops.size() + nest.reductionLoops.size() != nest.sizes.size() ||
      llvm::any_of(nest.sizes, ShapedType::isDynamic))
    return op->emitOpError("has loops that the reference interpreter cannot run");
  for (OpOperand &operand : op->getOpOperands()) {
    Tensor &tensor = operands[operand.getOperandNumber()];
    FailureOr<Access> access = getAccess(op.getMatchingIndexingMap(&operand), tensor.getShape());
    if (failed(access))
      return op->emitOpError("has an indexing map that is not linear");
    (op.isDpsInit(&operand) ? nest.outputs : nest.inputs).push_back({std::move(tensor), *access});
  }
  return nest;
}

/// Whether the loops that an output does not depend on would make it be written more than once, so
/// that old values matter.
static bool writesEachElementOnce(linalg::LinalgOp op) {
  return op.getNumReductionLoops() == 0 &&
         llvm::all_of(op.getDpsInitsMutable(), [&](OpOperand &init) {
           return op.getMatchingIndexingMap(&init).isPermutation();
         });
}

FailureOr<TensorList> runStructured(Operation *op, MutableArrayRef<Tensor> operands,
                                    const Interpreter &interpreter) {
  auto linalgOp = cast<linalg::LinalgOp>(op);
  FailureOr<Nest> nest = makeNest(linalgOp, operands);
  if (failed(nest))
    return failure();
  Block &body = *linalgOp.getBlock();
  std::optional<Reduction> reduction;
  if (linalgOp.getNumReductionLoops() > 0)
    reduction = matchReduction(linalgOp);
  SmallVector<Value> yields =
      reduction ? reduction->terms : SmallVector<Value>(body.getTerminator()->getOperands());
  FailureOr<Program> program = Program::compile(body, yields, interpreter.getOptions());
  if (failed(program))
    return failure();
  if (llvm::is_contained(nest->sizes, 0)) {
    // No iteration: the results are what the outputs held.
  } else if (reduction) {
    runFold(*nest, *program, reduction->combiners);
  } else {
    bool outputsUsed = llvm::any_of(linalgOp.getRegionOutputArgs(),
                                    [](Value argument) { return !argument.use_empty(); });
    runInPlace(*nest, *program, outputsUsed || !writesEachElementOnce(linalgOp));
  }
  TensorList results;
  for (NestOperand &output : nest->outputs)
    results.push_back(std::move(output.tensor));
  return results;
}

FailureOr<TensorList> runElementwise(Operation *op, MutableArrayRef<Tensor> operands,
                                     const Interpreter &interpreter) {
  FailureOr<Program> program = Program::compile(op, interpreter.getOptions());
  FailureOr<Tensor> result = makeResult(op, 0, interpreter);
  if (failed(program) || failed(result))
    return failure();
  Nest nest;
  nest.sizes = {result->getNumElements()};
  nest.parallelLoops = {0};
  for (Tensor &operand : operands) {
    // A scalar condition of a select goes with all elements.
    int64_t stride = operand.getNumElements() == result->getNumElements() ? 1 : 0;
    nest.inputs.push_back({std::move(operand), {0, {stride}}});
  }
  nest.outputs.push_back({*std::move(result), {0, {1}}});
  runInPlace(nest, *program, /*readsOutputs=*/false);
  return TensorList{std::move(nest.outputs[0].tensor)};
}

} // namespace planwright::reference
