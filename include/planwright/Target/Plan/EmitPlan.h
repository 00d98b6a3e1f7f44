// Writes a JOB.plan folder from a module with an exec program.
//
//   EmitOptions options;
//   options.name = "gpt2-tiny";
//   options.arguments = ...;             // from signature.json
//   if (failed(emitPlan(module, "gpt2.plan", options))) ...
//
// The folder: program.fb, kernels/host.so, manifest.json. It is written beside its final place and
// put there in one step: an older plan of that name is there whole or not at all. The same module
// and options give the same bytes. Not here: how the program came to be
// (lib/Conversion/TasksToExec), what the user sees (the driver).
#ifndef PLANWRIGHT_TARGET_PLAN_EMITPLAN_H
#define PLANWRIGHT_TARGET_PLAN_EMITPLAN_H

#include "planwright/Codegen/Host/HostKernels.h"
#include "planwright/Cost/Machine.h"
#include "planwright/Target/Plan/Summary.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/BuiltinTypes.h"

#include <optional>
#include <string>
#include <vector>

namespace planwright {

enum class ArgumentRole { parameter, input, label, constant };
enum class ArgumentInit { none, zeros, ones, normal };
enum class ArgumentTokens { none, tokens, nextTokens };

/// An argument of the model, as signature.json describes it. The type is global.
struct PlanArgument {
  std::string name;
  ArgumentRole role = ArgumentRole::parameter;
  mlir::RankedTensorType type;
  int64_t batchDim = -1;
  bool trainable = true;
  ArgumentInit init = ArgumentInit::none;
  double standardDeviation = 0;
  std::optional<std::pair<int64_t, int64_t>> range; ///< lowest value and one past the highest
  ArgumentTokens tokens = ArgumentTokens::none;
};

struct EmitOptions {
  std::string name;
  /// In the order of the signature. Without any, they are made up from the program's buffers.
  std::vector<PlanArgument> arguments;
  /// The machine to compile for.
  codegen::HostTarget target = codegen::HostTarget::native();
  /// What times of instructions are predicted from; without rates the plan has none.
  MachineRates rates;
  /// For people, in the manifest.
  std::string cluster, optimizer;
};

/// Empty, or why no plan may be put there: what is neither an older plan nor empty is never
/// replaced. To be asked before hours of compiling; emitPlan asks again.
std::string checkPlanDestination(llvm::StringRef outputDirectory);

/// Needs one exec.program with offsets, verified. Errors are emitted on the module.
mlir::LogicalResult emitPlan(mlir::ModuleOp module, llvm::StringRef outputDirectory,
                             const EmitOptions &options);

} // namespace planwright

#endif // PLANWRIGHT_TARGET_PLAN_EMITPLAN_H
