// Pass stablehlo-unroll-while: loops and branches whose course is known before the program runs.
#include "dialects/StableHLO/IR/StableHLO.h"
#include "dialects/StableHLO/Transforms/Passes.h"
#include "dialects/StableHLO/Transforms/ScalarEvaluator.h"

#include "mlir/IR/IRMapping.h"

using namespace mlir;

namespace planwright::stablehlo {
#define GEN_PASS_DEF_STABLEHLOUNROLLWHILE
#include "dialects/StableHLO/Transforms/Passes.h.inc"

namespace {

/// Bounds on what a text of a few lines can unfold to.
constexpr int64_t kMaxIterations = 65'536;
constexpr int64_t kMaxOperations = 4'000'000;

class Unroller {
public:
  /// Replaces `op` by the regions that run. Loops and branches that this brings forth are appended
  /// to `found`.
  LogicalResult unroll(WhileOp loop, SmallVectorImpl<Operation *> &found);
  LogicalResult choose(Operation *branch, SmallVectorImpl<Operation *> &found);

private:
  std::optional<bool> evaluateCondition(WhileOp loop, ValueRange carried);
  /// Writes the operations of `body` before the builder's place and returns what it returns.
  FailureOr<SmallVector<Value>> inlineBody(OpBuilder &builder, Block &body, ValueRange arguments,
                                           SmallVectorImpl<Operation *> &found);

  ScalarEvaluator evaluator;
  int64_t operations = 0;
};

std::optional<bool> Unroller::evaluateCondition(WhileOp loop, ValueRange carried) {
  Block &cond = loop.getCond().front();
  for (auto [argument, value] : llvm::zip_equal(cond.getArguments(), carried))
    evaluator.assume(argument, evaluator.evaluate(value));
  for (Operation &op : cond.without_terminator())
    evaluator.visit(&op);
  std::optional<APInt> result = evaluator.evaluate(cond.getTerminator()->getOperand(0));
  if (!result)
    return std::nullopt;
  return !result->isZero();
}

/// The constant that stands for `clone` if it turned out to be a known number, else null.
Value foldClone(OpBuilder &builder, ScalarEvaluator &evaluator, Operation *clone) {
  evaluator.visit(clone);
  if (clone->getNumResults() != 1 || clone->hasTrait<OpTrait::ConstantLike>())
    return {};
  std::optional<APInt> value = evaluator.evaluate(clone->getResult(0));
  if (!value)
    return {};
  Value constant = createSplat(builder, clone->getResult(0), *value);
  evaluator.assume(constant, *value);
  return constant;
}

FailureOr<SmallVector<Value>> Unroller::inlineBody(OpBuilder &builder, Block &body,
                                                   ValueRange arguments,
                                                   SmallVectorImpl<Operation *> &found) {
  IRMapping mapping;
  mapping.map(body.getArguments(), arguments);
  for (Operation &op : body.without_terminator()) {
    if (++operations > kMaxOperations)
      return failure();
    Operation *clone = builder.clone(op, mapping);
    if (isa<WhileOp, IfOp, CaseOp>(clone))
      found.push_back(clone);
    else if (Value constant = foldClone(builder, evaluator, clone)) {
      mapping.map(op.getResult(0), constant);
      evaluator.forget(clone->getResult(0));
      clone->erase();
    }
  }
  SmallVector<Value> results;
  for (Value returned : body.getTerminator()->getOperands())
    results.push_back(mapping.lookupOrDefault(returned));
  return results;
}

LogicalResult Unroller::unroll(WhileOp loop, SmallVectorImpl<Operation *> &found) {
  OpBuilder builder(loop);
  SmallVector<Value> carried(loop.getOperands());
  for (int64_t iteration = 0;; ++iteration) {
    std::optional<bool> goesOn = evaluateCondition(loop, carried);
    if (!goesOn) {
      auto error = loop.emitError("the number of iterations is not known before the program runs");
      error.attachNote(loop.getCond().front().getTerminator()->getOperand(0).getLoc())
          << "this condition must follow from a counter that starts at a constant, grows by a "
             "constant and is compared with a constant, as a scan over layers has it";
      return failure();
    }
    if (!*goesOn)
      break;
    auto next = iteration < kMaxIterations
                    ? inlineBody(builder, loop.getBody().front(), carried, found)
                    : FailureOr<SmallVector<Value>>(failure());
    if (failed(next))
      return loop.emitError("unfolds to more than ")
             << kMaxIterations << " iterations or " << kMaxOperations << " operations";
    carried = std::move(*next);
  }
  loop->replaceAllUsesWith(carried);
  return success();
}

LogicalResult Unroller::choose(Operation *branch, SmallVectorImpl<Operation *> &found) {
  std::optional<APInt> choice = evaluator.evaluate(branch->getOperand(0));
  if (!choice)
    return branch->emitError(
        "which branch runs is not known before the program runs; compute both and select");
  // `if` holds its true branch first; `case` takes its last branch for every index that has none.
  unsigned last = branch->getNumRegions() - 1;
  unsigned index = isa<IfOp>(branch) ? (choice->isZero() ? 1 : 0)
                                     : (choice->ult(last) ? choice->getZExtValue() : last);
  OpBuilder builder(branch);
  auto results = inlineBody(builder, branch->getRegion(index).front(), {}, found);
  if (failed(results))
    return branch->emitError("unfolds to more than ") << kMaxOperations << " operations";
  branch->replaceAllUsesWith(*results);
  return success();
}

/// Loops and branches of a region that are not inside another one, in reverse order.
SmallVector<Operation *> findControlFlow(Operation *root) {
  SmallVector<Operation *> found;
  root->walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (!isa<WhileOp, IfOp, CaseOp>(op))
      return WalkResult::advance();
    found.push_back(op);
    return WalkResult::skip();
  });
  std::reverse(found.begin(), found.end());
  return found;
}

struct UnrollWhile : impl::StableHLOUnrollWhileBase<UnrollWhile> {
  void runOnOperation() override {
    // A stack: what a loop brings forth is done before what follows the loop.
    SmallVector<Operation *> stack = findControlFlow(getOperation());
    bool failedOnce = false;
    while (!stack.empty()) {
      Operation *op = stack.pop_back_val();
      SmallVector<Operation *> found;
      Unroller unroller;
      auto loop = dyn_cast<WhileOp>(op);
      if (failed(loop ? unroller.unroll(loop, found) : unroller.choose(op, found))) {
        failedOnce = true; // its regions may hold more of them, but one message a loop is enough
        continue;
      }
      op->erase();
      stack.append(found.rbegin(), found.rend());
    }
    if (failedOnce)
      signalPassFailure();
  }
};

} // namespace
} // namespace planwright::stablehlo
