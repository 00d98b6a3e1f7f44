// The cluster dialect: devices, links, racks, storage, power, price and failure rates, as numbers.
// Nothing here knows tensors, meshes or collectives, and no product has a name in C++.

#ifndef PLANWRIGHT_DIALECTS_CLUSTER_IR_CLUSTER_TD
#define PLANWRIGHT_DIALECTS_CLUSTER_IR_CLUSTER_TD

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"
include "mlir/IR/OpBase.td"
include "mlir/IR/RegionKindInterface.td"
include "mlir/IR/SymbolInterfaces.td"

def Cluster_Dialect : Dialect {
  let name = "cluster";
  let cppNamespace = "::planwright::cluster";
  let summary = "What a job runs on, as numbers";
  let description = [{
    One `cluster.cluster` holds everything the compiler may know about a machine. It is written by the reader of cluster
    files (docs/cluster-files.md); units are in the names of the attributes.
  }];
}

class Cluster_Op<string mnemonic, list<Trait> traits = []> : Op<Cluster_Dialect, mnemonic, traits>;

/// An op that describes one thing inside a cluster.
class Cluster_PartOp<string mnemonic> : Cluster_Op<mnemonic, [HasParent<"ClusterOp">]> {
  let assemblyFormat = "attr-dict";
  let hasVerifier = 1;
}

def Cluster_ClusterOp : Cluster_Op<"cluster", [NoTerminator, SingleBlock, Symbol, NoRegionArguments]> {
  let summary = "A cluster of equal devices";
  let description = [{
    ```mlir
    cluster.cluster @pair {
      cluster.device {name = "host", kind = 0 : i32, memory_bytes = 8589934592 : i64,
                      memory_bytes_per_second = 2.0e10 : f64, flops_per_second = {f32 = 1.0e11 : f64}}
      cluster.node {devices = 2 : i64}
      cluster.level {name = "host", devices = 2 : i64, bytes_per_second = 1.0e10 : f64, latency_ns = 2000 : i64}
    }
    ```

    **Constraints**
    1. There is exactly one `cluster.device`, exactly one `cluster.node` and at least one `cluster.level`.
    2. Levels go outwards: each groups a multiple of the devices of the one before it.
    3. A node's devices divide the devices of the outermost level.
  }];
  let arguments = (ins SymbolNameAttr:$sym_name);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "$sym_name attr-dict-with-keyword $body";
  let hasRegionVerifier = 1;
}

def Cluster_DeviceKind : I32EnumAttr<"DeviceKind", "which back end runs on the device", [
    I32EnumAttrCase<"cpu", 0>, I32EnumAttrCase<"gpu", 1>]> {
  let cppNamespace = "::planwright::cluster";
}

def Cluster_DeviceOp : Cluster_PartOp<"device"> {
  let summary = "The device that one rank runs on";
  let description = [{
    Peak rates are the datasheet's, by element type; sustained rates belong to the cost model's catalogue.
    `target_cpu` and `target_features` are LLVM's names and fix for which CPU host kernels are compiled.

    **Constraints**
    1. Memory, bandwidth and every peak rate are positive.
    2. Power, where given, is positive.
  }];
  let arguments = (ins StrAttr:$name, Cluster_DeviceKind:$kind, I64Attr:$memory_bytes, F64Attr:$memory_bytes_per_second,
    DictionaryAttr:$flops_per_second, OptionalAttr<F64Attr>:$power_watts, OptionalAttr<StrAttr>:$target_cpu,
    OptionalAttr<StrAttr>:$target_features);
}

def Cluster_NodeOp : Cluster_PartOp<"node"> {
  let summary = "A server: some devices and their network interfaces";
  let description = [{
    `power_watts` is what the node draws besides its devices.

    **Constraints**
    1. The number of devices is positive.
    2. Interfaces, where given, have a count, a bandwidth and a latency.
  }];
  let arguments = (ins I64Attr:$devices, OptionalAttr<I64Attr>:$memory_bytes, OptionalAttr<F64Attr>:$power_watts,
    OptionalAttr<I64Attr>:$nic_count, OptionalAttr<F64Attr>:$nic_bytes_per_second, OptionalAttr<I64Attr>:$nic_latency_ns);
}

def Cluster_LevelOp : Cluster_PartOp<"level"> {
  let summary = "One level of links, innermost first";
  let description = [{
    `devices` is how many devices reach each other over this level. The bandwidth is per device and direction, before
    oversubscription, which says how many times more bandwidth enters the level than leaves it upwards.

    **Constraints**
    1. Devices, bandwidth and latency are positive.
    2. Oversubscription is at least 1.
  }];
  let arguments = (ins StrAttr:$name, I64Attr:$devices, F64Attr:$bytes_per_second, I64Attr:$latency_ns,
    DefaultValuedAttr<F64Attr, "1.0">:$oversubscription);
}

def Cluster_RackOp : Cluster_PartOp<"rack"> {
  let summary = "How many nodes a rack holds, feeds and cools";
  let description = [{
    **Constraints**
    1. Nodes, power and cooling are positive.
  }];
  let arguments = (ins I64Attr:$nodes, OptionalAttr<F64Attr>:$power_watts, OptionalAttr<F64Attr>:$cooling_watts);
}

def Cluster_StorageOp : Cluster_PartOp<"storage"> {
  let summary = "The file system that holds data and checkpoints";
  let description = [{
    Rates are of the whole file system; `node_bytes_per_second` limits what one node can move.

    **Constraints**
    1. Rates are positive.
  }];
  let arguments = (ins F64Attr:$read_bytes_per_second, F64Attr:$write_bytes_per_second,
    OptionalAttr<F64Attr>:$node_bytes_per_second);
}

def Cluster_PriceOp : Cluster_PartOp<"price"> {
  let summary = "What a device costs an hour";
  let description = [{
    **Constraints**
    1. The price is not negative, the subsidised fraction lies in [0, 1).
  }];
  let arguments = (ins F64Attr:$usd_per_device_hour, DefaultValuedAttr<F64Attr, "0.0">:$subsidy, OptionalAttr<StrAttr>:$source);
}

def Cluster_FailuresOp : Cluster_PartOp<"failures"> {
  let summary = "How often parts fail";
  let description = [{
    **Constraints**
    1. Rates are not negative.
  }];
  let arguments = (ins F64Attr:$per_million_device_hours, DefaultValuedAttr<F64Attr, "0.0">:$per_million_node_hours,
    OptionalAttr<StrAttr>:$source);
}

#endif // PLANWRIGHT_DIALECTS_CLUSTER_IR_CLUSTER_TD
