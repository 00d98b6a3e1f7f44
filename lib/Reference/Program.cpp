// Compiling a body to vector instructions, and running them.

#include "Program.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

using namespace mlir;

namespace planwright::reference {

std::optional<ElementType> getStorageType(Type type, const InterpreterOptions &options) {
  std::optional<ElementType> result = getElementType(getElementTypeOrSelf(type));
  if (result && isFloat(*result) && options.floatsAsF64)
    return ElementType::F64;
  return result;
}

/// Builds one program; only alive during Program::compile.
class ProgramBuilder {
public:
  explicit ProgramBuilder(const InterpreterOptions &options) : options(options) {}

  LogicalResult addArguments(ValueRange values, Location loc);
  LogicalResult addBlock(Block &block, ValueRange yields);
  LogicalResult addOperation(Operation &op);
  FailureOr<unsigned> getRegister(Value value, Operation *user);

  Program program;

private:
  FailureOr<unsigned> addRegister(Value value, Location loc);
  LogicalResult addConstant(Value value, Attribute attribute, Location loc);
  LogicalResult addInstruction(Operation &op, const ScalarRow &row);

  const InterpreterOptions &options;
  DenseMap<Value, unsigned> registerOfValue;
};

FailureOr<unsigned> ProgramBuilder::addRegister(Value value, Location loc) {
  std::optional<ElementType> type = getStorageType(value.getType(), options);
  if (!type)
    return emitError(loc) << "the reference interpreter does not compute with " << value.getType();
  unsigned index = program.types.size();
  program.types.push_back({*type, getLane(*type)});
  registerOfValue[value] = index;
  return index;
}

LogicalResult ProgramBuilder::addArguments(ValueRange values, Location loc) {
  for (Value value : values)
    if (failed(addRegister(value, loc)))
      return failure();
  program.numArguments = values.size();
  return success();
}

LogicalResult ProgramBuilder::addConstant(Value value, Attribute attribute, Location loc) {
  FailureOr<unsigned> index = addRegister(value, loc);
  if (failed(index))
    return failure();
  FailureOr<Tensor> constant = Tensor::fromAttribute(attribute);
  if (failed(constant))
    return emitError(loc) << "the reference interpreter cannot read this constant";
  program.constants.push_back({*index, constant->convert(program.types[*index].element)});
  return success();
}

FailureOr<unsigned> ProgramBuilder::getRegister(Value value, Operation *user) {
  if (auto it = registerOfValue.find(value); it != registerOfValue.end())
    return it->second;
  // Bodies are closed, but for scalar constants that stand before them.
  if (auto constant = value.getDefiningOp<arith::ConstantOp>())
    if (succeeded(addConstant(value, constant.getValue(), constant.getLoc())))
      return registerOfValue[value];
  return user->emitOpError("uses a value from outside of the body");
}

LogicalResult ProgramBuilder::addInstruction(Operation &op, const ScalarRow &row) {
  Program::Instruction instruction;
  SmallVector<Lane> lanes;
  for (Value operand : op.getOperands()) {
    FailureOr<unsigned> index = getRegister(operand, &op);
    if (failed(index))
      return failure();
    instruction.operands.push_back(*index);
    lanes.push_back(program.types[*index].lane);
  }
  FailureOr<unsigned> result = addRegister(op.getResult(0), op.getLoc());
  if (failed(result))
    return failure();
  instruction.result = *result;
  const RegisterType &type = program.types[*result];
  instruction.kernel = row.choose(&op, lanes, type.lane);
  if (!instruction.kernel)
    return op.emitOpError("is not supported by the reference interpreter on these types");
  auto getBits = [](Type type) {
    return getElementTypeOrSelf(type).isIndex()
               ? 64
               : getElementTypeOrSelf(type).getIntOrFloatBitWidth();
  };
  if (row.unsignedOperands)
    instruction.zeroExtendBits = getBits(op.getOperand(0).getType());
  if (type.lane == Lane::I64)
    instruction.wrapBits = getBits(op.getResult(0).getType());
  instruction.round = type.element == ElementType::F16 || type.element == ElementType::BF16;
  program.instructions.push_back(std::move(instruction));
  return success();
}

LogicalResult ProgramBuilder::addOperation(Operation &op) {
  if (auto constant = dyn_cast<arith::ConstantOp>(op))
    return addConstant(constant.getResult(), constant.getValue(), op.getLoc());
  if (auto index = dyn_cast<linalg::IndexOp>(op)) {
    FailureOr<unsigned> result = addRegister(index.getResult(), op.getLoc());
    if (succeeded(result))
      program.loopIndices.push_back({*result, index.getDim()});
    return result;
  }
  const ScalarRow *row = ScalarTable::get().find(op.getName().getStringRef());
  if (!row || op.getNumResults() != 1)
    return op.emitOpError("is not supported by the reference interpreter");
  return addInstruction(op, *row);
}

/// The operations of a block that some values depend on.
static DenseSet<Operation *> findNeeded(Block &block, ValueRange values) {
  DenseSet<Operation *> needed;
  auto need = [&](Value value) {
    if (Operation *op = value.getDefiningOp())
      needed.insert(op);
  };
  llvm::for_each(values, need);
  for (Operation &op : llvm::reverse(block))
    if (needed.contains(&op))
      llvm::for_each(op.getOperands(), need);
  return needed;
}

LogicalResult ProgramBuilder::addBlock(Block &block, ValueRange yields) {
  if (failed(addArguments(block.getArguments(), block.getParentOp()->getLoc())))
    return failure();
  DenseSet<Operation *> needed = findNeeded(block, yields);
  for (Operation &op : block.without_terminator())
    if (needed.contains(&op) && failed(addOperation(op)))
      return failure();
  for (Value value : yields) {
    FailureOr<unsigned> index = getRegister(value, block.getTerminator());
    if (failed(index))
      return failure();
    program.yields.push_back(*index);
  }
  return success();
}

FailureOr<Program> Program::compile(Block &block, ValueRange yields,
                                    const InterpreterOptions &options) {
  ProgramBuilder builder(options);
  if (failed(builder.addBlock(block, yields)))
    return failure();
  return std::move(builder.program);
}

FailureOr<Program> Program::compile(Operation *op, const InterpreterOptions &options) {
  ProgramBuilder builder(options);
  if (failed(builder.addArguments(op->getOperands(), op->getLoc())) ||
      failed(builder.addOperation(*op)))
    return failure();
  FailureOr<unsigned> result = builder.getRegister(op->getResult(0), op);
  builder.program.yields.push_back(*result);
  return std::move(builder.program);
}

Registers::Registers(const Program &program)
    : memory(new char[program.types.size() * maxLanes * 8]), pointers(program.types.size()) {
  for (unsigned i = 0; i < pointers.size(); ++i)
    own(i);
  for (const auto &[index, constant] : program.constants)
    getLoadRun(constant.getType(), program.types[index].lane)(constant.getData(), 0, 0, maxLanes,
                                                              get(index));
  bool needsScratch =
      llvm::any_of(program.instructions, [](const auto &i) { return i.zeroExtendBits != 0; });
  scratch.resize(needsScratch ? 2 * maxLanes : 0);
}

/// Rounds float lanes to a 16-bit format.
static void roundLanes(float *lanes, int64_t count, ElementType type) {
  if (type == ElementType::BF16)
    for (int64_t i = 0; i < count; ++i)
      lanes[i] = floatFromBrain(brainFromFloat(lanes[i]));
  else
    for (int64_t i = 0; i < count; ++i)
      lanes[i] = floatFromHalf(halfFromFloat(lanes[i]));
}

/// i1 stands as 0 or 1, every other width with its sign.
static void wrapLanes(int64_t *lanes, int64_t count, unsigned bits) {
  if (bits == 1)
    zeroExtend(lanes, count, 1);
  else if (bits < 64)
    signExtend(lanes, count, bits);
}

void Program::run(Registers &registers, int64_t count) const {
  for (const Instruction &instruction : instructions) {
    const void *operands[3];
    for (auto [i, operand] : llvm::enumerate(instruction.operands)) {
      operands[i] = registers.get(operand);
      if (!instruction.zeroExtendBits)
        continue;
      int64_t *copy = registers.scratch.data() + i * maxLanes;
      std::memcpy(copy, operands[i], count * sizeof(int64_t));
      zeroExtend(copy, count, instruction.zeroExtendBits);
      operands[i] = copy;
    }
    void *result = registers.get(instruction.result);
    instruction.kernel(result, operands, count);
    if (instruction.wrapBits)
      wrapLanes(static_cast<int64_t *>(result), count, instruction.wrapBits);
    else if (instruction.round)
      roundLanes(static_cast<float *>(result), count, types[instruction.result].element);
  }
}

} // namespace planwright::reference
