// The reverse walk over one function. Operations differentiate themselves through
// DifferentiableOpInterface; only calls are treated here, for they become calls.
#include "lib/Transforms/Derive/FunctionDerivative.h"

#include "lib/Transforms/Derive/ShiftInvariance.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;

namespace planwright {

static bool isFloatTensor(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor && isa<FloatType>(tensor.getElementType());
}

llvm::DenseSet<Value> findActiveValues(func::FuncOp function, const llvm::BitVector &arguments) {
  llvm::DenseSet<Value> active;
  for (unsigned index : arguments.set_bits())
    active.insert(function.getArgument(index));
  for (Operation &op : function.getBody().front())
    if (llvm::any_of(op.getOperands(), [&](Value v) { return active.contains(v); }))
      for (Value result : op.getResults())
        if (isFloatTensor(result.getType()))
          active.insert(result);
  return active;
}

FunctionDerivative::FunctionDerivative(func::FuncOp forward, func::FuncOp backward,
                                       const DerivativeRequest &request,
                                       const DerivedCalls &derivedCalls)
    : forward(forward), backward(backward), request(request), derivedCalls(derivedCalls),
      active(findActiveValues(forward, request.activeArguments)),
      withoutGradient(findShiftInvariantExtrema(forward)), builder(backward.getContext()),
      loc(backward.getLoc()), gradients(builder),
      residuals(forward, backward, active, request.recomputePointwise) {}

FailureOr<DerivedFunction> FunctionDerivative::build() {
  Block *body = new Block();
  backward.getBody().push_back(body);
  for (BlockArgument argument : forward.getArguments())
    body->addArgument(argument.getType(), argument.getLoc());
  builder.setInsertionPointToEnd(body);
  unsigned numResults = forward.getNumResults();
  seedResults();
  bool isDifferentiable = true;
  for (Operation &op : llvm::reverse(forward.getBody().front().without_terminator()))
    isDifferentiable &= succeeded(reverseOperation(op));
  if (!isDifferentiable)
    return failure();
  buildReturn();
  addResiduals();
  return DerivedFunction{forward, backward, numResults, request.activeArguments, activeResults};
}

/// The gradients that the results start with: 1 for the loss, else arguments of the backward
/// function.
void FunctionDerivative::seedResults() {
  Operation *terminator = forward.getBody().front().getTerminator();
  activeResults.resize(terminator->getNumOperands());
  for (auto [index, result] : llvm::enumerate(terminator->getOperands())) {
    if (!isActive(result))
      continue;
    activeResults.set(index);
    auto type = cast<RankedTensorType>(result.getType());
    Value gradient;
    if (request.isLoss) {
      auto one = builder.getFloatAttr(type.getElementType(), 1.0);
      gradient = arith::ConstantOp::create(builder, loc, DenseElementsAttr::get(type, one));
    } else {
      gradient = backward.getBody().front().addArgument(type, result.getLoc());
    }
    gradients.add(result, makeCotangent(gradient));
  }
}

LogicalResult FunctionDerivative::reverseOperation(Operation &op) {
  auto hasGradient = [&](Value v) { return gradients.contains(v); };
  if (llvm::none_of(op.getResults(), hasGradient))
    return success();
  bool isDifferentiable = true;
  if (const DerivedFunction *callee = derivedCalls.lookup(&op)) {
    reverseCall(op, *callee);
  } else if (auto differentiable = dyn_cast<DifferentiableOpInterface>(op)) {
    isDifferentiable = succeeded(differentiable.buildOperandGradients(builder, *this));
  } else {
    op.emitOpError("cannot be differentiated: no derivative is known for it");
    isDifferentiable = false;
  }
  if (!isDifferentiable)
    refuse(op);
  for (Value result : op.getResults())
    gradients.erase(result);
  return success(isDifferentiable);
}

/// Gives the operands of an operation without derivative some gradient, so that the walk goes on
/// and reports all.
void FunctionDerivative::refuse(Operation &op) {
  for (Value operand : op.getOperands())
    if (isActive(operand))
      gradients.add(operand, makeCotangent(getOrCreateZero(operand)));
}

void FunctionDerivative::reverseCall(Operation &call, const DerivedFunction &callee) {
  SmallVector<Value> operands;
  for (Value operand : call.getOperands())
    operands.push_back(getPrimal(operand));
  for (Value residual : call.getResults().drop_front(callee.numResults))
    operands.push_back(getPrimal(residual));
  for (unsigned index : callee.activeResults.set_bits())
    operands.push_back(getOrCreateZero(call.getResult(index)));
  auto backwardCall = func::CallOp::create(builder, call.getLoc(), callee.backward, operands);
  for (auto [index, gradient] :
       llvm::zip_equal(callee.activeArguments.set_bits(), backwardCall.getResults()))
    add(call.getOperand(index), makeCotangent(gradient));
}

/// The gradient of `value`, or zeros.
Value FunctionDerivative::getOrCreateZero(Value value) {
  if (Value gradient = getCotangentTensor(value))
    return gradient;
  auto type = cast<RankedTensorType>(value.getType()).clone(getGradientElementType(value));
  return arith::ConstantOp::create(builder, loc, builder.getZeroAttr(type));
}

//===----------------------------------------------------------------------===//
// GradientContext
//===----------------------------------------------------------------------===//

Cotangent FunctionDerivative::getCotangent(Value value) {
  return gradients.sum(value.getLoc(), value);
}

Value FunctionDerivative::getCotangentTensor(Value value) {
  Cotangent gradient = getCotangent(value);
  if (!gradient)
    return {};
  auto type = cast<RankedTensorType>(value.getType()).clone(getGradientElementType(value));
  Value tensor = materialize(builder, value.getLoc(), gradient, type);
  gradients.erase(value);
  gradients.add(value, makeCotangent(tensor));
  return tensor;
}

/// Gradients of narrow parameters are kept in f32: they are summed over micro-batches and ranks.
Type FunctionDerivative::getGradientElementType(Value value) {
  Type type = cast<RankedTensorType>(value.getType()).getElementType();
  auto argument = dyn_cast<BlockArgument>(value);
  bool isWide = argument && request.wideArguments.test(argument.getArgNumber());
  return isWide && type.getIntOrFloatBitWidth() < 32 ? builder.getF32Type() : type;
}

void FunctionDerivative::add(Value value, Cotangent contribution) {
  if (!isActive(value))
    return;
  // A wider gradient (a sum of narrow values is made in f32) is not kept longer than it takes to
  // make it.
  Type type = getGradientElementType(value);
  Type given = contribution.getType().getElementType();
  if (given.getIntOrFloatBitWidth() > type.getIntOrFloatBitWidth())
    contribution = convertCotangent(builder, value.getLoc(), contribution, type);
  gradients.add(value, contribution);
}

void FunctionDerivative::addSlice(Value value, Value gradient, SlicePosition position) {
  if (isActive(value))
    gradients.addSlice(value, gradient, std::move(position));
}

//===----------------------------------------------------------------------===//
// The end of both functions
//===----------------------------------------------------------------------===//

void FunctionDerivative::buildReturn() {
  SmallVector<Value> results;
  for (unsigned index : request.activeArguments.set_bits())
    results.push_back(getOrCreateZero(forward.getArgument(index)));
  func::ReturnOp::create(builder, loc, results);
}

static void setType(func::FuncOp function) {
  Block &body = function.getBody().front();
  function.setType(FunctionType::get(function.getContext(), body.getArgumentTypes(),
                                     body.getTerminator()->getOperandTypes()));
}

void FunctionDerivative::addResiduals() {
  SmallVector<Value> saved = residuals.finish();
  SmallVector<DictionaryAttr> attributes;
  forward.getAllResultAttrs(attributes);
  Operation *terminator = forward.getBody().front().getTerminator();
  terminator->insertOperands(terminator->getNumOperands(), saved);
  setType(forward);
  setType(backward);
  attributes.resize(forward.getNumResults(), DictionaryAttr::get(forward.getContext()));
  forward.setAllResultAttrs(attributes);
}

} // namespace planwright
