// Passes of stages 5 and 6: tasks, axes, blocks.

#ifndef PLANWRIGHT_LIB_TRANSFORMS_SHARDING_PASSES_TD
#define PLANWRIGHT_LIB_TRANSFORMS_SHARDING_PASSES_TD

include "mlir/Pass/PassBase.td"

def FormTasks : Pass<"plan-form-tasks", "::mlir::ModuleOp"> {
  let summary = "Make the derived functions the tasks of a training step";
  let description = [{
    Turns `@main.fwd`, `@main.bwd` and `@update` into tasks: functions with `plan.task` whose arguments and results are
    arena objects (`plan.object`). Shapes stay global.

    A value that is summed over the batch but used other than linearly (a label count that divides) must be known over
    the whole batch before any micro-batch runs. If it depends on inputs only, what computes it becomes the task
    `@prologue`, and forward and backward take its result as an argument. If it depends on parameters, the model is not
    linear in the micro-batch: an error that names the op.

    Needs the module attribute `plan.mesh` and functions without calls. Residuals that are arguments, unused arguments
    and unused residuals are dropped. Never changes what is computed.
  }];
  let options = [
    Option<"entry", "entry", "std::string", "\"main\"", "Name of the function that was differentiated">
  ];
  let dependentDialects = ["::planwright::plan::PlanDialect", "::mlir::func::FuncDialect"];
}

def PinArguments : Pass<"shard-pin-arguments", "::mlir::ModuleOp"> {
  let summary = "Put the layouts that the strategy pins on arguments of tasks";
  let description = [{
    Writes `plan.layout` and `plan.pinned` on each parameter and input that the module's `plan.strategy` pins, in
    prologue, forward and backward; axes of size 1 are left out. shard-choose and shard-propagate keep what stands there.

    Every pin that does not fit is an error that names the argument, the dimension, its size and the axes: a name that
    no task takes, a number of dimensions that is not the argument's, `mb` on a parameter or before other axes,
    `dp` on a parameter before other axes, a size that does not divide.
    Needs `plan.mesh`. Nothing happens without a strategy.
  }];
  let dependentDialects = ["::planwright::plan::PlanDialect"];
}

/// What a pass must know to choose where one axis lies, and what that costs.
class AxisPass<string flag> : Pass<flag, "::mlir::ModuleOp"> {
  let options = [
    Option<"axis", "axis", "std::string", "\"tp\"", "Name of the mesh axis">,
    Option<"sequenceParallel", "sequence-parallel", "bool", "false",
           "May the axis lie on positions, where nothing is multiplied by a parameter?">,
    Option<"positionsOnly", "positions-only", "bool", "false", "Does the axis lie on positions and on nothing else?">,
    Option<"bytesPerSecond", "bytes-per-second", "double", "25e9", "Bandwidth of the axis, per rank and direction">,
    Option<"latencyNs", "latency-ns", "double", "5000", "Latency of one message on the axis">,
    Option<"flopsPerSecond", "flops-per-second", "double", "1e11", "Arithmetic throughput of one device">,
    Option<"memoryBytesPerSecond", "memory-bytes-per-second", "double", "2e10", "Memory bandwidth of one device">
  ];
  let dependentDialects = ["::planwright::plan::PlanDialect"];
}

def ShardChoose : AxisPass<"shard-choose"> {
  let summary = "Choose by cost where a mesh axis lies in every op of forward and backward";
  let description = [{
    Adds the axis to the `plan.assignment` of every op, and to the `plan.layout` of parameters and residuals, and to
    these tasks' `plan.chosen_axes`: shard-propagate then adds axes that are in no choice. Several runs choose one axis
    after the other; those that stand there stay, the new one becomes the innermost of its dimension. Of arguments
    with `plan.pinned` the layout is kept. Nothing happens on a mesh where the axis has size 1.

    The choice is the exact optimum, over both tasks at once, of the time of kernels (the longer of computing and of
    moving bytes), of exchanges on a ring, and of keeping residuals and parameters. An op that multiplies by a parameter
    of two dimensions or more is divided along one of them wherever one divides: the axis divides work and weights.
    Such an op of which no dimension divides is an error that names dimensions and sizes, and so is a product of
    activations of which the common loops (heads) do not; loops shorter than the axis are left to every rank.
    With `positions-only` it is divided along positions wherever they divide, and weights stay whole: context
    parallelism, in which attention gathers keys and values. Where a dimension must be kept divided but does not divide
    further, the error names the op and the size.
    What shard-verify refuses is not chosen where there is another way; a vocabulary that does not divide is an error.
  }];
}

def AnnotateAssignment : AxisPass<"shard-annotate-assignment"> {
  let summary = "Write beside every op which axes it has, and what its next best choice would cost";
  let description = [{
    Puts `plan.note` on every op of forward and backward that shard-choose has decided about: where its axes lie, which
    other way of taking this pass's axis is best, and how much more the whole of both tasks would then cost, in
    microseconds a micro-batch.

    Exact: for each other way of each op the whole problem is solved once more with the op held to it, so that all other
    ops do the best they can. That is a solve per way and op: for layers and small models. An unwanted exchange (of what
    shard-verify guards, or one that gathers what a weight divides) has a price instead of a time, and is named. A note,
    not a decision: nothing reads it.

    Needs shard-choose to have run on the axis, with the same options: an error where the ops' assignments are not what
    these options choose. What is computed from nothing has no choice and gets no note. Nothing happens on a mesh where
    the axis has size 1.
  }];
}

def DivideParameters : Pass<"shard-divide-parameters", "::mlir::ModuleOp"> {
  let summary = "Divide the storage of parameters over an axis that divides the batch";
  let description = [{
    Adds the axis to the `plan.layout` of every parameter of forward and backward: to the outermost dimension that
    divides, one without other axes if there is one. What then follows is shard-propagate's and shard-materialize's
    work: each of the two tasks gathers a parameter once, before its first use; gradients are reduce-scattered;
    optimizer state and update are divided as well (ZeRO-3, fully sharded data parallelism).

    A parameter of which no dimension divides stays as it is. Nothing happens on a mesh where the axis has size 1.
    Never gathers what is divided over another axis.
  }];
  let options = [
    Option<"axis", "axis", "std::string", "\"fsdp\"", "Name of the mesh axis, one of dp and fsdp">
  ];
  let dependentDialects = ["::planwright::plan::PlanDialect"];
}

def ShardPropagate : Pass<"shard-propagate", "::mlir::ModuleOp"> {
  let summary = "Decide for every op of every task on which axes its loop dimensions lie";
  let description = [{
    Writes `plan.layout` on arguments and results of tasks, and `plan.assignment` on each op that has an axis on one of
    its loop dimensions or takes a partial operand. The batch dimension of inputs lies on (dp, fsdp, mb); parameters,
    constants and optimizer state are whole; an argument's `plan.layout` and an op's `plan.assignment` that stand there
    already are kept. Only factors on which an operand already carries an axis are candidates.

    Partial sums pass through linear ops. Whatever would need an exchange between micro-batches is an error that names
    the op, as is a dimension that does not divide.
  }];
  let dependentDialects = ["::planwright::plan::PlanDialect"];
}

def ShardMaterialize : Pass<"shard-materialize", "::mlir::ModuleOp"> {
  let summary = "Rewrite all tasks to what one rank does for one micro-batch";
  let description = [{
    Gives every task local shapes, by the layouts and assignments that stand there, and inserts a `comm` op wherever a
    value is wanted in another layout than it has. Loss, gradients and prologue objects that are partial over `mb` are
    accumulated in place by the task itself; the task `@zero` clears them, and the tasks `@prologue.reduce` and
    `@reduce` combine over ranks what is still partial, gradients in buckets. Adds `plan.schedule`.

    Promises that no `plan.assignment` is left and that every exchange is an op of the `comm` dialect.
  }];
  let options = [
    Option<"bucketBytes", "bucket-bytes", "int64_t", "67108864", "Gradients are reduced in buckets of at most this size">
  ];
  let dependentDialects = ["::planwright::plan::PlanDialect", "::planwright::comm::CommDialect",
                           "::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect",
                           "::mlir::tensor::TensorDialect"];
}

def VerifyTasks : Pass<"plan-verify-tasks", "::mlir::ModuleOp"> {
  let summary = "Prove that tasks and schedule make a training step";
  let description = [{
    Changes nothing. Fails unless
    1. the module has a mesh and a schedule, and every task is in the schedule as often as its kind says;
    2. every argument and result of a task has an object and a layout without `mb` among its partial axes;
    3. all tasks see one object with one global shape and the same axes on each dimension;
    4. in schedule order, every object is there before it is used, for the same micro-batch, and partial exactly as its
       user expects;
    5. no assignment is left, and every collective runs over axes of the mesh with matching block sizes.
  }];
}

def ShardVerify : Pass<"shard-verify", "::mlir::ModuleOp"> {
  let summary = "Prove that tensor parallelism exchanges no weights, logits or scores";
  let description = [{
    Changes nothing. Fails if an exchange over an axis that divides work (any that is neither time nor dp nor fsdp) in a
    materialised task
    1. gathers a parameter, or what is computed from parameters alone;
    2. gathers logits, or sums them whole. Logits have a dimension of a vocabulary, along which elements of an input
       pick (rows of a table, classes of a loss), and one of the input's: batch or positions; context parallelism (cp) may: labels are shifted by a
       position, and logits with them;
    3. gathers scores of attention: what has two dimensions of positions.

    Needs objects that are one in all tasks (plan-verify-tasks proves it). What a dimension counts is found on the shapes
    of one rank, from nothing that shard-choose has left behind: dimensions are followed through loops, exchanges and
    objects, from arguments whose `model.argument` tells the batch. Where a rank has a single example and flattens its
    batch, its positions are left; so positions make logits as well. A dimension behind a reshape is what its outermost
    part was; behind a cut (labels shifted by one) it is of unknown meaning until it meets a known one.
  }];
}

#endif // PLANWRIGHT_LIB_TRANSFORMS_SHARDING_PASSES_TD
