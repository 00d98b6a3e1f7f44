// What `plan-opt compile` tells a person or a program about a plan.
// Not here: the numbers' origin (lib/Target/Plan/Summary, lib/Topology).
#ifndef PLANWRIGHT_TOOLS_PLANOPT_COMPILEREPORT_H
#define PLANWRIGHT_TOOLS_PLANOPT_COMPILEREPORT_H

#include "planwright/Pipelines/Strategy.h"
#include "planwright/Target/Plan/EmitPlan.h"
#include "planwright/Target/Plan/Summary.h"
#include "planwright/Topology/Cluster.h"

#include "llvm/Support/raw_ostream.h"

namespace planwright {

struct CompileReport {
  Strategy strategy;
  Cluster cluster;
  int64_t globalBatch = 0; // sequences
  MemoryTable memory;
  std::vector<CollectiveRow> collectives;
  std::optional<std::string> planPath; // none: nothing was emitted, because it does not fit
};

/// "needs 9.1 GiB a rank, but a device has 8.0 GiB (1.1 GiB too little); the largest part is ...".
std::string describeShortage(const CompileReport &report);

void printTables(const CompileReport &report, llvm::raw_ostream &os);
void printJson(const CompileReport &report, llvm::raw_ostream &os);

/// The arguments of the model as the plan keeps them, from the module's signature.
std::vector<PlanArgument> getPlanArguments(mlir::ModuleOp module);

} // namespace planwright

#endif // PLANWRIGHT_TOOLS_PLANOPT_COMPILEREPORT_H
