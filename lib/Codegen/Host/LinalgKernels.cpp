// Kernels of linalg operations: pointwise, reductions, updates in place, contractions, fills,
// transposed copies.
#include "Families.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace planwright::codegen;

//===----------------------------------------------------------------------===//
// Operands without memory
//===----------------------------------------------------------------------===//

static Value lookThroughReshapes(Value tensor) {
  while (Operation *reshape = tensor.getDefiningOp()) {
    if (!isa<tensor::ExpandShapeOp, tensor::CollapseShapeOp>(reshape))
      break;
    tensor = reshape->getOperand(0);
  }
  return tensor;
}

TypedAttr planwright::codegen::getUniformValue(Value tensor) {
  tensor = lookThroughReshapes(tensor);
  if (auto fill = tensor.getDefiningOp<linalg::FillOp>())
    tensor = fill.getInputs().front();
  Attribute constant;
  if (!matchPattern(tensor, m_Constant(&constant)))
    return nullptr;
  if (auto elements = dyn_cast<DenseElementsAttr>(constant))
    return elements.isSplat() ? cast<TypedAttr>(elements.getSplatValue<Attribute>()) : TypedAttr();
  return isa<IntegerAttr, FloatAttr>(constant) ? cast<TypedAttr>(constant) : TypedAttr();
}

bool planwright::codegen::isUninitialized(Value tensor) {
  return lookThroughReshapes(tensor).getDefiningOp<tensor::EmptyOp>() != nullptr;
}

SmallVector<int64_t> planwright::codegen::getRowMajorStrides(ArrayRef<int64_t> shape) {
  SmallVector<int64_t> strides(shape.size(), 1);
  for (size_t dim = shape.size(); dim-- > 1;)
    strides[dim - 1] = strides[dim] * shape[dim];
  return strides;
}

//===----------------------------------------------------------------------===//
// Legality
//===----------------------------------------------------------------------===//

static LogicalResult checkShapes(linalg::LinalgOp op) {
  for (Value operand : op->getOperands()) {
    auto type = dyn_cast<ShapedType>(operand.getType());
    if (!type && !getUniformValue(operand))
      return op->emitOpError("reads a scalar that is not constant");
    if (type && !type.hasStaticShape())
      return op->emitOpError("has an operand of unknown shape: ") << type;
  }
  return success();
}

static LogicalResult checkMaps(linalg::LinalgOp op) {
  for (AffineMap map : op.getIndexingMapsArray())
    for (AffineExpr result : map.getResults())
      if (!isa<AffineDimExpr>(result))
        return op->emitOpError("has an indexing map that is no projected permutation: ")
               << AffineMapAttr::get(map);
  return success();
}

/// An output is moved by all reduction loops (each iteration stores) or by none (a sum).
static LogicalResult checkOutputs(linalg::LinalgOp op) {
  SmallVector<unsigned> reductions;
  op.getReductionDims(reductions);
  for (OpOperand &init : op.getDpsInitsMutable()) {
    AffineMap map = op.getMatchingIndexingMap(&init);
    auto moves = [&](unsigned dim) { return map.isFunctionOfDim(dim); };
    if (llvm::any_of(reductions, moves) && !llvm::all_of(reductions, moves))
      return op->emitOpError("has an output over some of its reduction loops: ")
             << AffineMapAttr::get(map);
  }
  return success();
}

static LogicalResult checkBody(linalg::LinalgOp op) {
  Block *block = op.getBlock();
  for (Operation &inner : *block) {
    bool isScalarCode = isa<linalg::IndexOp, linalg::YieldOp>(inner) ||
                        isa_and_present<arith::ArithDialect, math::MathDialect>(inner.getDialect());
    if (!isScalarCode || inner.getNumRegions() != 0)
      return op->emitOpError("has a body that no kernel can be made of: it calls ")
             << inner.getName();
    for (Value operand : inner.getOperands())
      if (operand.getParentBlock() != block && !getUniformValue(operand))
        return op->emitOpError("has a body that captures a value from outside");
  }
  return success();
}

//===----------------------------------------------------------------------===//
// From the operation to a loop nest
//===----------------------------------------------------------------------===//

static Access createAccess(AffineMap map, ArrayRef<int64_t> shape) {
  Access access;
  access.strides.assign(map.getNumDims(), 0);
  for (auto [result, stride] : llvm::zip_equal(map.getResults(), getRowMajorStrides(shape)))
    access.strides[cast<AffineDimExpr>(result).getPosition()] += stride;
  return access;
}

static SmallVector<Loop> createLoops(linalg::LinalgOp op) {
  SmallVector<Loop> loops;
  for (auto [extent, iterator] :
       llvm::zip_equal(op.getStaticLoopRanges(), op.getIteratorTypesArray()))
    loops.push_back({extent, iterator == utils::IteratorType::reduction, std::nullopt});
  for (auto index : op.getBlock()->getOps<linalg::IndexOp>())
    loops[index.getDim()].indexOf = index.getDim();
  return loops;
}

/// Some reduction loop (even one of a single iteration) does not appear in the map of the output.
static bool isReduced(linalg::LinalgOp op, AffineMap map) {
  for (auto [dim, iterator] : llvm::enumerate(op.getIteratorTypesArray()))
    if (iterator == utils::IteratorType::reduction && !map.isFunctionOfDim(dim))
      return true;
  return false;
}

static NestOutput createOutput(linalg::LinalgOp op, OpOperand &init, KernelDraft &draft) {
  NestOutput output;
  Value result = op.getTiedOpResult(&init);
  output.isReduced = isReduced(op, op.getMatchingIndexingMap(&init));
  output.initial = getUniformValue(init.get());
  bool isRead = !op.getMatchingBlockArgument(&init).use_empty();
  if (!output.initial && (!isRead || isUninitialized(init.get())))
    output.initial =
        cast<TypedAttr>(Builder(op->getContext()).getZeroAttr(getElementTypeOrSelf(init.get())));
  if (output.initial) {
    output.operand = draft.write(result);
    return output;
  }
  // An input that is also updated is read and written out of place: the order of loops would matter
  // otherwise.
  bool isAlsoInput = llvm::is_contained(op.getDpsInputs(), init.get());
  output.initialOperand = isAlsoInput ? draft.read(init.get()) : draft.update(init.get(), result);
  output.operand = isAlsoInput ? draft.write(result) : output.initialOperand;
  return output;
}

static StringRef getFamily(linalg::LinalgOp op) {
  if (isa<linalg::FillOp>(op))
    return "fill";
  if (isa<linalg::ContractionOpInterface>(*op))
    return "contract";
  if (op.getNumReductionLoops() != 0)
    return "reduce";
  return op.getBlock()->getOperations().size() == 1 ? "copy" : "pointwise";
}

/// Turns the body into a callback over the inputs that lie in memory.
static NestKernel::Body createBody(linalg::LinalgOp op, const NestKernel &kernel) {
  SmallVector<std::optional<unsigned>> loopOfDim(op.getNumLoops());
  for (auto [number, loop] : llvm::enumerate(kernel.nest.loops))
    if (loop.indexOf)
      loopOfDim[*loop.indexOf] = number;
  SmallVector<unsigned> sums;
  for (auto [number, output] : llvm::enumerate(kernel.outputs))
    if (output.isReduced)
      sums.push_back(number);
  return [=](ItemBuilder &b, ValueRange inputs, ValueRange outputs, ValueRange ivs) mutable {
    SmallVector<Value> arguments;
    for (OpOperand *input : op.getDpsInputOperands()) {
      TypedAttr uniform = getUniformValue(input->get());
      arguments.push_back(uniform ? createConstant(b, uniform) : inputs.front());
      inputs = uniform ? inputs : inputs.drop_front();
    }
    llvm::append_range(arguments, outputs);
    auto ivOf = [&](unsigned dim) { return loopOfDim[dim] ? ivs[*loopOfDim[dim]] : b.index(0); };
    return cloneScalarBlock(b, *op.getBlock(), arguments, ivOf, sums);
  };
}

FailureOr<KernelDraft> planwright::codegen::draftLinalg(linalg::LinalgOp op) {
  if (!op.hasPureTensorSemantics())
    return op->emitOpError("is not an operation on tensors");
  if (failed(checkShapes(op)) || failed(checkMaps(op)) || failed(checkOutputs(op)) ||
      failed(checkBody(op)))
    return failure();
  KernelDraft draft(getFamily(op));
  NestKernel kernel;
  kernel.nest.loops = createLoops(op);
  for (OpOperand *input : op.getDpsInputOperands()) {
    if (getUniformValue(input->get()))
      continue;
    kernel.inputs.push_back(draft.read(input->get()));
    kernel.nest.inputs.push_back(
        createAccess(op.getMatchingIndexingMap(input), op.getShape(input)));
  }
  for (OpOperand &init : op.getDpsInitsMutable()) {
    kernel.outputs.push_back(createOutput(op, init, draft));
    kernel.nest.outputs.push_back(
        createAccess(op.getMatchingIndexingMap(&init), op.getShape(&init)));
  }
  kernel.nest.simplify();
  kernel.schedule = planLoops(kernel.nest);
  kernel.body = createBody(op, kernel);
  draft.addPart(kernel.schedule.countItems(kernel.nest),
                [kernel](ItemBuilder &b, Value item) { emitNest(b, item, kernel); });
  return draft;
}
