// shard-annotate-assignment: the choices of shard-choose, and what they are worth, made visible.
// Not here: how the next best choice is found (AxisProblem.cpp).
#include "lib/Transforms/Sharding/AxisPass.h"

#include "planwright/Transforms/Sharding/Passes.h"

#include "llvm/Support/FormatVariadic.h"

namespace planwright {
#define GEN_PASS_DEF_ANNOTATEASSIGNMENT
#include "lib/Transforms/Sharding/Passes.h.inc"
} // namespace planwright

using namespace mlir;
using namespace planwright;

/// For people: no pass reads it.
static constexpr StringLiteral kNoteAttrName = "plan.note";

//===----------------------------------------------------------------------===//
// Words
//===----------------------------------------------------------------------===//

/// "dp on loop 0, tp on loop 1", "tp partial in operand 0", "whole"
static std::string describe(plan::AssignmentAttr assignment) {
  SmallVector<std::string> places;
  auto add = [&](ArrayRef<plan::AxesAttr> lists, StringRef place) {
    for (auto [index, axes] : llvm::enumerate(lists))
      for (StringAttr axis : axes.getNames())
        places.push_back(llvm::formatv("{0} {1} {2}", axis.getValue(), place, index));
  };
  if (assignment) {
    add(assignment.getFactors(), "on loop");
    add(assignment.getPartial(), "partial in operand");
  }
  return places.empty() ? "whole" : llvm::join(places, ", ");
}

/// "+1 unwanted exchange, -2.500 us": unwanted exchanges have a price that is no time.
static std::string describeMore(Cost more) {
  Cost unwanted = (more + kUnwanted / 2) / kUnwanted;
  std::string time = llvm::formatv("{0:f3} us", (more - unwanted * kUnwanted) / 1e6);
  if (time.front() != '-')
    time = "+" + time;
  if (unwanted == 0)
    return time;
  return llvm::formatv("+{0} unwanted exchange{1}, {2}", unwanted, unwanted > 1 ? "s" : "", time);
}

static std::string describe(const std::optional<NextBest> &next) {
  if (!next)
    return "next best: too entangled to tell";
  if (!next->choice)
    return "no other choice";
  return "next best: " + describe(next->choice->assignment) + ", " + describeMore(next->more);
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

/// Does `found`, which may name other axes as well, have `axis` where `chosen` has it?
static bool agree(plan::AssignmentAttr found, plan::AssignmentAttr chosen, StringAttr axis) {
  auto getPlaces = [&](ArrayRef<plan::AxesAttr> lists) {
    return llvm::to_vector(llvm::make_filter_range(
        llvm::seq<size_t>(0, lists.size()), [&](size_t i) { return lists[i].contains(axis); }));
  };
  auto getFactors = [&](plan::AssignmentAttr assignment) {
    return getPlaces(assignment ? assignment.getFactors() : ArrayRef<plan::AxesAttr>());
  };
  auto getPartial = [&](plan::AssignmentAttr assignment) {
    return getPlaces(assignment ? assignment.getPartial() : ArrayRef<plan::AxesAttr>());
  };
  return getFactors(found) == getFactors(chosen) && getPartial(found) == getPartial(chosen);
}

namespace {

struct AnnotateAssignment
    : public AxisPass<planwright::impl::AnnotateAssignmentBase<AnnotateAssignment>> {
  using AxisPass::AxisPass;

  LogicalResult apply(AxisProblem &problem) override {
    if (failed(checkChosen(problem)))
      return failure();
    for (Operation *op : problem.getOps()) {
      auto assignment = op->getAttrOfType<plan::AssignmentAttr>(plan::kAssignmentAttrName);
      std::string note = describe(assignment) + "; " + describe(problem.findNextBest(op));
      op->setAttr(kNoteAttrName, StringAttr::get(&getContext(), note));
    }
    return success();
  }

  LogicalResult checkChosen(const AxisProblem &problem) {
    auto name = StringAttr::get(&getContext(), axis);
    for (Operation *op : problem.getOps()) {
      auto task = op->getParentOfType<func::FuncOp>();
      auto chosen = task->getAttrOfType<plan::AxesAttr>(plan::kChosenAxesAttrName);
      if (!chosen || !chosen.contains(name))
        return task.emitError("has not been divided over ") << axis << ": run shard-choose first";
      auto found = op->getAttrOfType<plan::AssignmentAttr>(plan::kAssignmentAttrName);
      plan::AssignmentAttr expected = problem.getChoice(op).assignment;
      if (!agree(found, expected, name))
        return op->emitOpError("has its axes so: ")
               << describe(found) << "; these options choose: " << describe(expected)
               << "; expected the options of shard-choose";
    }
    return success();
  }
};

} // namespace
