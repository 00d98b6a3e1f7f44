// What comes out: no dimension of size one, no sign, constants in bodies; arguments keep their shapes.
// RUN: plan-opt --convert-stablehlo-to-linalg --cse %s | FileCheck %s --implicit-check-not=stablehlo. --implicit-check-not=mhlo --implicit-check-not=jax

// CHECK-DAG: #[[EVERYWHERE:.*]] = affine_map<(d0) -> ()>
// CHECK-DAG: #[[ID:.*]] = affine_map<(d0) -> (d0)>
// CHECK-DAG: #[[COLUMN:.*]] = affine_map<(d0, d1) -> (d1)>

module attributes {mhlo.num_partitions = 1 : i32} {

// CHECK-LABEL: func.func @squeezed(
// CHECK-SAME: %[[X:.*]]: tensor<8x1x4xf32>, %{{.*}}: tensor<i8>
// CHECK: %[[S:.*]] = tensor.collapse_shape %[[X]] {{.*}} : tensor<8x1x4xf32> into tensor<8x4xf32>
// CHECK: linalg.generic {{.*}} ins(%[[S]] : tensor<8x4xf32>)
// CHECK: %[[C:.*]] = arith.constant 2.000000e+00 : f32
// CHECK: arith.mulf %{{.*}}, %[[C]] : f32
// CHECK: tensor.expand_shape {{.*}} into tensor<8x1x4xf32>
func.func @squeezed(%x: tensor<8x1x4xf32>, %u: tensor<ui8>) -> (tensor<8x1x4xf32> {jax.result_info = "result"}) {
  %two = stablehlo.constant dense<2.0> : tensor<8x1x4xf32>
  %0 = stablehlo.multiply %x, %two : tensor<8x1x4xf32>
  return %0 : tensor<8x1x4xf32>
}

// Signs are in the operations from here on.
// CHECK-LABEL: func.func @unsigned(
// CHECK-SAME: tensor<4xi8>, %{{.*}}: tensor<4xi8>) -> tensor<4xf32>
// CHECK: arith.maxui
// CHECK: arith.uitofp
func.func @unsigned(%a: tensor<4xui8>, %b: tensor<4xui8>) -> tensor<4xf32> {
  %0 = stablehlo.maximum %a, %b : tensor<4xui8>
  %1 = stablehlo.convert %0 : (tensor<4xui8>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}

// A scalar predicate is read everywhere.
// CHECK-LABEL: func.func @scalar_predicate(
// CHECK: linalg.generic {indexing_maps = [#[[EVERYWHERE]], #[[ID]], #[[ID]], #[[ID]]]
func.func @scalar_predicate(%p: tensor<i1>, %a: tensor<4xf32>, %b: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.select %p, %a, %b : tensor<i1>, tensor<4xf32>
  return %0 : tensor<4xf32>
}

// The square root of a constant is a constant; small powers are products.
// CHECK-LABEL: func.func @folded(
// CHECK: %[[X:.*]] = arith.mulf %[[IN:.*]], %[[IN]] : f32
// CHECK: arith.mulf %[[X]], %[[IN]] : f32
// CHECK: arith.constant 4.000000e+00 : f32
// CHECK-NOT: math.sqrt
func.func @folded(%x: tensor<4xf32>) -> tensor<4xf32> {
  %c = stablehlo.constant dense<1.600000e+01> : tensor<f32>
  %0 = stablehlo.sqrt %c : tensor<f32>
  %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<4xf32>
  %three = stablehlo.constant dense<3.0> : tensor<4xf32>
  %2 = stablehlo.power %x, %three : tensor<4xf32>
  %3 = stablehlo.divide %2, %1 : tensor<4xf32>
  return %3 : tensor<4xf32>
}

// A broadcast reads its operand where it has dimensions.
// CHECK-LABEL: func.func @broadcast(
// CHECK: linalg.generic {indexing_maps = [#[[COLUMN]],
// CHECK-SAME: ins(%arg0 : tensor<4xf32>) outs(%{{.*}} : tensor<8x4xf32>)
func.func @broadcast(%x: tensor<4xf32>) -> tensor<8x4xf32> {
  %0 = stablehlo.broadcast_in_dim %x, dims = [1] : (tensor<4xf32>) -> tensor<1x4xf32>
  %1 = stablehlo.broadcast_in_dim %0, dims = [0, 1] : (tensor<1x4xf32>) -> tensor<8x4xf32>
  return %1 : tensor<8x4xf32>
}
}
