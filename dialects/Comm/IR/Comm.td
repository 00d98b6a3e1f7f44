// The comm dialect: collectives on named mesh axes, between tensors of one rank.
// Nothing here knows who produced a tensor, which stream a transfer runs on, or what a communicator handle is.

#ifndef PLANWRIGHT_DIALECTS_COMM_IR_COMM_TD
#define PLANWRIGHT_DIALECTS_COMM_IR_COMM_TD

include "mlir/IR/EnumAttr.td"
include "mlir/IR/OpBase.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "dialects/Comm/IR/CommInterfaces.td"
include "dialects/Plan/IR/PlanBase.td"

def Comm_Dialect : Dialect {
  let name = "comm";
  let cppNamespace = "::planwright::comm";
  let summary = "Collectives on named axes";
  let description = [{
    Each op exchanges tensors between the ranks that differ only in their coordinates on the named axes. Blocks are
    numbered row-major over the axes in the order in which they are given, outermost first.
  }];
  let dependentDialects = ["::planwright::plan::PlanDialect"]; // for its combiner
}

class Comm_Op<string mnemonic, list<Trait> traits = []> : Op<Comm_Dialect, mnemonic, traits # [Pure]>;

class Comm_CollectiveOp<string mnemonic, list<Trait> traits = []> :
    Comm_Op<mnemonic, traits # [DeclareOpInterfaceMethods<CollectiveOpInterface>]>;

def Comm_AllReduceOp : Comm_CollectiveOp<"all_reduce", [DeclareOpInterfaceMethods<InferTypeOpInterface>]> {
  let summary = "Combine equal tensors of all ranks; every rank gets the result";
  let description = [{
    Several operands are one bucket: they are reduced together, in one exchange.

    ```mlir
    %0:2 = comm.all_reduce %a, %b axes = ["dp"] combiner = sum : tensor<4x8xf32>, tensor<8xf32>
    ```

    **Constraints**
    1. There is at least one operand, and all have the same element type.
    2. At least one axis is named, none twice, and `mb` is not among them: micro-batches follow each other in time.
  }];
  let arguments = (ins Variadic<AnyStaticShapeTensor>:$inputs, StrArrayAttr:$axes, Plan_CombinerAttr:$combiner);
  let results = (outs Variadic<AnyStaticShapeTensor>:$results);
  let assemblyFormat = "$inputs `axes` `=` $axes `combiner` `=` custom<Combiner>($combiner) attr-dict `:` type($inputs)";
  let hasVerifier = 1;
}

def Comm_AllGatherOp : Comm_CollectiveOp<"all_gather"> {
  let summary = "Concatenate the blocks of all ranks along one dimension; every rank gets the result";
  let description = [{
    ```mlir
    %0 = comm.all_gather %a dim = 0 axes = ["dp"] : tensor<2x4xf32> -> tensor<4x4xf32>
    ```

    **Constraints**
    1. `dim` exists, the result's `dim` is a multiple of the operand's, all else is equal.
    2. Axes as in `all_reduce`.
  }];
  let arguments = (ins AnyStaticShapeTensor:$input, I64Attr:$dim, StrArrayAttr:$axes);
  let results = (outs AnyStaticShapeTensor:$result);
  let assemblyFormat = "$input `dim` `=` $dim `axes` `=` $axes attr-dict `:` type($input) `->` type($result)";
  let hasVerifier = 1;
}

def Comm_ReduceScatterOp : Comm_CollectiveOp<"reduce_scatter"> {
  let summary = "Combine equal tensors of all ranks; each rank gets its block along one dimension";
  let description = [{
    ```mlir
    %0 = comm.reduce_scatter %a dim = 0 axes = ["dp"] combiner = sum : tensor<4x4xf32> -> tensor<2x4xf32>
    ```

    **Constraints**
    1. `dim` exists, the operand's `dim` is a multiple of the result's, all else is equal.
    2. Axes as in `all_reduce`.
  }];
  let arguments = (ins AnyStaticShapeTensor:$input, I64Attr:$dim, StrArrayAttr:$axes, Plan_CombinerAttr:$combiner);
  let results = (outs AnyStaticShapeTensor:$result);
  let assemblyFormat = [{
    $input `dim` `=` $dim `axes` `=` $axes `combiner` `=` custom<Combiner>($combiner) attr-dict `:` type($input) `->` type($result)
  }];
  let hasVerifier = 1;
}

def Comm_AllToAllOp : Comm_CollectiveOp<"all_to_all"> {
  let summary = "Move axes from one dimension to another";
  let description = [{
    The operand is cut along `split_dim`, block `i` goes to rank `i`, and what arrives is put together along
    `concat_dim`.

    ```mlir
    %0 = comm.all_to_all %a split_dim = 0 concat_dim = 1 axes = ["ep"] : tensor<4x2xf32> -> tensor<2x4xf32>
    ```

    **Constraints**
    1. Both dimensions exist and differ; one grows by the factor by which the other shrinks; all else is equal.
    2. Axes as in `all_reduce`.
  }];
  let arguments = (ins AnyStaticShapeTensor:$input, I64Attr:$split_dim, I64Attr:$concat_dim, StrArrayAttr:$axes);
  let results = (outs AnyStaticShapeTensor:$result);
  let assemblyFormat = [{
    $input `split_dim` `=` $split_dim `concat_dim` `=` $concat_dim `axes` `=` $axes attr-dict `:` type($input)
    `->` type($result)
  }];
  let hasVerifier = 1;
}

def Comm_AllSliceOp : Comm_Op<"all_slice"> {
  let summary = "Keep this rank's block along one dimension; nothing is exchanged";
  let description = [{
    The inverse of `all_gather`, and the only op here whose axes may name `mb`: the block is then this micro-batch's.

    ```mlir
    %0 = comm.all_slice %a dim = 0 axes = ["dp", "mb"] : tensor<8x4xf32> -> tensor<2x4xf32>
    ```

    **Constraints**
    1. `dim` exists, the operand's `dim` is a multiple of the result's, all else is equal.
    2. At least one axis is named, and none twice.
  }];
  let arguments = (ins AnyStaticShapeTensor:$input, I64Attr:$dim, StrArrayAttr:$axes);
  let results = (outs AnyStaticShapeTensor:$result);
  let assemblyFormat = "$input `dim` `=` $dim `axes` `=` $axes attr-dict `:` type($input) `->` type($result)";
  let hasVerifier = 1;
}

#endif // PLANWRIGHT_DIALECTS_COMM_IR_COMM_TD
