// Gradients of a hand-derived function are compared with differences of losses; a wrong one is found.

// RUN: split-file %s %t
// RUN: reference-run %t/right.mlir --finite-differences | FileCheck %s --check-prefix=RIGHT
// RUN: not reference-run %t/wrong.mlir --finite-differences 2>&1 | FileCheck %s --check-prefix=WRONG
// RUN: reference-run %t/right.mlir --train sgd:lr=0.1 --steps 2 | FileCheck %s --check-prefix=TRAIN
// RUN: not reference-run %t/right.mlir --function other 2>&1 | FileCheck %s --check-prefix=MISSING

// RIGHT: 1 of 1 tensors agree
// WRONG: w TOO FAR
// WRONG: error: 1 tensors are too far off
// TRAIN: step 0 loss
// TRAIN: step 1 loss
// MISSING: has neither @other nor both @other.fwd and @other.bwd

// loss = sum((x w)^2), so dw = 2 x^T (x w).
//--- right.mlir
func.func @main.fwd(%w: tensor<3x2xf32> {model.argument = #model.argument<parameter, name = "w">},
                    %x: tensor<4x3xf32> {model.argument = #model.argument<input, name = "x", batchDim = 0, trainable = false>})
    -> (tensor<f32>, tensor<4x2xf32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x2xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<4x2xf32>) -> tensor<4x2xf32>
  %y = linalg.contract indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>,
                                        affine_map<(m, n, k) -> (m, n)>]
      ins(%x, %w : tensor<4x3xf32>, tensor<3x2xf32>) outs(%f : tensor<4x2xf32>) -> tensor<4x2xf32>
  %e0 = tensor.empty() : tensor<f32>
  %f0 = linalg.fill ins(%zero : f32) outs(%e0 : tensor<f32>) -> tensor<f32>
  %loss = linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> ()>],
                          iterator_types = ["reduction", "reduction"]}
      ins(%y : tensor<4x2xf32>) outs(%f0 : tensor<f32>) {
  ^bb0(%a: f32, %sum: f32):
    %square = arith.mulf %a, %a : f32
    %new = arith.addf %sum, %square : f32
    linalg.yield %new : f32
  } -> tensor<f32>
  return %loss, %y : tensor<f32>, tensor<4x2xf32>
}
func.func @main.bwd(%w: tensor<3x2xf32>, %x: tensor<4x3xf32>, %y: tensor<4x2xf32>)
    -> (tensor<3x2xf32> {plan.object = #plan.object<gradient, "w">}) {
  %zero = arith.constant 0.0 : f32
  %e0 = tensor.empty() : tensor<4x2xf32>
  %dy = linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (m, n)>],
                        iterator_types = ["parallel", "parallel"]}
      ins(%y : tensor<4x2xf32>) outs(%e0 : tensor<4x2xf32>) {
  ^bb0(%a: f32, %unused: f32):
    %twice = arith.addf %a, %a : f32
    linalg.yield %twice : f32
  } -> tensor<4x2xf32>
  %e = tensor.empty() : tensor<3x2xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<3x2xf32>) -> tensor<3x2xf32>
  %dw = linalg.contract indexing_maps = [affine_map<(k, n, m) -> (m, k)>, affine_map<(k, n, m) -> (m, n)>,
                                         affine_map<(k, n, m) -> (k, n)>]
      ins(%x, %dy : tensor<4x3xf32>, tensor<4x2xf32>) outs(%f : tensor<3x2xf32>) -> tensor<3x2xf32>
  return %dw : tensor<3x2xf32>
}

// The same without the factor 2.
//--- wrong.mlir
func.func @main.fwd(%w: tensor<3xf32> {model.argument = #model.argument<parameter, name = "w">}) -> tensor<f32> {
  %zero = arith.constant dense<0.0> : tensor<f32>
  %loss = linalg.generic {indexing_maps = [affine_map<(m) -> (m)>, affine_map<(m) -> ()>], iterator_types = ["reduction"]}
      ins(%w : tensor<3xf32>) outs(%zero : tensor<f32>) {
  ^bb0(%a: f32, %sum: f32):
    %square = arith.mulf %a, %a : f32
    %new = arith.addf %sum, %square : f32
    linalg.yield %new : f32
  } -> tensor<f32>
  return %loss : tensor<f32>
}
func.func @main.bwd(%w: tensor<3xf32>) -> (tensor<3xf32> {plan.object = #plan.object<gradient, "w">}) {
  return %w : tensor<3xf32>
}
