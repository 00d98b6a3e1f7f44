// The one question that placement, cost and scheduling ask of a collective.

#ifndef PLANWRIGHT_DIALECTS_COMM_IR_COMMINTERFACES_TD
#define PLANWRIGHT_DIALECTS_COMM_IR_COMMINTERFACES_TD

include "mlir/IR/OpBase.td"

def CollectiveOpInterface : OpInterface<"CollectiveOpInterface"> {
  let cppNamespace = "::planwright::comm";
  let description = [{
    Which exchange an op is: its kind, the axes it runs over, the bytes that each rank puts in, and how values are
    combined. An op that moves nothing between ranks (`all_slice`) does not have it.
  }];
  let methods = [
    InterfaceMethod<"Which collective this is.", "::planwright::comm::CollectiveKind", "getKind">,
    InterfaceMethod<"Names of the axes it runs over, outermost first.", "::mlir::ArrayAttr", "getCollectiveAxes">,
    InterfaceMethod<"How values are combined; absent where none are.",
                    "::std::optional<::planwright::plan::Combiner>", "getReduction">,
    InterfaceMethod<"Bytes that each rank contributes.", "int64_t", "getPayloadBytes", (ins), "",
                    "return ::planwright::comm::getNumBytes($_op->getOperandTypes());">
  ];
}

#endif // PLANWRIGHT_DIALECTS_COMM_IR_COMMINTERFACES_TD
