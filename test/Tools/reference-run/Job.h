// A module that can be trained, whole or sharded, behind one face. Internal to reference-run.
//
//   llvm::Expected<std::unique_ptr<Job>> job = makeWholeJob(module, "main", data, options, rate);
//   llvm::Error error = (*job)->runStep(batch);     // loss and gradients, then the update if there
//   is one
//   (*job)->getLoss(); (*job)->getGradients();

#ifndef PLANWRIGHT_TEST_TOOLS_REFERENCERUN_JOB_H
#define PLANWRIGHT_TEST_TOOLS_REFERENCERUN_JOB_H

#include "Data.h"

#include "planwright/Reference/Interpreter.h"

#include <map>

namespace planwright::reference {

/// Tensors by the name of their parameter.
using NamedTensors = std::map<std::string, Tensor>;

class Job {
public:
  virtual ~Job() = default;

  /// Runs one training step on a batch. Errors in the module have been emitted as diagnostics, too.
  virtual llvm::Error runStep(int64_t batch) = 0;

  double getLoss() const { return loss; }
  /// Of the last step; empty without a backward function.
  const NamedTensors &getGradients() const { return gradients; }
  /// Of the trainable parameters that the last step changed; empty without an update.
  const NamedTensors &getParameters() const { return parameters; }

protected:
  double loss = 0;
  NamedTensors gradients, parameters;
};

/// A module with @`function`, or `function`.fwd and .bwd, and perhaps @update. Without @update,
/// `sgdRate` > 0 subtracts that times the gradient from each parameter.
llvm::Expected<std::unique_ptr<Job>> makeWholeJob(mlir::ModuleOp module, llvm::StringRef function,
                                                  const DataSource &data,
                                                  InterpreterOptions options, double sgdRate);

/// A module with plan.mesh and plan.schedule, run on all its ranks.
llvm::Expected<std::unique_ptr<Job>> makeShardedJob(mlir::ModuleOp module, const DataSource &data,
                                                    InterpreterOptions options);

} // namespace planwright::reference

#endif // PLANWRIGHT_TEST_TOOLS_REFERENCERUN_JOB_H
