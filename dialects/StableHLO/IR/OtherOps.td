// What is left: random numbers, tuples, calls to the outside, tokens, dynamic shapes.

#ifndef PLANWRIGHT_DIALECTS_STABLEHLO_IR_OTHEROPS_TD
#define PLANWRIGHT_DIALECTS_STABLEHLO_IR_OTHEROPS_TD

include "dialects/StableHLO/IR/StableHLOAttrs.td"

//===----------------------------------------------------------------------===//
// Random numbers
//===----------------------------------------------------------------------===//

def SH_RngOp : SH_Op<"rng"> {
  let summary = "Random numbers from a hidden state";
  let description = [{
    **Constraints**
    1. `a` and `b` are scalars of the result's element type.
    2. `shape` is a vector with one entry per dimension of the result.
  }];
  let arguments = (ins SH_RealTensor:$a, SH_RealTensor:$b, StaticShapeTensorOf<[SH_Int, Index]>:$shape,
                       SH_RngDistributionAttr:$rng_distribution);
  let results = (outs SH_RealTensor:$result);
  let hasVerifier = 1;
}

def SH_RngBitGeneratorOp : SH_Op<"rng_bit_generator", [Pure]> {
  let summary = "Random bits from a given state";
  let description = [{
    **Constraints**
    1. The new state has the type of the old one, a vector of unsigned 64-bit integers.
  }];
  let arguments = (ins SH_RngAlgorithmAttr:$rng_algorithm, SH_IntTensor:$initial_state);
  let results = (outs SH_IntTensor:$output_state, SH_Tensor:$output);
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// Tuples and barriers
//===----------------------------------------------------------------------===//

def SH_OptimizationBarrierOp : SH_Op<"optimization_barrier", [Pure]> {
  let summary = "Keeps what is before apart from what is after";
  let description = [{
    **Constraints**
    1. Results have the types of the operands.
  }];
  let arguments = (ins Variadic<SH_TensorOrToken>:$operand);
  let results = (outs Variadic<SH_TensorOrToken>:$result);
  let hasVerifier = 1;
}

def SH_TupleOp : SH_Op<"tuple", [Pure]> {
  let summary = "Several values as one";
  let description = [{
    **Constraints**
    1. The result's type lists the operands' types.
  }];
  let arguments = (ins Variadic<SH_TensorOrToken>:$val);
  let results = (outs AnyTuple:$result);
  let hasVerifier = 1;
}

def SH_GetTupleElementOp : SH_Op<"get_tuple_element", [Pure]> {
  let summary = "One value of a tuple";
  let description = [{
    **Constraints**
    1. `index` is a position of the tuple, and the result has the type found there.
  }];
  let arguments = (ins AnyTuple:$operand, I32Attr:$index);
  let results = (outs SH_TensorOrToken:$result);
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

def SH_CustomCallOp : SH_Op<"custom_call"> {
  let summary = "Something that StableHLO has no word for";
  let description = [{
    The target's name says what is meant; operands and results may have any type. Every other attribute is kept as it is.

    **Constraints**
    1. The target has a name.
  }];
  let arguments = (ins Variadic<AnyType>:$inputs, StrAttr:$call_target_name,
                       DefaultValuedOptionalAttr<BoolAttr, "false">:$has_side_effect,
                       OptionalAttr<AnyAttrOf<[StrAttr, DictionaryAttr]>>:$backend_config,
                       OptionalAttr<I32Attr>:$api_version,
                       OptionalAttr<TypedArrayAttrBase<FlatSymbolRefAttr, "functions">>:$called_computations,
                       OptionalAttr<ArrayAttr>:$operand_layouts, OptionalAttr<ArrayAttr>:$result_layouts,
                       OptionalAttr<ArrayAttr>:$output_operand_aliases);
  let results = (outs Variadic<AnyType>);
  let hasVerifier = 1;
}

def SH_CompositeOp : SH_Op<"composite", [DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "A named operation with a function that says what it does";
  let description = [{
    **Constraints**
    1. `decomposition` is a function whose type is that of the operands and results.
  }];
  let arguments = (ins Variadic<AnyType>:$inputs, StrAttr:$name, OptionalAttr<DictionaryAttr>:$composite_attributes,
                       FlatSymbolRefAttr:$decomposition, DefaultValuedOptionalAttr<I32Attr, "0">:$version,
                       OptionalAttr<ArrayAttr>:$composite_regions);
  let results = (outs Variadic<AnyType>);
}

//===----------------------------------------------------------------------===//
// Tokens, hosts and dynamic shapes. Read so that they can be reported; a frontend refuses all of them.
//===----------------------------------------------------------------------===//

class SH_ReportedOp<string mnemonic, string what> : SH_Op<mnemonic> {
  let summary = what;
  let description = "Read so that it can be reported; nothing about it is checked.";
  let arguments = (ins Variadic<AnyType>:$inputs);
  let results = (outs Variadic<AnyType>);
}

def SH_CreateTokenOp : SH_ReportedOp<"create_token", "A first token">;
def SH_AfterAllOp : SH_ReportedOp<"after_all", "A token that waits for others">;
def SH_InfeedOp : SH_ReportedOp<"infeed", "Data from the host">;
def SH_OutfeedOp : SH_ReportedOp<"outfeed", "Data to the host">;
def SH_SendOp : SH_ReportedOp<"send", "Data to a channel">;
def SH_RecvOp : SH_ReportedOp<"recv", "Data from a channel">;
def SH_PartitionIdOp : SH_ReportedOp<"partition_id", "Number of this partition">;
def SH_ReplicaIdOp : SH_ReportedOp<"replica_id", "Number of this replica">;
def SH_UniformQuantizeOp : SH_ReportedOp<"uniform_quantize", "Conversion to a quantised type">;
def SH_UniformDequantizeOp : SH_ReportedOp<"uniform_dequantize", "Conversion from a quantised type">;
def SH_GetDimensionSizeOp : SH_ReportedOp<"get_dimension_size", "Size of a dimension">;
def SH_SetDimensionSizeOp : SH_ReportedOp<"set_dimension_size", "A dimension with another size">;
def SH_DynamicBroadcastInDimOp : SH_ReportedOp<"dynamic_broadcast_in_dim", "broadcast_in_dim to a computed shape">;
def SH_DynamicConvOp : SH_ReportedOp<"dynamic_conv", "convolution with computed padding">;
def SH_DynamicGatherOp : SH_ReportedOp<"dynamic_gather", "gather with computed sizes">;
def SH_DynamicIotaOp : SH_ReportedOp<"dynamic_iota", "iota of a computed shape">;
def SH_DynamicPadOp : SH_ReportedOp<"dynamic_pad", "pad by computed amounts">;
def SH_DynamicReshapeOp : SH_ReportedOp<"dynamic_reshape", "reshape to a computed shape">;
def SH_RealDynamicSliceOp : SH_ReportedOp<"real_dynamic_slice", "slice with computed bounds">;

#endif // PLANWRIGHT_DIALECTS_STABLEHLO_IR_OTHEROPS_TD
