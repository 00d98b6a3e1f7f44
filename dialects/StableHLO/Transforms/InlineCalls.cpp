// Pass stablehlo-inline-calls: @main without calls.
// Upstream's inliner asks every dialect for permission and keeps a call graph; here every call
// goes, so one walk from the leaves up is enough, and linear in what it writes.
#include "dialects/StableHLO/IR/StableHLO.h"
#include "dialects/StableHLO/Transforms/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;

namespace planwright::stablehlo {
#define GEN_PASS_DEF_STABLEHLOINLINECALLS
#include "dialects/StableHLO/Transforms/Passes.h.inc"

namespace {

/// More operations than any model has: a chain of functions that call each other twice grows
/// exponentially.
constexpr int64_t kMaxOperations = 4'000'000;

/// What an operation calls, or an empty name.
StringRef getCallee(Operation *op) {
  if (auto call = dyn_cast<func::CallOp>(op))
    return call.getCallee();
  if (auto composite = dyn_cast<CompositeOp>(op))
    return composite.getDecomposition();
  return {};
}

class Inliner {
public:
  explicit Inliner(ModuleOp module) : symbols(module) {}

  /// Inlines every call in `function`; functions that it calls are done first.
  LogicalResult flatten(func::FuncOp function) {
    State &state = states[function];
    if (state == State::done)
      return success();
    if (state == State::active)
      return function.emitError("@") << function.getName() << " calls itself, directly or through "
                                     << "others; a training graph cannot be recursive";
    state = State::active;
    if (failed(inlineCalls(function)))
      return failure();
    states[function] = State::done; // `state` may have moved: the map grew
    return success();
  }

private:
  enum class State { untouched, active, done };

  LogicalResult inlineCalls(func::FuncOp function) {
    SmallVector<Operation *> calls;
    function.walk([&](Operation *op) {
      if (!getCallee(op).empty())
        calls.push_back(op);
    });
    for (Operation *call : calls)
      if (failed(inlineCall(call)))
        return failure();
    return success();
  }

  LogicalResult inlineCall(Operation *call) {
    auto callee = symbols.lookup<func::FuncOp>(getCallee(call));
    if (!callee || callee.isDeclaration() || !callee.getBody().hasOneBlock())
      return call->emitError("calls @")
             << getCallee(call) << ", which is not a function with a body of one block";
    if (failed(flatten(callee)))
      return failure();
    Block &body = callee.getBody().front();
    if ((operations += static_cast<int64_t>(body.getOperations().size())) > kMaxOperations)
      return call->emitError("calls unfold to more than ") << kMaxOperations << " operations";
    replaceByBody(call, body);
    return success();
  }

  static void replaceByBody(Operation *call, Block &body) {
    OpBuilder builder(call);
    IRMapping mapping;
    mapping.map(body.getArguments(), call->getOperands());
    for (Operation &op : body.without_terminator())
      builder.clone(op, mapping);
    for (auto [result, returned] :
         llvm::zip_equal(call->getResults(), body.getTerminator()->getOperands()))
      result.replaceAllUsesWith(mapping.lookupOrDefault(returned));
    call->erase();
  }

  SymbolTable symbols;
  llvm::DenseMap<func::FuncOp, State> states;
  int64_t operations = 0;
};

struct InlineCalls : impl::StableHLOInlineCallsBase<InlineCalls> {
  void runOnOperation() override {
    auto main = getOperation().lookupSymbol<func::FuncOp>("main");
    if (!main)
      return;
    Inliner inliner(getOperation());
    if (failed(inliner.flatten(main)))
      return signalPassFailure();
    for (auto function : llvm::make_early_inc_range(getOperation().getOps<func::FuncOp>()))
      if (function != main)
        function.erase();
  }
};

} // namespace
} // namespace planwright::stablehlo
