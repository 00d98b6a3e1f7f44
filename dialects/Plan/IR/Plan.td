// The plan dialect: which axis lies where, and what each task of a training step is called.
// Nothing here knows which wire a transfer takes or how an op computes. It has attributes only, no ops.

#ifndef PLANWRIGHT_DIALECTS_PLAN_IR_PLAN_TD
#define PLANWRIGHT_DIALECTS_PLAN_IR_PLAN_TD

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"
include "mlir/IR/OpBase.td"
include "dialects/Plan/IR/PlanBase.td"

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
    in time. Names mean something to the passes that divide:

    | axis | what lies on it |
    |---|---|
    | `dp`, `fsdp` | examples; parameters too, if stored in blocks: they are then gathered before use (`fsdp`: always) |
    | `cp` | positions |
    | `tp` | dimensions of parameters, kept divided; positions too where sequence parallelism is on |
    | `mb` | examples, one block after the other |

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

//===----------------------------------------------------------------------===//
// Layouts and assignments
//===----------------------------------------------------------------------===//

def Plan_AxesAttr : AttrDef<Plan_Dialect, "Axes"> {
  let mnemonic = "axes";
  let summary = "An ordered list of axis names";
  let description = [{
    Outermost axis first. Printed as a bare list `[dp, mb]` inside layouts and assignments.

    **Constraints**
    1. No axis stands there twice.
  }];
  let parameters = (ins ArrayRefParameter<"::mlir::StringAttr">:$names);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    bool empty() const { return getNames().empty(); }
    /// Does the axis called `name` stand in the list?
    bool contains(::mlir::StringAttr name) const;
  }];
}

def Plan_LayoutAttr : AttrDef<Plan_Dialect, "Layout"> {
  let mnemonic = "layout";
  let summary = "How one value is spread over the mesh";
  let description = [{
    One list of axes per dimension, outermost first: block `i` of a dimension on `[dp, mb]` belongs to the rank with
    `dp * size(mb) + mb = i`. A value with a partial axis still waits to be combined over that axis; without any it is
    whole. Beside `plan.object` it says how the global object becomes the local type.

    ```mlir
    #plan.layout<[[dp, mb], []]>                        // rows divided, columns not
    #plan.layout<[[], []], partial = {dp = sum}>        // every rank on dp holds one summand
    ```

    **Constraints**
    1. An axis stands at most once in a layout, be it on a dimension or partial.
  }];
  let parameters = (ins ArrayRefParameter<"::planwright::plan::AxesAttr">:$dims,
                        ArrayRefParameter<"::mlir::StringAttr">:$partialAxes,
                        ArrayRefParameter<"::planwright::plan::Combiner">:$partialCombiners);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// The layout of a value of this rank that every rank holds whole.
    static LayoutAttr getWhole(::mlir::MLIRContext *context, int64_t rank);
    /// Neither divided nor partial?
    bool isWhole() const;
    bool isPartial() const { return !getPartialAxes().empty(); }
    /// Combiner over `axis`, absent where the value is not partial over it.
    std::optional<Combiner> getCombiner(::mlir::StringAttr axis) const;
    /// Same dimensions, but not partial over the axes called `names`.
    LayoutAttr dropPartial(::llvm::ArrayRef<::llvm::StringRef> names) const;
    /// Shape of the whole value, given the shape of one block.
    ::llvm::SmallVector<int64_t> getGlobalShape(::llvm::ArrayRef<int64_t> local, MeshAttr mesh) const;
    /// Shape of one block; absent where a dimension does not divide.
    std::optional<::llvm::SmallVector<int64_t>> getLocalShape(::llvm::ArrayRef<int64_t> global, MeshAttr mesh) const;
  }];
}

def Plan_AssignmentAttr : AttrDef<Plan_Dialect, "Assignment"> {
  let mnemonic = "assignment";
  let summary = "Which loop dimensions of an op lie on which axes";
  let description = [{
    Stands as `plan.assignment` on an op. One list of axes per factor (loop dimension) of the op's sharding rule; it
    fixes the layout of every operand and result. A reduced factor on an axis makes the result partial on it.
    `partial` has one list per operand: axes over which the op takes that operand as partial sums and passes them on,
    because it is linear in them.

    ```mlir
    %0 = linalg.contract ... {plan.assignment = #plan.assignment<[[dp, mb], [], []]>}
    %1 = linalg.generic ... {plan.assignment = #plan.assignment<[[], []], partial = [[dp, mb], [dp, mb], []]>}
    ```

    **Constraints**
    1. An axis lies on at most one factor.
    2. An axis on a factor is not taken partial by any operand.
  }];
  let parameters = (ins ArrayRefParameter<"::planwright::plan::AxesAttr">:$factors,
                        OptionalArrayRefParameter<"::planwright::plan::AxesAttr">:$partial);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
}

//===----------------------------------------------------------------------===//
// Tasks and their order
//===----------------------------------------------------------------------===//

def Plan_TaskKind : I32EnumAttr<"TaskKind", "what a task of a training step does", [
    I32EnumAttrCase<"zero", 0>,
    I32EnumAttrCase<"prologue", 1>,
    I32EnumAttrCase<"reduce", 2>,
    I32EnumAttrCase<"forward", 3>,
    I32EnumAttrCase<"backward", 4>,
    I32EnumAttrCase<"update", 5>]> {
  let cppNamespace = "::planwright::plan";
  let genSpecializedAttr = 0;
}

def Plan_TaskAttr : AttrDef<Plan_Dialect, "Task"> {
  let mnemonic = "task";
  let summary = "What a task function does in a training step";
  let description = [{
    Stands as `plan.task` on a function. Arguments and results of such a function are arena objects (`plan.object`).

    | kind | runs | does |
    |---|---|---|
    | zero | once, first | fills the accumulators with their neutral element |
    | prologue | once a micro-batch, before all forwards | values that must be known over the whole batch |
    | reduce | once | combines partial objects over the ranks; the only place with deferred collectives |
    | forward | once a micro-batch | loss and residuals |
    | backward | once a micro-batch | gradients |
    | update | once, last | the optimizer |

    ```mlir
    func.func @forward(...) -> (...) attributes {plan.task = #plan.task<forward>}
    ```
  }];
  let parameters = (ins "::planwright::plan::TaskKind":$kind);
  let assemblyFormat = "`<` $kind `>`";
}

def Plan_StepAttr : AttrDef<Plan_Dialect, "Step"> {
  let mnemonic = "step";
  let summary = "One entry of the schedule: a task, and for which micro-batch";
  let description = [{
    The module attribute `plan.schedule` is an array of these: the order in which every rank runs the tasks of one
    training step. Tasks that run once a micro-batch carry its number.

    ```mlir
    plan.schedule = [#plan.step<@forward, mb = 0>, #plan.step<@backward, mb = 0>, #plan.step<@update>]
    ```

    **Constraints**
    1. `mb` is not below zero where it is given.
  }];
  let parameters = (ins "::mlir::FlatSymbolRefAttr":$task, DefaultValuedParameter<"int64_t", "-1">:$mb);
  let assemblyFormat = "`<` $task (`,` `mb` `=` $mb^)? `>`";
  let genVerifyDecl = 1;
}

//===----------------------------------------------------------------------===//
// The strategy
//===----------------------------------------------------------------------===//

def Plan_StrategyAttr : AttrDef<Plan_Dialect, "Strategy"> {
  let mnemonic = "strategy";
  let summary = "Everything that was decided about how a job is split";
  let description = [{
    Module attribute `plan.strategy`: printable, editable, verifiable. Fields come in any order; what is not given has
    its default, and what has its default is not printed.

    | field | default | says |
    |---|---|---|
    | `dp`, `tp`, `pp`, `cp` | 1 | ranks of data, tensor, pipeline and context parallelism; their product is the number of ranks |
    | `ep` | 1 | ranks of expert parallelism, taken from `dp` |
    | `micro_batches` | 1 | into how many a step's batch is cut on each rank |
    | `sequence_parallel` | false | may `tp` divide positions too? |
    | `pins` | none | where single parameters and inputs lie, by name; the rest is chosen to go with them |

    ```mlir
    module attributes {plan.strategy = #plan.strategy<dp = 2, tp = 2, micro_batches = 2, sequence_parallel = true,
                                                      pins = {"w1" = #plan.layout<[[], [tp]]>}>} {}
    ```

    **Constraints**
    1. Every number is at least 1 and at most 2147483647.
    2. `ep` divides `dp`.
    3. `sequence_parallel` needs a `tp` of at least 2.
    4. A pin is a `#plan.layout` without partial axes.
    5. Axes of pins are `dp`, `tp`, `pp`, `cp`, `ep` and `mb`.
  }];
  let parameters = (ins "int64_t":$dp, "int64_t":$tp, "int64_t":$pp, "int64_t":$cp, "int64_t":$ep,
                        "int64_t":$microBatches, "bool":$sequenceParallel, "::mlir::DictionaryAttr":$pins);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
}

#endif // PLANWRIGHT_DIALECTS_PLAN_IR_PLAN_TD
