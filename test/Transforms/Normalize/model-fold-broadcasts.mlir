// Movement, constants and masks become part of whoever reads them; computation on floats stays where it is.
// RUN: plan-opt --model-fold-broadcasts --cse %s | FileCheck %s

#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d1)>
#swap = affine_map<(d0, d1) -> (d1, d0)>

// A broadcast bias is read by its dimension, a splat is a constant of the body.
// CHECK-LABEL: func.func @bias(
// CHECK: linalg.generic {indexing_maps = [#[[ID:.*]], #[[ROW:.*]], #[[ID]]]{{.*}} ins(%arg0, %arg1 : tensor<8x4xf32>, tensor<4xf32>)
// CHECK: arith.constant 2.000000e+00 : f32
// CHECK-NOT: linalg.generic
func.func @bias(%x: tensor<8x4xf32>, %b: tensor<4xf32>) -> tensor<8x4xf32> {
  %e = tensor.empty() : tensor<8x4xf32>
  %two = arith.constant dense<2.0> : tensor<8x4xf32>
  %0 = linalg.generic {indexing_maps = [#row, #id], iterator_types = ["parallel", "parallel"]} ins(%b : tensor<4xf32>) outs(%e : tensor<8x4xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<8x4xf32>
  %1 = linalg.generic {indexing_maps = [#id, #id, #id, #id], iterator_types = ["parallel", "parallel"]} ins(%x, %0, %two : tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x4xf32>) outs(%e : tensor<8x4xf32>) {
  ^bb0(%a: f32, %b0: f32, %c: f32, %out: f32):
    %2 = arith.addf %a, %b0 : f32
    %3 = arith.mulf %2, %c : f32
    linalg.yield %3 : f32
  } -> tensor<8x4xf32>
  return %1 : tensor<8x4xf32>
}

// A mask is computed where it is used, with the coordinates of its reader.
// CHECK-LABEL: func.func @mask(
// CHECK: linalg.generic {{.*}} ins(%arg0 : tensor<4x8xf32>)
// CHECK: %[[ROW:.*]] = linalg.index 1 : index
// CHECK: %[[COL:.*]] = linalg.index 0 : index
// CHECK: %[[M:.*]] = arith.cmpi sge, %[[ROW]], %[[COL]] : index
// CHECK: arith.select %[[M]]
// CHECK-NOT: linalg.generic
func.func @mask(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %em = tensor.empty() : tensor<8x4xi1>
  %e = tensor.empty() : tensor<4x8xf32>
  %m = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel", "parallel"]} outs(%em : tensor<8x4xi1>) {
  ^bb0(%out: i1):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %0 = arith.cmpi sge, %i, %j : index
    linalg.yield %0 : i1
  } -> tensor<8x4xi1>
  %1 = linalg.generic {indexing_maps = [#swap, #id, #id], iterator_types = ["parallel", "parallel"]} ins(%m, %x : tensor<8x4xi1>, tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) {
  ^bb0(%c: i1, %a: f32, %out: f32):
    %inf = arith.constant 0xFF800000 : f32
    %2 = arith.select %c, %a, %inf : f32
    linalg.yield %2 : f32
  } -> tensor<4x8xf32>
  return %1 : tensor<4x8xf32>
}

// The last reader that says how far a loop goes is kept.
// CHECK-LABEL: func.func @bounds(
// CHECK: linalg.generic {{.*}}iterator_types = ["parallel", "reduction"]} ins(%{{.*}} : tensor<8x4xf32>)
func.func @bounds(%x: tensor<8xf32>) -> tensor<8xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x4xf32>
  %e0 = tensor.empty() : tensor<8xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e0 : tensor<8xf32>) -> tensor<8xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0)>, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<8xf32>) outs(%e : tensor<8x4xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<8x4xf32>
  %1 = linalg.generic {indexing_maps = [#id, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]} ins(%0 : tensor<8x4xf32>) outs(%f : tensor<8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %2 = arith.addf %out, %in : f32
    linalg.yield %2 : f32
  } -> tensor<8xf32>
  return %1 : tensor<8xf32>
}
