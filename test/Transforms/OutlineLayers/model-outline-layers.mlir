// Repeated layers become calls of one function. Three layers of nine operations. The mask
// depends on no argument, so each layer has its own; the slice of the stacked parameter stays outside.
// RUN: plan-opt %s --model-outline-layers | FileCheck %s
// RUN: plan-opt %s --model-outline-layers --model-derive | FileCheck %s --check-prefix=DERIVE

// The layer takes the activation and its parameters, and computes the mask itself.
// CHECK-LABEL: func.func private @layer(
// CHECK-SAME:    %[[X:.*]]: tensor<2x4xf32>, %[[W:.*]]: tensor<4x4xf32>, %[[B:.*]]: tensor<4xf32>) -> tensor<2x4xf32>
// CHECK:         linalg.index
// CHECK:         linalg.contract {{.*}} ins(%[[X]], %[[W]]
// CHECK-NOT:     linalg.contract
// CHECK:         return

// Cut where only the residual stream is live: the first addition is not part of a layer, though it is equal to the last
// operation of each.
// CHECK-LABEL: func.func @main(
// CHECK-SAME:    %[[IN:.*]]: tensor<2x4xf32> {model.argument = #model.argument<parameter, name = "start">}
// CHECK-SAME:    %[[STACK:[a-z0-9]+]]: tensor<3x4x4xf32> {model.argument = #model.argument<parameter, name = "w">}
// CHECK:         %[[X0:.*]] = linalg.generic {{.*}} ins(%[[IN]], %[[IN]]
// CHECK:         %[[W0:.*]] = tensor.extract_slice %[[STACK]][0, 0, 0]
// CHECK:         %[[X1:.*]] = call @layer(%[[X0]], %[[W0]], %{{.*}})
// CHECK:         %[[W1:.*]] = tensor.extract_slice %[[STACK]][1, 0, 0]
// CHECK:         %[[X2:.*]] = call @layer(%[[X1]], %[[W1]], %{{.*}})
// CHECK:         %[[W2:.*]] = tensor.extract_slice %[[STACK]][2, 0, 0]
// CHECK:         %[[X3:.*]] = call @layer(%[[X2]], %[[W2]], %{{.*}})
// CHECK-NOT:     call
// CHECK:         linalg.generic {{.*}} ins(%[[X3]]

// The derivative goes through the calls; slices of the gradient are put side by side.
// DERIVE-LABEL: func.func @main.bwd(
// DERIVE:         %[[G3:.*]]:3 = call @layer.bwd
// DERIVE:         %[[G2:.*]]:3 = call @layer.bwd({{.*}}, %[[G3]]#0)
// DERIVE:         %[[G1:.*]]:3 = call @layer.bwd({{.*}}, %[[G2]]#0)
// DERIVE-DAG:     tensor.expand_shape %[[G1]]#1
// DERIVE-DAG:     tensor.expand_shape %[[G2]]#1
// DERIVE-DAG:     tensor.expand_shape %[[G3]]#1
// DERIVE:         tensor.concat dim(0)

#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d1)>
#none = affine_map<(d0, d1) -> ()>
#A = affine_map<(m, n, k) -> (m, k)>
#B = affine_map<(m, n, k) -> (k, n)>
#C = affine_map<(m, n, k) -> (m, n)>

func.func @main(%start: tensor<2x4xf32> {model.argument = #model.argument<parameter, name = "start">},
                %w: tensor<3x4x4xf32> {model.argument = #model.argument<parameter, name = "w">},
                %b0: tensor<4xf32> {model.argument = #model.argument<parameter, name = "b0">},
                %b1: tensor<4xf32> {model.argument = #model.argument<parameter, name = "b1">},
                %b2: tensor<4xf32> {model.argument = #model.argument<parameter, name = "b2">}) -> tensor<f32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x4xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<2x4xf32>) -> tensor<2x4xf32>
  %mask = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel", "parallel"]} outs(%e : tensor<2x4xf32>) {
  ^bb0(%o: f32):
    %i = linalg.index 1 : index
    %j = arith.index_cast %i : index to i32
    %f = arith.sitofp %j : i32 to f32
    linalg.yield %f : f32
  } -> tensor<2x4xf32>
  %x0 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]} ins(%start, %start : tensor<2x4xf32>, tensor<2x4xf32>) outs(%e : tensor<2x4xf32>) {
  ^bb0(%p: f32, %q: f32, %o: f32):
    %s = arith.addf %p, %q : f32
    linalg.yield %s : f32
  } -> tensor<2x4xf32>

  // Layer 0.
  %w0 = tensor.extract_slice %w[0, 0, 0] [1, 4, 4] [1, 1, 1] : tensor<3x4x4xf32> to tensor<4x4xf32>
  %h0 = linalg.contract indexing_maps = [#A, #B, #C] ins(%x0, %w0 : tensor<2x4xf32>, tensor<4x4xf32>) outs(%z : tensor<2x4xf32>) -> tensor<2x4xf32>
  %a0_0 = linalg.generic {indexing_maps = [#id, #row, #id, #id], iterator_types = ["parallel", "parallel"]} ins(%h0, %b0, %mask : tensor<2x4xf32>, tensor<4xf32>, tensor<2x4xf32>) outs(%e : tensor<2x4xf32>) {
  ^bb0(%p: f32, %q: f32, %r: f32, %o: f32):
    %s = arith.addf %p, %q : f32
    %t = arith.mulf %s, %r : f32
    linalg.yield %t : f32
  } -> tensor<2x4xf32>
  %a0_1 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%a0_0 : tensor<2x4xf32>) outs(%e : tensor<2x4xf32>) {
  ^bb0(%p: f32, %o: f32):
    %s = math.tanh %p : f32
    linalg.yield %s : f32
  } -> tensor<2x4xf32>
  %a0_2 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%a0_1 : tensor<2x4xf32>) outs(%e : tensor<2x4xf32>) {
  ^bb0(%p: f32, %o: f32):
    %s = math.sin %p : f32
    linalg.yield %s : f32
  } -> tensor<2x4xf32>
  %a0_3 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%a0_2 : tensor<2x4xf32>) outs(%e : tensor<2x4xf32>) {
  ^bb0(%p: f32, %o: f32):
    %s = math.cos %p : f32
    linalg.yield %s : f32
  } -> tensor<2x4xf32>
  %a0_4 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%a0_3 : tensor<2x4xf32>) outs(%e : tensor<2x4xf32>) {
  ^bb0(%p: f32, %o: f32):
    %s = math.exp %p : f32
    linalg.yield %s : f32
  } -> tensor<2x4xf32>
  %a0_5 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%a0_4 : tensor<2x4xf32>) outs(%e : tensor<2x4xf32>) {
  ^bb0(%p: f32, %o: f32):
    %s = math.atan %p : f32
    linalg.yield %s : f32
  } -> tensor<2x4xf32>
  %a0_6 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%a0_5 : tensor<2x4xf32>) outs(%e : tensor<2x4xf32>) {
  ^bb0(%p: f32, %o: f32):
    %s = math.erf %p : f32
    linalg.yield %s : f32
  } -> tensor<2x4xf32>
  %a0_7 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%a0_6 : tensor<2x4xf32>) outs(%e : tensor<2x4xf32>) {
  ^bb0(%p: f32, %o: f32):
    %s = math.tanh %p : f32
    linalg.yield %s : f32
  } -> tensor<2x4xf32>
  %x1 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]} ins(%x0, %a0_7 : tensor<2x4xf32>, tensor<2x4xf32>) outs(%e : tensor<2x4xf32>) {
  ^bb0(%p: f32, %q: f32, %o: f32):
    %s = arith.addf %p, %q : f32
    linalg.yield %s : f32
  } -> tensor<2x4xf32>

  // Layer 1.
  %w1 = tensor.extract_slice %w[1, 0, 0] [1, 4, 4] [1, 1, 1] : tensor<3x4x4xf32> to tensor<4x4xf32>
  %h1 = linalg.contract indexing_maps = [#A, #B, #C] ins(%x1, %w1 : tensor<2x4xf32>, tensor<4x4xf32>) outs(%z : tensor<2x4xf32>) -> tensor<2x4xf32>
  %a1_0 = linalg.generic {indexing_maps = [#id, #row, #id, #id], iterator_types = ["parallel", "parallel"]} ins(%h1, %b1, %mask : tensor<2x4xf32>, tensor<4xf32>, tensor<2x4xf32>) outs(%e : tensor<2x4xf32>) {
  ^bb0(%p: f32, %q: f32, %r: f32, %o: f32):
    %s = arith.addf %p, %q : f32
    %t = arith.mulf %s, %r : f32
    linalg.yield %t : f32
  } -> tensor<2x4xf32>
  %a1_1 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%a1_0 : tensor<2x4xf32>) outs(%e : tensor<2x4xf32>) {
  ^bb0(%p: f32, %o: f32):
    %s = math.tanh %p : f32
    linalg.yield %s : f32
  } -> tensor<2x4xf32>
  %a1_2 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%a1_1 : tensor<2x4xf32>) outs(%e : tensor<2x4xf32>) {
  ^bb0(%p: f32, %o: f32):
    %s = math.sin %p : f32
    linalg.yield %s : f32
  } -> tensor<2x4xf32>
  %a1_3 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%a1_2 : tensor<2x4xf32>) outs(%e : tensor<2x4xf32>) {
  ^bb0(%p: f32, %o: f32):
    %s = math.cos %p : f32
    linalg.yield %s : f32
  } -> tensor<2x4xf32>
  %a1_4 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%a1_3 : tensor<2x4xf32>) outs(%e : tensor<2x4xf32>) {
  ^bb0(%p: f32, %o: f32):
    %s = math.exp %p : f32
    linalg.yield %s : f32
  } -> tensor<2x4xf32>
  %a1_5 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%a1_4 : tensor<2x4xf32>) outs(%e : tensor<2x4xf32>) {
  ^bb0(%p: f32, %o: f32):
    %s = math.atan %p : f32
    linalg.yield %s : f32
  } -> tensor<2x4xf32>
  %a1_6 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%a1_5 : tensor<2x4xf32>) outs(%e : tensor<2x4xf32>) {
  ^bb0(%p: f32, %o: f32):
    %s = math.erf %p : f32
    linalg.yield %s : f32
  } -> tensor<2x4xf32>
  %a1_7 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%a1_6 : tensor<2x4xf32>) outs(%e : tensor<2x4xf32>) {
  ^bb0(%p: f32, %o: f32):
    %s = math.tanh %p : f32
    linalg.yield %s : f32
  } -> tensor<2x4xf32>
  %x2 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]} ins(%x1, %a1_7 : tensor<2x4xf32>, tensor<2x4xf32>) outs(%e : tensor<2x4xf32>) {
  ^bb0(%p: f32, %q: f32, %o: f32):
    %s = arith.addf %p, %q : f32
    linalg.yield %s : f32
  } -> tensor<2x4xf32>

  // Layer 2.
  %w2 = tensor.extract_slice %w[2, 0, 0] [1, 4, 4] [1, 1, 1] : tensor<3x4x4xf32> to tensor<4x4xf32>
  %h2 = linalg.contract indexing_maps = [#A, #B, #C] ins(%x2, %w2 : tensor<2x4xf32>, tensor<4x4xf32>) outs(%z : tensor<2x4xf32>) -> tensor<2x4xf32>
  %a2_0 = linalg.generic {indexing_maps = [#id, #row, #id, #id], iterator_types = ["parallel", "parallel"]} ins(%h2, %b2, %mask : tensor<2x4xf32>, tensor<4xf32>, tensor<2x4xf32>) outs(%e : tensor<2x4xf32>) {
  ^bb0(%p: f32, %q: f32, %r: f32, %o: f32):
    %s = arith.addf %p, %q : f32
    %t = arith.mulf %s, %r : f32
    linalg.yield %t : f32
  } -> tensor<2x4xf32>
  %a2_1 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%a2_0 : tensor<2x4xf32>) outs(%e : tensor<2x4xf32>) {
  ^bb0(%p: f32, %o: f32):
    %s = math.tanh %p : f32
    linalg.yield %s : f32
  } -> tensor<2x4xf32>
  %a2_2 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%a2_1 : tensor<2x4xf32>) outs(%e : tensor<2x4xf32>) {
  ^bb0(%p: f32, %o: f32):
    %s = math.sin %p : f32
    linalg.yield %s : f32
  } -> tensor<2x4xf32>
  %a2_3 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%a2_2 : tensor<2x4xf32>) outs(%e : tensor<2x4xf32>) {
  ^bb0(%p: f32, %o: f32):
    %s = math.cos %p : f32
    linalg.yield %s : f32
  } -> tensor<2x4xf32>
  %a2_4 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%a2_3 : tensor<2x4xf32>) outs(%e : tensor<2x4xf32>) {
  ^bb0(%p: f32, %o: f32):
    %s = math.exp %p : f32
    linalg.yield %s : f32
  } -> tensor<2x4xf32>
  %a2_5 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%a2_4 : tensor<2x4xf32>) outs(%e : tensor<2x4xf32>) {
  ^bb0(%p: f32, %o: f32):
    %s = math.atan %p : f32
    linalg.yield %s : f32
  } -> tensor<2x4xf32>
  %a2_6 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%a2_5 : tensor<2x4xf32>) outs(%e : tensor<2x4xf32>) {
  ^bb0(%p: f32, %o: f32):
    %s = math.erf %p : f32
    linalg.yield %s : f32
  } -> tensor<2x4xf32>
  %a2_7 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%a2_6 : tensor<2x4xf32>) outs(%e : tensor<2x4xf32>) {
  ^bb0(%p: f32, %o: f32):
    %s = math.tanh %p : f32
    linalg.yield %s : f32
  } -> tensor<2x4xf32>
  %x3 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]} ins(%x2, %a2_7 : tensor<2x4xf32>, tensor<2x4xf32>) outs(%e : tensor<2x4xf32>) {
  ^bb0(%p: f32, %q: f32, %o: f32):
    %s = arith.addf %p, %q : f32
    linalg.yield %s : f32
  } -> tensor<2x4xf32>

  %e0 = tensor.empty() : tensor<f32>
  %l0 = linalg.fill ins(%zero : f32) outs(%e0 : tensor<f32>) -> tensor<f32>
  %loss = linalg.generic {indexing_maps = [#id, #none], iterator_types = ["reduction", "reduction"]} ins(%x3 : tensor<2x4xf32>) outs(%l0 : tensor<f32>) {
  ^bb0(%p: f32, %o: f32):
    %s = arith.mulf %p, %p : f32
    %r = arith.addf %o, %s : f32
    linalg.yield %r : f32
  } -> tensor<f32>
  return %loss : tensor<f32>
}
