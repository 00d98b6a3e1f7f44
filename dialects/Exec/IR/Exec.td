// The exec dialect: what one rank does in a training step, in order, on one arena.
// Nothing here knows shardings, costs or alternatives: every decision has been taken.

#ifndef PLANWRIGHT_DIALECTS_EXEC_IR_EXEC_TD
#define PLANWRIGHT_DIALECTS_EXEC_IR_EXEC_TD

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"
include "mlir/IR/OpBase.td"
include "mlir/IR/RegionKindInterface.td"
include "mlir/IR/SymbolInterfaces.td"
include "dialects/Exec/IR/ExecInterfaces.td"

def Exec_Dialect : Dialect {
  let name = "exec";
  let cppNamespace = "::planwright::exec";
  let summary = "What one rank does, in order";
  let description = [{
    An `exec.program` holds the buffers of one arena, the instruction lists (`exec.subprogram`) and the order in which a
    step runs them (`exec.task`). Instructions name buffers; the offset stands on the buffer, once. The runtime's
    `program.fb` is this program word for word, with addresses in place of names.
  }];
  let useDefaultAttributePrinterParser = 1;
}

//===----------------------------------------------------------------------===//
// Enums
//===----------------------------------------------------------------------===//

class Exec_Enum<string name, string summary, list<I32EnumAttrCase> cases> : I32EnumAttr<name, summary, cases> {
  let cppNamespace = "::planwright::exec";
  let genSpecializedAttr = 0;
}
class Exec_EnumAttr<EnumAttrInfo info, string mnemonic> : EnumAttr<Exec_Dialect, info, mnemonic>;

def Exec_BufferKind : Exec_Enum<"BufferKind", "what a buffer holds", [
    I32EnumAttrCase<"parameter", 0>,
    I32EnumAttrCase<"constant", 1>,
    I32EnumAttrCase<"input", 2>,
    I32EnumAttrCase<"gradient", 3>,
    I32EnumAttrCase<"state", 4>,
    I32EnumAttrCase<"loss", 5>,
    I32EnumAttrCase<"scalar", 6>,
    I32EnumAttrCase<"literal", 7>,
    I32EnumAttrCase<"prologue", 8>,
    I32EnumAttrCase<"residual", 9>,
    I32EnumAttrCase<"temporary", 10>,
    I32EnumAttrCase<"bucket", 11>]>;
def Exec_BufferKindAttr : Exec_EnumAttr<Exec_BufferKind, "buffer_kind"> {
  let summary = "What a buffer holds";
  let description = [{
    `residual` and `temporary` buffers share memory with others where their lives do not meet; all other kinds have
    their place to themselves. A `bucket` has parts: other buffers that lie inside it, so that one collective serves all.
  }];
}

def Exec_TaskKind : Exec_Enum<"TaskKind", "what a task is for", [
    I32EnumAttrCase<"prologue", 0>,
    I32EnumAttrCase<"forward", 1>,
    I32EnumAttrCase<"backward", 2>,
    I32EnumAttrCase<"reduce", 3>,
    I32EnumAttrCase<"update", 4>,
    I32EnumAttrCase<"zero", 5>,
    I32EnumAttrCase<"safe_point", 6>]>;
def Exec_TaskKindAttr : Exec_EnumAttr<Exec_TaskKind, "task_kind"> {
  let summary = "What a task is for";
  let description = [{ Used by messages, profiles and the checkpointer; the executor treats all alike. }];
}

def Exec_Access : Exec_Enum<"Access", "what an instruction does to a region", [
    I32EnumAttrCase<"read", 0>,
    I32EnumAttrCase<"write", 1>,
    I32EnumAttrCase<"update", 2>]>;
def Exec_AccessAttr : Exec_EnumAttr<Exec_Access, "access"> {
  let summary = "What an instruction does to a region";
  let description = [{ `update` reads and writes it. }];
}

def Exec_Reduction : Exec_Enum<"Reduction", "how a collective combines", [
    I32EnumAttrCase<"sum", 0>,
    I32EnumAttrCase<"max", 1>,
    I32EnumAttrCase<"min", 2>]>;
def Exec_ReductionAttr : Exec_EnumAttr<Exec_Reduction, "reduction"> {
  let summary = "How a collective combines the ranks' values";
  let description = [{ The combiners that every communication library has. }];
}

//===----------------------------------------------------------------------===//
// Attributes
//===----------------------------------------------------------------------===//

class Exec_Attr<string name, string attrMnemonic> : AttrDef<Exec_Dialect, name> {
  let mnemonic = attrMnemonic;
}

def Exec_RegionAttr : Exec_Attr<"Region", "region"> {
  let summary = "Some bytes of a buffer";
  let description = [{
    `size` bytes of `buffer` from byte `offset` on. `base` is an index into the running task's `bases`, whose value is
    added to the address: the same subprogram then reads another micro-batch. Base 0 is always 0.

    ```mlir
    #exec.region<@w[0, 128]>
    #exec.region<@tokens[0, 64] base 1>
    ```

    **Constraints**
    1. `offset` and `base` are not negative, `size` is positive.
  }];
  let parameters = (ins "::mlir::FlatSymbolRefAttr":$buffer, "int64_t":$offset, "int64_t":$size,
                        DefaultValuedParameter<"int64_t", "0">:$base);
  let assemblyFormat = "`<` $buffer `[` $offset `,` $size `]` (`base` $base^)? `>`";
  let genVerifyDecl = 1;
}

def Exec_OperandAttr : Exec_Attr<"Operand", "operand"> {
  let summary = "An operand of a kernel: a region and what the kernel does to it";
  let description = [{
    ```mlir
    #exec.operand<read <@x[0, 64]>>
    ```
  }];
  let parameters = (ins "::planwright::exec::Access":$access, "::planwright::exec::RegionAttr":$region);
  let assemblyFormat = "`<` $access $region `>`";
}
def Exec_OperandArrayAttr : TypedArrayAttrBase<Exec_OperandAttr, "operands of a kernel">;

def Exec_GemmLoopAttr : Exec_Attr<"GemmLoop", "loop"> {
  let summary = "A loop around a matrix product";
  let description = [{
    Strides in elements of A, B and C per iteration. `c = 0` makes it a reduction: iterations after the first accumulate.

    ```mlir
    #exec.loop<8, a = 64, b = 0, c = 128>
    ```

    **Constraints**
    1. The extent is positive.
  }];
  let parameters = (ins "int64_t":$extent, "int64_t":$a, "int64_t":$b, "int64_t":$c);
  let assemblyFormat = "`<` $extent `,` `a` `=` $a `,` `b` `=` $b `,` `c` `=` $c `>`";
  let genVerifyDecl = 1;
}

def Exec_GemmShapeAttr : Exec_Attr<"GemmShape", "gemm_shape"> {
  let summary = "Extents and strides of a matrix product";
  let description = [{
    `C[m, n] (+)= sum over k of A[m, k] * B[k, n]`, for each iteration of `loops` (outermost first, reductions
    innermost). Each matrix has two strides in elements: A over (m, k), B over (k, n), C over (m, n).

    ```mlir
    #exec.gemm_shape<m = 4, n = 8, k = 16, a = [16, 1], b = [8, 1], c = [8, 1], loops = [<2, a = 64, b = 0, c = 32>]>
    ```

    **Constraints**
    1. Extents are positive.
    2. Each matrix has two strides, one of which is 1.
    3. Reduction loops are innermost.
  }];
  let parameters = (ins "int64_t":$m, "int64_t":$n, "int64_t":$k, ArrayRefParameter<"int64_t">:$a,
                        ArrayRefParameter<"int64_t">:$b, ArrayRefParameter<"int64_t">:$c,
                        OptionalArrayRefParameter<"::planwright::exec::GemmLoopAttr">:$loops);
  let assemblyFormat = [{
    `<` `m` `=` $m `,` `n` `=` $n `,` `k` `=` $k `,` `a` `=` `[` $a `]` `,` `b` `=` `[` $b `]` `,` `c` `=` `[` $c `]`
    (`,` `loops` `=` `[` $loops^ `]`)? `>`
  }];
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// One past the highest element of A (matrix 0), B (1) or C (2) that the product touches.
    int64_t getElements(unsigned matrix) const;
  }];
}

def Exec_ByteLoopAttr : Exec_Attr<"ByteLoop", "byte_loop"> {
  let summary = "A loop around a copy";
  let description = [{
    Strides in bytes of source and destination per iteration.

    ```mlir
    #exec.byte_loop<8, source = 64, destination = 128>
    ```

    **Constraints**
    1. The extent is positive, strides are not negative.
  }];
  let parameters = (ins "int64_t":$extent, "int64_t":$source, "int64_t":$destination);
  let assemblyFormat = "`<` $extent `,` `source` `=` $source `,` `destination` `=` $destination `>`";
  let genVerifyDecl = 1;
}

def Exec_CoordinateAttr : Exec_Attr<"Coordinate", "coordinate"> {
  let summary = "An offset that depends on the rank";
  let description = [{
    The rank's coordinate on `axis` times `stride` bytes.

    ```mlir
    #exec.coordinate<"tp", 64>
    ```

    **Constraints**
    1. The stride is not negative.
  }];
  let parameters = (ins "::mlir::StringAttr":$axis, "int64_t":$stride);
  let assemblyFormat = "`<` $axis `,` $stride `>`";
  let genVerifyDecl = 1;
}

//===----------------------------------------------------------------------===//
// The program and what it declares
//===----------------------------------------------------------------------===//

class Exec_Op<string mnemonic, list<Trait> traits = []> : Op<Exec_Dialect, mnemonic, traits>;

/// A region of declarations or instructions, in order.
class Exec_BodyOp<string mnemonic, list<Trait> traits = []> : Exec_Op<mnemonic,
    !listconcat([IsolatedFromAbove, NoTerminator, SingleBlock, NoRegionArguments, Symbol], traits)> {
  let regions = (region SizedRegion<1>:$body);
}

def Exec_ProgramOp : Exec_BodyOp<"program", [SymbolTable]> {
  let summary = "A training step of one rank";
  let description = [{
    All ranks run the same program, each on its own arena. `axes` and `sizes` name the mesh, for loaders and messages
    only; `"mb"` counts micro-batches, the others ranks (row-major). `arena_bytes` stands there once offsets are
    assigned.

    ```mlir
    exec.program @train axes ["dp", "mb"] sizes [2, 4] {
      exec.buffer @w parameter "w" tensor<4x8xf32> size 128 offset 0
    }
    ```

    **Constraints**
    1. Every axis has one positive size.
    2. It holds declarations, subprograms and tasks only.
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, StrArrayAttr:$axes, DenseI64ArrayAttr:$sizes,
                       DefaultValuedAttr<I64Attr, "0">:$events, OptionalAttr<I64Attr>:$arena_bytes,
                       OptionalAttr<I64Attr>:$persistent_bytes, OptionalAttr<I64Attr>:$lower_bound_bytes);
  let assemblyFormat = [{
    $sym_name `axes` $axes `sizes` $sizes (`events` $events^)? (`arena` $arena_bytes^)? attr-dict-with-keyword $body
  }];
  let builders = [OpBuilder<(ins "::llvm::StringRef":$name, "::mlir::ArrayAttr":$axes, "::llvm::ArrayRef<int64_t>":$sizes)>];
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
  let extraClassDeclaration = [{
    /// Size of the axis called `name`, 1 where there is none.
    int64_t getSize(::llvm::StringRef name);
    int64_t getNumRanks();
    int64_t getMicroBatches() { return getSize("mb"); }
  }];
}

class Exec_MemberOp<string mnemonic, list<Trait> traits = []> : Exec_Op<mnemonic,
    !listconcat([HasParent<"ProgramOp">], traits)>;

def Exec_KernelOp : Exec_MemberOp<"kernel", [Symbol]> {
  let summary = "A function of a kernel library";
  let description = [{
    `family` groups kernels in profiles.

    ```mlir
    exec.kernel @gelu in "kernels/host.so" family "pointwise"
    ```

    `source` is the kernel's text where the library is still to be compiled.
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, StrAttr:$library, DefaultValuedStrAttr<StrAttr, "\"\"">:$family,
                       OptionalAttr<StrAttr>:$source);
  let assemblyFormat = "$sym_name `in` $library (`family` $family^)? (`source` $source^)? attr-dict";
}

def Exec_CommunicatorOp : Exec_MemberOp<"communicator", [Symbol]> {
  let summary = "Ranks that exchange data";
  let description = [{
    The ranks that agree on all axes other than `axes` form one group.

    ```mlir
    exec.communicator @dp axes ["dp"]
    ```

    **Constraints**
    1. Axes are distinct axes of the program, not `"mb"`.
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, StrArrayAttr:$axes);
  let assemblyFormat = "$sym_name `axes` $axes attr-dict";
  let hasVerifier = 1;
}

def Exec_BufferOp : Exec_MemberOp<"buffer", [Symbol, DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "A place in the arena";
  let description = [{
    `type` has the local shape (of one micro-batch, for an input), `size` is in bytes and covers all micro-batches.
    `name` is the object's name within its kind, as weights and metrics know it. `offset` is missing until
    `exec-assign-offsets` has run. `global_shape` and `dimension_axes` (for each dimension, the axes that divide it)
    say which part of the whole tensor this is. A literal carries its `data`.

    ```mlir
    exec.buffer @w parameter "w" tensor<4x8xf32> size 128 offset 0 {dimension_axes = [["tp"], []], global_shape = array<i64: 8, 8>}
    exec.buffer @c0 literal "c0" tensor<2xf32> size 8 data dense<[1.0, 2.0]> : tensor<2xf32>
    exec.buffer @bucket bucket "0" tensor<32xf32> size 128
    exec.buffer @g gradient "b" tensor<8xf32> size 32 part of @bucket at 64
    ```

    A part lies `part_offset` bytes into its bucket and gets its offset with it.

    **Constraints**
    1. `size` covers the type (times the micro-batches, for an input with a dimension on `"mb"`).
    2. `offset` is a multiple of 64 and not negative.
    3. A literal, and only a literal, has data, of the buffer's type.
    4. `global_shape` and `dimension_axes` have one entry a dimension.
    5. A part lies inside a bucket of the program.
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, Exec_BufferKindAttr:$kind, StrAttr:$name, TypeAttrOf<AnyStaticShapeTensor>:$type,
                       I64Attr:$size, OptionalAttr<I64Attr>:$offset, OptionalAttr<FlatSymbolRefAttr>:$bucket,
                       OptionalAttr<I64Attr>:$part_offset, OptionalAttr<ElementsAttr>:$data,
                       OptionalAttr<DenseI64ArrayAttr>:$global_shape, OptionalAttr<ArrayAttr>:$dimension_axes);
  let assemblyFormat =
      "$sym_name $kind $name $type `size` $size (`offset` $offset^)? (`part` `of` $bucket^ `at` $part_offset)? (`data` $data^)? attr-dict";
  let builders = [OpBuilder<(ins "::llvm::StringRef":$symbol, "BufferKind":$kind, "::llvm::StringRef":$name,
                                 "::mlir::RankedTensorType":$type, "int64_t":$size)>];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    ::mlir::RankedTensorType getTensorType() { return ::llvm::cast<::mlir::RankedTensorType>(getType()); }
    /// Whether it holds one block for each micro-batch.
    bool hasMicroBatches();
    /// Whether its place may be shared with buffers that are alive at other times.
    bool isShared() { return getKind() == BufferKind::residual || getKind() == BufferKind::temporary; }
  }];
}

def Exec_SubprogramOp : Exec_BodyOp<"subprogram", [HasParent<"ProgramOp">]> {
  let summary = "A list of instructions";
  let description = [{
    **Constraints**
    1. It holds instructions only.
  }];
  let arguments = (ins SymbolNameAttr:$sym_name);
  let assemblyFormat = "$sym_name attr-dict-with-keyword $body";
  let builders = [OpBuilder<(ins "::llvm::StringRef":$name)>];
  let hasRegionVerifier = 1;
}

def Exec_TaskOp : Exec_MemberOp<"task", [DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "A run of a subprogram";
  let description = [{
    Tasks run in the order in which they stand. `bases[i]` is added to addresses with base i. A `safe_point` runs
    nothing: there, parameters and states are those of a whole number of steps and may be saved.

    ```mlir
    exec.task forward @forward micro_batch 1 bases [0, 2048]
    exec.task safe_point
    ```

    **Constraints**
    1. A safe point has no subprogram; every other task has one, of this program.
    2. `bases[0]` is 0 where there are bases.
    3. `micro_batch` is one of the program's micro-batches, or missing.
  }];
  let arguments = (ins Exec_TaskKindAttr:$kind, OptionalAttr<FlatSymbolRefAttr>:$subprogram,
                       OptionalAttr<I64Attr>:$micro_batch, OptionalAttr<DenseI64ArrayAttr>:$bases);
  let assemblyFormat = "$kind ($subprogram^)? (`micro_batch` $micro_batch^)? (`bases` $bases^)? attr-dict";
}

include "dialects/Exec/IR/ExecSteps.td"

#endif // PLANWRIGHT_DIALECTS_EXEC_IR_EXEC_TD
