// shard-pin-arguments: what the strategy pins, as layouts on arguments of tasks.
// Not here: where the others lie (AxisProblem.cpp, Propagation.cpp); pins that no model can have
// (the strategy's verifier).
#include "lib/Transforms/Sharding/TaskFunctions.h"

#include "planwright/Transforms/Sharding/Passes.h"

#include "llvm/Support/MathExtras.h"

namespace planwright {
#define GEN_PASS_DEF_PINARGUMENTS
#include "lib/Transforms/Sharding/Passes.h.inc"
} // namespace planwright

using namespace mlir;
using namespace planwright;

//===----------------------------------------------------------------------===//
// What can be pinned
//===----------------------------------------------------------------------===//

namespace {

/// A parameter or input of the model.
struct Pinnable {
  plan::ObjectAttr object;
  SmallVector<BlockArgument, 2> places = {}; ///< one in each task that takes it

  Location getLoc() const { return places.front().getLoc(); }
  Type getType() const { return places.front().getType(); }
  std::string describe() const { return describeObject(object); }
};

using Pinnables = llvm::MapVector<StringRef, Pinnable>;

} // namespace

static Pinnables collectPinnables(ModuleOp module) {
  Pinnables pinnables;
  for (plan::TaskKind kind :
       {plan::TaskKind::prologue, plan::TaskKind::forward, plan::TaskKind::backward}) {
    func::FuncOp task = findTask(module, kind);
    if (!task)
      continue;
    for (BlockArgument argument : task.getArguments()) {
      plan::ObjectAttr object = getArgumentObject(task, argument.getArgNumber());
      if (!object || (object.getKind() != plan::ObjectKind::parameter &&
                      object.getKind() != plan::ObjectKind::input))
        continue;
      Pinnable &pinnable = pinnables.insert({object.getName(), {object}}).first->second;
      if (pinnable.object == object)
        pinnable.places.push_back(argument);
    }
  }
  return pinnables;
}

//===----------------------------------------------------------------------===//
// What is refused
//===----------------------------------------------------------------------===//

static void reportUnknown(ModuleOp module, StringRef name, const Pinnables &pinnables) {
  StringRef meant;
  unsigned least = name.size() / 2 + 1;
  for (auto &[other, pinnable] : pinnables) {
    unsigned distance = name.edit_distance(other, /*AllowReplacements=*/true, least);
    if (distance < least) {
      least = distance;
      meant = other;
    }
  }
  func::FuncOp forward = findTask(module, plan::TaskKind::forward);
  InFlightDiagnostic error = emitError(forward ? forward.getLoc() : module.getLoc())
                             << "the strategy pins \"" << name
                             << "\", but the model uses no parameter or input of that name";
  if (!meant.empty())
    error << "; did you mean \"" << meant << "\"?";
}

static bool divides(int64_t size, ArrayRef<StringAttr> axes, plan::MeshAttr mesh) {
  int64_t blocks = 1;
  for (StringAttr axis : axes)
    if (llvm::MulOverflow(blocks, mesh.getSize(axis), blocks))
      return false;
  return size % blocks == 0;
}

/// Micro-batches cut inputs only, and there what a rank has, so `mb` stands last.
static StringRef getMicroBatchProblem(const Pinnable &pinnable, ArrayRef<StringAttr> axes,
                                      plan::MeshAttr mesh) {
  auto isMicroBatch = [](StringAttr axis) { return axis.getValue() == plan::kMicroBatchAxis; };
  const auto *found = llvm::find_if(axes, isMicroBatch);
  if (found == axes.end())
    return "";
  if (pinnable.object.getKind() == plan::ObjectKind::parameter)
    return "all micro-batches use all of a parameter";
  bool divides = mesh.getSize(*found) > 1;
  bool isLast = std::all_of(std::next(found), axes.end(),
                            [&](StringAttr axis) { return mesh.getSize(axis) == 1; });
  return divides && !isLast ? "mb comes last: it cuts what one rank has" : "";
}

/// Ranks gather a parameter over data axes alone, in blocks of what the other axes leave them.
static StringRef getOrderProblem(const Pinnable &pinnable, ArrayRef<StringAttr> axes,
                                 plan::MeshAttr mesh) {
  if (pinnable.object.getKind() != plan::ObjectKind::parameter)
    return "";
  SmallVector<StringAttr> dataAxes = getDataAxes(mesh);
  auto isData = [&](StringAttr axis) { return llvm::is_contained(dataAxes, axis); };
  auto dividing =
      llvm::filter_to_vector(axes, [&](StringAttr axis) { return mesh.getSize(axis) > 1; });
  if (std::is_partitioned(dividing.begin(), dividing.end(), std::not_fn(isData)))
    return "";
  return "dp comes last: the parameter is gathered over it before use";
}

static LogicalResult checkDim(const Pinnable &pinnable, unsigned dim, int64_t size,
                              ArrayRef<StringAttr> axes, plan::MeshAttr mesh) {
  std::string problem = getMicroBatchProblem(pinnable, axes, mesh).str();
  if (problem.empty())
    problem = getOrderProblem(pinnable, axes, mesh);
  if (problem.empty() && !divides(size, axes, mesh))
    problem = "its size of " + std::to_string(size) + " does not divide";
  if (problem.empty())
    return success();
  return emitError(pinnable.getLoc())
         << "the strategy pins dimension " << dim << " of " << pinnable.describe() << " on "
         << describeAxes(axes, mesh) << ", but " << problem;
}

/// Every violation, not only the first.
static LogicalResult checkPin(const Pinnable &pinnable, plan::LayoutAttr layout,
                              plan::MeshAttr mesh) {
  auto type = dyn_cast<RankedTensorType>(pinnable.getType());
  size_t rank = type ? type.getRank() : 0;
  if (layout.getDims().size() != rank)
    return emitError(pinnable.getLoc())
           << "the strategy pins " << layout.getDims().size() << " dimensions of "
           << pinnable.describe() << ", but it has " << rank << ": its type is "
           << pinnable.getType();
  bool ok = true;
  for (auto [dim, axes] : llvm::enumerate(layout.getDims()))
    ok &= succeeded(checkDim(pinnable, dim, type.getDimSize(dim), axes.getNames(), mesh));
  return success(ok);
}

//===----------------------------------------------------------------------===//
// What is written
//===----------------------------------------------------------------------===//

/// `layout` without the axes that have one rank.
static plan::LayoutAttr dropUnitAxes(plan::LayoutAttr layout, plan::MeshAttr mesh) {
  MLIRContext *context = layout.getContext();
  auto dims = llvm::map_to_vector(layout.getDims(), [&](plan::AxesAttr axes) {
    SmallVector<StringAttr> names(axes.getNames());
    llvm::erase_if(names, [&](StringAttr axis) { return mesh.getSize(axis) == 1; });
    return plan::AxesAttr::get(context, names);
  });
  return plan::LayoutAttr::get(context, dims, {}, {});
}

static void write(const Pinnable &pinnable, plan::LayoutAttr layout) {
  for (BlockArgument place : pinnable.places) {
    auto task = cast<func::FuncOp>(place.getOwner()->getParentOp());
    task.setArgAttr(place.getArgNumber(), plan::kLayoutAttrName, layout);
    task.setArgAttr(place.getArgNumber(), plan::kPinnedAttrName,
                    UnitAttr::get(layout.getContext()));
  }
}

namespace {

struct PinArguments : public planwright::impl::PinArgumentsBase<PinArguments> {
  void runOnOperation() override {
    ModuleOp module = getOperation();
    auto strategy = module->getAttrOfType<plan::StrategyAttr>(plan::kStrategyAttrName);
    if (!strategy || strategy.getPins().empty())
      return markAllAnalysesPreserved();
    auto mesh = getMesh(module);
    if (failed(mesh))
      return signalPassFailure();
    Pinnables pinnables = collectPinnables(module);
    for (NamedAttribute pin : strategy.getPins()) {
      auto layout = cast<plan::LayoutAttr>(pin.getValue());
      auto pinned = pinnables.find(pin.getName().getValue());
      if (pinned == pinnables.end()) {
        reportUnknown(module, pin.getName(), pinnables);
        signalPassFailure();
      } else if (failed(checkPin(pinned->second, layout, *mesh))) {
        signalPassFailure();
      } else {
        write(pinned->second, dropUnitAxes(layout, *mesh));
      }
    }
  }
};

} // namespace
