// The plan dialect itself, and the one word that comm shares with it: how partial values become one.
// It stands alone so that comm's definition reads nothing else of plan's.

#ifndef PLANWRIGHT_DIALECTS_PLAN_IR_PLANBASE_TD
#define PLANWRIGHT_DIALECTS_PLAN_IR_PLANBASE_TD

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"
include "mlir/IR/OpBase.td"

def Plan_Dialect : Dialect {
  let name = "plan";
  let cppNamespace = "::planwright::plan";
  let summary = "Decisions: meshes, layouts, assignments, tasks";
  let description = [{
    Every decision of the planner is an attribute of this dialect, with a verifier: never a string, never a map kept
    beside the IR.
  }];
  let useDefaultAttributePrinterParser = 1;
}

def Plan_Combiner : I32EnumAttr<"Combiner", "how the parts of a partial value become one", [
    I32EnumAttrCase<"sum", 0>,
    I32EnumAttrCase<"max", 1>,
    I32EnumAttrCase<"min", 2>]> {
  let cppNamespace = "::planwright::plan";
  let genSpecializedAttr = 0;
}

def Plan_CombinerAttr : EnumAttr<Plan_Dialect, Plan_Combiner, "combiner"> {
  let summary = "How the parts of a partial value become one";
}

#endif // PLANWRIGHT_DIALECTS_PLAN_IR_PLANBASE_TD
