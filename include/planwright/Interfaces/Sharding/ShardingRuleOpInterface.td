// The one question that partitioning asks of an op: how may you be cut?

#ifndef PLANWRIGHT_INTERFACES_SHARDING_SHARDINGRULEOPINTERFACE_TD
#define PLANWRIGHT_INTERFACES_SHARDING_SHARDINGRULEOPINTERFACE_TD

include "mlir/IR/OpBase.td"

def ShardingRuleOpInterface : OpInterface<"ShardingRuleOpInterface"> {
  let cppNamespace = "::planwright";
  let description = [{
    How an op may be cut: which loop dimensions (factors) it has, whether each is parallel, reduced or whole-only, and
    which dimension of which operand and result each one is; whether a partial sum may pass through it; and the op
    itself on local shapes, which is the same op but for attributes that spell sizes out.
    An op that cannot be cut at all does not have the interface; it takes whole operands and gives whole results.
  }];
  let methods = [
    InterfaceMethod<"Factors, and where they are.", "::planwright::ShardingRule", "getShardingRule">,
    InterfaceMethod<[{
      For each result, what it is as a function of the operands in `partial`, which are sums of parts.
    }], "::llvm::SmallVector<::planwright::Linearity>", "getLinearity", (ins "const ::llvm::BitVector &":$partial)>,
    InterfaceMethod<[{
      Builds the op on blocks. `getOffset(factor)` gives the first index of this rank's block as a tensor<i64>, or null
      where the factor is not divided.
    }], "::mlir::Operation *", "cloneLocal",
      (ins "::mlir::OpBuilder &":$builder, "::mlir::ValueRange":$operands, "::mlir::TypeRange":$results,
           "::llvm::function_ref<::mlir::Value(unsigned)>":$getOffset), "",
      "return ::planwright::cloneOnBlocks(builder, $_op, operands, results);">
  ];
}

#endif // PLANWRIGHT_INTERFACES_SHARDING_SHARDINGRULEOPINTERFACE_TD
