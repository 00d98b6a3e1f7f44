// Reductions start at the neutral element; another initial value is combined afterwards.
// RUN: plan-opt --convert-stablehlo-to-linalg --model-fold-broadcasts --cse --model-close-bodies --model-verify-normal-form %s | FileCheck %s

// CHECK-LABEL: func.func @sum(
// CHECK: %[[ZERO:.*]] = arith.constant 0.000000e+00 : f32
// CHECK: %[[FILL:.*]] = linalg.fill ins(%[[ZERO]]
// CHECK: linalg.generic {{.*}}iterator_types = ["parallel", "reduction"]} ins(%arg0 : tensor<8x4xf32>) outs(%[[FILL]] : tensor<8xf32>)
// CHECK: %[[S:.*]] = arith.addf %out, %in : f32
// CHECK-NEXT: linalg.yield %[[S]]
// CHECK: arith.constant 1.000000e+00 : f32
// CHECK-NEXT: arith.addf
func.func @sum(%x: tensor<8x4xf32>) -> tensor<8xf32> {
  %one = stablehlo.constant dense<1.0> : tensor<f32>
  %0 = stablehlo.reduce(%x init: %one) applies stablehlo.add across dimensions = [1] : (tensor<8x4xf32>, tensor<f32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// PyTorch's or, then a select that changes nothing.
// CHECK-LABEL: func.func @any(
// CHECK: arith.ori
// CHECK-NEXT: linalg.yield
func.func @any(%x: tensor<8x4xi1>) -> tensor<8xi1> {
  %true = stablehlo.constant dense<true> : tensor<i1>
  %false = stablehlo.constant dense<false> : tensor<i1>
  %0 = stablehlo.reduce(%x init: %false) across dimensions = [1] : (tensor<8x4xi1>, tensor<i1>) -> tensor<8xi1>
   reducer(%a: tensor<i1>, %b: tensor<i1>) {
    %1 = stablehlo.or %a, %b : tensor<i1>
    %2 = stablehlo.select %1, %true, %false : tensor<i1>, tensor<i1>
    stablehlo.return %2 : tensor<i1>
  }
  return %0 : tensor<8xi1>
}

// Values and positions are reduced together; the positions are coordinates.
// CHECK-LABEL: func.func @argmax(
// CHECK: linalg.generic {{.*}}iterator_types = ["parallel", "reduction"]} ins(%arg0 : tensor<8x4xf32>) outs(%{{.*}}, %{{.*}} : tensor<8xf32>, tensor<8xi32>)
// CHECK: linalg.index 1
// CHECK: linalg.yield %{{.*}}, %{{.*}} : f32, i32
func.func @argmax(%x: tensor<8x4xf32>) -> tensor<8xi32> {
  %i = stablehlo.iota dim = 1 : tensor<8x4xi32>
  %inf = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %0:2 = stablehlo.reduce(%x init: %inf), (%i init: %zero) across dimensions = [1] : (tensor<8x4xf32>, tensor<8x4xi32>, tensor<f32>, tensor<i32>) -> (tensor<8xf32>, tensor<8xi32>)
   reducer(%a: tensor<f32>, %b: tensor<f32>) (%p: tensor<i32>, %q: tensor<i32>) {
    %1 = stablehlo.compare GT, %a, %b, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %2 = stablehlo.select %1, %a, %b : tensor<i1>, tensor<f32>
    %3 = stablehlo.select %1, %p, %q : tensor<i1>, tensor<i32>
    stablehlo.return %2, %3 : tensor<f32>, tensor<i32>
  }
  return %0#1 : tensor<8xi32>
}

// CHECK-LABEL: func.func @cumsum(
// CHECK: model.cumulative_sum %arg0 dim 1 : tensor<8x128xf32>
func.func @cumsum(%x: tensor<8x128xf32>) -> tensor<8x128xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = "stablehlo.reduce_window"(%x, %zero) <{padding = dense<[[0, 0], [127, 0]]> : tensor<2x2xi64>, window_dimensions = array<i64: 1, 128>, window_strides = array<i64: 1, 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) : (tensor<8x128xf32>, tensor<f32>) -> tensor<8x128xf32>
  return %0 : tensor<8x128xf32>
}

// CHECK-LABEL: func.func @max_pool(
// CHECK: tensor.extract_slice %arg0[0, 0] [8, 8] [1, 2]
// CHECK: tensor.extract_slice %arg0[0, 1] [8, 8] [1, 2]
// CHECK: arith.maximumf
func.func @max_pool(%x: tensor<8x16xf32>) -> tensor<8x8xf32> {
  %inf = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %0 = "stablehlo.reduce_window"(%x, %inf) <{window_dimensions = array<i64: 1, 2>, window_strides = array<i64: 1, 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = stablehlo.maximum %a, %b : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) : (tensor<8x16xf32>, tensor<f32>) -> tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}

// A normalisation over the batch: mean, centred, variance, scaled. Scale one and offset zero leave no trace.
// CHECK-LABEL: func.func @batch_norm(
// CHECK-COUNT-2: linalg.generic {{.*}}"reduction"
// CHECK: math.rsqrt
// CHECK: arith.mulf
// CHECK-NOT: linalg.generic
// CHECK: return
func.func @batch_norm(%x: tensor<1x16x8xf32>) -> tensor<1x16x8xf32> {
  %one = stablehlo.constant dense<1.0> : tensor<16xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<16xf32>
  %0, %1, %2 = "stablehlo.batch_norm_training"(%x, %one, %zero) <{epsilon = 1.0e-05 : f32, feature_index = 1 : i64}> : (tensor<1x16x8xf32>, tensor<16xf32>, tensor<16xf32>) -> (tensor<1x16x8xf32>, tensor<16xf32>, tensor<16xf32>)
  return %0 : tensor<1x16x8xf32>
}
