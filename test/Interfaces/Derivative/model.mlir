// Gradients of the model dialect's operations against finite differences, in f64.
// RUN: check-gradients %s | FileCheck %s --implicit-check-not=argument

// CHECK: lookup: ok
func.func @lookup(%table: tensor<3x2xf64>, %ids: tensor<2x4xi32> {test.range = array<f64: -1.0, 5.0>}) -> tensor<2x4x2xf64> {
  %0 = model.lookup %table, %ids : (tensor<3x2xf64>, tensor<2x4xi32>) -> tensor<2x4x2xf64>
  return %0 : tensor<2x4x2xf64>
}

// CHECK: lookup_grad: ok
func.func @lookup_grad(%rows: tensor<5x2xf64>, %ids: tensor<5xi64> {test.range = array<f64: 0.0, 3.0>}) -> tensor<3x2xf64> {
  %0 = model.lookup_grad %rows, %ids : (tensor<5x2xf64>, tensor<5xi64>) -> tensor<3x2xf64>
  return %0 : tensor<3x2xf64>
}

// CHECK: cumulative_sum: ok
func.func @cumulative_sum(%x: tensor<2x4x2xf64>) -> (tensor<2x4x2xf64>, tensor<2x4x2xf64>) {
  %0 = model.cumulative_sum %x dim 1 : tensor<2x4x2xf64>
  %1 = model.cumulative_sum %x dim 2 reverse : tensor<2x4x2xf64>
  return %0, %1 : tensor<2x4x2xf64>, tensor<2x4x2xf64>
}

// CHECK: top_k: ok
func.func @top_k(%x: tensor<3x5xf64>) -> (tensor<3x2xf64>, tensor<3x2xi32>) {
  %0:2 = model.top_k %x : tensor<3x5xf64> -> tensor<3x2xf64>, tensor<3x2xi32>
  return %0#0, %0#1 : tensor<3x2xf64>, tensor<3x2xi32>
}
