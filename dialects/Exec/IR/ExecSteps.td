// The instructions of the exec dialect. Each answers StepOpInterface.

#ifndef PLANWRIGHT_DIALECTS_EXEC_IR_EXECSTEPS_TD
#define PLANWRIGHT_DIALECTS_EXEC_IR_EXECSTEPS_TD

defvar stepArguments = (ins DefaultValuedAttr<I64Attr, "0">:$stream, OptionalAttr<DenseI64ArrayAttr>:$waits,
                            OptionalAttr<I64Attr>:$record);
defvar stepFormat = "(`stream` $stream^)? (`waits` $waits^)? (`record` $record^)? attr-dict";

class Exec_StepOp<string mnemonic, dag ownArguments, string ownFormat, list<Trait> traits = []> : Exec_Op<mnemonic,
    !listconcat([HasParent<"SubprogramOp">, DeclareOpInterfaceMethods<SymbolUserOpInterface>,
                 DeclareOpInterfaceMethods<Exec_StepOpInterface, ["getOperandRegions"]>], traits)> {
  let arguments = !con(ownArguments, stepArguments);
  let assemblyFormat = !strconcat(ownFormat, " ", stepFormat);
}

def Exec_LaunchOp : Exec_StepOp<"launch",
    (ins FlatSymbolRefAttr:$kernel, Exec_OperandArrayAttr:$operands, I64Attr:$count, DefaultValuedAttr<I64Attr, "1">:$grain),
    "$kernel $operands `count` $count (`grain` $grain^)?"> {
  let builders = [OpBuilder<(ins "::mlir::FlatSymbolRefAttr":$kernel, "::mlir::ArrayAttr":$operands, "int64_t":$count,
                                 "int64_t":$grain)>];
  let summary = "Run a kernel over its work items";
  let description = [{
    Work items `[0, count)` are cut at multiples of `grain` and spread over threads; what comes out does not depend on
    where it was cut.

    ```mlir
    exec.launch @gelu [<read <@x[0, 64]>>, <write <@y[0, 64]>>] count 16 grain 4
    ```

    **Constraints**
    1. The kernel and every buffer exist; regions lie inside their buffers.
    2. `count` and `grain` are positive.
  }];
  let hasVerifier = 1;
}

def Exec_GemmOp : Exec_StepOp<"gemm",
    (ins Exec_RegionAttr:$a, Exec_RegionAttr:$b, Exec_RegionAttr:$c, Exec_GemmShapeAttr:$shape,
         TypeAttrOf<AnyTypeOf<[F32, F64]>>:$element_type, UnitAttr:$accumulate),
    "$a $b `into` $c $shape $element_type (`accumulate` $accumulate^)?"> {
  let builders = [OpBuilder<(ins "RegionAttr":$a, "RegionAttr":$b, "RegionAttr":$c, "GemmShapeAttr":$shape,
                                 "::mlir::Type":$elementType, "bool":$accumulate)>];
  let summary = "Matrix product, possibly in loops";
  let description = [{
    ```mlir
    exec.gemm <@x[0, 256]> <@w[0, 512]> into <@y[0, 128]> <m = 4, n = 8, k = 16, a = [16, 1], b = [8, 1], c = [8, 1]> f32
    ```

    **Constraints**
    1. Every buffer exists; regions lie inside their buffers.
    2. Each region holds the elements that the shape touches.
  }];
  let hasVerifier = 1;
}

def Exec_CopyOp : Exec_StepOp<"copy", (ins Exec_RegionAttr:$source, Exec_RegionAttr:$destination),
    "$source `to` $destination"> {
  let builders = [OpBuilder<(ins "RegionAttr":$source, "RegionAttr":$destination)>];
  let summary = "Copy bytes";
  let description = [{
    ```mlir
    exec.copy <@x[0, 256]> to <@y[0, 256]>
    ```

    **Constraints**
    1. Every buffer exists; regions lie inside their buffers.
    2. Source and destination have the same size.
  }];
  let hasVerifier = 1;
}

def Exec_StridedCopyOp : Exec_StepOp<"strided_copy",
    (ins Exec_RegionAttr:$source, Exec_RegionAttr:$destination, I64Attr:$bytes,
         TypedArrayAttrBase<Exec_ByteLoopAttr, "loops">:$loops,
         DefaultValuedAttr<TypedArrayAttrBase<Exec_CoordinateAttr, "coordinates">, "{}">:$coordinates),
    "$source `to` $destination `bytes` $bytes `loops` $loops (`at` $coordinates^)?"> {
  let builders = [OpBuilder<(ins "RegionAttr":$source, "RegionAttr":$destination, "int64_t":$bytes,
                                 "::llvm::ArrayRef<ByteLoopAttr>":$loops,
                                 "::llvm::ArrayRef<CoordinateAttr>":$coordinates)>];
  let summary = "Copy bytes in loops";
  let description = [{
    `bytes` bytes for each iteration of `loops` (outermost first). The source begins where the rank's coordinates say:
    this is how a rank takes its block of a tensor that all ranks hold.

    ```mlir
    exec.strided_copy <@x[0, 256]> to <@y[0, 128]> bytes 16 loops [<8, source = 32, destination = 16>] at [<"tp", 16>]
    ```

    **Constraints**
    1. Every buffer exists; regions lie inside their buffers.
    2. `bytes` is positive.
    3. Each region holds the bytes that the loops touch, on every rank.
    4. Axes of coordinates exist, none twice, and none is `mb`.
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// One past the highest byte that the loops touch, before coordinates are added.
    int64_t getSourceReach();
    int64_t getDestinationReach();
  }];
}

def Exec_ZeroOp : Exec_StepOp<"zero", (ins Exec_RegionAttr:$destination), "$destination"> {
  let builders = [OpBuilder<(ins "RegionAttr":$destination)>];
  let summary = "Fill bytes with zero";
  let description = [{
    ```mlir
    exec.zero <@y[0, 256]>
    ```

    **Constraints**
    1. The buffer exists; the region lies inside it.
  }];
}

defvar collectiveFormat = "$source `to` $destination `over` $communicator $element_type";

/// A collective that combines (`reduces`) also says how.
class Exec_CollectiveOp<string mnemonic, bit reduces> : Exec_StepOp<mnemonic,
    !con(!if(reduces, (ins Exec_ReductionAttr:$reduction), (ins)),
         (ins Exec_RegionAttr:$source, Exec_RegionAttr:$destination, FlatSymbolRefAttr:$communicator,
              TypeAttrOf<AnyType>:$element_type)),
    !if(reduces, !strconcat("$reduction ", collectiveFormat), collectiveFormat),
    [DeclareOpInterfaceMethods<Exec_CollectiveOpInterface>]> {
  let hasVerifier = 1;
}

def Exec_AllReduceOp : Exec_CollectiveOp<"all_reduce", true> {
  let builders = [OpBuilder<(ins "Reduction":$reduction, "RegionAttr":$region, "::mlir::FlatSymbolRefAttr":$communicator,
                                 "::mlir::Type":$elementType)>];
  let summary = "Combine over the ranks of a group; all get the result";
  let description = [{
    Source and destination may be the same bytes.

    ```mlir
    exec.all_reduce sum <@g[0, 512]> to <@g[0, 512]> over @dp f32
    ```

    **Constraints**
    1. The communicator and the buffers exist; regions lie inside their buffers.
    2. Source and destination have the same size, a multiple of the element's.
  }];
}

def Exec_AllGatherOp : Exec_CollectiveOp<"all_gather", false> {
  let builders = [OpBuilder<(ins "RegionAttr":$source, "RegionAttr":$destination,
                                 "::mlir::FlatSymbolRefAttr":$communicator, "::mlir::Type":$elementType)>];
  let summary = "Concatenate the ranks' parts; all get the whole";
  let description = [{
    ```mlir
    exec.all_gather <@part[0, 128]> to <@whole[0, 512]> over @tp f32
    ```

    **Constraints**
    1. The communicator and the buffers exist; regions lie inside their buffers.
    2. The destination is as large as the sources of all ranks.
  }];
}

def Exec_ReduceScatterOp : Exec_CollectiveOp<"reduce_scatter", true> {
  let builders = [OpBuilder<(ins "Reduction":$reduction, "RegionAttr":$source, "RegionAttr":$destination,
                                 "::mlir::FlatSymbolRefAttr":$communicator, "::mlir::Type":$elementType)>];
  let summary = "Combine over the ranks of a group; each gets its part";
  let description = [{
    ```mlir
    exec.reduce_scatter sum <@whole[0, 512]> to <@part[0, 128]> over @tp f32
    ```

    **Constraints**
    1. The communicator and the buffers exist; regions lie inside their buffers.
    2. The source is as large as the destinations of all ranks.
  }];
}

def Exec_AllToAllOp : Exec_CollectiveOp<"all_to_all", false> {
  let builders = [OpBuilder<(ins "RegionAttr":$source, "RegionAttr":$destination,
                                 "::mlir::FlatSymbolRefAttr":$communicator, "::mlir::Type":$elementType)>];
  let summary = "Each rank sends its i-th part to rank i";
  let description = [{
    ```mlir
    exec.all_to_all <@a[0, 512]> to <@b[0, 512]> over @ep f32
    ```

    **Constraints**
    1. The communicator and the buffers exist; regions lie inside their buffers.
    2. Source and destination have the same size.
  }];
}

def Exec_BroadcastOp : Exec_CollectiveOp<"broadcast", false> {
  let summary = "All ranks get the first rank's bytes";
  let description = [{
    ```mlir
    exec.broadcast <@a[0, 512]> to <@a[0, 512]> over @dp f32
    ```

    **Constraints**
    1. The communicator and the buffers exist; regions lie inside their buffers.
    2. Source and destination have the same size.
  }];
}

#endif // PLANWRIGHT_DIALECTS_EXEC_IR_EXECSTEPS_TD
