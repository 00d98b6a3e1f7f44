// What is left of StableHLO after the conversion, by kind of operation and reason.
#include "Report.h"

#include "Types.h"

#include "dialects/StableHLO/IR/Chlo.h"
#include "dialects/StableHLO/IR/StableHLO.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/StringMap.h"

using namespace mlir;

namespace planwright {

/// Advice for operations that no pattern looks at.
static StringRef getAdvice(Operation *op) {
  static const llvm::StringMap<StringRef> table = {
      {"stablehlo.sort", "sorting is not supported; where the order is that of the k largest "
                         "values, use top_k"},
      {"stablehlo.while", "unroll the loop before"},
      {"stablehlo.rng", "random numbers are not supported; export with dropout 0"},
      {"stablehlo.rng_bit_generator", "random numbers are not supported; export with dropout 0"},
      {"stablehlo.fft", "Fourier transforms are not supported; compute features before training"},
      {"stablehlo.cholesky", "matrix factorisations are not supported"},
      {"stablehlo.triangular_solve", "matrix factorisations are not supported"},
      {"stablehlo.select_and_scatter", "this is the gradient of pooling; export the forward loss"},
      {"stablehlo.batch_norm_grad",
       "this is the gradient of a normalisation; export the forward loss"}};
  auto found = table.find(op->getName().getStringRef());
  return found == table.end() ? StringRef() : found->second;
}

static bool isCollective(Operation *op) {
  StringRef name = op->getName().stripDialect();
  return name.starts_with("all_") || name.starts_with("collective_") || name == "reduce_scatter" ||
         name == "partition_id" || name == "replica_id";
}

/// Operations of a framework: those of StableHLO and of any dialect that is not ours to know.
static bool isForeign(Operation *op) {
  return !op->getDialect() || isa<stablehlo::StableHLODialect, chlo::ChloDialect>(op->getDialect());
}

std::string Refusals::explain(Operation *op) const {
  if (!op->getDialect())
    return "its dialect is not known; export plain StableHLO";
  if (isCollective(op))
    return "it communicates between devices; export the model for one device, without shardings";
  if (StringRef advice = getAdvice(op); !advice.empty())
    return advice.str();
  for (Type type : llvm::concat<const Type>(SmallVector<Type>(op->getOperandTypes()),
                                            SmallVector<Type>(op->getResultTypes()))) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    if (!tensor || !getSignlessType(tensor.getElementType())) {
      std::string text;
      llvm::raw_string_ostream(text) << "values of type " << type << " are not supported";
      return text;
    }
  }
  auto reason = reasons.find(op);
  return reason == reasons.end() ? "it has no conversion" : reason->second;
}

void Refusals::note(Operation *op, const Twine &why) { reasons[op] = why.str(); }

LogicalResult Refusals::report(ModuleOp module) const {
  struct Group {
    std::string reason;
    SmallVector<Operation *> ops;
  };
  SmallVector<Group> groups;
  llvm::StringMap<size_t> groupOf;
  module.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (!isForeign(op))
      return WalkResult::advance();
    std::string reason = explain(op);
    std::string key = (op->getName().getStringRef() + ": " + reason).str();
    auto [group, isNew] = groupOf.try_emplace(key, groups.size());
    if (isNew)
      groups.push_back({reason, {}});
    groups[group->second].ops.push_back(op);
    return WalkResult::skip(); // its region is not a second problem
  });
  for (const Group &group : groups)
    group.ops.front()->emitOpError("cannot be converted (")
        << group.ops.size() << (group.ops.size() == 1 ? " time" : " times, here first")
        << "): " << group.reason;
  return success(groups.empty());
}

} // namespace planwright
