// Running a program over a loop nest: in place, or folding a reduction. Internal to Reference.
// Knows tensors, accesses and programs, but no operation. Every loop has an iteration.

#ifndef PLANWRIGHT_REFERENCE_NEST_H
#define PLANWRIGHT_REFERENCE_NEST_H

#include "Access.h"
#include "Program.h"

namespace planwright::reference {

/// A tensor as a nest sees it.
struct NestOperand {
  Tensor tensor;
  Access access;
};

struct Nest {
  llvm::SmallVector<int64_t> sizes;
  llvm::SmallVector<unsigned> parallelLoops, reductionLoops;
  llvm::SmallVector<NestOperand> inputs, outputs;
};

/// Runs a program whose arguments are the inputs, then the outputs' elements, and which yields the
/// outputs' new elements. Reduction loops run outermost, so any body is right.
void runInPlace(Nest &nest, const Program &program, bool readsOutputs);

/// How one output of a reduction is combined, in the widest lane of its kind.
struct Combiner {
  Kernel kernel;
};

/// Runs a program whose arguments are the inputs (and outputs, which it does not use), and combines
/// what it yields with the outputs. Floats are accumulated in f64, long runs as a tree.
void runFold(Nest &nest, const Program &program, llvm::ArrayRef<Combiner> combiners);

} // namespace planwright::reference

#endif // PLANWRIGHT_REFERENCE_NEST_H
