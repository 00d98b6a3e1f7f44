// Verifiers of OtherOps.td.
#include "dialects/StableHLO/IR/Verify.h"

#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;
using namespace planwright::stablehlo;

LogicalResult RngOp::verify() {
  RankedTensorType scalar = scalarOf(getType()); // rng_c1
  if (failed(verifyType(*this, "operand #0", getA().getType(), scalar)) ||
      failed(verifyType(*this, "operand #1", getB().getType(), scalar)))
    return failure();
  return verifyShape(*this, "operand #2", getShape().getType(), // rng_c2
                     ArrayRef<int64_t>(getType().getRank()));
}

LogicalResult RngBitGeneratorOp::verify() {
  RankedTensorType state = getInitialState().getType(); // rng_bit_generator_c1
  if (state.getRank() != 1 || !state.getElementType().isUnsignedInteger(64))
    return emitOpError() << "the state has type " << state
                         << ", but a vector of unsigned 64-bit integers is expected";
  return verifyType(*this, "the new state", getOutputState().getType(), state);
}

LogicalResult OptimizationBarrierOp::verify() {
  if ((*this)->getResultTypes() != (*this)->getOperandTypes()) // optimization_barrier_c1
    return emitOpError() << "results are (" << (*this)->getResultTypes() << "), but ("
                         << (*this)->getOperandTypes() << ") are expected";
  return success();
}

LogicalResult TupleOp::verify() {
  return verifyType(*this, "result", getType(), // tuple_c1
                    TupleType::get(getContext(), getVal().getTypes()));
}

LogicalResult GetTupleElementOp::verify() {
  auto tuple = cast<TupleType>(getOperand().getType());
  int32_t index = getIndex();
  if (index < 0 || size_t(index) >= tuple.size()) // get_tuple_element_c1
    return emitOpError() << "index is " << index << ", but " << tuple << " has " << tuple.size()
                         << " elements";
  return verifyType(*this, "result", getType(), tuple.getType(index));
}

LogicalResult CustomCallOp::verify() {
  if (getCallTargetName().empty()) // custom_call_c1
    return emitOpError("the target has no name");
  return success();
}

LogicalResult CompositeOp::verifySymbolUses(SymbolTableCollection &symbols) {
  auto function =
      symbols.lookupNearestSymbolFrom<FunctionOpInterface>(*this, getDecompositionAttr());
  if (!function) // composite_c1
    return emitOpError() << "there is no function " << getDecompositionAttr();
  bool matches = TypeRange(function.getArgumentTypes()) == (*this)->getOperandTypes() &&
                 TypeRange(function.getResultTypes()) == (*this)->getResultTypes();
  if (matches)
    return success();
  InFlightDiagnostic diagnostic = emitOpError() << "has operands (" << (*this)->getOperandTypes()
                                                << ") and results (" << (*this)->getResultTypes()
                                                << "), but its decomposition has others";
  diagnostic.attachNote(function.getLoc()) << "decomposition is here";
  return diagnostic;
}
