// Interfaces of the exec dialect: what every instruction answers.

#ifndef PLANWRIGHT_DIALECTS_EXEC_IR_EXECINTERFACES_TD
#define PLANWRIGHT_DIALECTS_EXEC_IR_EXECINTERFACES_TD

include "mlir/IR/OpBase.td"

def Exec_StepOpInterface : OpInterface<"StepOpInterface"> {
  let cppNamespace = "::planwright::exec";
  let description = [{
    An instruction: which stream it runs on, what it touches, which events it awaits and records. All that
    `exec-assign-offsets`, `exec-verify` and a simulator need to know about it.
  }];
  let methods = [
    InterfaceMethod<"Append the regions it touches, with what it does to each.", "void", "getOperandRegions",
      (ins "::llvm::SmallVectorImpl<::planwright::exec::OperandAttr> &":$operands)>,
    InterfaceMethod<"The stream it runs on.", "int64_t", "getStepStream", (ins), [{}],
      [{ return $_op.getStream(); }]>,
    InterfaceMethod<"Events that must have been recorded before it starts.", "::llvm::ArrayRef<int64_t>", "getStepWaits",
      (ins), [{}], [{ return $_op.getWaits().value_or(::llvm::ArrayRef<int64_t>()); }]>,
    InterfaceMethod<"The event recorded when it is done, if any.", "::std::optional<int64_t>", "getStepRecord",
      (ins), [{}], [{
        return $_op.getRecord() ? ::std::optional<int64_t>(*$_op.getRecord()) : ::std::nullopt; }]>
  ];
}

def Exec_CollectiveOpInterface : OpInterface<"CollectiveStepOpInterface"> {
  let cppNamespace = "::planwright::exec";
  let description = [{ An instruction that all ranks of a group run together. }];
  let methods = [
    InterfaceMethod<"The `exec.communicator`.", "::mlir::FlatSymbolRefAttr", "getGroup", (ins), [{}],
      [{ return $_op.getCommunicatorAttr(); }]>
  ];
}

#endif // PLANWRIGHT_DIALECTS_EXEC_IR_EXECINTERFACES_TD
