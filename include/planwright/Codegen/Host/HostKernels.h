// Host kernels: tensor-level operations in normal form become functions of one shared object.
//
//   codegen::HostKernelBuilder kernels;
//   FailureOr<codegen::HostKernel> kernel = kernels.add(op);        // or add({op, op, ...}) for a
//   fused group if (failed(kernel)) return failure();                           // an error was
//   emitted on the operation for (codegen::HostOperand operand : kernel->operands) ...       //
//   place operand.read / operand.written
//   ... one `launch` of kernel->symbol over kernel->count work items ...
//   if (failed(kernels.emit("job.plan/kernels/host.so", target, diagnose))) ...
//
// A kernel is `void symbol(void *const *operands, int64_t low, int64_t high)`. It does the work
// items [low, high) of [0, count). The runtime may split [0, count) at multiples of `grain` between
// any number of threads, in any order; the result is the same, bit for bit. Equal operations (same
// body, maps, shapes and types) share one symbol.
//
// Each operand points to a contiguous row-major buffer with the alignment of its element type; i1
// takes a byte, 0 or 1. A buffer that is written overlaps no other operand of the launch; buffers
// that are only read may overlap.
//
// Not here: which operations form one kernel (lib/Transforms/FormKernels), where buffers lie
// (lib/Conversion), contractions that a BLAS does (Gemm.h).
#ifndef PLANWRIGHT_CODEGEN_HOST_HOSTKERNELS_H
#define PLANWRIGHT_CODEGEN_HOST_HOSTKERNELS_H

#include "mlir/IR/DialectRegistry.h"
#include "mlir/IR/Operation.h"
#include "mlir/IR/Value.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringMap.h"

#include <memory>
#include <string>
#include <vector>

namespace planwright::codegen {

/// What one pointer of a launch is.
///
///   read  written
///   yes   no       input
///   no    yes      output: every element is written, nothing is read
///   yes   yes      updated in place: `written` must lie where `read` lies. A caller that still
///   needs `read` afterwards
///                  copies it first.
///
/// Operands that the kernel does not need in memory have no entry: splat constants, `linalg.fill`
/// and `tensor.empty`.
struct HostOperand {
  mlir::Value read;
  mlir::Value written;
};

/// A launch, up to the addresses of its operands.
struct HostKernel {
  std::string symbol;
  std::string family; ///< pointwise, reduce, contract, copy, lookup, ...: for profiles
  int64_t count = 1;
  int64_t grain = 1;
  llvm::SmallVector<HostOperand> operands;
};

/// The machine that the kernels are for.
struct HostTarget {
  std::string cpu;      ///< an LLVM CPU name such as "znver4" or "x86-64-v3"
  std::string features; ///< "+avx2,-avx512f,...", may be empty: those of the CPU
  unsigned threads = 0; ///< that compile; 0: as many as there are cores

  /// CPU and features of the machine that this runs on.
  static HostTarget native();
};

/// The text of one kernel, as loops over memrefs, and its symbol.
struct KernelSource {
  std::string symbol;
  std::string text;
};

class HostKernelBuilder {
public:
  /// The dialects that kernels are written in: a pass that adds kernels depends on them.
  static void registerDependentDialects(mlir::DialectRegistry &registry);

  /// A kernel for one operation on statically shaped tensors: linalg.generic (normal form),
  /// linalg.contract, linalg.fill, tensor.extract_slice, insert_slice, pad and concat, or any
  /// operation of the model dialect. Fails with an error on the operation if it is none of these.
  mlir::FailureOr<HostKernel> add(mlir::Operation *op);

  /// A kernel that another builder made, so that `emit` compiles it too.
  void addSource(KernelSource source) { kernels.push_back(std::move(source)); }

  /// The kernels so far, in the order in which they were first asked for.
  llvm::ArrayRef<KernelSource> sources() const { return kernels; }

  /// Compiles all kernels and links them to a shared object at `path`. The bytes of the file do not
  /// depend on the number of threads. `reportError` gets each message of a failure.
  llvm::LogicalResult emit(llvm::StringRef path, const HostTarget &target,
                           llvm::function_ref<void(const llvm::Twine &)> reportError) const;

private:
  std::vector<KernelSource> kernels;
  llvm::StringMap<size_t>
      indexOfText; ///< text with a placeholder for the symbol -> index in `kernels`
};

} // namespace planwright::codegen

#endif // PLANWRIGHT_CODEGEN_HOST_HOSTKERNELS_H
