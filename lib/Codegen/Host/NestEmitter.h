// Code for one work item of a scheduled loop nest.
//
//   NestKernel kernel;  kernel.nest = ...; kernel.schedule = planLoops(kernel.nest); ...
//   draft.addPart(kernel.schedule.countItems(kernel.nest), [=](ItemBuilder &b, Value item) {
//   emitNest(b, item, kernel); });
//
// Not here: the choice of loops (LoopNest.h), the meaning of operations (LinalgKernels.cpp,
// CopyKernels.cpp).
#ifndef PLANWRIGHT_LIB_CODEGEN_HOST_NESTEMITTER_H
#define PLANWRIGHT_LIB_CODEGEN_HOST_NESTEMITTER_H

#include "KernelDraft.h"
#include "LoopNest.h"

namespace planwright::codegen {

/// How an output begins.
struct NestOutput {
  unsigned operand;
  /// Some reduction loop does not move the output: it is a sum (or maximum ...) over that loop.
  bool isReduced = false;
  /// What the body finds in the output: this constant, or else the value of this operand at the
  /// output's place.
  mlir::TypedAttr initial;
  unsigned initialOperand = 0;
};

struct NestKernel {
  LoopNest nest;
  LoopSchedule schedule;
  llvm::SmallVector<unsigned> inputs; ///< operand of each of nest.inputs
  llvm::SmallVector<NestOutput> outputs;

  /// New values of the outputs from inputs, old values of the outputs and the loops' induction
  /// variables, all in compute types.
  using Body = std::function<llvm::SmallVector<mlir::Value>(
      ItemBuilder &, mlir::ValueRange inputs, mlir::ValueRange outputs, mlir::ValueRange ivs)>;
  Body body;
};

void emitNest(ItemBuilder &builder, mlir::Value item, const NestKernel &kernel);

/// Clones a closed scalar block for `arguments` in compute types; 16-bit floats are computed in f32
/// and rounded only where the block casts. `ivOf(dim)` is the number of iteration dimension `dim`.
/// Yielded values whose number is in `sums` are combiners of a reduction, the only operations whose
/// order the optimizer may change.
llvm::SmallVector<mlir::Value> cloneScalarBlock(ItemBuilder &builder, mlir::Block &block,
                                                mlir::ValueRange arguments,
                                                llvm::function_ref<mlir::Value(unsigned)> ivOf,
                                                llvm::ArrayRef<unsigned> sums);

/// `value`, an attribute of a tensor's element type, as a constant of its compute type.
mlir::Value createConstant(ItemBuilder &builder, mlir::TypedAttr value);

} // namespace planwright::codegen

#endif // PLANWRIGHT_LIB_CODEGEN_HOST_NESTEMITTER_H
