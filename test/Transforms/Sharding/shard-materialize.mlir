// Every task becomes what one rank does for one micro-batch, and the tasks between them appear.
// RUN: plan-opt %S/Inputs/label-count.mlir --plan-form-tasks --shard-propagate --shard-materialize --plan-verify-tasks | FileCheck %s
// RUN: sed 's/dp = 2, mb = 2/dp = 1, mb = 1/' %S/Inputs/label-count.mlir | plan-opt --plan-form-tasks --shard-propagate --shard-materialize --plan-verify-tasks | FileCheck %s --check-prefix=ONE --implicit-check-not=comm. --implicit-check-not=partial
// RUN: sed 's/dp = 2, mb = 2/dp = 2, mb = 1/' %S/Inputs/label-count.mlir | plan-opt --plan-form-tasks --shard-propagate --shard-materialize --plan-verify-tasks | FileCheck %s --check-prefix=RANKS
// RUN: sed 's/dp = 2, mb = 2/dp = 1, mb = 2/' %S/Inputs/label-count.mlir | plan-opt --plan-form-tasks --shard-propagate --shard-materialize --plan-verify-tasks | FileCheck %s --check-prefix=TIME --implicit-check-not=comm.

// CHECK: plan.schedule = [#plan.step<@zero>, #plan.step<@prologue, mb = 0>, #plan.step<@prologue, mb = 1>, #plan.step<@prologue.reduce>,
// CHECK-SAME: #plan.step<@forward, mb = 0>, #plan.step<@backward, mb = 0>, #plan.step<@forward, mb = 1>, #plan.step<@backward, mb = 1>,
// CHECK-SAME: #plan.step<@reduce>, #plan.step<@update>]

// CHECK-LABEL: func.func @zero()
// CHECK-SAME:  #plan.object<prologue, "0">
// CHECK-SAME:  #plan.object<loss, "loss">
// CHECK-SAME:  #plan.object<gradient, "w">
// CHECK-SAME:  plan.task = #plan.task<zero>

// The count of this micro-batch is added to what is there.
// CHECK-LABEL: func.func @prologue
// CHECK-SAME:  (%[[Y:[a-z0-9]+]]: tensor<2x3xf32> {{.*}}, %[[TOTAL:[a-z0-9]+]]: tensor<f32> {plan.layout = #plan.layout<[], partial = {dp = sum}>, plan.object = #plan.object<prologue, "0">})
// CHECK:       %[[COUNT:.*]] = linalg.generic {{.*}} ins(%[[Y]] : tensor<2x3xf32>)
// CHECK:       %[[SUM:.*]] = linalg.generic {{.*}} ins(%[[COUNT]] : tensor<f32>) outs(%[[TOTAL]] : tensor<f32>)
// CHECK:       arith.addf
// CHECK:       return %[[SUM]]

// CHECK-LABEL: func.func @prologue.reduce
// CHECK:       comm.all_reduce %{{.*}} axes = ["dp"] combiner = sum : tensor<f32>

// CHECK-LABEL: func.func @forward
// CHECK-NOT:   comm.
// CHECK:       linalg.contract {{.*}} ins(%{{.*}}, %{{.*}} : tensor<2x4xf32>, tensor<4x3xf32>) outs(%{{.*}} : tensor<2x3xf32>)
// CHECK-NOT:   plan.assignment

// CHECK-LABEL: func.func @backward
// CHECK-SAME:  %[[GRADIENT:[a-z0-9]+]]: tensor<4x3xf32> {plan.layout = #plan.layout<{{\[}}[], []], partial = {dp = sum}>, plan.object = #plan.object<gradient, "w">})
// CHECK:       %[[PART:.*]] = linalg.contract {{.*}} ins(%{{.*}}, %{{.*}} : tensor<2x4xf32>, tensor<2x3xf32>)
// CHECK:       linalg.generic {{.*}} ins(%[[PART]] : tensor<4x3xf32>) outs(%[[GRADIENT]] : tensor<4x3xf32>)

// CHECK-LABEL: func.func @reduce
// CHECK:       comm.all_reduce %{{.*}} axes = ["dp"] combiner = sum : tensor<f32>
// CHECK:       comm.all_reduce %{{.*}} axes = ["dp"] combiner = sum : tensor<4x3xf32>

// One rank and one micro-batch: nothing is cleared, added up or exchanged.
// ONE: plan.schedule = [#plan.step<@forward, mb = 0>, #plan.step<@backward, mb = 0>, #plan.step<@update>]
// ONE-LABEL: func.func @forward
// ONE-LABEL: func.func @backward
// ONE-LABEL: func.func @update

// Ranks only: gradients are simply produced, then reduced.
// RANKS: plan.schedule = [#plan.step<@prologue, mb = 0>, #plan.step<@prologue.reduce>, #plan.step<@forward, mb = 0>, #plan.step<@backward, mb = 0>, #plan.step<@reduce>, #plan.step<@update>]
// RANKS-LABEL: func.func @backward
// RANKS-NOT:   #plan.object<gradient, "w">}, %
// RANKS-SAME:  -> (tensor<4x3xf32> {plan.layout = #plan.layout<{{\[}}[], []], partial = {dp = sum}>, plan.object = #plan.object<gradient, "w">})

// Micro-batches only: no message at all.
// TIME: plan.schedule = [#plan.step<@zero>, #plan.step<@prologue, mb = 0>, #plan.step<@prologue, mb = 1>, #plan.step<@forward, mb = 0>, #plan.step<@backward, mb = 0>, #plan.step<@forward, mb = 1>, #plan.step<@backward, mb = 1>, #plan.step<@update>]
