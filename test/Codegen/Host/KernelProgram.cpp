// Compiles the kernels of a function, loads them, and walks the function's operations.
#include "KernelProgram.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"

#include <chrono>
#include <dlfcn.h>
#include <random>

using namespace mlir;
using namespace planwright;
using namespace planwright::test;
using reference::ElementType;
using reference::Tensor;

Tensor planwright::test::makeInput(Type type, unsigned seed) {
  auto shaped = cast<ShapedType>(type);
  std::mt19937 generator(seed);
  ElementType element = *reference::getElementType(shaped.getElementType());
  if (reference::isFloat(element)) {
    Tensor tensor(ElementType::F64, shaped.getShape());
    std::normal_distribution<double> normal;
    for (double &value : tensor.getMutable<double>())
      value = normal(generator);
    return tensor.convert(element);
  }
  Tensor tensor(ElementType::I64, shaped.getShape());
  for (int64_t &value : tensor.getMutable<int64_t>())
    value = generator() % (element == ElementType::I1 ? 2 : 7);
  return tensor.convert(element);
}

Tensor planwright::test::withSpecialValues(Tensor tensor) {
  if (!reference::isFloat(tensor.getType()))
    return tensor;
  const double infinity = std::numeric_limits<double>::infinity();
  const double special[] = {infinity, -infinity, std::numeric_limits<double>::quiet_NaN()};
  Tensor wide = tensor.convert(ElementType::F64);
  for (int64_t index = 0; index < wide.getNumElements(); index += 5)
    wide.getMutable<double>()[index] = special[index / 5 % 3];
  return wide.convert(tensor.getType());
}

//===----------------------------------------------------------------------===//
// Compiling
//===----------------------------------------------------------------------===//

/// Operations that need no kernel: they name memory that exists, or constants.
static bool isFree(Operation *op) {
  return isa<arith::ConstantOp, tensor::EmptyOp, tensor::ExpandShapeOp, tensor::CollapseShapeOp,
             func::ReturnOp>(op);
}

/// A fill that only starts sums is part of the kernel that sums.
static bool isOnlyInit(Operation *op) {
  return isa<linalg::FillOp>(op) && llvm::all_of(op->getUses(), [](OpOperand &use) {
           auto consumer = dyn_cast<linalg::LinalgOp>(use.getOwner());
           return consumer && (consumer.isDpsInit(&use) || consumer.isDpsInput(&use));
         });
}

LogicalResult KernelProgram::addLaunches(codegen::HostKernelBuilder &builder) {
  for (Operation &op : function.front()) {
    if (isFree(&op) || isOnlyInit(&op))
      continue;
    FailureOr<codegen::HostKernel> kernel = builder.add(&op);
    if (failed(kernel))
      return failure();
    launches.push_back({*kernel, &op});
  }
  kernels = builder.sources().size();
  return success();
}

LogicalResult KernelProgram::load(StringRef path) {
  void *library = dlopen(path.str().c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!library)
    return function.emitError(dlerror());
  for (Launch &launch : launches) {
    void *symbol = dlsym(library, launch.kernel.symbol.c_str());
    if (!symbol)
      return function.emitError("no kernel ") << launch.kernel.symbol;
    launch.entry = reinterpret_cast<decltype(launch.entry)>(symbol);
  }
  return success();
}

FailureOr<KernelProgram> KernelProgram::compile(func::FuncOp function,
                                                const codegen::HostTarget &target) {
  KernelProgram program;
  program.function = function;
  codegen::HostKernelBuilder builder;
  if (failed(program.addLaunches(builder)))
    return failure();
  SmallString<128> path;
  if (llvm::sys::fs::createTemporaryFile("kernels", "so", path))
    return function.emitError("no temporary file");
  auto report = [&](const Twine &message) { function.emitError(message); };
  LogicalResult loaded = failure();
  if (succeeded(builder.emit(path, target, report)))
    loaded = program.load(path);
  llvm::sys::fs::remove(path);
  return failed(loaded) ? FailureOr<KernelProgram>() : FailureOr<KernelProgram>(std::move(program));
}

//===----------------------------------------------------------------------===//
// Running
//===----------------------------------------------------------------------===//

Tensor *KernelProgram::find(Value value) {
  if (auto entry = values.find(value); entry != values.end())
    return &entry->second;
  Operation *op = value.getDefiningOp();
  Tensor tensor;
  if (auto constant = dyn_cast<arith::ConstantOp>(op))
    tensor = *Tensor::fromAttribute(constant.getValue());
  else
    tensor = find(op->getOperand(0))->reshape(cast<ShapedType>(value.getType()).getShape());
  return &(values[value] = tensor);
}

void KernelProgram::runLaunch(Launch &launch, int64_t chunks) {
  std::vector<void *> pointers;
  values.reserve(values.size() + 2 * launch.kernel.operands.size());
  for (const codegen::HostOperand &operand : launch.kernel.operands) {
    if (!operand.written) {
      pointers.push_back(const_cast<void *>(find(operand.read)->getData()));
      continue;
    }
    auto type = cast<ShapedType>(operand.written.getType());
    Tensor &result = values[operand.written];
    result = operand.read ? *find(operand.read)
                          : Tensor::makeUninitialized(
                                *reference::getElementType(type.getElementType()), type.getShape());
    pointers.push_back(result.getMutableData());
  }
  const codegen::HostKernel &kernel = launch.kernel;
  auto start = std::chrono::steady_clock::now();
  int64_t grains = llvm::divideCeil(kernel.count, kernel.grain);
  int64_t step = std::max<int64_t>(1, llvm::divideCeil(grains, chunks)) * kernel.grain;
  for (int64_t low = (llvm::divideCeil(kernel.count, step) - 1) * step; low >= 0; low -= step)
    launch.entry(pointers.data(), low, std::min(low + step, kernel.count));
  std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
  launch.bestSeconds = std::min(launch.bestSeconds, seconds.count());
}

TensorList KernelProgram::run(ArrayRef<Tensor> arguments, int64_t chunks) {
  values.clear();
  for (auto [argument, tensor] : llvm::zip_equal(function.getArguments(), arguments))
    values[argument] = tensor;
  for (Launch &launch : launches)
    runLaunch(launch, chunks);
  TensorList results;
  for (Value value : function.front().getTerminator()->getOperands())
    results.push_back(*find(value));
  return results;
}
