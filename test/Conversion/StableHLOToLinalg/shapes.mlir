// Cutting and joining: slices, updates, padding, reversal.
// RUN: plan-opt --convert-stablehlo-to-linalg --model-fold-broadcasts --cse --model-close-bodies --model-verify-normal-form %s | FileCheck %s

// A start that is known is moved inside.
// CHECK-LABEL: func.func @dynamic_slice(
// CHECK: tensor.extract_slice %arg0[3, 0] [1, 8] [1, 1] : tensor<4x8xf32> to tensor<8xf32>
func.func @dynamic_slice(%x: tensor<4x8xf32>) -> tensor<8xf32> {
  %seven = stablehlo.constant dense<7> : tensor<i32>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %0 = stablehlo.dynamic_slice %x, %seven, %zero, sizes = [1, 8] : (tensor<4x8xf32>, tensor<i32>, tensor<i32>) -> tensor<1x8xf32>
  %1 = stablehlo.reshape %0 : (tensor<1x8xf32>) -> tensor<8xf32>
  return %1 : tensor<8xf32>
}

// CHECK-LABEL: func.func @update(
// CHECK: tensor.insert_slice %arg1 into %arg0[2, 0] [1, 8] [1, 1] : tensor<8xf32> into tensor<4x8xf32>
func.func @update(%x: tensor<4x8xf32>, %row: tensor<8xf32>) -> tensor<4x8xf32> {
  %two = stablehlo.constant dense<2> : tensor<i32>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %0 = stablehlo.reshape %row : (tensor<8xf32>) -> tensor<1x8xf32>
  %1 = stablehlo.dynamic_update_slice %x, %0, %two, %zero : (tensor<4x8xf32>, tensor<1x8xf32>, tensor<i32>, tensor<i32>) -> tensor<4x8xf32>
  return %1 : tensor<4x8xf32>
}

// One thick parts get their dimension back to be joined.
// CHECK-LABEL: func.func @join(
// CHECK: %[[A:.*]] = tensor.expand_shape %{{.*}} : tensor<8xf32> into tensor<8x1xf32>
// CHECK: tensor.concat dim(1) %[[A]], %arg1 : (tensor<8x1xf32>, tensor<8x3xf32>) -> tensor<8x4xf32>
func.func @join(%a: tensor<8xf32>, %b: tensor<8x3xf32>) -> tensor<8x4xf32> {
  %0 = stablehlo.reshape %a : (tensor<8xf32>) -> tensor<8x1xf32>
  %1 = stablehlo.concatenate %0, %b, dim = 1 : (tensor<8x1xf32>, tensor<8x3xf32>) -> tensor<8x4xf32>
  return %1 : tensor<8x4xf32>
}

// Negative edges cut, the interior is spread.
// CHECK-LABEL: func.func @pad(
// CHECK: %[[SPREAD:.*]] = tensor.insert_slice %arg0 into %{{.*}}[0] [4] [2] : tensor<4xf32> into tensor<7xf32>
// CHECK: %[[CUT:.*]] = tensor.extract_slice %[[SPREAD]][1] [6] [1]
// CHECK: tensor.pad %[[CUT]] low[0] high[2]
func.func @pad(%x: tensor<4xf32>) -> tensor<8xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.pad %x, %zero, low = [-1], high = [2], interior = [1] : (tensor<4xf32>, tensor<f32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// A padding value that is only known at run time is selected.
// CHECK-LABEL: func.func @pad_with_value(
// CHECK: tensor.pad
// CHECK: linalg.index 0
// CHECK: arith.select
func.func @pad_with_value(%x: tensor<4xi64>, %v: tensor<i64>) -> tensor<5xi64> {
  %0 = stablehlo.pad %x, %v, low = [1], high = [0], interior = [0] : (tensor<4xi64>, tensor<i64>) -> tensor<5xi64>
  return %0 : tensor<5xi64>
}

// CHECK-LABEL: func.func @reverse(
// CHECK: arith.subi
// CHECK: model.lookup %arg0
func.func @reverse(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %0 = stablehlo.reverse %x, dims = [0] : tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// CHECK-LABEL: func.func @top_k(
// CHECK: %[[V:.*]], %[[I:.*]] = model.top_k %arg0 : tensor<8x4xf32> -> tensor<8x1xf32>, tensor<8x1xi32>
// CHECK: tensor.collapse_shape %[[V]]
func.func @top_k(%x: tensor<8x4xf32>) -> tensor<8xf32> {
  %v, %i = chlo.top_k(%x, k = 1) : tensor<8x4xf32> -> (tensor<8x1xf32>, tensor<8x1xi32>)
  %0 = stablehlo.reshape %v : (tensor<8x1xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
