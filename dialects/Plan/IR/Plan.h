// The plan dialect: decisions as attributes.
//
//   auto mesh = module->getAttrOfType<plan::MeshAttr>(plan::kMeshAttrName);
//   int64_t micro = mesh.getSize("mb");
//
// Not here: how an op computes, which link a transfer takes.
#ifndef PLANWRIGHT_DIALECTS_PLAN_IR_PLAN_H
#define PLANWRIGHT_DIALECTS_PLAN_IR_PLAN_H

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpImplementation.h"

#include <optional>

#include "dialects/Plan/IR/PlanDialect.h.inc"
#include "dialects/Plan/IR/PlanEnums.h.inc"
#define GET_ATTRDEF_CLASSES
#include "dialects/Plan/IR/PlanAttrs.h.inc"

namespace planwright::plan {

/// Module attribute that holds the MeshAttr.
inline constexpr llvm::StringLiteral kMeshAttrName = "plan.mesh";
/// Module attribute that holds the StrategyAttr.
inline constexpr llvm::StringLiteral kStrategyAttrName = "plan.strategy";
/// Module attribute that holds the order of tasks: an ArrayAttr of StepAttr.
inline constexpr llvm::StringLiteral kScheduleAttrName = "plan.schedule";
/// On a task: the axes of which its ops' assignments say all there is to say.
inline constexpr llvm::StringLiteral kChosenAxesAttrName = "plan.chosen_axes";
/// Function attribute that holds a TaskAttr.
inline constexpr llvm::StringLiteral kTaskAttrName = "plan.task";
/// Argument and result attribute of task functions that holds an ObjectAttr.
inline constexpr llvm::StringLiteral kObjectAttrName = "plan.object";
/// Argument and result attribute of task functions that holds a LayoutAttr.
inline constexpr llvm::StringLiteral kLayoutAttrName = "plan.layout";
/// Argument attribute: the layout that stands there is the user's, and all axes of it are decided.
inline constexpr llvm::StringLiteral kPinnedAttrName = "plan.pinned";
/// Operation attribute that holds an AssignmentAttr.
inline constexpr llvm::StringLiteral kAssignmentAttrName = "plan.assignment";
/// The axis that lies in time: micro-batches.
inline constexpr llvm::StringLiteral kMicroBatchAxis = "mb";
/// The axis that lies on positions and leaves weights whole: context parallelism.
inline constexpr llvm::StringLiteral kContextAxis = "cp";

/// What a part of a stacked argument is called: "name[part]".
std::string getPartName(llvm::StringRef name, int64_t part);
/// The argument and the part that "name[part]" stands for; nothing for other names.
std::optional<std::pair<llvm::StringRef, int64_t>> parsePartName(llvm::StringRef name);

} // namespace planwright::plan

#endif // PLANWRIGHT_DIALECTS_PLAN_IR_PLAN_H
