// A label count that differs between ranks and micro-batches: loss and gradients are those of the whole batch.
// RUN: cp %S/../Transforms/Sharding/Inputs/label-count.mlir %t.whole.mlir
// RUN: plan-opt %t.whole.mlir --plan-form-tasks --shard-propagate --shard-materialize --plan-verify-tasks -o %t.22.mlir
// RUN: reference-run %t.22.mlir --ranks-from-mesh --against %t.whole.mlir --f64
// RUN: sed 's/dp = 2, mb = 2/dp = 4, mb = 2/' %t.whole.mlir | plan-opt --plan-form-tasks --shard-propagate --shard-materialize --plan-verify-tasks -o %t.42.mlir
// RUN: reference-run %t.42.mlir --ranks-from-mesh --against %t.whole.mlir --f64
// RUN: sed 's/dp = 2, mb = 2/dp = 1, mb = 8/' %t.whole.mlir | plan-opt --plan-form-tasks --shard-propagate --shard-materialize --plan-verify-tasks -o %t.18.mlir
// RUN: reference-run %t.18.mlir --ranks-from-mesh --against %t.whole.mlir --f64
// RUN: sed 's/dp = 2, mb = 2/dp = 8, mb = 1/' %t.whole.mlir | plan-opt --plan-form-tasks --shard-propagate --shard-materialize --plan-verify-tasks -o %t.81.mlir
// RUN: reference-run %t.81.mlir --ranks-from-mesh --against %t.whole.mlir --f64
