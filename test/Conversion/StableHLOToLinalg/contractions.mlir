// dot_general over its own dimensions, convolution as a sum over the window.
// RUN: plan-opt --convert-stablehlo-to-linalg --model-fold-broadcasts --cse %s | FileCheck %s

// CHECK-DAG: #[[Q:.*]] = affine_map<(d0, d1, d2, d3, d4) -> (d0, d2, d1, d4)>
// CHECK-DAG: #[[K:.*]] = affine_map<(d0, d1, d2, d3, d4) -> (d0, d3, d1, d4)>
// CHECK-DAG: #[[S:.*]] = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3)>
// CHECK-DAG: #[[MK:.*]] = affine_map<(d0, d1, d2) -> (d0, d2)>
// CHECK-DAG: #[[NK:.*]] = affine_map<(d0, d1, d2) -> (d1, d2)>
// CHECK-DAG: #[[NM:.*]] = affine_map<(d0, d1, d2) -> (d1, d0)>

// CHECK-LABEL: func.func @scores(
// CHECK: linalg.contract indexing_maps = [#[[Q]], #[[K]], #[[S]]] ins(%arg0, %arg1
func.func @scores(%q: tensor<8x64x4x16xf32>, %k: tensor<8x64x4x16xf32>) -> tensor<8x4x64x64xf32> {
  %0 = stablehlo.dot_general %q, %k, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3] : (tensor<8x64x4x16xf32>, tensor<8x64x4x16xf32>) -> tensor<8x4x64x64xf32>
  return %0 : tensor<8x4x64x64xf32>
}

// A transposed kernel is read transposed; a transposed result is written transposed.
// CHECK-LABEL: func.func @transposes(
// CHECK: linalg.contract indexing_maps = [#[[MK]], #[[NK]], #[[NM]]]
// CHECK-SAME: ins(%arg0, %arg1 : tensor<8x4xf32>, tensor<6x4xf32>)
// CHECK-NEXT: return
func.func @transposes(%x: tensor<8x4xf32>, %w: tensor<6x4xf32>) -> tensor<6x8xf32> {
  %0 = stablehlo.transpose %w, dims = [1, 0] : (tensor<6x4xf32>) -> tensor<4x6xf32>
  %1 = stablehlo.dot_general %x, %0, contracting_dims = [1] x [0] : (tensor<8x4xf32>, tensor<4x6xf32>) -> tensor<8x6xf32>
  %2 = stablehlo.transpose %1, dims = [1, 0] : (tensor<8x6xf32>) -> tensor<6x8xf32>
  return %2 : tensor<6x8xf32>
}

// Without a sum it is a product, element by element.
// CHECK-LABEL: func.func @outer(
// CHECK-NOT: linalg.contract
// CHECK: arith.mulf
func.func @outer(%x: tensor<8xf32>, %y: tensor<4xf32>) -> tensor<8x4xf32> {
  %0 = stablehlo.dot_general %x, %y, contracting_dims = [] x [] : (tensor<8xf32>, tensor<4xf32>) -> tensor<8x4xf32>
  return %0 : tensor<8x4xf32>
}

// Three places, three slices with the stride of the window, three contractions, two sums.
// CHECK-LABEL: func.func @convolution(
// CHECK: %[[P:.*]] = tensor.pad %arg0 low[0, 1, 0] high[0, 1, 0]
// CHECK: %[[X0:.*]] = tensor.extract_slice %[[P]][0, 0, 0] [4, 8, 3] [1, 2, 1]
// CHECK: %[[W0:.*]] = tensor.extract_slice %arg1[0, 0, 0] [1, 3, 5] [1, 1, 1] : tensor<3x3x5xf32> to tensor<3x5xf32>
// CHECK: linalg.contract {{.*}} ins(%[[X0]], %[[W0]]
// CHECK: tensor.extract_slice %[[P]][0, 1, 0] [4, 8, 3] [1, 2, 1]
// CHECK: tensor.extract_slice %arg1[1, 0, 0]
// CHECK: linalg.contract
// CHECK: arith.addf
// CHECK: tensor.extract_slice %[[P]][0, 2, 0] [4, 8, 3] [1, 2, 1]
// CHECK: linalg.contract
// CHECK: arith.addf
func.func @convolution(%x: tensor<4x16x3xf32>, %w: tensor<3x3x5xf32>) -> tensor<4x8x5xf32> {
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {stride = [2], pad = [[1, 1]], lhs_dilate = [1], rhs_dilate = [1], reverse = [false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<4x16x3xf32>, tensor<3x3x5xf32>) -> tensor<4x8x5xf32>
  return %0 : tensor<4x8x5xf32>
}

// Windows that tile the input are one contraction.
// CHECK-LABEL: func.func @patches(
// CHECK: %[[P:.*]] = tensor.expand_shape %arg0 {{\[}}[0], [1, 2], [3]] output_shape [4, 4, 4, 3]
// CHECK: linalg.contract {{.*}} ins(%[[P]], %arg1
// CHECK-NOT: linalg.contract
// CHECK: return
func.func @patches(%x: tensor<4x16x3xf32>, %w: tensor<4x3x5xf32>) -> tensor<4x4x5xf32> {
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {stride = [4], pad = [[0, 0]], lhs_dilate = [1], rhs_dilate = [1], reverse = [false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<4x16x3xf32>, tensor<4x3x5xf32>) -> tensor<4x4x5xf32>
  return %0 : tensor<4x4x5xf32>
}
