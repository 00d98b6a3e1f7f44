// Operations and attributes of the model dialect parse and print.
// RUN: plan-opt %s | plan-opt | FileCheck %s

// CHECK-LABEL: func.func @arguments(
// CHECK-SAME:    tensor<4xf32> {model.argument = #model.argument<parameter, name = "layer.0.w">}
// CHECK-SAME:    tensor<4xf32> {model.argument = #model.argument<parameter, name = "positions", trainable = false>}
// CHECK-SAME:    tensor<2x4xf32> {model.argument = #model.argument<input, name = "x", batchDim = 0>}
// CHECK-SAME:    tensor<2xi32> {model.argument = #model.argument<label, name = "y", batchDim = 0>}
// CHECK-SAME:    tensor<i1> {model.argument = #model.argument<constant, name = "flag">}
func.func @arguments(%w: tensor<4xf32> {model.argument = #model.argument<parameter, name = "layer.0.w">},
                     %p: tensor<4xf32> {model.argument = #model.argument<parameter, name = "positions", trainable = false>},
                     %x: tensor<2x4xf32> {model.argument = #model.argument<input, name = "x", batchDim = 0>},
                     %y: tensor<2xi32> {model.argument = #model.argument<label, name = "y", batchDim = 0>},
                     %c: tensor<i1> {model.argument = #model.argument<constant, name = "flag">}) {
  return
}

// CHECK-LABEL: func.func @ops(
func.func @ops(%table: tensor<5x3xf32>, %ids: tensor<2x4xi32>, %x: tensor<2x4x3xf32>) {
  // CHECK: model.lookup %{{.*}}, %{{.*}} : (tensor<5x3xf32>, tensor<2x4xi32>) -> tensor<2x4x3xf32>
  %0 = model.lookup %table, %ids : (tensor<5x3xf32>, tensor<2x4xi32>) -> tensor<2x4x3xf32>
  // CHECK: model.lookup %{{.*}}, %{{.*}} masked : (tensor<5x3xf32>, tensor<2x4xi32>) -> tensor<2x4x3xf32>
  %masked = model.lookup %table, %ids masked : (tensor<5x3xf32>, tensor<2x4xi32>) -> tensor<2x4x3xf32>
  // CHECK: model.lookup_grad %{{.*}}, %{{.*}} masked : (tensor<2x4x3xf32>, tensor<2x4xi32>) -> tensor<5x3xf32>
  %masked_grad = model.lookup_grad %x, %ids masked : (tensor<2x4x3xf32>, tensor<2x4xi32>) -> tensor<5x3xf32>
  // CHECK: model.lookup_grad %{{.*}}, %{{.*}} : (tensor<2x4x3xf32>, tensor<2x4xi32>) -> tensor<5x3xf32>
  %1 = model.lookup_grad %x, %ids : (tensor<2x4x3xf32>, tensor<2x4xi32>) -> tensor<5x3xf32>
  // CHECK: model.cumulative_sum %{{.*}} dim 1 : tensor<2x4x3xf32>
  %2 = model.cumulative_sum %x dim 1 : tensor<2x4x3xf32>
  // CHECK: model.cumulative_sum %{{.*}} dim 2 reverse : tensor<2x4x3xf32>
  %3 = model.cumulative_sum %x dim 2 reverse : tensor<2x4x3xf32>
  // CHECK: model.top_k %{{.*}} : tensor<2x4x3xf32> -> tensor<2x4x2xf32>, tensor<2x4x2xi32>
  %4:2 = model.top_k %x : tensor<2x4x3xf32> -> tensor<2x4x2xf32>, tensor<2x4x2xi32>
  return
}
