// The function around the work items of a kernel, and the small operations that their code is built
// from.
#include "KernelDraft.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace planwright::codegen;

Type planwright::codegen::getComputeType(Type type) {
  return isa<BFloat16Type, Float16Type>(type) ? Float32Type::get(type.getContext()) : type;
}

Type planwright::codegen::getStorageType(Type type) {
  if (type.isInteger(1))
    return IntegerType::get(type.getContext(), 8);
  return type.isBF16() ? IntegerType::get(type.getContext(), 16) : type;
}

//===----------------------------------------------------------------------===//
// ItemBuilder
//===----------------------------------------------------------------------===//

ItemBuilder::ItemBuilder(func::FuncOp function, const KernelDraft &draft)
    : ImplicitLocOpBuilder(function.getLoc(), function.getContext()), function(function),
      draft(draft) {
  setInsertionPointToStart(&function.front());
}

Value ItemBuilder::index(int64_t value) { return arith::ConstantIndexOp::create(*this, value); }

Value ItemBuilder::add(Value left, Value right) {
  if (matchPattern(right, m_Zero()))
    return left;
  if (matchPattern(left, m_Zero()))
    return right;
  return arith::AddIOp::create(*this, left, right, arith::IntegerOverflowFlags::nsw);
}

Value ItemBuilder::mul(Value left, int64_t right) {
  if (right == 1)
    return left;
  return arith::MulIOp::create(*this, left, index(right), arith::IntegerOverflowFlags::nsw);
}

/// The upper half of an f32's bits, rounded to nearest even; NaN stays a NaN.
static Value roundToBFloat16(ItemBuilder &b, Value value) {
  auto constant = [&](int64_t bits) {
    return arith::ConstantIntOp::create(b, b.getI32Type(), bits).getResult();
  };
  Value bits = arith::BitcastOp::create(b, b.getI32Type(), value), shift = constant(16);
  Value isOdd = arith::AndIOp::create(b, arith::ShRUIOp::create(b, bits, shift), constant(1));
  Value bias = arith::AddIOp::create(b, isOdd, constant(0x7FFF));
  Value upper = arith::ShRUIOp::create(b, arith::AddIOp::create(b, bits, bias), shift);
  Value isNaN = arith::CmpFOp::create(b, arith::CmpFPredicate::UNO, value, value);
  upper = arith::SelectOp::create(b, isNaN, constant(0x7FC0), upper);
  return arith::TruncIOp::create(b, b.getI16Type(), upper);
}

static Value widenBFloat16(ItemBuilder &b, Value value) {
  Value bits = arith::ExtUIOp::create(b, b.getI32Type(), value);
  Value shift = arith::ConstantIntOp::create(b, b.getI32Type(), 16);
  return arith::BitcastOp::create(b, b.getF32Type(), arith::ShLIOp::create(b, bits, shift));
}

Value ItemBuilder::toStorage(Value value, Type type) {
  if (type.isInteger(1))
    return arith::ExtUIOp::create(*this, getStorageType(type), value);
  if (type.isBF16())
    return roundToBFloat16(*this, value);
  return type.isF16() ? arith::TruncFOp::create(*this, type, value).getResult() : value;
}

Value ItemBuilder::fromStorage(Value value, Type type) {
  if (type.isInteger(1)) {
    Value zero = arith::ConstantIntOp::create(*this, value.getType(), 0);
    return arith::CmpIOp::create(*this, arith::CmpIPredicate::ne, value, zero);
  }
  if (type.isBF16())
    return widenBFloat16(*this, value);
  return type.isF16() ? arith::ExtFOp::create(*this, getF32Type(), value).getResult() : value;
}

Value ItemBuilder::load(unsigned operand, Value address) {
  Value value = memref::LoadOp::create(*this, function.getArgument(operand), address);
  return fromStorage(value, getElementType(operand));
}

void ItemBuilder::store(Value value, unsigned operand, Value address) {
  value = toStorage(value, getElementType(operand));
  memref::StoreOp::create(*this, value, function.getArgument(operand), address);
}

Type ItemBuilder::getElementType(unsigned operand) const { return draft.getElementType(operand); }

Value ItemBuilder::stack(int64_t size, Type type) {
  OpBuilder::InsertionGuard guard(*this);
  setInsertionPointToStart(&function.front());
  auto alignment = getI64IntegerAttr(64);
  return memref::AllocaOp::create(*this, MemRefType::get({size}, type), ValueRange(), alignment);
}

void ItemBuilder::loop(Value low, Value high, function_ref<void(Value)> body) {
  auto loop = scf::ForOp::create(*this, low, high, index(1));
  OpBuilder::InsertionGuard guard(*this);
  setInsertionPointToStart(loop.getBody());
  body(loop.getInductionVar());
}

SmallVector<Value> ItemBuilder::loop(Value low, Value high, ValueRange initial,
                                     function_ref<SmallVector<Value>(Value, ValueRange)> body) {
  auto loop = scf::ForOp::create(*this, low, high, index(1), initial);
  OpBuilder::InsertionGuard guard(*this);
  setInsertionPointToStart(loop.getBody());
  SmallVector<Value> next = body(loop.getInductionVar(), loop.getRegionIterArgs());
  scf::YieldOp::create(*this, next);
  return SmallVector<Value>(loop.getResults());
}

//===----------------------------------------------------------------------===//
// KernelDraft
//===----------------------------------------------------------------------===//

unsigned KernelDraft::read(Value value) {
  for (auto [number, operand] : llvm::enumerate(operands))
    if (operand.read == value)
      return number;
  operands.push_back({value, Value()});
  return operands.size() - 1;
}

unsigned KernelDraft::write(Value result) {
  operands.push_back({Value(), result});
  return operands.size() - 1;
}

unsigned KernelDraft::update(Value value, Value result) {
  operands.push_back({value, result});
  return operands.size() - 1;
}

static ShapedType getType(const HostOperand &operand) {
  return cast<ShapedType>((operand.read ? operand.read : operand.written).getType());
}

Type KernelDraft::getElementType(unsigned operand) const {
  return getType(operands[operand]).getElementType();
}

int64_t KernelDraft::getNumElements(unsigned operand) const {
  return getType(operands[operand]).getNumElements();
}

int64_t KernelDraft::countItems() const {
  int64_t count = 0;
  for (const Part &part : parts)
    count += part.items;
  return count;
}

void KernelDraft::emitItems(ItemBuilder &builder, Value item, ArrayRef<Part> remaining,
                            int64_t first) const {
  const Part &part = remaining.front();
  Value own = first ? arith::SubIOp::create(builder, item, builder.index(first)).getResult() : item;
  if (remaining.size() == 1)
    return part.emit(builder, own);
  Value isOwn =
      arith::CmpIOp::create(builder, arith::CmpIPredicate::slt, own, builder.index(part.items));
  auto choice = scf::IfOp::create(builder, isOwn, /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(choice.thenBlock());
  part.emit(builder, own);
  builder.setInsertionPointToStart(choice.elseBlock());
  emitItems(builder, item, remaining.drop_front(), first + part.items);
}

std::string KernelDraft::toText(MLIRContext *context) const {
  Location location = UnknownLoc::get(context);
  OwningOpRef<ModuleOp> module = ModuleOp::create(location);
  SmallVector<Type> arguments;
  for (unsigned operand = 0; operand < operands.size(); ++operand)
    arguments.push_back(
        MemRefType::get({getNumElements(operand)}, getStorageType(getElementType(operand))));
  arguments.append(2, IndexType::get(context));
  auto function =
      func::FuncOp::create(location, "kernel", FunctionType::get(context, arguments, {}));
  module->push_back(function);
  function.addEntryBlock();
  for (unsigned operand = 0; operand < operands.size(); ++operand)
    function.setArgAttr(operand, LLVM::LLVMDialect::getNoAliasAttrName(), UnitAttr::get(context));

  ItemBuilder builder(function, *this);
  Value low = function.getArgument(operands.size()),
        high = function.getArgument(operands.size() + 1);
  builder.loop(low, high, [&](Value item) { emitItems(builder, item, parts, 0); });
  func::ReturnOp::create(builder);

  std::string text;
  llvm::raw_string_ostream stream(text);
  module->print(stream);
  return text;
}
