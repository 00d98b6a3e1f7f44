// The rules of fusion: what is cheap, what is read twice, what may not move.
#include "FusionRules.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace planwright::kernels;

// A body that is computed again at every use has at most this many scalar operations.
static constexpr unsigned kCheapOperations = 12;
// Limits of a kernel: beyond them registers run out and nothing is gained.
static constexpr unsigned kMaxOperations = 256, kMaxOperands = 20;
// A reduction of this many elements is split until it has this many parallel iterations.
static constexpr int64_t kManyElements = 1 << 16, kFewIterations = 16;

//===----------------------------------------------------------------------===//
// Sizes and costs
//===----------------------------------------------------------------------===//

static bool isParallel(utils::IteratorType iterator) {
  return iterator == utils::IteratorType::parallel;
}

int64_t planwright::kernels::countIterations(linalg::GenericOp op) {
  int64_t count = 1;
  for (int64_t extent : op.getStaticLoopRanges())
    count *= extent;
  return count;
}

int64_t planwright::kernels::countParallelIterations(linalg::GenericOp op) {
  int64_t count = 1;
  for (auto [extent, iterator] :
       llvm::zip_equal(op.getStaticLoopRanges(), op.getIteratorTypesArray()))
    count *= isParallel(iterator) ? extent : 1;
  return count;
}

bool planwright::kernels::lacksParallelism(linalg::GenericOp op) {
  return countParallelIterations(op) < kFewIterations && countIterations(op) >= kManyElements;
}

/// Scalar operations that take tens of cycles where an addition takes one, besides those of the
/// math dialect.
static constexpr StringLiteral kDivisions[] = {"arith.divf", "arith.divsi", "arith.divui",
                                               "arith.remf", "arith.remsi", "arith.remui"};
/// What the math dialect holds that is one instruction.
static constexpr StringLiteral kCheapFunctions[] = {"math.absf", "math.fma", "math.copysign"};

/// A function call or a division.
static bool isExpensive(Operation &scalar) {
  StringRef name = scalar.getName().getStringRef();
  return llvm::is_contained(kDivisions, name) ||
         (isa_and_present<math::MathDialect>(scalar.getDialect()) &&
          !llvm::is_contained(kCheapFunctions, name));
}

static unsigned countOperations(linalg::GenericOp op) {
  return op.getBody()->getOperations().size();
}

static bool isExpensive(linalg::GenericOp op) {
  return countOperations(op) > kCheapOperations ||
         llvm::any_of(*op.getBody(), [](Operation &scalar) { return isExpensive(scalar); });
}

static int64_t countElements(Value tensor) {
  return cast<ShapedType>(tensor.getType()).getNumElements();
}

/// Inputs that are about as large as the result. The others (rows, columns, scalars) stay in cache.
static unsigned countLargeInputs(linalg::GenericOp op) {
  return llvm::count_if(op.getDpsInputs(), [&](Value input) {
    return countElements(input) * 2 >= countElements(op.getResult(0));
  });
}

static unsigned countOperands(linalg::GenericOp op) { return op->getNumOperands(); }

//===----------------------------------------------------------------------===//
// What may not be done
//===----------------------------------------------------------------------===//

static bool readsOutputs(linalg::GenericOp op) {
  return llvm::any_of(op.getRegionOutputArgs(),
                      [](BlockArgument argument) { return !argument.use_empty(); });
}

bool planwright::kernels::isPointwise(linalg::GenericOp op) {
  return op.hasPureTensorSemantics() && op.getNumReductionLoops() == 0 && !readsOutputs(op) &&
         llvm::all_of(op->getResults(), [&](OpResult result) {
           return op.getIndexingMapMatchingResult(result).isPermutation();
         });
}

/// `value` is overwritten by its user: an update in place or an insertion.
static bool isOverwrittenBy(Value value, Operation *user) {
  auto destination = dyn_cast<DestinationStyleOpInterface>(user);
  return destination && llvm::is_contained(destination.getDpsInits(), value);
}

/// Some input of `op` is overwritten: reading it at another place could cost a copy.
static bool readsOverwritten(linalg::GenericOp op) {
  return llvm::any_of(op.getDpsInputs(), [](Value input) {
    return llvm::any_of(input.getUsers(),
                        [&](Operation *user) { return isOverwrittenBy(input, user); });
  });
}

static bool hasRoom(linalg::GenericOp one, linalg::GenericOp other) {
  return countOperations(one) + countOperations(other) <= kMaxOperations &&
         countOperands(one) + countOperands(other) <= kMaxOperands;
}

//===----------------------------------------------------------------------===//
// Producers
//===----------------------------------------------------------------------===//

/// The loop along which the largest tensor of `op` lies contiguously: kernels run it innermost.
static std::optional<unsigned> findInnermostLoop(linalg::GenericOp op) {
  OpOperand *largest = nullptr;
  for (OpOperand &operand : op->getOpOperands()) {
    bool isLarger = !largest || countElements(operand.get()) > countElements(largest->get());
    if (isLarger && isa<ShapedType>(operand.get().getType()))
      largest = &operand;
  }
  AffineMap map = largest ? op.getMatchingIndexingMap(largest) : AffineMap();
  if (!map || map.getNumResults() == 0)
    return std::nullopt;
  return map.getDimPosition(map.getNumResults() - 1);
}

/// Inside the consumer the producer is computed once for each of its own iterations, or cheaply, or
/// outside of the innermost loop.
static bool isComputedRarely(linalg::GenericOp producer, linalg::GenericOp consumer,
                             AffineMap loopMap) {
  if (countIterations(consumer) <= countIterations(producer) || !isExpensive(producer))
    return true;
  std::optional<unsigned> innermost = findInnermostLoop(consumer);
  return !innermost || !loopMap.isFunctionOfDim(*innermost);
}

/// All users but the consumer stand after it, so that it can give them the producer's results.
static bool canKeep(linalg::GenericOp producer, linalg::GenericOp consumer) {
  return countIterations(producer) == countIterations(consumer) && !lacksParallelism(consumer) &&
         llvm::all_of(producer->getUsers(), [&](Operation *user) {
           return user == consumer ||
                  (user->getBlock() == consumer->getBlock() && consumer->isBeforeInBlock(user));
         });
}

/// Computing the producer again costs no more than reading its result.
static bool isCheaperThanItsResult(linalg::GenericOp producer, linalg::GenericOp consumer,
                                   AffineMap loopMap) {
  bool isSmall = countIterations(producer) * 8 <= countIterations(consumer);
  if (isSmall)
    return countOperations(producer) <= kCheapOperations &&
           isComputedRarely(producer, consumer, loopMap);
  if (isExpensive(producer))
    return false;
  bool existsAnyway = llvm::any_of(producer->getUsers(),
                                   [](Operation *user) { return !isa<linalg::GenericOp>(user); });
  return countLargeInputs(producer) <= (existsAnyway ? 0u : 1u);
}

/// All of the consumer's inputs from this producer see its loops in the same way.
static bool isReadOneWay(linalg::GenericOp producer, linalg::GenericOp consumer, AffineMap first) {
  for (OpOperand *input : consumer.getDpsInputOperands())
    if (auto result = dyn_cast<OpResult>(input->get()); result && result.getOwner() == producer) {
      AffineMap own = producer.getIndexingMapMatchingResult(result);
      if (inversePermutation(own).compose(consumer.getMatchingIndexingMap(input)) != first)
        return false;
    }
  return true;
}

Fusion planwright::kernels::chooseFusion(OpOperand &operand, AffineMap loopMap) {
  auto producer = operand.get().getDefiningOp<linalg::GenericOp>();
  auto consumer = cast<linalg::GenericOp>(operand.getOwner());
  bool isPossible = isPointwise(producer) && consumer.hasPureTensorSemantics() &&
                    !readsOverwritten(producer) &&
                    !llvm::is_contained(consumer.getDpsInits(), operand.get()) &&
                    hasRoom(producer, consumer) && isReadOneWay(producer, consumer, loopMap);
  if (!isPossible)
    return Fusion::none;
  bool isOnlyUser =
      llvm::all_of(producer->getUsers(), [&](Operation *user) { return user == consumer; });
  if (isOnlyUser)
    return isComputedRarely(producer, consumer, loopMap) ? Fusion::compute : Fusion::none;
  if (isCheaperThanItsResult(producer, consumer, loopMap))
    return Fusion::compute;
  return canKeep(producer, consumer) ? Fusion::keep : Fusion::none;
}

//===----------------------------------------------------------------------===//
// Siblings
//===----------------------------------------------------------------------===//

/// Results stand over all reduction loops or over none of them: two reductions must have the same
/// ones.
static bool haveSameSpace(linalg::GenericOp first, linalg::GenericOp second) {
  return first.getStaticLoopRanges() == second.getStaticLoopRanges() &&
         (first.getIteratorTypesArray() == second.getIteratorTypesArray() ||
          first.getNumReductionLoops() == 0 || second.getNumReductionLoops() == 0);
}

static bool shareALargeInput(linalg::GenericOp first, linalg::GenericOp second) {
  for (OpOperand *mine : first.getDpsInputOperands())
    for (OpOperand *other : second.getDpsInputOperands())
      if (mine->get() == other->get() &&
          first.getMatchingIndexingMap(mine) == second.getMatchingIndexingMap(other) &&
          countElements(mine->get()) * 2 >= countIterations(first))
        return true;
  return false;
}

static bool allUsersAfter(Operation *op, Operation *place) {
  return llvm::all_of(op->getUsers(), [&](Operation *user) {
    return user->getBlock() == place->getBlock() && place->isBeforeInBlock(user);
  });
}

static bool allOperandsBefore(Operation *op, Operation *place) {
  return llvm::all_of(op->getOperands(), [&](Value operand) {
    Operation *definition = operand.getDefiningOp();
    return !definition || definition->isBeforeInBlock(place);
  });
}

bool planwright::kernels::shouldMerge(linalg::GenericOp first, linalg::GenericOp second,
                                      bool &atFirst) {
  // An update in place stays alone: what it overwrites is not to be held up by another's inputs.
  bool isPossible = haveSameSpace(first, second) && hasRoom(first, second) &&
                    !lacksParallelism(first) && !readsOverwritten(first) &&
                    !readsOverwritten(second) && shareALargeInput(first, second);
  auto updates = [](linalg::GenericOp op) {
    return op.getNumReductionLoops() == 0 && readsOutputs(op);
  };
  if (!isPossible || updates(first) || updates(second))
    return false;
  atFirst = !allUsersAfter(first, second);
  return !atFirst || allOperandsBefore(second, first);
}
