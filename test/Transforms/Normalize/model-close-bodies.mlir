// RUN: plan-opt %s --model-close-bodies | FileCheck %s

#id = affine_map<(d0) -> (d0)>

// A constant from outside is copied into each body that uses it; its uses outside stay.
// CHECK-LABEL: func @closes
func.func @closes(%x: tensor<4xf32>) -> (tensor<4xf32>, f32) {
  %c = arith.constant 2.0 : f32
  %e = tensor.empty() : tensor<4xf32>
  // CHECK: linalg.generic
  // CHECK: ^bb0(%[[IN:.*]]: f32, %{{.*}}: f32):
  // CHECK-NEXT: %[[COPY:.*]] = arith.constant 2.0
  // CHECK-NEXT: arith.mulf %[[IN]], %[[COPY]]
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x : tensor<4xf32>) outs(%e : tensor<4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %y = arith.mulf %in, %c : f32
    linalg.yield %y : f32
  } -> tensor<4xf32>
  return %r, %c : tensor<4xf32>, f32
}
