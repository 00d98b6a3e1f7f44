// A function in normal form, run kernel by kernel: what a plan does with host kernels, without a
// plan.
//
//   FailureOr<KernelProgram> program = KernelProgram::compile(function, HostTarget::native());
//   TensorList results = program->run(arguments, /*chunks=*/3);
//
// Only for tests and measurements.
#ifndef PLANWRIGHT_TEST_CODEGEN_HOST_KERNELPROGRAM_H
#define PLANWRIGHT_TEST_CODEGEN_HOST_KERNELPROGRAM_H

#include "planwright/Codegen/Host/HostKernels.h"
#include "planwright/Reference/Tensor.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace planwright::test {

using TensorList = llvm::SmallVector<reference::Tensor>;

/// Numbers that repeat from run to run: floats around 0, integers in [0, 7), bools.
reference::Tensor makeInput(mlir::Type type, unsigned seed);

/// The same with an infinity, its negative or NaN in one place of five (floats only).
reference::Tensor withSpecialValues(reference::Tensor tensor);

class KernelProgram {
public:
  static mlir::FailureOr<KernelProgram> compile(mlir::func::FuncOp function,
                                                const codegen::HostTarget &target);

  /// Runs all kernels, each in about `chunks` pieces, the last piece first.
  TensorList run(llvm::ArrayRef<reference::Tensor> arguments, int64_t chunks);

  struct Launch {
    codegen::HostKernel kernel;
    mlir::Operation *op = nullptr;
    void (*entry)(void *const *, int64_t, int64_t) = nullptr;
    double bestSeconds = 1e30; ///< of all runs so far, with one thread
  };
  llvm::ArrayRef<Launch> getLaunches() const { return launches; }
  size_t countKernels() const { return kernels; }

private:
  mlir::LogicalResult addLaunches(codegen::HostKernelBuilder &builder);
  mlir::LogicalResult load(llvm::StringRef path);
  void runLaunch(Launch &launch, int64_t chunks);
  reference::Tensor *find(mlir::Value value);

  mlir::func::FuncOp function;
  std::vector<Launch> launches;
  size_t kernels = 0;
  llvm::DenseMap<mlir::Value, reference::Tensor> values;
};

} // namespace planwright::test

#endif // PLANWRIGHT_TEST_CODEGEN_HOST_KERNELPROGRAM_H
