// Where one mesh axis lies in the forward and backward task, as one network of choices: every op
// takes it in one of its ways, every value is left in one state and exchanged into others, every
// parameter lies somewhere; and time adds up.
//
//   AxisProblem problem(forward, backward, mesh, options);
//   if (problem.solve() == SolveStatus::Optimal) problem.write();
//
// Not here: the ways of one op (AxisChoices.h), the search (Planner), other axes (Propagation.h).
#ifndef PLANWRIGHT_LIB_TRANSFORMS_SHARDING_AXISPROBLEM_H
#define PLANWRIGHT_LIB_TRANSFORMS_SHARDING_AXISPROBLEM_H

#include "lib/Transforms/Sharding/AxisChoices.h"

#include "planwright/Planner/CostNetwork.h"

namespace planwright {

/// What becomes of one value.
struct ValueChoice {
  AxisState left;                         ///< as its producer leaves it
  llvm::SmallVector<AxisState, 2> copies; ///< into which it is exchanged
  Cost cost = 0;                          ///< of the exchanges, and of keeping a parameter

  /// Is it there in `state`?
  bool has(AxisState state) const { return left == state || llvm::is_contained(copies, state); }
};

/// The best way of one op but the chosen one.
struct NextBest {
  const AxisChoice *choice = nullptr; ///< null if there is no other
  Cost more = 0;                      ///< that all ops together would then pay
};

class AxisProblem {
public:
  AxisProblem(mlir::func::FuncOp forward, mlir::func::FuncOp backward, plan::MeshAttr mesh,
              const AxisOptions &options);

  /// Errors for products of forward that the axis cannot divide, one for each set of sizes; false
  /// if there are any. To be asked first: where little divides, choices differ in little, and the
  /// search for the best one is long.
  bool reportUndivided() const;
  SolveStatus solve();
  /// What the solution pays, in picoseconds a micro-batch.
  Cost getCost() const { return solution.cost; }
  /// The value of each variable of the network.
  llvm::ArrayRef<unsigned> getChoice() const { return solution.choice; }
  const CostNetwork &getNetwork() const { return network; }

  /// The ops that have been decided about, in order: all that are not computed from nothing.
  llvm::SmallVector<mlir::Operation *> getOps() const;
  /// What the solution chooses for one of them.
  const AxisChoice &getChoice(mlir::Operation *op) const;
  /// The variable of the network that holds the way of one of them.
  unsigned getVariable(mlir::Operation *op) const { return ops.find(op)->second.variable; }
  /// Solves again for every other way of the op. Absent where one is too wide to solve.
  std::optional<NextBest> findNextBest(mlir::Operation *op) const;

  /// Writes `plan.assignment` on ops, `plan.layout` on parameters and residuals: of this axis only.
  void write() const;
  /// Errors for dimensions that the axis must not be gathered from, but has to be, because an op
  /// that follows cannot be divided, and for vocabularies that do not divide; false if there are
  /// any.
  bool reportUneven() const;

private:
  struct OpVariable {
    unsigned variable;
    llvm::SmallVector<AxisChoice> choices;
  };
  struct ValueVariable {
    llvm::SmallVector<mlir::Value> values; ///< one; of a parameter its argument in each task
    unsigned variable = 0;
    llvm::SmallVector<AxisState> produced, demanded;
    llvm::SmallVector<ValueChoice> choices = {};
  };

  void addValue(mlir::Value value, llvm::ArrayRef<AxisState> produced);
  void addArguments(mlir::func::FuncOp task);
  plan::LayoutAttr getKnownLayout(mlir::func::FuncOp task, unsigned argument) const;
  /// What `layout` says of axes chosen before; null stays null.
  plan::LayoutAttr keepKnown(plan::LayoutAttr layout) const;
  void addOps(mlir::func::FuncOp task);
  void addResidualStates();
  void makeChoices(ValueVariable &value);
  /// What `state` costs on top of `choice`: nothing where it is there, a copy where it is a block
  /// of what is there whole, else forbidden.
  Cost getUseCost(const ValueVariable &value, const ValueChoice &choice, AxisState state) const;
  /// Is this an exchange that shard-verify refuses, or one of a whole dimension of weights?
  bool isUnwanted(mlir::Value value, AxisState from, AxisState to) const;
  bool reportSummedLogits(mlir::Value value) const;
  void addExchange(const ValueVariable &value, ValueChoice &choice, AxisState to) const;
  void addOpTables(mlir::Operation *op, const OpVariable &variable);
  void addResultTables(mlir::func::FuncOp task);
  void addUnary(unsigned variable, std::vector<Cost> costs) {
    network.addTable(std::span(&variable, 1), std::move(costs));
  }
  void addTable(unsigned a, unsigned b, size_t sizeA, size_t sizeB,
                llvm::function_ref<Cost(size_t, size_t)> getCost);
  Cost getGradientCost(const ValueVariable &gradient, const ValueChoice &choice,
                       AxisState parameter) const;

  ValueVariable *find(mlir::Value value);
  const ValueVariable *find(mlir::Value value) const;
  const ValueChoice &getChoice(const ValueVariable &value) const;

  llvm::SmallVector<mlir::func::FuncOp, 2> tasks;
  plan::MeshAttr mesh;
  AxisOptions options;
  Axes chosenBefore;
  DimClasses classes;
  AxisChooser chooser;
  CostNetwork network;
  Solution solution{SolveStatus::Infeasible};
  llvm::MapVector<mlir::Operation *, OpVariable> ops;
  std::vector<ValueVariable> valueVariables;
  llvm::DenseMap<mlir::Value, unsigned> indices;                      ///< into valueVariables
  llvm::DenseMap<plan::ObjectAttr, unsigned> parameters;              ///< into valueVariables
  llvm::DenseMap<plan::ObjectAttr, plan::LayoutAttr> residualLayouts; ///< by axes chosen before
  llvm::SmallVector<std::pair<mlir::Value, mlir::Value>> residuals;   ///< in forward, in backward
};

} // namespace planwright

#endif // PLANWRIGHT_LIB_TRANSFORMS_SHARDING_AXISPROBLEM_H
