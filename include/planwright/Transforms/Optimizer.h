// How parameters are updated, as the user says it.
//
//   std::string message;
//   FailureOr<OptimizerSpec> spec = parseOptimizer({.optimizer = "adamw:lr=3e-4,weight-decay=0.1",
//                                                   .schedule =
//                                                   "cosine:warmup=100,steps=10000,min=0.1",
//                                                   .clipNorm = 1.0, .noDecay = "bias|norm"},
//                                                   message);
//   if (failed(spec)) llvm::errs() << message;
//
// Not here: the update's IR (lib/Transforms/BuildUpdate).
#ifndef PLANWRIGHT_TRANSFORMS_OPTIMIZER_H
#define PLANWRIGHT_TRANSFORMS_OPTIMIZER_H

#include "mlir/Support/LLVM.h"
#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <string>

namespace planwright {

/// The learning rate over the steps, as a factor of the optimizer's. Step t counts from 1.
struct LearningRateSchedule {
  enum class Kind { constant, cosine };
  Kind kind = Kind::constant;
  /// For t <= warmup the rate grows linearly: t / warmup of it.
  int64_t warmup = 0;
  /// After warmup a half cosine falls to `minimum` (a fraction of the rate) at step `steps`, and
  /// stays there.
  int64_t steps = 0;
  double minimum = 0.0;
};

/// An optimizer with its numbers. Decay is decoupled: it moves the parameter, and never enters the
/// moments.
struct OptimizerSpec {
  enum class Kind {
    sgd,  // m = momentum m + g;  p -= lr (m + weight_decay p)
    adamw // p -= lr (mhat / (sqrt(vhat) + epsilon) + weight_decay p), with bias-corrected moments
  };
  Kind kind = Kind::sgd;
  double learningRate = 0.0;
  double momentum = 0.0;
  double beta1 = 0.9;
  double beta2 = 0.999;
  double epsilon = 1e-8;
  double weightDecay = 0.0;
  LearningRateSchedule schedule;
  /// Gradients are scaled by min(1, clipNorm / (norm + 1e-6)); 0 means that they are not.
  double clipNorm = 0.0;
  /// Parameters whose name this regular expression finds do not decay; empty means that all do.
  std::string noDecay;
};

/// The same as text, as the command line has it.
struct OptimizerText {
  llvm::StringRef optimizer; // "sgd:lr=0.1,momentum=0.9",
                             // "adamw:lr=3e-4,beta1=0.9,beta2=0.95,eps=1e-8,weight-decay=0.1"
  llvm::StringRef schedule = "constant"; // or "cosine:warmup=100,steps=10000,min=0.1"
  double clipNorm = 0.0;
  llvm::StringRef noDecay = "";
};

/// Reads the text. On failure `message` is one sentence that says what was found and what was
/// expected.
mlir::FailureOr<OptimizerSpec> parseOptimizer(const OptimizerText &text, std::string &message);

} // namespace planwright

#endif // PLANWRIGHT_TRANSFORMS_OPTIMIZER_H
