// Walking a function: operands, results, calls, and forgetting values after their last use. What an
// operation computes is the table's business.

#include "planwright/Reference/Interpreter.h"

#include "OpTable.h"
#include "Program.h"

#include "dialects/Plan/IR/Plan.h"

using namespace mlir;

namespace planwright::reference {

namespace {

/// One call of one function on all ranks in lockstep.
class Frame {
public:
  Frame(const Interpreter &interpreter, int64_t numRanks, unsigned depth)
      : interpreter(interpreter), numRanks(numRanks), depth(depth) {}

  FailureOr<SmallVector<TensorList>> call(func::FuncOp function,
                                          MutableArrayRef<TensorList> arguments);

private:
  LogicalResult runOperation(Operation *op);
  FailureOr<SmallVector<TensorList>> compute(Operation *op, MutableArrayRef<TensorList> operands);
  FailureOr<SmallVector<TensorList>> computeCall(func::CallOp call,
                                                 MutableArrayRef<TensorList> operands);
  FailureOr<SmallVector<TensorList>> takeOperands(Operation *op);
  LogicalResult checkResults(Operation *op, ArrayRef<TensorList> results);
  void findLastUses(Block &block);

  const Interpreter &interpreter;
  int64_t numRanks;
  unsigned depth;
  DenseMap<Value, TensorList> values; // One tensor per rank.
  DenseMap<Value, Operation *> lastUser;
};

/// Deeper calls than this are taken for recursion.
constexpr unsigned maxCallDepth = 64;

} // namespace

void Frame::findLastUses(Block &block) {
  for (Operation &op : block)
    op.walk([&](Operation *inner) {
      for (Value operand : inner->getOperands())
        lastUser[operand] = &op;
    });
}

/// The operands on each rank, moved out of the frame where this is their last use.
FailureOr<SmallVector<TensorList>> Frame::takeOperands(Operation *op) {
  SmallVector<TensorList> operands(numRanks);
  for (Value operand : op->getOperands()) {
    auto it = values.find(operand);
    if (it == values.end())
      return op->emitOpError("uses a value that the reference interpreter has not computed");
    for (int64_t rank = 0; rank < numRanks; ++rank)
      operands[rank].push_back(it->second[rank]);
  }
  for (Value operand : op->getOperands())
    if (lastUser.lookup(operand) == op)
      values.erase(operand);
  return operands;
}

FailureOr<SmallVector<TensorList>> Frame::computeCall(func::CallOp call,
                                                      MutableArrayRef<TensorList> operands) {
  auto callee = SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(call, call.getCalleeAttr());
  if (!callee)
    return call.emitOpError("calls an unknown function");
  if (depth >= maxCallDepth)
    return call.emitOpError("nests more than ") << maxCallDepth << " calls";
  return Frame(interpreter, numRanks, depth + 1).call(callee, operands);
}

FailureOr<SmallVector<TensorList>> Frame::compute(Operation *op,
                                                  MutableArrayRef<TensorList> operands) {
  if (auto call = dyn_cast<func::CallOp>(op))
    return computeCall(call, operands);
  if (const GroupFunction *function = OpTable::get().findGroup(op))
    return (*function)(op, operands, interpreter);
  const LocalFunction *function = OpTable::get().findLocal(op);
  if (!function)
    return op->emitOpError("is not supported by the reference interpreter");
  SmallVector<TensorList> results;
  for (TensorList &operandsOfRank : operands) {
    FailureOr<TensorList> result = (*function)(op, operandsOfRank, interpreter);
    if (failed(result))
      return failure();
    results.push_back(*std::move(result));
  }
  return results;
}

/// Types promise shapes; a result that breaks the promise would be found much later otherwise.
LogicalResult Frame::checkResults(Operation *op, ArrayRef<TensorList> results) {
  for (const TensorList &list : results) {
    if (list.size() != op->getNumResults())
      return op->emitOpError("gave ") << list.size() << " results in the reference interpreter";
    for (auto [value, tensor] : llvm::zip_equal(op->getResults(), list)) {
      auto shaped = dyn_cast<ShapedType>(value.getType());
      if (tensor.getShape() != (shaped ? shaped.getShape() : ArrayRef<int64_t>()) ||
          interpreter.getStorageType(value.getType()) != tensor.getType())
        return op->emitOpError("gave a ")
               << describe(tensor) << " in the reference interpreter where " << value.getType()
               << " is due";
    }
  }
  return success();
}

LogicalResult Frame::runOperation(Operation *op) {
  FailureOr<SmallVector<TensorList>> operands = takeOperands(op);
  if (failed(operands))
    return failure();
  FailureOr<SmallVector<TensorList>> results = compute(op, *operands);
  if (failed(results) || failed(checkResults(op, *results)))
    return failure();
  for (auto [i, value] : llvm::enumerate(op->getResults())) {
    if (!lastUser.contains(value))
      continue;
    TensorList &ofRanks = values[value];
    for (TensorList &list : *results)
      ofRanks.push_back(std::move(list[i]));
  }
  return success();
}

FailureOr<SmallVector<TensorList>> Frame::call(func::FuncOp function,
                                               MutableArrayRef<TensorList> arguments) {
  if (function.isExternal() || !llvm::hasSingleElement(function.getBody()))
    return function.emitOpError("must have one block to be run by the reference interpreter");
  Block &block = function.front();
  findLastUses(block);
  for (auto [i, argument] : llvm::enumerate(block.getArguments())) {
    if (!lastUser.contains(argument))
      continue;
    TensorList &ofRanks = values[argument];
    for (TensorList &list : arguments)
      ofRanks.push_back(std::move(list[i]));
  }
  for (Operation &op : block.without_terminator())
    if (failed(runOperation(&op)))
      return failure();
  return takeOperands(block.getTerminator());
}

static RankGrid getGrid(ModuleOp module) {
  auto mesh = module->getAttrOfType<plan::MeshAttr>("plan.mesh");
  if (!mesh)
    return RankGrid();
  SmallVector<std::string> names;
  SmallVector<int64_t> sizes;
  for (auto [name, size] : llvm::zip_equal(mesh.getNames(), mesh.getSizes()))
    if (name != "mb") {
      names.push_back(name.str());
      sizes.push_back(size);
    }
  return RankGrid(names, sizes);
}

Interpreter::Interpreter(ModuleOp module, InterpreterOptions options)
    : module(module), options(options), grid(reference::getGrid(module)) {}

std::optional<ElementType> Interpreter::getStorageType(Type type) const {
  return reference::getStorageType(type, options);
}

/// Checks the arguments of one rank against the function's type and converts them to its storage.
static FailureOr<TensorList> takeArguments(func::FuncOp function, ArrayRef<Tensor> arguments,
                                           const Interpreter &interpreter) {
  if (arguments.size() != function.getNumArguments())
    return function.emitOpError("takes ")
           << function.getNumArguments() << " arguments, " << arguments.size() << " are given";
  TensorList result;
  for (auto [i, type] : llvm::enumerate(function.getArgumentTypes())) {
    auto shaped = dyn_cast<ShapedType>(type);
    std::optional<ElementType> element = interpreter.getStorageType(type);
    if (!element || arguments[i].isNull() ||
        arguments[i].getShape() != (shaped ? shaped.getShape() : ArrayRef<int64_t>()))
      return function.emitOpError("argument ")
             << i << " is of type " << type << ", the value given is a " << describe(arguments[i]);
    result.push_back(arguments[i].convert(*element));
  }
  return result;
}

FailureOr<SmallVector<TensorList>> Interpreter::runOnRanks(func::FuncOp function,
                                                           ArrayRef<TensorList> arguments) const {
  SmallVector<TensorList> converted;
  for (const TensorList &list : arguments) {
    FailureOr<TensorList> result = takeArguments(function, list, *this);
    if (failed(result))
      return failure();
    converted.push_back(*std::move(result));
  }
  return Frame(*this, arguments.size(), 0).call(function, converted);
}

FailureOr<TensorList> Interpreter::run(func::FuncOp function, ArrayRef<Tensor> arguments) const {
  FailureOr<SmallVector<TensorList>> results = runOnRanks(function, TensorList(arguments));
  if (failed(results))
    return failure();
  return std::move(results->front());
}

} // namespace planwright::reference
