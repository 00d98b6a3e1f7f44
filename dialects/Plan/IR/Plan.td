// The plan dialect: which axis lies where, and what each task of a training step is called.
// Nothing here knows which wire a transfer takes or how an op computes. It has attributes only, no ops.

#ifndef PLANWRIGHT_DIALECTS_PLAN_IR_PLAN_TD
#define PLANWRIGHT_DIALECTS_PLAN_IR_PLAN_TD

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

def Plan_ObjectKind : I32EnumAttr<"ObjectKind", "what an arena object holds", [
    I32EnumAttrCase<"parameter", 0>,
    I32EnumAttrCase<"constant", 1>,
    I32EnumAttrCase<"input", 2>,
    I32EnumAttrCase<"gradient", 3>,
    I32EnumAttrCase<"state", 4>,
    I32EnumAttrCase<"residual", 5>,
    I32EnumAttrCase<"prologue", 6>,
    I32EnumAttrCase<"loss", 7>,
    I32EnumAttrCase<"scalar", 8>]> {
  let cppNamespace = "::planwright::plan";
  let genSpecializedAttr = 0;
}

def Plan_ObjectAttr : AttrDef<Plan_Dialect, "Object"> {
  let mnemonic = "object";
  let summary = "The arena object that a task's argument or result is";
  let description = [{
    Stands as `plan.object` on arguments and results of task functions. Two with the same kind and name are the same
    memory: a task that takes an object and returns it changes it in place.

    | kind | name | lives |
    |---|---|---|
    | parameter, constant | as in the weights file | always |
    | input | as in the signature; a task sees one micro-batch of it | one step |
    | gradient | of that parameter; accumulator over micro-batches | one step |
    | state | optimizer state, `m/<parameter>`, `v/<parameter>` | always |
    | residual | a number | from forward to backward of one micro-batch |
    | prologue | a number | one step |
    | loss | `loss` | one step |
    | scalar | `step` (i64, from 1), `learning_rate`, `grad_norm`, `mb` (index of the micro-batch), `axis/<name>` (this rank's coordinate) | always |

    ```mlir
    func.func @backward(%w: tensor<4x8xf32> {plan.object = #plan.object<parameter, "w">}) ->
        (tensor<4x8xf32> {plan.object = #plan.object<gradient, "w">})
    ```

    **Constraints**
    1. `name` is not empty.
  }];
  let parameters = (ins "::planwright::plan::ObjectKind":$kind, StringRefParameter<"name within its kind">:$name);
  let assemblyFormat = "`<` $kind `,` $name `>`";
  let genVerifyDecl = 1;
}

def Plan_MeshAttr : AttrDef<Plan_Dialect, "Mesh"> {
  let mnemonic = "mesh";
  let summary = "Named axes and their sizes";
  let description = [{
    The ranks of a job as a grid, outermost axis first; rank numbers count row-major over all axes but `mb`, which lies
    in time.

    ```mlir
    module attributes {plan.mesh = #plan.mesh<dp = 2, mb = 4>} {}
    ```

    **Constraints**
    1. Names are distinct and not empty.
    2. Sizes are positive.
  }];
  let parameters = (ins ArrayRefParameter<"::mlir::StringAttr">:$names, ArrayRefParameter<"int64_t">:$sizes);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// Size of the axis called `name`, 1 where the mesh has no such axis.
    int64_t getSize(::llvm::StringRef name) const;
    /// Number of ranks: the product of all axes but "mb".
    int64_t getNumRanks() const;
  }];
}

#endif // PLANWRIGHT_DIALECTS_PLAN_IR_PLAN_TD
