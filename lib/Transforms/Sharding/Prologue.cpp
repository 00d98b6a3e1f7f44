// The prologue: which values go there, and how they get there.
#include "lib/Transforms/Sharding/Prologue.h"

#include "lib/Transforms/Sharding/Propagation.h"
#include "lib/Transforms/Sharding/TaskFunctions.h"

#include "dialects/Model/IR/Model.h"

#include "mlir/IR/IRMapping.h"
#include "mlir/IR/OperationSupport.h"
#include "llvm/ADT/SetVector.h"

#include <unordered_map>

using namespace mlir;
using namespace planwright;

//===----------------------------------------------------------------------===//
// Which values
//===----------------------------------------------------------------------===//

/// Ops of the function's block that `value` is computed from, itself included, and the arguments
/// that they read.
static void collectSlice(Value value, llvm::SetVector<Operation *> &ops,
                         llvm::SetVector<BlockArgument> &arguments) {
  SmallVector<Value> worklist = {value};
  Block *block = value.getParentBlock();
  while (!worklist.empty()) {
    Value next = worklist.pop_back_val();
    if (auto argument = dyn_cast<BlockArgument>(next)) {
      arguments.insert(argument);
      continue;
    }
    if (!ops.insert(next.getDefiningOp()))
      continue;
    next.getDefiningOp()->walk([&](Operation *inner) {
      for (Value operand : inner->getOperands())
        if (operand.getParentBlock() == block)
          worklist.push_back(operand);
    });
  }
}

/// First argument that `value` depends on and that is not there before the first micro-batch.
static std::optional<plan::ObjectAttr> findLateArgument(func::FuncOp function, Value value) {
  llvm::SetVector<Operation *> ops;
  llvm::SetVector<BlockArgument> arguments;
  collectSlice(value, ops, arguments);
  for (BlockArgument argument : arguments) {
    plan::ObjectAttr object = getArgumentObject(function, argument.getArgNumber());
    // A prologue object comes too late as well: there is only one prologue.
    if (!isEarlyObject(object) || object.getKind() == plan::ObjectKind::prologue)
      return object;
  }
  return std::nullopt;
}

static void reportNonlinear(const PartialUse &partial, plan::ObjectAttr late, plan::MeshAttr mesh) {
  InFlightDiagnostic diagnostic =
      partial.use->getOwner()->emitOpError("is not linear in the micro-batch: operand ")
      << partial.use->getOperandNumber() << " is a sum over " << describeAxes(partial.axis, mesh)
      << " that is complete only after the last micro-batch, "
      << "and it depends on " << describeObject(late);
  diagnostic.attachNote(partial.use->get().getLoc()) << "summed over the batch here";
}

/// Values of `function` that belong into the prologue. Fails where a sum over micro-batches would
/// be needed too early.
static FailureOr<llvm::SetVector<Value>>
findPrologueValues(func::FuncOp function, const Propagation &propagation, plan::MeshAttr mesh) {
  llvm::SetVector<Value> values;
  bool failed = false;
  for (const PartialUse &partial : propagation.getPartialUses()) {
    std::optional<plan::ObjectAttr> late = findLateArgument(function, partial.use->get());
    if (!late) {
      values.insert(partial.use->get());
    } else if (partial.axis.getValue() == plan::kMicroBatchAxis) {
      reportNonlinear(partial, *late, mesh);
      failed = true;
    }
  }
  if (failed)
    return failure();
  return values;
}

//===----------------------------------------------------------------------===//
// How they get there
//===----------------------------------------------------------------------===//

namespace {

/// The task while it grows. Arguments are shared by all slices that are put into it.
class PrologueBuilder {
public:
  explicit PrologueBuilder(func::FuncOp before) : before(before) {}

  /// Copies what computes `value`, which becomes a result; the object is its name.
  plan::ObjectAttr add(func::FuncOp from, Value value);
  /// Merges equal results; `renamed` tells which object became which.
  void finish(llvm::DenseMap<plan::ObjectAttr, plan::ObjectAttr> &renamed);

private:
  void create();
  Value getArgument(func::FuncOp from, BlockArgument argument);

  func::FuncOp before;
  func::FuncOp prologue;
  llvm::MapVector<plan::ObjectAttr, Value> arguments;
};

} // namespace

void PrologueBuilder::create() {
  prologue = createTask(before->getParentOfType<ModuleOp>(), before.getLoc(), "prologue",
                        plan::TaskKind::prologue);
  prologue->moveBefore(before);
  OpBuilder builder = OpBuilder::atBlockEnd(&prologue.getBody().front());
  func::ReturnOp::create(builder, before.getLoc());
}

Value PrologueBuilder::getArgument(func::FuncOp from, BlockArgument argument) {
  DictionaryAttr attributes = from.getArgAttrDict(argument.getArgNumber());
  Value &known = arguments[getArgumentObject(from, argument.getArgNumber())];
  if (!known) {
    unsigned position = prologue.getNumArguments();
    (void)prologue.insertArgument(position, argument.getType(), attributes, argument.getLoc());
    known = prologue.getArgument(position);
  }
  return known;
}

plan::ObjectAttr PrologueBuilder::add(func::FuncOp from, Value value) {
  if (!prologue)
    create();
  llvm::SetVector<Operation *> slice;
  llvm::SetVector<BlockArgument> read;
  collectSlice(value, slice, read);
  IRMapping mapping;
  for (BlockArgument argument : read)
    mapping.map(argument, getArgument(from, argument));
  Operation *terminator = prologue.getBody().front().getTerminator();
  OpBuilder builder(terminator);
  for (Operation &op : from.getBody().front())
    if (slice.contains(&op))
      builder.clone(op, mapping);
  unsigned position = terminator->getNumOperands();
  terminator->insertOperands(position, mapping.lookup(value));
  auto object = plan::ObjectAttr::get(from.getContext(), plan::ObjectKind::prologue,
                                      std::to_string(position));
  auto attributes = builder.getDictionaryAttr(builder.getNamedAttr(plan::kObjectAttrName, object));
  (void)prologue.insertResult(position, value.getType(), attributes);
  return object;
}

/// Forward and backward both count the same labels. Upstream's CSE would also share constants
/// between bodies, which are to stay closed; this one looks at whole ops only.
static void mergeEqualOps(Block &block) {
  std::unordered_multimap<size_t, Operation *> known;
  for (Operation &op : llvm::make_early_inc_range(block.without_terminator())) {
    size_t hash = OperationEquivalence::computeHash(&op, OperationEquivalence::directHashValue,
                                                    OperationEquivalence::ignoreHashValue,
                                                    OperationEquivalence::IgnoreLocations);
    auto [begin, end] = known.equal_range(hash);
    auto equal = std::find_if(begin, end, [&](auto &entry) {
      return OperationEquivalence::isEquivalentTo(&op, entry.second,
                                                  OperationEquivalence::IgnoreLocations);
    });
    if (equal == end) {
      known.emplace(hash, &op);
      continue;
    }
    op.replaceAllUsesWith(equal->second);
    op.erase();
  }
}

void PrologueBuilder::finish(llvm::DenseMap<plan::ObjectAttr, plan::ObjectAttr> &renamed) {
  if (!prologue)
    return;
  mergeEqualOps(prologue.getBody().front());
  Operation *terminator = prologue.getBody().front().getTerminator();
  llvm::BitVector duplicates(terminator->getNumOperands());
  llvm::DenseMap<Value, plan::ObjectAttr> first;
  for (OpOperand &operand : terminator->getOpOperands()) {
    plan::ObjectAttr object = getResultObject(prologue, operand.getOperandNumber());
    auto [entry, isNew] = first.try_emplace(operand.get(), object);
    renamed[object] = entry->second;
    if (!isNew)
      duplicates.set(operand.getOperandNumber());
  }
  (void)prologue.eraseResults(duplicates);
  terminator->eraseOperands(duplicates);
}

/// Takes `object` as one more argument and uses it for `value`.
static void replaceByArgument(func::FuncOp function, Value value, plan::ObjectAttr object) {
  unsigned position = function.getNumArguments();
  Builder builder(function.getContext());
  auto attributes = builder.getDictionaryAttr(builder.getNamedAttr(plan::kObjectAttrName, object));
  (void)function.insertArgument(position, value.getType(), attributes, value.getLoc());
  value.replaceAllUsesWith(function.getArgument(position));
}

/// Gives prologue arguments their final names and merges those with one name.
static void renameArguments(func::FuncOp function,
                            const llvm::DenseMap<plan::ObjectAttr, plan::ObjectAttr> &renamed) {
  llvm::DenseMap<plan::ObjectAttr, BlockArgument> first;
  llvm::BitVector merged(function.getNumArguments());
  for (BlockArgument argument : function.getArguments()) {
    unsigned index = argument.getArgNumber();
    plan::ObjectAttr object = getArgumentObject(function, index);
    if (auto found = renamed.find(object); found != renamed.end())
      object = found->second;
    function.setArgAttr(index, plan::kObjectAttrName, object);
    auto [entry, isNew] = first.try_emplace(object, argument);
    if (isNew)
      continue;
    argument.replaceAllUsesWith(entry->second);
    merged.set(index);
  }
  (void)function.eraseArguments(merged);
}

void planwright::forwardKnownResiduals(func::FuncOp forward, func::FuncOp backward) {
  Operation *terminator = forward.getBody().front().getTerminator();
  llvm::DenseMap<plan::ObjectAttr, plan::ObjectAttr> renamed;
  llvm::DenseMap<Value, plan::ObjectAttr> first;
  llvm::BitVector known(terminator->getNumOperands());
  for (OpOperand &operand : terminator->getOpOperands()) {
    plan::ObjectAttr object = getResultObject(forward, operand.getOperandNumber());
    if (object.getKind() != plan::ObjectKind::residual)
      continue;
    auto argument = dyn_cast<BlockArgument>(operand.get());
    plan::ObjectAttr source =
        argument ? getArgumentObject(forward, argument.getArgNumber()) : object;
    auto [entry, isNew] = first.try_emplace(operand.get(), source);
    if (!argument && isNew)
      continue;
    renamed[object] = entry->second;
    known.set(operand.getOperandNumber());
  }
  if (known.none())
    return;
  terminator->eraseOperands(known);
  (void)forward.eraseResults(known);
  renameArguments(backward, renamed);
}

//===----------------------------------------------------------------------===//
// All together
//===----------------------------------------------------------------------===//

static FailureOr<Propagation> propagate(func::FuncOp task, plan::MeshAttr mesh,
                                        const ObjectLayouts &known) {
  auto arguments = pinArguments(task, mesh, known);
  if (failed(arguments))
    return failure();
  return Propagation(task, mesh, *arguments);
}

/// Replaces what belongs into the prologue by arguments.
static LogicalResult extractFrom(func::FuncOp task, plan::MeshAttr mesh, const ObjectLayouts &known,
                                 PrologueBuilder &prologue) {
  auto propagation = propagate(task, mesh, known);
  if (failed(propagation))
    return failure();
  auto values = findPrologueValues(task, *propagation, mesh);
  if (failed(values))
    return failure();
  SmallVector<std::pair<Value, plan::ObjectAttr>> objects;
  for (Value value : *values)
    objects.emplace_back(value, prologue.add(task, value));
  for (auto [value, object] : objects)
    replaceByArgument(task, value, object);
  return success();
}

LogicalResult planwright::extractPrologue(func::FuncOp forward, func::FuncOp backward,
                                          plan::MeshAttr mesh) {
  PrologueBuilder prologue(forward);
  if (failed(extractFrom(forward, mesh, {}, prologue)))
    return failure();
  forwardKnownResiduals(forward, backward);

  // What backward gets from forward lies as forward leaves it.
  auto after = propagate(forward, mesh, {});
  if (failed(after))
    return failure();
  ObjectLayouts residuals;
  Operation *terminator = forward.getBody().front().getTerminator();
  for (OpOperand &operand : terminator->getOpOperands())
    residuals[getResultObject(forward, operand.getOperandNumber())] =
        after->getResidualLayout(operand.get());
  if (failed(extractFrom(backward, mesh, residuals, prologue)))
    return failure();

  llvm::DenseMap<plan::ObjectAttr, plan::ObjectAttr> renamed;
  prologue.finish(renamed);
  renameArguments(forward, renamed);
  renameArguments(backward, renamed);
  return success();
}
