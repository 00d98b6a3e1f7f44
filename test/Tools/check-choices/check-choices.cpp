// check-choices: builds the network of choices that shard-choose solves for a module's forward and
// backward task, solves it, and finds the least cost a second time by joins (test/Planner/Joins.h).
//
//   plan-opt step.mlir --plan-form-tasks | check-choices - --axis tp
//
// Prints `<n> variables: the optimum costs <c>`, or what differs; fails if anything does. With
// --next-best it also holds every op to each of its other ways and compares what is then the least
// cost: for small modules.
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

/// The least cost of the network with the op held to a way that is not the chosen one, by joins.
static Cost findNextCost(const AxisProblem &problem, Operation *op) {
  unsigned variable = problem.getVariable(op);
  Cost least = kForbidden;
  for (unsigned way = 0; way < problem.getNetwork().getNumValues(variable); ++way) {
    if (way == problem.getChoice()[variable])
      continue;
    CostNetwork pinned = problem.getNetwork();
    pinned.pin(variable, way);
    least = std::min(least, findLeastCostByJoins(pinned).value_or(-1));
  }
  return least;
}

/// Empty, or for how many ops the problem and joins disagree about the next best way.
static std::string compareNextBest(const AxisProblem &problem) {
  unsigned differing = 0;
  for (Operation *op : problem.getOps()) {
    std::optional<NextBest> next = problem.findNextBest(op);
    Cost cost = next && next->choice ? problem.getCost() + next->more : kForbidden;
    differing += cost != findNextCost(problem, op);
  }
  if (differing == 0)
    return "";
  return "the next best way differs for " + std::to_string(differing) + " ops";
}

static int check(ModuleOp module, StringRef axis, bool sequenceParallel, bool positionsOnly,
                 bool nextBest) {
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
  if (difference.empty() && nextBest)
    difference = compareNextBest(problem);
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
  cl::opt<bool> nextBest("next-best", cl::desc("Compare every op's next best way as well"));
  cl::ParseCommandLineOptions(argc, argv, "Compares chosen shardings with a second exact solver\n");
  DialectRegistry registry;
  registry
      .insert<arith::ArithDialect, func::FuncDialect, linalg::LinalgDialect, math::MathDialect,
              tensor::TensorDialect, comm::CommDialect, model::ModelDialect, plan::PlanDialect>();
  registerShardingModels(registry);
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  OwningOpRef<ModuleOp> module = parseSourceFile<ModuleOp>(input, &context);
  return module ? check(*module, axis, sequenceParallel, positionsOnly, nextBest) : 1;
}
