// The derivative pass: signatures, activity, residuals, sums, calls.
// RUN: plan-opt %s --split-input-file --model-derive | FileCheck %s
// RUN: plan-opt %s --split-input-file --model-derive=recompute=none | FileCheck %s --check-prefix=NONE

// The loss: no cotangent, gradients of the trainable parameters only, f32 for a narrow one, zeros for an unused one.

#v = affine_map<(d0) -> (d0)>
#s = affine_map<(d0) -> ()>

// CHECK-LABEL: func.func @main.fwd(
// CHECK-SAME:    -> tensor<f32> {
// CHECK-LABEL: func.func @main.bwd(
// CHECK-SAME:    %{{[a-z0-9]+}}: tensor<4xf32> {model.argument = #model.argument<parameter, name = "w">},
// CHECK-SAME:    name = "frozen", trainable = false>}
// CHECK-SAME:    -> (tensor<4xf32> {plan.object = #plan.object<gradient, "w">},
// CHECK-SAME:        tensor<4xf32> {plan.object = #plan.object<gradient, "narrow">},
// CHECK-SAME:        tensor<2x3xf32> {plan.object = #plan.object<gradient, "unused">})
// CHECK:         %[[ZERO:.*]] = arith.constant dense<0.000000e+00> : tensor<2x3xf32>
// CHECK:         return %{{.*}}, %{{.*}}, %[[ZERO]]
// CHECK-NOT:   func.func @main(
func.func @main(%w: tensor<4xf32> {model.argument = #model.argument<parameter, name = "w">},
                %n: tensor<4xbf16> {model.argument = #model.argument<parameter, name = "narrow">},
                %u: tensor<2x3xf32> {model.argument = #model.argument<parameter, name = "unused">},
                %f: tensor<4xf32> {model.argument = #model.argument<parameter, name = "frozen", trainable = false>},
                %x: tensor<4xf32> {model.argument = #model.argument<input, name = "x", batchDim = 0>}) -> tensor<f32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<f32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<f32>) -> tensor<f32>
  %0 = linalg.generic {indexing_maps = [#v, #v, #v, #v, #s], iterator_types = ["reduction"]}
      ins(%w, %n, %f, %x : tensor<4xf32>, tensor<4xbf16>, tensor<4xf32>, tensor<4xf32>) outs(%z : tensor<f32>) {
  ^bb0(%a: f32, %b: bf16, %c: f32, %d: f32, %o: f32):
    %1 = arith.extf %b : bf16 to f32
    %2 = arith.mulf %a, %1 : f32
    %3 = arith.mulf %c, %d : f32
    %4 = arith.mulf %2, %3 : f32
    %5 = arith.addf %o, %4 : f32
    linalg.yield %5 : f32
  } -> tensor<f32>
  return %0 : tensor<f32>
}

// -----

// Residuals. The contraction's result is saved, what follows from it point by point is computed again: tanh is read by
// the second contraction's gradient. The integer mask and what depends on no parameter are never saved.

#id = affine_map<(d0, d1) -> (d0, d1)>
#A = affine_map<(m, n, k) -> (m, k)>
#B = affine_map<(m, n, k) -> (k, n)>
#C = affine_map<(m, n, k) -> (m, n)>

// CHECK-LABEL: func.func @residuals.fwd(
// CHECK-SAME:    -> (tensor<4x4xf32>, tensor<4x4xf32>)
// CHECK:         %[[H:.*]] = linalg.contract
// CHECK:         %[[Y:.*]] = linalg.contract
// CHECK:         return %[[Y]], %[[H]]
// CHECK-LABEL: func.func @residuals.bwd(
// CHECK-SAME:    %{{.*}}: tensor<4x4xf32>, %{{.*}}: tensor<4x4xf32>, %{{.*}}: tensor<4x4xi32>, %[[H:.*]]: tensor<4x4xf32>, %[[G:.*]]: tensor<4x4xf32>)
// CHECK:         arith.cmpi
// CHECK:         math.tanh
// CHECK:         linalg.contract {{.*}}

// Saving everything: the first contraction and tanh.
// NONE-LABEL:  func.func @residuals.fwd(
// NONE-SAME:     -> (tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>)
// NONE:          %[[H:.*]] = linalg.contract
// NONE:          %[[T:.*]] = linalg.generic
// NONE:          math.tanh
// NONE:          %[[Y:.*]] = linalg.contract
// NONE:          return %[[Y]], %[[H]], %[[T]]
func.func @residuals(%x: tensor<4x4xf32>, %w: tensor<4x4xf32>, %ids: tensor<4x4xi32>) -> tensor<4x4xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x4xf32>
  %ei = tensor.empty() : tensor<4x4xi1>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<4x4xf32>) -> tensor<4x4xf32>
  %mask = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%ids : tensor<4x4xi32>) outs(%ei : tensor<4x4xi1>) {
  ^bb0(%a: i32, %o: i1):
    %seven = arith.constant 7 : i32
    %c = arith.cmpi slt, %a, %seven : i32
    linalg.yield %c : i1
  } -> tensor<4x4xi1>
  %h = linalg.contract indexing_maps = [#A, #B, #C] ins(%x, %w : tensor<4x4xf32>, tensor<4x4xf32>) outs(%z : tensor<4x4xf32>) -> tensor<4x4xf32>
  %t = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]} ins(%h, %mask : tensor<4x4xf32>, tensor<4x4xi1>) outs(%e : tensor<4x4xf32>) {
  ^bb0(%a: f32, %m: i1, %o: f32):
    %1 = math.tanh %a : f32
    %c0 = arith.constant 0.0 : f32
    %2 = arith.select %m, %1, %c0 : f32
    linalg.yield %2 : f32
  } -> tensor<4x4xf32>
  %y = linalg.contract indexing_maps = [#A, #B, #C] ins(%t, %w : tensor<4x4xf32>, tensor<4x4xf32>) outs(%z : tensor<4x4xf32>) -> tensor<4x4xf32>
  return %y : tensor<4x4xf32>
}

// -----

// Transposes and sums cost nothing backwards: the gradient is read through another map, in the one place where it is used.

#id = affine_map<(d0, d1) -> (d0, d1)>
#t = affine_map<(d0, d1) -> (d1, d0)>
#r = affine_map<(d0, d1) -> (d0)>

// CHECK-LABEL: func.func @maps.bwd(
// CHECK-SAME:    %[[X:.*]]: tensor<4x3xf32>, %[[G:.*]]: tensor<3xf32>)
// CHECK-NEXT:    tensor.empty
// CHECK-NEXT:    linalg.generic {indexing_maps = [#[[ID:.*]], #[[COLUMN:.*]], #[[ID]]], iterator_types = ["parallel", "parallel"]}
// CHECK-SAME:      ins(%[[X]], %[[G]] : tensor<4x3xf32>, tensor<3xf32>)
// CHECK-NOT:     linalg.generic
// CHECK:         return
func.func @maps(%x: tensor<4x3xf32>) -> tensor<3xf32> {
  %ex = tensor.empty() : tensor<4x3xf32>
  %y = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<4x3xf32>) outs(%ex : tensor<4x3xf32>) {
  ^bb0(%a: f32, %o: f32):
    %1 = math.sin %a : f32
    linalg.yield %1 : f32
  } -> tensor<4x3xf32>
  %e = tensor.empty() : tensor<3x4xf32>
  %t = linalg.generic {indexing_maps = [#t, #id], iterator_types = ["parallel", "parallel"]} ins(%y : tensor<4x3xf32>) outs(%e : tensor<3x4xf32>) {
  ^bb0(%a: f32, %o: f32):
    linalg.yield %a : f32
  } -> tensor<3x4xf32>
  %zero = arith.constant 0.0 : f32
  %es = tensor.empty() : tensor<3xf32>
  %z = linalg.fill ins(%zero : f32) outs(%es : tensor<3xf32>) -> tensor<3xf32>
  %s = linalg.generic {indexing_maps = [#id, #r], iterator_types = ["parallel", "reduction"]} ins(%t : tensor<3x4xf32>) outs(%z : tensor<3xf32>) {
  ^bb0(%a: f32, %o: f32):
    %2 = arith.addf %o, %a : f32
    linalg.yield %2 : f32
  } -> tensor<3xf32>
  return %s : tensor<3xf32>
}

// -----

// A called function is derived once for each set of arguments with a gradient. Residuals of the calls are saved by the
// caller. The function itself is gone.

#id = affine_map<(d0) -> (d0)>

// CHECK-DAG:   func.func private @layer.fwd(%{{.*}}: tensor<4xf32>, %{{.*}}: tensor<4xf32>) -> tensor<4xf32>
// CHECK-DAG:   func.func private @layer.bwd(%{{.*}}: tensor<4xf32>, %{{.*}}: tensor<4xf32>, %{{.*}}: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>)
// CHECK-NOT:   @layer(
// CHECK-LABEL: func.func @calls.fwd(
// CHECK:         %[[Y:.*]] = call @layer.fwd
// CHECK:         %[[Z:.*]] = call @layer.fwd(%[[Y]]
// CHECK:         return %[[Z]], %[[Y]]
// CHECK-LABEL: func.func @calls.bwd(
// CHECK-SAME:    %[[X:.*]]: tensor<4xf32>, %[[W:.*]]: tensor<4xf32>, %[[Y:.*]]: tensor<4xf32>, %[[G:.*]]: tensor<4xf32>)
// CHECK:         %[[B:.*]]:2 = call @layer.bwd(%[[Y]], %[[W]], %[[G]])
// CHECK:         %[[A:.*]]:2 = call @layer.bwd(%[[X]], %[[W]], %[[B]]#0)
// CHECK:         %[[SUM:.*]] = linalg.generic {{.*}} ins(%[[B]]#1, %[[A]]#1
// CHECK:         return %[[A]]#0, %[[SUM]]
func.func private @layer(%x: tensor<4xf32>, %w: tensor<4xf32>) -> tensor<4xf32> {
  %e = tensor.empty() : tensor<4xf32>
  %0 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]} ins(%x, %w : tensor<4xf32>, tensor<4xf32>) outs(%e : tensor<4xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %1 = arith.mulf %a, %b : f32
    linalg.yield %1 : f32
  } -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
func.func @calls(%x: tensor<4xf32>, %w: tensor<4xf32>) -> tensor<4xf32> {
  %0 = call @layer(%x, %w) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %1 = call @layer(%0, %w) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}

// -----

// Narrow numbers: what is saved is the narrow sum, not its wide copy that the derivative reads. The layer's parameter has
// its gradient in f32 throughout.

#id = affine_map<(d0, d1) -> (d0, d1)>
#none = affine_map<(d0, d1) -> ()>
#A = affine_map<(m, n, k) -> (m, k)>
#B = affine_map<(m, n, k) -> (k, n)>
#C = affine_map<(m, n, k) -> (m, n)>

// CHECK-LABEL: func.func private @narrow.fwd(
// CHECK-SAME:    -> (tensor<4x4xf32>, tensor<4x4xbf16>) {
// CHECK-LABEL: func.func private @narrow.bwd(
// CHECK-SAME:    -> (tensor<4x4xbf16>, tensor<4x4xf32>) {
// CHECK:         linalg.contract {{.*}} ins(%{{.*}}, %{{.*}} : tensor<4x4xbf16>, tensor<4x4xbf16>) outs(%{{.*}} : tensor<4x4xf32>)
// CHECK-LABEL: func.func @main.fwd(
func.func private @narrow(%x: tensor<4x4xbf16>, %w: tensor<4x4xbf16>) -> tensor<4x4xf32> {
  %zero = arith.constant 0.0 : bf16
  %e = tensor.empty() : tensor<4x4xbf16>
  %z = linalg.fill ins(%zero : bf16) outs(%e : tensor<4x4xbf16>) -> tensor<4x4xbf16>
  %h = linalg.contract indexing_maps = [#A, #B, #C] ins(%x, %w : tensor<4x4xbf16>, tensor<4x4xbf16>) outs(%z : tensor<4x4xbf16>) -> tensor<4x4xbf16>
  %ew = tensor.empty() : tensor<4x4xf32>
  %c = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%h : tensor<4x4xbf16>) outs(%ew : tensor<4x4xf32>) {
  ^bb0(%a: bf16, %o: f32):
    %1 = arith.extf %a : bf16 to f32
    linalg.yield %1 : f32
  } -> tensor<4x4xf32>
  %t = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%c : tensor<4x4xf32>) outs(%ew : tensor<4x4xf32>) {
  ^bb0(%a: f32, %o: f32):
    %1 = math.sin %a : f32
    linalg.yield %1 : f32
  } -> tensor<4x4xf32>
  return %t : tensor<4x4xf32>
}
func.func @main(%x: tensor<4x4xbf16> {model.argument = #model.argument<parameter, name = "x">},
                %w: tensor<4x4xbf16> {model.argument = #model.argument<parameter, name = "w">}) -> tensor<f32> {
  %e = tensor.empty() : tensor<4x4xbf16>
  %n = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<4x4xbf16>) outs(%e : tensor<4x4xbf16>) {
  ^bb0(%a: bf16, %o: bf16):
    %1 = arith.negf %a : bf16
    linalg.yield %1 : bf16
  } -> tensor<4x4xbf16>
  %y = call @narrow(%n, %w) : (tensor<4x4xbf16>, tensor<4x4xbf16>) -> tensor<4x4xf32>
  %zero = arith.constant 0.0 : f32
  %es = tensor.empty() : tensor<f32>
  %z = linalg.fill ins(%zero : f32) outs(%es : tensor<f32>) -> tensor<f32>
  %l = linalg.generic {indexing_maps = [#id, #none], iterator_types = ["reduction", "reduction"]} ins(%y : tensor<4x4xf32>) outs(%z : tensor<f32>) {
  ^bb0(%a: f32, %o: f32):
    %1 = arith.addf %o, %a : f32
    linalg.yield %1 : f32
  } -> tensor<f32>
  return %l : tensor<f32>
}
