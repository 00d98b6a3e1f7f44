// check-choices: builds the network of choices that shard-choose solves for a module's forward and
// backward task, solves it, and finds the least cost a second time by joins (test/Planner/Joins.h).
//
//   plan-opt step.mlir --plan-form-tasks | check-choices - --axis tp
//
// Prints `<n> variables: the optimum costs <c>`, or what differs; fails if anything does.
#include "lib/Transforms/Sharding/AxisProblem.h"
#include "lib/Transforms/Sharding/TaskFunctions.h"
#include "test/Planner/Joins.h"

#include "dialects/Comm/IR/Comm.h"
#include "dialects/Model/IR/Model.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/InitLLVM.h"

using namespace mlir;
using namespace planwright;

namespace cl = llvm::cl;

/// Prices of one server CPU core, so that both exchanges and kernels weigh.
static AxisOptions getOptions(plan::MeshAttr mesh, StringRef axis) {
  AxisOptions options;
  options.axis = StringAttr::get(mesh.getContext(), axis);
  options.costs.ranks = mesh.getSize(axis);
  options.costs.link = {.bytesPerSecond = 8e9, .latencyNs = 5000};
  options.costs.flopsPerSecond = 1e11;
  options.costs.memoryBytesPerSecond = 1.5e10;
  return options;
}

/// Empty, or why the answer that `problem` gave is not the optimum.
static std::string compare(const AxisProblem &problem, SolveStatus status) {
  if (status != SolveStatus::Optimal)
    return "elimination found no optimum";
  std::optional<Cost> least = findLeastCostByJoins(problem.getNetwork());
  if (!least)
    return "the joins became too large to compare with";
  if (*least != problem.getCost())
    return "elimination found " + std::to_string(problem.getCost()) + ", joins found " +
           std::to_string(*least);
  return problem.getNetwork().verify(problem.getChoice(), problem.getCost());
}

static int check(ModuleOp module, StringRef axis, bool sequenceParallel, bool positionsOnly) {
  func::FuncOp forward = findTask(module, plan::TaskKind::forward);
  func::FuncOp backward = findTask(module, plan::TaskKind::backward);
  FailureOr<plan::MeshAttr> mesh = getMesh(module);
  if (failed(mesh) || !forward || !backward) {
    llvm::errs() << "expected plan.mesh, a forward and a backward task\n";
    return 1;
  }
  AxisOptions options = getOptions(*mesh, axis);
  options.dividesWeights = !positionsOnly;
  options.dividesPositions = sequenceParallel || positionsOnly;
  AxisProblem problem(forward, backward, *mesh, options);
  SolveStatus status = problem.solve();
  std::string difference = compare(problem, status);
  if (!difference.empty()) {
    llvm::errs() << difference << "\n";
    return 1;
  }
  llvm::outs() << problem.getNetwork().getNumVariables() << " variables: the optimum costs "
               << problem.getCost() << "\n";
  return 0;
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  cl::opt<std::string> input(cl::Positional, cl::desc("<module.mlir>"), cl::init("-"));
  cl::opt<std::string> axis("axis", cl::desc("Mesh axis to choose"), cl::init("tp"));
  cl::opt<bool> sequenceParallel("sequence-parallel", cl::desc("May the axis divide positions?"));
  cl::opt<bool> positionsOnly("positions-only", cl::desc("Does it divide positions alone?"));
  cl::ParseCommandLineOptions(argc, argv, "Compares chosen shardings with a second exact solver\n");
  DialectRegistry registry;
  registry
      .insert<arith::ArithDialect, func::FuncDialect, linalg::LinalgDialect, math::MathDialect,
              tensor::TensorDialect, comm::CommDialect, model::ModelDialect, plan::PlanDialect>();
  registerShardingModels(registry);
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  OwningOpRef<ModuleOp> module = parseSourceFile<ModuleOp>(input, &context);
  return module ? check(*module, axis, sequenceParallel, positionsOnly) : 1;
}
