// A kernel while it is formed: its operands and, part by part, how one work item is computed.
//
//   KernelDraft draft("copy");
//   unsigned in = draft.read(source), out = draft.write(result);
//   draft.addPart(items, [=](ItemBuilder &b, Value item) { ... b.load(in, address) ... });
//   draft.toText(context)
//
// Work items are numbered through all parts in the order in which they were added; parts write
// disjoint elements. Not here: how loops look (NestEmitter.h), what an operation means
// (LinalgKernels.cpp and its siblings).
#ifndef PLANWRIGHT_LIB_CODEGEN_HOST_KERNELDRAFT_H
#define PLANWRIGHT_LIB_CODEGEN_HOST_KERNELDRAFT_H

#include "planwright/Codegen/Host/HostKernels.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

#include <functional>

namespace planwright::codegen {

class KernelDraft;

/// The type that values of `type` are computed in: f32 for the 16-bit floats, else `type`.
mlir::Type getComputeType(mlir::Type type);

/// The type that elements of `type` have in memory: i8 for i1, i16 for bf16 (LLVM's own conversions
/// of bf16 are calls of a library on most machines), else `type`.
mlir::Type getStorageType(mlir::Type type);

/// Builds the code of one work item. Operands are flat memrefs; addresses count elements.
class ItemBuilder : public mlir::ImplicitLocOpBuilder {
public:
  ItemBuilder(mlir::func::FuncOp function, const KernelDraft &draft);

  mlir::Value index(int64_t value);
  mlir::Value add(mlir::Value left, mlir::Value right);
  mlir::Value mul(mlir::Value left, int64_t right);

  /// An element of an operand in its compute type, and back.
  mlir::Value load(unsigned operand, mlir::Value address);
  void store(mlir::Value value, unsigned operand, mlir::Value address);

  /// The element type of an operand, as the tensor has it.
  mlir::Type getElementType(unsigned operand) const;

  /// A value of the compute type of `type` as it lies in memory, rounded to nearest even, and back.
  mlir::Value toStorage(mlir::Value value, mlir::Type type);
  mlir::Value fromStorage(mlir::Value value, mlir::Type type);

  /// Stack memory of the function: `size` elements of `type`.
  mlir::Value stack(int64_t size, mlir::Type type);

  /// for (iv = low; iv < high; ++iv) body(iv)
  void loop(mlir::Value low, mlir::Value high, llvm::function_ref<void(mlir::Value)> body);

  /// The same with values carried from one iteration to the next.
  llvm::SmallVector<mlir::Value>
  loop(mlir::Value low, mlir::Value high, mlir::ValueRange initial,
       llvm::function_ref<llvm::SmallVector<mlir::Value>(mlir::Value, mlir::ValueRange)> body);

private:
  mlir::func::FuncOp function;
  const KernelDraft &draft;
};

class KernelDraft {
public:
  using EmitItem = std::function<void(ItemBuilder &, mlir::Value item)>;

  explicit KernelDraft(llvm::StringRef family) : family(family) {}

  /// The operand for a value that is read; the same value is the same operand.
  unsigned read(mlir::Value value);
  /// The operand for a result that is written.
  unsigned write(mlir::Value result);
  /// The operand for a value that is updated in place to become a result.
  unsigned update(mlir::Value value, mlir::Value result);

  void addPart(int64_t items, EmitItem emit) { parts.push_back({items, std::move(emit)}); }

  /// The element type of an operand, as the tensor has it.
  mlir::Type getElementType(unsigned operand) const;
  int64_t getNumElements(unsigned operand) const;

  int64_t countItems() const;
  llvm::StringRef getFamily() const { return family; }
  llvm::ArrayRef<HostOperand> getOperands() const { return operands; }

  /// The module with function @kernel(operands..., low, high).
  std::string toText(mlir::MLIRContext *context) const;

private:
  struct Part {
    int64_t items;
    EmitItem emit;
  };
  void emitItems(ItemBuilder &builder, mlir::Value item, llvm::ArrayRef<Part> remaining,
                 int64_t first) const;

  std::string family;
  llvm::SmallVector<HostOperand> operands;
  llvm::SmallVector<Part> parts;
};

} // namespace planwright::codegen

#endif // PLANWRIGHT_LIB_CODEGEN_HOST_KERNELDRAFT_H
