// Exchanges between devices, as a graph may carry them that was partitioned before it came here.
// Planwright makes its own (the comm dialect); these are read so that they can be reported.

#ifndef PLANWRIGHT_DIALECTS_STABLEHLO_IR_COLLECTIVEOPS_TD
#define PLANWRIGHT_DIALECTS_STABLEHLO_IR_COLLECTIVEOPS_TD

include "dialects/StableHLO/IR/StableHLOAttrs.td"

class SH_CollectiveOp<string mnemonic, string what, list<Trait> traits = []> : SH_Op<mnemonic, traits> {
  let summary = what;
  let description = "Read in generic form so that it can be reported; shapes are not compared.";
}

def SH_AllGatherOp : SH_CollectiveOp<"all_gather", "Pieces of all devices, joined"> {
  let arguments = (ins Variadic<SH_Tensor>:$operands, I64Attr:$all_gather_dim, AnyAttr:$replica_groups,
                       OptionalAttr<SH_ChannelHandleAttr>:$channel_handle, UnitAttr:$use_global_device_ids);
  let results = (outs Variadic<SH_Tensor>);
}

def SH_AllReduceOp : SH_CollectiveOp<"all_reduce", "Elements of all devices, combined", [SH_Regions]> {
  let arguments = (ins Variadic<SH_Tensor>:$operands, AnyAttr:$replica_groups,
                       OptionalAttr<SH_ChannelHandleAttr>:$channel_handle, UnitAttr:$use_global_device_ids);
  let results = (outs Variadic<SH_Tensor>);
  let regions = (region SizedRegion<1>:$computation);
}

def SH_ReduceScatterOp : SH_CollectiveOp<"reduce_scatter", "Elements of all devices, combined and cut", [SH_Regions]> {
  let arguments = (ins SH_Tensor:$operand, I64Attr:$scatter_dimension, AnyAttr:$replica_groups,
                       OptionalAttr<SH_ChannelHandleAttr>:$channel_handle, UnitAttr:$use_global_device_ids);
  let results = (outs SH_Tensor:$result);
  let regions = (region SizedRegion<1>:$computation);
}

def SH_AllToAllOp : SH_CollectiveOp<"all_to_all", "Pieces exchanged between all devices"> {
  let arguments = (ins Variadic<SH_Tensor>:$operands, I64Attr:$split_dimension, I64Attr:$concat_dimension,
                       I64Attr:$split_count, AnyAttr:$replica_groups,
                       OptionalAttr<SH_ChannelHandleAttr>:$channel_handle);
  let results = (outs Variadic<SH_Tensor>);
}

def SH_CollectivePermuteOp : SH_CollectiveOp<"collective_permute", "Tensors passed on between devices"> {
  let arguments = (ins SH_Tensor:$operand, I64ElementsAttr:$source_target_pairs,
                       OptionalAttr<SH_ChannelHandleAttr>:$channel_handle);
  let results = (outs SH_Tensor:$result);
}

def SH_CollectiveBroadcastOp : SH_CollectiveOp<"collective_broadcast", "One device's tensor, on all"> {
  let arguments = (ins SH_Tensor:$operand, AnyAttr:$replica_groups,
                       OptionalAttr<SH_ChannelHandleAttr>:$channel_handle);
  let results = (outs SH_Tensor:$result);
}

def SH_CrossReplicaSumOp : SH_CollectiveOp<"cross-replica-sum", "Elements of all replicas, added"> {
  let arguments = (ins SH_Tensor:$operand, AnyAttr:$replica_groups);
  let results = (outs SH_Tensor:$result);
}

#endif // PLANWRIGHT_DIALECTS_STABLEHLO_IR_COLLECTIVEOPS_TD
