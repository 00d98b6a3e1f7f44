// A layer that holds ops of the model dialect is inlined like any other.
// RUN: plan-opt %s --inline | FileCheck %s

func.func private @layer(%x: tensor<2x4xf32>) -> tensor<2x4xf32> {
  %0 = model.cumulative_sum %x dim 1 : tensor<2x4xf32>
  return %0 : tensor<2x4xf32>
}

// CHECK-LABEL: func.func @main
// CHECK-COUNT-2: model.cumulative_sum
// CHECK-NOT:   call
func.func @main(%x: tensor<2x4xf32>) -> tensor<2x4xf32> {
  %0 = call @layer(%x) : (tensor<2x4xf32>) -> tensor<2x4xf32>
  %1 = call @layer(%0) : (tensor<2x4xf32>) -> tensor<2x4xf32>
  return %1 : tensor<2x4xf32>
}
