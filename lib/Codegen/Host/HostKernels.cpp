// The kernel builder: operation to draft to text, equal texts once.
#include "planwright/Codegen/Host/HostKernels.h"
#include "Families.h"
#include "ObjectCompiler.h"
#include "SharedObject.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace planwright;
using namespace planwright::codegen;

void HostKernelBuilder::registerDependentDialects(DialectRegistry &registry) {
  registry.insert<arith::ArithDialect, func::FuncDialect, LLVM::LLVMDialect, math::MathDialect,
                  memref::MemRefDialect, scf::SCFDialect>();
}

static FailureOr<KernelDraft> draftKernel(Operation *op) {
  return llvm::TypeSwitch<Operation *, FailureOr<KernelDraft>>(op)
      .Case<linalg::LinalgOp>(draftLinalg)
      .Case<tensor::ExtractSliceOp>(draftExtractSlice)
      .Case<tensor::InsertSliceOp>(draftInsertSlice)
      .Case<tensor::PadOp>(draftPad)
      .Case<tensor::ConcatOp>(draftConcat)
      .Case<model::LookupOp>(draftLookup)
      .Case<model::LookupGradOp>(draftLookupGrad)
      .Case<model::CumulativeSumOp>(draftCumulativeSum)
      .Case<model::TopKOp>(draftTopK)
      .Default([](Operation *other) { return other->emitOpError("has no host kernel"); });
}

FailureOr<HostKernel> HostKernelBuilder::add(Operation *op) {
  FailureOr<KernelDraft> draft = draftKernel(op);
  if (failed(draft))
    return failure();
  std::string text = draft->toText(op->getContext());
  auto [entry, isNew] = indexOfText.try_emplace(text, kernels.size());
  if (isNew)
    kernels.push_back({(draft->getFamily() + "_" + Twine(kernels.size())).str(), std::move(text)});
  HostKernel kernel;
  kernel.symbol = kernels[entry->second].symbol;
  kernel.family = draft->getFamily().str();
  kernel.count = draft->countItems();
  llvm::append_range(kernel.operands, draft->getOperands());
  return kernel;
}

LogicalResult HostKernelBuilder::emit(StringRef path, const HostTarget &target,
                                      llvm::function_ref<void(const Twine &)> reportError) const {
  std::vector<std::string> objects;
  if (failed(compileObjects(kernels, target, objects, reportError)))
    return failure();
  return linkSharedObject(objects, path, reportError);
}
