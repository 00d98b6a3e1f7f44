// One error for everything in a module that is not supported.
#include "planwright/Frontend/StableHLO/Reader.h"

#include "dialects/StableHLO/IR/StableHLO.h"

#include "llvm/ADT/MapVector.h"

using namespace mlir;
using namespace planwright;

/// The name under which operations are counted: a custom call is what it calls.
static std::string getKind(Operation *op) {
  std::string name = op->getName().getStringRef().str();
  if (auto call = dyn_cast<stablehlo::CustomCallOp>(op))
    name += " @" + call.getCallTargetName().str();
  if (auto composite = dyn_cast<stablehlo::CompositeOp>(op))
    name += " \"" + composite.getName().str() + "\"";
  return name;
}

/// What the user can do about an operation of this kind, or nothing.
static StringRef getAdvice(Operation *op) {
  if (!op->getDialect())
    return "its dialect is not known; export plain StableHLO";
  if (isa<stablehlo::CustomCallOp>(op))
    return "write what it computes in plain operations";
  if (isa<stablehlo::CompositeOp>(op))
    return "export without composites, or inline their decompositions";
  StringRef name = op->getName().stripDialect();
  if (name.starts_with("dynamic_") && name != "dynamic_slice" && name != "dynamic_update_slice")
    return "export with static shapes";
  if (name.starts_with("all_") || name.starts_with("collective_") || name == "reduce_scatter")
    return "export the graph before it is partitioned";
  return "";
}

namespace {
struct Kind {
  Operation *first;
  unsigned count = 0;
};
} // namespace

LogicalResult planwright::checkSupported(ModuleOp module,
                                         llvm::function_ref<bool(Operation *)> isSupported) {
  llvm::MapVector<StringAttr, Kind> kinds; // in the order of first appearance
  module.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (op == module || isSupported(op))
      return WalkResult::advance();
    ++kinds.try_emplace(StringAttr::get(op->getContext(), getKind(op)), Kind{op}).first->second.count;
    return WalkResult::skip();
  });
  if (kinds.empty())
    return success();
  InFlightDiagnostic diagnostic = mlir::emitError(kinds.front().second.first->getLoc())
                                  << kinds.size() << (kinds.size() == 1 ? " kind" : " kinds")
                                  << " of operation cannot be compiled";
  for (auto &[name, kind] : kinds) {
    Diagnostic &note = diagnostic.attachNote(kind.first->getLoc());
    note << name.getValue() << ", " << kind.count << (kind.count == 1 ? " time" : " times, here first");
    if (StringRef advice = getAdvice(kind.first); !advice.empty())
      note << ": " << advice;
  }
  return diagnostic;
}
