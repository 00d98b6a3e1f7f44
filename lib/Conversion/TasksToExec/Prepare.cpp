// What is settled on tensors before a task becomes instructions: dead operations go, operands of
// contractions come into an order that a matrix product takes, and accumulations move into the
// product.
#include "Prepare.h"

#include "planwright/Codegen/Host/Gemm.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;
using namespace planwright;

static void eraseDead(func::FuncOp task) {
  for (Operation &op : llvm::make_early_inc_range(llvm::reverse(task.getBody().front())))
    if (isOpTriviallyDead(&op))
      op.erase();
}

/// A copy of `source` whose dimension i is its dimension permutation[i].
static Value createTransposed(OpBuilder &builder, Location loc, Value source,
                              ArrayRef<int64_t> permutation) {
  auto type = cast<RankedTensorType>(source.getType());
  unsigned rank = type.getRank();
  SmallVector<int64_t> shape(rank);
  SmallVector<AffineExpr> sourceDims(rank);
  for (auto [to, from] : llvm::enumerate(permutation)) {
    shape[to] = type.getDimSize(from);
    sourceDims[from] = builder.getAffineDimExpr(to);
  }
  Value empty = tensor::EmptyOp::create(builder, loc, shape, type.getElementType());
  SmallVector<AffineMap> maps = {AffineMap::get(rank, 0, sourceDims, builder.getContext()),
                                 builder.getMultiDimIdentityMap(rank)};
  SmallVector<utils::IteratorType> iterators(rank, utils::IteratorType::parallel);
  return linalg::GenericOp::create(builder, loc, empty.getType(), source, empty, maps, iterators,
                                   [](OpBuilder &body, Location loc, ValueRange arguments) {
                                     linalg::YieldOp::create(body, loc, arguments.front());
                                   })
      .getResult(0);
}

/// Puts operands of contractions into order where that makes them matrix products. An operand that
/// several contractions want in the same order is copied once.
static void orderOperands(func::FuncOp task) {
  llvm::MapVector<std::pair<Value, ArrayAttr>, Value> copies;
  for (auto contract : llvm::make_early_inc_range(task.getOps<linalg::ContractOp>())) {
    OpBuilder builder(contract);
    linalg::ContractOp current = contract;
    // Each operand is copied at most once.
    for (int attempt = 0; attempt < 2; ++attempt) {
      codegen::GemmRefusal refusal;
      if (succeeded(codegen::describeGemm(current, &refusal)) || !refusal.transpose)
        break;
      auto &[operand, permutation] = *refusal.transpose;
      Value &copy = copies[{current->getOperand(operand), builder.getI64ArrayAttr(permutation)}];
      if (!copy)
        copy =
            createTransposed(builder, current.getLoc(), current->getOperand(operand), permutation);
      AffineMap map = current.getIndexingMapsArray()[operand];
      SmallVector<AffineExpr> dims =
          llvm::map_to_vector(permutation, [&](int64_t from) { return map.getResult(from); });
      SmallVector<AffineMap> maps = current.getIndexingMapsArray();
      maps[operand] = AffineMap::get(map.getNumDims(), 0, dims, builder.getContext());
      current->setOperand(operand, copy);
      current.setIndexingMapsAttr(builder.getAffineMapArrayAttr(maps));
    }
  }
}

/// `generic` adds its only input to its only output, element by element: the tensor it adds to,
/// else null.
static Value getAccumulator(linalg::GenericOp generic) {
  bool isPointwise =
      generic.getNumDpsInputs() == 1 && generic.getNumDpsInits() == 1 &&
      generic.getNumParallelLoops() == generic.getNumLoops() &&
      llvm::all_of(generic.getIndexingMapsArray(), [](AffineMap map) { return map.isIdentity(); });
  if (!isPointwise || generic.getBody()->getOperations().size() != 2)
    return {};
  auto add = dyn_cast<arith::AddFOp>(generic.getBody()->front());
  bool addsArguments = add &&
                       llvm::all_of(add->getOperands(),
                                    [&](Value operand) {
                                      return isa<BlockArgument>(operand) &&
                                             operand.getParentBlock() == generic.getBody();
                                    }) &&
                       add.getLhs() != add.getRhs();
  bool yieldsSum = add && generic.getBody()->getTerminator()->getOperand(0) == add.getResult();
  return addsArguments && yieldsSum ? generic.getDpsInitOperand(0)->get() : Value();
}

/// Lets the matrix product add to the accumulator itself.
static void foldAccumulation(linalg::GenericOp generic) {
  Value accumulator = getAccumulator(generic);
  auto contract = generic->getNumOperands() > 0 && accumulator
                      ? generic.getDpsInputOperand(0)->get().getDefiningOp<linalg::ContractOp>()
                      : nullptr;
  if (!contract || !contract->hasOneUse() ||
      contract.getResult(0).getType() != accumulator.getType())
    return;
  auto fill = contract.getOutputs().front().getDefiningOp<linalg::FillOp>();
  if (!fill)
    return;
  OpBuilder builder(generic);
  auto folded = cast<linalg::ContractOp>(builder.clone(*contract));
  folded.getOutputsMutable().assign(accumulator);
  if (failed(codegen::describeGemm(folded)))
    return folded.erase();
  generic->replaceAllUsesWith(folded);
  generic.erase();
  contract.erase();
}

void planwright::prepareTask(func::FuncOp task) {
  eraseDead(task);
  orderOperands(task);
  for (auto generic : llvm::make_early_inc_range(task.getOps<linalg::GenericOp>()))
    foldAccumulation(generic);
  eraseDead(task);
}
