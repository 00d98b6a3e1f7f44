// Derived functions become tasks. The label count divides the loss: its sum over the batch moves to the prologue.
// RUN: plan-opt %S/Inputs/label-count.mlir --plan-form-tasks | FileCheck %s

// The count is made of labels only, once, though forward and backward both used it.
// CHECK-LABEL: func.func @prologue
// CHECK-SAME:  (%[[Y:.*]]: tensor<8x3xf32> {{{.*}}plan.object = #plan.object<input, "y">})
// CHECK-SAME:  -> (tensor<f32> {plan.object = #plan.object<prologue, "0">})
// CHECK-SAME:  plan.task = #plan.task<prologue>
// CHECK:       linalg.generic {{.*}}iterator_types = ["reduction", "reduction"]} ins(%[[Y]]
// CHECK-NOT:   linalg.generic
// CHECK:       return

// CHECK-LABEL: func.func @forward
// CHECK-SAME:  tensor<4x3xf32> {{{[^}]*}}plan.object = #plan.object<parameter, "w">}
// CHECK-SAME:  tensor<8x4xf32> {{{[^}]*}}plan.object = #plan.object<input, "x">}
// CHECK-SAME:  %[[COUNT:[a-z0-9]*]]: tensor<f32> {plan.object = #plan.object<prologue, "0">})
// CHECK-SAME:  -> (tensor<f32> {plan.object = #plan.object<loss, "loss">}, tensor<8x3xf32> {plan.object = #plan.object<residual, "0">})
// CHECK-SAME:  plan.task = #plan.task<forward>
// CHECK:       arith.divf

// Backward does not need the weight, nor the count as a residual.
// CHECK-LABEL: func.func @backward
// CHECK-NOT:   #plan.object<parameter
// CHECK-SAME:  tensor<8x3xf32> {plan.object = #plan.object<residual, "0">}
// CHECK-SAME:  tensor<f32> {plan.object = #plan.object<prologue, "0">}
// CHECK-SAME:  -> (tensor<4x3xf32> {plan.object = #plan.object<gradient, "w">})
// CHECK-SAME:  plan.task = #plan.task<backward>

// CHECK-LABEL: func.func @update
// CHECK-SAME:  plan.task = #plan.task<update>
