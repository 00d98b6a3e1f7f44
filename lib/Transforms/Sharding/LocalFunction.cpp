// Building a task on blocks, op by op.
#include "lib/Transforms/Sharding/LocalFunction.h"

#include "lib/Transforms/Sharding/AssignmentDraft.h"
#include "lib/Transforms/Sharding/Propagation.h"
#include "lib/Transforms/Sharding/Reshard.h"
#include "lib/Transforms/Sharding/TaskBuilders.h"
#include "lib/Transforms/Sharding/TaskFunctions.h"

#include "dialects/Model/IR/Model.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace planwright;

namespace {

class LocalBuilder {
public:
  LocalBuilder(func::FuncOp task, plan::MeshAttr mesh)
      : task(task), mesh(mesh), builder(task.getContext()) {}

  func::FuncOp build();

private:
  using Copy = std::pair<Value, plan::LayoutAttr>;

  Type getLocalType(Type type, plan::LayoutAttr layout) const;
  unsigned addArgument(Type type, Location loc, plan::ObjectAttr object, plan::LayoutAttr layout);
  void buildArguments();
  void buildOp(Operation &op);
  void buildReturn(Operation &terminator);

  Operation *buildOnBlocks(ShardingRuleOpInterface op, const ShardingRule &rule,
                           plan::AssignmentAttr assignment);
  void mapCaptures(Operation *global, Operation *local);
  Value get(Value value, plan::LayoutAttr layout);
  SmallVector<plan::LayoutAttr> getDemand(Value value);
  plan::LayoutAttr getSource(Value value, plan::LayoutAttr layout);
  Value rebuild(Value value, plan::LayoutAttr layout);
  Value accumulate(Value part, plan::ObjectAttr object, plan::LayoutAttr layout, Location loc);

  Value getScalar(StringRef name, Location loc);
  Value getOffset(int64_t size, plan::AxesAttr axes, Location loc);

  func::FuncOp task, local;
  plan::MeshAttr mesh;
  OpBuilder builder;
  llvm::DenseMap<Value, plan::LayoutAttr> layouts; ///< of values of the global task
  llvm::DenseMap<Copy, Value> copies;              ///< their local values, by layout
  llvm::DenseSet<Value> generated; ///< computed from nothing: constants, positions, masks
  llvm::StringMap<Value> scalars;
  llvm::DenseMap<std::pair<plan::AxesAttr, int64_t>, Value> offsets;
};

} // namespace

//===----------------------------------------------------------------------===//
// Arguments
//===----------------------------------------------------------------------===//

Type LocalBuilder::getLocalType(Type type, plan::LayoutAttr layout) const {
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor)
    return type;
  auto shape = layout.getLocalShape(tensor.getShape(), mesh);
  assert(shape && "propagation divides only what divides");
  return tensor.clone(*shape);
}

unsigned LocalBuilder::addArgument(Type type, Location loc, plan::ObjectAttr object,
                                   plan::LayoutAttr layout) {
  unsigned index = local.getNumArguments();
  auto attributes = builder.getDictionaryAttr(
      {builder.getNamedAttr(plan::kLayoutAttrName, layout.dropPartial({plan::kMicroBatchAxis})),
       builder.getNamedAttr(plan::kObjectAttrName, object)});
  (void)local.insertArgument(index, type, attributes, loc);
  return index;
}

void LocalBuilder::buildArguments() {
  for (BlockArgument argument : task.getArguments()) {
    unsigned index = argument.getArgNumber();
    plan::LayoutAttr layout = getArgumentLayout(task, index);
    addArgument(getLocalType(argument.getType(), layout), argument.getLoc(),
                getArgumentObject(task, index), layout);
    layouts[argument] = layout;
    copies[{argument, layout}] = local.getArgument(index);
    // Says which dimension is the batch: shard-verify asks.
    if (model::ArgumentAttr mark = model::getArgument(task, index))
      local.setArgAttr(index, model::kArgumentAttrName, mark);
  }
}

//===----------------------------------------------------------------------===//
// Offsets of blocks
//===----------------------------------------------------------------------===//

Value LocalBuilder::getScalar(StringRef name, Location loc) {
  Value &scalar = scalars[name];
  if (scalar)
    return scalar;
  auto object = plan::ObjectAttr::get(builder.getContext(), plan::ObjectKind::scalar, name);
  auto type = RankedTensorType::get({}, builder.getI64Type());
  unsigned index =
      addArgument(type, loc, object, plan::LayoutAttr::getWhole(builder.getContext(), 0));
  return scalar = local.getArgument(index);
}

/// First index of this rank's and micro-batch's block of `size`: the coordinates on `axes`, read as
/// one number.
Value LocalBuilder::getOffset(int64_t size, plan::AxesAttr axes, Location loc) {
  Value &known = offsets[{axes, size}];
  if (known)
    return known;
  SmallVector<Value> coordinates;
  for (StringAttr axis : axes.getNames()) {
    bool isTime = axis.getValue() == plan::kMicroBatchAxis;
    std::string rank = ("axis/" + axis.getValue()).str();
    coordinates.push_back(getScalar(isTime ? axis.getValue() : StringRef(rank), loc));
  }
  auto body = [&](OpBuilder &b, Location l, ValueRange arguments) {
    auto constant = [&](int64_t value) -> Value {
      return arith::ConstantOp::create(b, l, b.getI64IntegerAttr(value));
    };
    Value number = arguments[0];
    for (auto [axis, coordinate] :
         llvm::drop_begin(llvm::zip(axes.getNames(), arguments.drop_back()))) {
      number = arith::MulIOp::create(b, l, number, constant(mesh.getSize(axis)));
      number = arith::AddIOp::create(b, l, number, coordinate);
    }
    Value offset = arith::MulIOp::create(b, l, number, constant(size));
    linalg::YieldOp::create(b, l, offset);
  };
  auto type = RankedTensorType::get({}, builder.getI64Type());
  Value init = tensor::EmptyOp::create(builder, loc, type.getShape(), type.getElementType());
  SmallVector<AffineMap> maps(coordinates.size() + 1, builder.getMultiDimIdentityMap(0));
  return known = linalg::GenericOp::create(builder, loc, TypeRange(type), coordinates, init, maps,
                                           ArrayRef<utils::IteratorType>{}, body)
                     .getResult(0);
}

//===----------------------------------------------------------------------===//
// Values in the layout in which they are wanted
//===----------------------------------------------------------------------===//

/// A generated value once more, computed in blocks from the start; null where it cannot be.
Value LocalBuilder::rebuild(Value value, plan::LayoutAttr layout) {
  if (layout.isPartial() || !generated.contains(value))
    return {};
  auto op = cast<ShardingRuleOpInterface>(value.getDefiningOp());
  ShardingRule rule = op.getShardingRule();
  SmallVector<plan::LayoutAttr> operands;
  for (Value operand : op->getOperands())
    operands.push_back(
        plan::LayoutAttr::getWhole(value.getContext(), getRankOrZero(operand.getType())));
  AssignmentDraft draft(op, rule, mesh, operands);
  bool isDivided = draft.adoptResult(layout.getDims());
  if (!isDivided && !layout.isWhole())
    return {};
  return buildOnBlocks(op, rule, draft.get())->getResult(0);
}

/// The layouts in which uses want a value.
SmallVector<plan::LayoutAttr> LocalBuilder::getDemand(Value value) {
  SmallVector<plan::LayoutAttr> demand;
  for (OpOperand &use : value.getUses()) {
    Operation *user = use.getOwner();
    unsigned operand = use.getOperandNumber();
    auto whole = plan::LayoutAttr::getWhole(value.getContext(), getRankOrZero(value.getType()));
    auto assignment = user->getAttrOfType<plan::AssignmentAttr>(plan::kAssignmentAttrName);
    if (user->hasTrait<OpTrait::IsTerminator>() && user->getParentOp() == task)
      demand.push_back(getResultLayout(task, operand));
    else if (assignment && user->getBlock() == &task.getBody().front())
      demand.push_back(cast<ShardingRuleOpInterface>(user).getShardingRule().getOperandLayout(
          operand, assignment, mesh));
    else
      demand.push_back(whole);
  }
  return demand;
}

/// Where to start from for `layout`: a block of what another use wants anyway costs nothing.
plan::LayoutAttr LocalBuilder::getSource(Value value, plan::LayoutAttr layout) {
  plan::LayoutAttr from = layouts.lookup(value);
  auto isFree = [](plan::LayoutAttr from, plan::LayoutAttr to) {
    return llvm::none_of(planReshard(from, to), isExchange);
  };
  if (isFree(from, layout))
    return from;
  for (plan::LayoutAttr other : getDemand(value))
    if (other != layout && isFree(other, layout))
      return other;
  return from;
}

Value LocalBuilder::get(Value value, plan::LayoutAttr layout) {
  if (Value copy = copies.lookup({value, layout}))
    return copy;
  Value copy = rebuild(value, layout);
  if (!copy) {
    plan::LayoutAttr from = getSource(value, layout);
    copy = get(value, from);
    for (const ReshardStep &step : planReshard(from, layout))
      copy = applyStep(builder, value.getLoc(), copy, step, mesh);
  }
  copies[{value, layout}] = copy;
  return copy;
}

//===----------------------------------------------------------------------===//
// Ops
//===----------------------------------------------------------------------===//

/// A body may read scalar constants that stand outside of it.
void LocalBuilder::mapCaptures(Operation *global, Operation *clone) {
  clone->walk([&](Operation *inner) {
    for (OpOperand &operand : inner->getOpOperands())
      if (inner != clone && operand.get().getParentBlock() == global->getBlock())
        operand.set(get(operand.get(), layouts.lookup(operand.get())));
  });
}

Operation *LocalBuilder::buildOnBlocks(ShardingRuleOpInterface op, const ShardingRule &rule,
                                       plan::AssignmentAttr assignment) {
  SmallVector<Value> operands;
  for (OpOperand &operand : op->getOpOperands())
    operands.push_back(
        get(operand.get(), rule.getOperandLayout(operand.getOperandNumber(), assignment, mesh)));
  SmallVector<Linearity> linearity = getLinearity(op, assignment);
  SmallVector<Type> types;
  SmallVector<plan::LayoutAttr> resultLayouts;
  for (auto [index, result] : llvm::enumerate(op->getResults())) {
    resultLayouts.push_back(rule.getResultLayout(index, assignment, linearity[index], mesh));
    types.push_back(getLocalType(result.getType(), resultLayouts.back()));
  }
  auto getFactorOffset = [&](unsigned factor) -> Value {
    plan::AxesAttr axes = assignment.getFactors()[factor];
    if (axes.empty())
      return {};
    int64_t size = rule.factors[factor].size;
    for (StringAttr axis : axes.getNames())
      size /= mesh.getSize(axis);
    return getOffset(size, axes, op.getLoc());
  };
  Operation *clone = op.cloneLocal(builder, operands, types, getFactorOffset);
  mapCaptures(op, clone);
  for (auto [result, layout, built] :
       llvm::zip_equal(op->getResults(), resultLayouts, clone->getResults()))
    copies[{result, layout}] = built;
  return clone;
}

void LocalBuilder::buildOp(Operation &op) {
  auto shardable = dyn_cast<ShardingRuleOpInterface>(op);
  if (shardable) {
    auto isGenerated = [&](Value operand) { return generated.contains(operand); };
    if (op.getNumResults() == 1 && llvm::all_of(op.getOperands(), isGenerated))
      generated.insert(op.getResult(0));
    ShardingRule rule = shardable.getShardingRule();
    auto assignment = op.getAttrOfType<plan::AssignmentAttr>(plan::kAssignmentAttrName);
    if (!assignment)
      assignment = getEmptyAssignment(builder.getContext(), rule);
    SmallVector<Linearity> linearity = getLinearity(shardable, assignment);
    for (auto [index, result] : llvm::enumerate(op.getResults()))
      layouts[result] = rule.getResultLayout(index, assignment, linearity[index], mesh);
    buildOnBlocks(shardable, rule, assignment);
    return;
  }
  SmallVector<Value> operands;
  for (Value operand : op.getOperands())
    operands.push_back(get(operand, plan::LayoutAttr::getWhole(builder.getContext(),
                                                               getRankOrZero(operand.getType()))));
  Operation *clone = cloneOnBlocks(builder, &op, operands, op.getResultTypes());
  mapCaptures(&op, clone);
  for (auto [result, built] : llvm::zip_equal(op.getResults(), clone->getResults())) {
    layouts[result] =
        plan::LayoutAttr::getWhole(builder.getContext(), getRankOrZero(result.getType()));
    copies[{result, layouts[result]}] = built;
  }
}

//===----------------------------------------------------------------------===//
// Results
//===----------------------------------------------------------------------===//

/// Adds the part of this micro-batch to an accumulator that becomes an argument.
Value LocalBuilder::accumulate(Value part, plan::ObjectAttr object, plan::LayoutAttr layout,
                               Location loc) {
  auto type = cast<RankedTensorType>(part.getType());
  Value accumulator = local.getArgument(addArgument(type, loc, object, layout));
  plan::Combiner combiner = *layout.getCombiner(builder.getStringAttr(plan::kMicroBatchAxis));
  AffineMap identity = builder.getMultiDimIdentityMap(type.getRank());
  SmallVector<utils::IteratorType> loops(type.getRank(), utils::IteratorType::parallel);
  auto body = [&](OpBuilder &b, Location l, ValueRange arguments) {
    linalg::YieldOp::create(b, l, buildCombine(b, l, combiner, arguments[1], arguments[0]));
  };
  return linalg::GenericOp::create(builder, loc, TypeRange(type), part, accumulator,
                                   ArrayRef<AffineMap>{identity, identity}, loops, body)
      .getResult(0);
}

void LocalBuilder::buildReturn(Operation &terminator) {
  auto time = builder.getStringAttr(plan::kMicroBatchAxis);
  SmallVector<Value> results;
  SmallVector<Attribute> attributes;
  for (OpOperand &operand : terminator.getOpOperands()) {
    plan::ObjectAttr object = getResultObject(task, operand.getOperandNumber());
    plan::LayoutAttr layout = getResultLayout(task, operand.getOperandNumber());
    Value value = get(operand.get(), layout);
    if (layout.getCombiner(time))
      value = accumulate(value, object, layout, operand.get().getLoc());
    results.push_back(value);
    attributes.push_back(builder.getDictionaryAttr(
        {builder.getNamedAttr(plan::kLayoutAttrName, layout.dropPartial({plan::kMicroBatchAxis})),
         builder.getNamedAttr(plan::kObjectAttrName, object)}));
  }
  func::ReturnOp::create(builder, terminator.getLoc(), results);
  updateFunctionType(local);
  local.setAllResultAttrs(attributes);
}

func::FuncOp LocalBuilder::build() {
  local = createTask(task->getParentOfType<ModuleOp>(), task.getLoc(), task.getName(),
                     getTaskKind(task));
  builder.setInsertionPointToEnd(&local.getBody().front());
  buildArguments();
  Block &body = task.getBody().front();
  for (Operation &op : body.without_terminator())
    buildOp(op);
  buildReturn(*body.getTerminator());
  return local;
}

func::FuncOp planwright::buildLocalFunction(func::FuncOp task, plan::MeshAttr mesh) {
  func::FuncOp local = LocalBuilder(task, mesh).build();
  task.erase();
  eraseDeadOps(local); // what was built whole but is used in blocks only
  return local;
}
