// The one question of reverse-mode differentiation, asked of an operation.
// Not here: how gradients are summed, stored or recomputed (lib/Transforms/Derive).

#ifndef PLANWRIGHT_INTERFACES_DIFFERENTIABLEOPINTERFACE_TD
#define PLANWRIGHT_INTERFACES_DIFFERENTIABLEOPINTERFACE_TD

include "mlir/IR/OpBase.td"

def DifferentiableOpInterface : OpInterface<"DifferentiableOpInterface"> {
  let cppNamespace = "::planwright";
  let description = [{
    An operation that knows its derivative: given the gradients of its results, it builds the gradients of its
    operands. `lib/Interfaces/Derivative` attaches it from outside to upstream's operations and to the model dialect's.
    An operation without it has no derivative, which is an error only where a gradient would have to pass through it.
  }];
  let methods = [
    InterfaceMethod<[{
        Builds, with `builder`, the gradients of this operation's operands and hands each to `context.add`. Operands
        that are not active get none. The operation stands in the forward function and `builder` in the backward
        function, so that values cross only through `context.getPrimal`. Where it cannot, it says why with an error at
        its own location and fails.
      }],
      "::llvm::LogicalResult", "buildOperandGradients",
      (ins "::mlir::OpBuilder &":$builder, "::planwright::GradientContext &":$context)>];
}

#endif // PLANWRIGHT_INTERFACES_DIFFERENTIABLEOPINTERFACE_TD
