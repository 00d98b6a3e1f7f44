// Pass model-verify-normal-form: one check an operation, in a table.
#include "Fold.h"
#include "Passes.h"

#include "dialects/Model/IR/Model.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/StringMap.h"

using namespace mlir;

namespace planwright {
#define GEN_PASS_DEF_MODELVERIFYNORMALFORM
#include "lib/Transforms/Normalize/Passes.h.inc"

namespace {

using Check = LogicalResult (*)(Operation *op);

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

bool isElement(Type type) {
  if (auto integer = dyn_cast<IntegerType>(type))
    return integer.isSignless() && llvm::is_contained({1u, 8u, 16u, 32u, 64u}, integer.getWidth());
  return type.isF16() || type.isBF16() || type.isF32() || type.isF64();
}

bool isValue(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor ? tensor.hasStaticShape() && isElement(tensor.getElementType()) : isElement(type);
}

LogicalResult checkTypes(Operation *op) {
  for (Type type : op->getResultTypes())
    if (!isValue(type))
      return op->emitOpError("normal form has static shapes and signless integers or floats, not ")
             << type;
  return success();
}

//===----------------------------------------------------------------------===//
// linalg
//===----------------------------------------------------------------------===//

LogicalResult checkMaps(linalg::LinalgOp op) {
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  for (AffineMap map : maps)
    if (map.getNumSymbols() != 0 || !map.isProjectedPermutation())
      return op->emitOpError("normal form reads and writes by projected permutations, not by ")
             << AffineMapAttr::get(map);
  if (!maps.empty() && !coversAllLoops(maps))
    return op->emitOpError("has a loop that no operand bounds");
  return success();
}

LogicalResult checkBody(linalg::GenericOp op) {
  WalkResult result = op.getBody()->walk([&](Operation *inner) {
    bool isScalar = isa<linalg::IndexOp, linalg::YieldOp>(inner) ||
                    isa_and_present<arith::ArithDialect, math::MathDialect>(inner->getDialect());
    if (!isScalar) {
      inner->emitOpError("has no place in the body of a generic in normal form");
      return WalkResult::interrupt();
    }
    for (Value operand : inner->getOperands())
      if (operand.getParentBlock() != op.getBody()) {
        inner->emitOpError("uses a value from outside its generic; normal form bodies are closed");
        return WalkResult::interrupt();
      }
    return WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}

bool startsAtConstant(Value init) {
  auto fill = init.getDefiningOp<linalg::FillOp>();
  return matchPattern(init, m_Constant()) ||
         (fill && matchPattern(fill.getInputs()[0], m_Constant()));
}

/// The operation that ends the body takes the accumulator and something that does not depend on it.
LogicalResult checkCombiner(linalg::GenericOp op) {
  Block *body = op.getBody();
  BlockArgument accumulator = body->getArguments().back();
  Operation *combiner = body->getTerminator()->getOperand(0).getDefiningOp();
  bool isLast = combiner && combiner->getNumOperands() == 2 &&
                llvm::is_contained(combiner->getOperands(), accumulator) && accumulator.hasOneUse();
  if (!isLast)
    return op->emitOpError("combines its accumulator otherwise than in the last operation");
  return success();
}

LogicalResult checkGeneric(Operation *operation) {
  auto op = cast<linalg::GenericOp>(operation);
  if (failed(checkMaps(op)) || failed(checkBody(op)))
    return failure();
  bool readsOuts = llvm::any_of(op.getBody()->getArguments().take_back(op.getNumDpsInits()),
                                [](BlockArgument argument) { return !argument.use_empty(); });
  if (!readsOuts)
    return op.getNumReductionLoops() == 0 ? success()
                                          : op->emitOpError("reduces without an accumulator");
  // In place: an optimizer's update or a gradient added to what was there.
  if (op.getNumReductionLoops() == 0)
    return success();
  for (Value init : op.getDpsInits())
    if (!startsAtConstant(init))
      return op->emitOpError("starts its reduction at a tensor that is no constant");
  return op.getNumDpsInits() == 1 ? checkCombiner(op) : success();
}

LogicalResult checkContract(Operation *operation) {
  auto op = cast<linalg::ContractOp>(operation);
  if (failed(checkMaps(op)))
    return failure();
  auto fill = op.getOutputs()[0].getDefiningOp<linalg::FillOp>();
  Attribute value;
  bool isZero = fill && matchPattern(fill.getInputs()[0], m_Constant(&value)) &&
                (matchPattern(fill.getInputs()[0], m_AnyZeroFloat()) ||
                 matchPattern(fill.getInputs()[0], m_Zero()));
  return isZero ? success() : op->emitOpError("must start at a fill of zero");
}

//===----------------------------------------------------------------------===//
// The rest
//===----------------------------------------------------------------------===//

LogicalResult checkNothing(Operation *) { return success(); }

LogicalResult checkStatic(Operation *op) {
  auto slice = cast<OffsetSizeAndStrideOpInterface>(op);
  bool isStatic = llvm::none_of(slice.getStaticOffsets(), ShapedType::isDynamic) &&
                  llvm::none_of(slice.getStaticSizes(), ShapedType::isDynamic) &&
                  llvm::none_of(slice.getStaticStrides(), ShapedType::isDynamic);
  return isStatic ? success() : op->emitOpError("has offsets, sizes or strides that are computed");
}

LogicalResult checkPad(Operation *op) {
  auto pad = cast<tensor::PadOp>(op);
  Value value = pad.getConstantPaddingValue();
  return value && matchPattern(value, m_Constant())
             ? success()
             : op->emitOpError("pads with something that is no constant");
}

LogicalResult checkCall(Operation *op) {
  auto call = cast<func::CallOp>(op);
  auto module = op->getParentOfType<ModuleOp>();
  auto callee = module.lookupSymbol<func::FuncOp>(call.getCallee());
  return callee && !callee.isDeclaration()
             ? success()
             : op->emitOpError("calls @") << call.getCallee() << ", which has no body";
}

const llvm::StringMap<Check> &getChecks() {
  static const llvm::StringMap<Check> table = {
      {"arith.constant", checkNothing},      {"tensor.empty", checkNothing},
      {"tensor.expand_shape", checkNothing}, {"tensor.collapse_shape", checkNothing},
      {"tensor.concat", checkNothing},       {"tensor.extract_slice", checkStatic},
      {"tensor.insert_slice", checkStatic},  {"tensor.pad", checkPad},
      {"linalg.fill", checkNothing},         {"linalg.generic", checkGeneric},
      {"linalg.contract", checkContract},    {"func.call", checkCall},
      {"func.return", checkNothing}};
  return table;
}

LogicalResult checkOperation(Operation *op) {
  auto check = getChecks().find(op->getName().getStringRef());
  bool isModel = isa_and_present<model::ModelDialect>(op->getDialect());
  if (!isModel && check == getChecks().end())
    return op->emitOpError("has no place in normal form");
  if (failed(checkTypes(op)))
    return failure();
  return isModel ? success() : check->second(op);
}

LogicalResult checkFunction(func::FuncOp function) {
  if (function.isDeclaration() || !function.getBody().hasOneBlock())
    return function.emitError("normal form functions have one block");
  bool isFine = true;
  for (Type type : function.getArgumentTypes())
    if (!isa<RankedTensorType>(type) || !isValue(type)) {
      function.emitError("normal form has static tensors of signless integers or floats, not ")
          << type;
      isFine = false;
    }
  for (Operation &op : function.getBody().front())
    isFine &= succeeded(checkOperation(&op));
  return success(isFine);
}

struct VerifyNormalForm : impl::ModelVerifyNormalFormBase<VerifyNormalForm> {
  void runOnOperation() override {
    bool isFine = true;
    for (auto function : getOperation().getOps<func::FuncOp>())
      isFine &= succeeded(checkFunction(function));
    if (!isFine)
      return signalPassFailure();
    markAllAnalysesPreserved();
  }
};

} // namespace
} // namespace planwright
