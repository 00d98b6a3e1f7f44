// Axes go from arguments to ops; partial sums pass through what is linear in them.
// RUN: plan-opt %s --shard-propagate --split-input-file | FileCheck %s

#id = affine_map<(b, n) -> (b, n)>
#all = affine_map<(b, n) -> ()>
#scalar = affine_map<() -> ()>
module attributes {plan.mesh = #plan.mesh<dp = 2, mb = 2>} {
  // CHECK-LABEL: func.func @forward
  // CHECK-SAME:  tensor<4x3xf32> {plan.layout = #plan.layout<{{\[}}[], []]>, plan.object = #plan.object<parameter, "w">}
  // CHECK-SAME:  plan.layout = #plan.layout<{{\[}}[dp, mb], []]>, plan.object = #plan.object<input, "x">}
  // CHECK-SAME:  -> (tensor<f32> {plan.layout = #plan.layout<[], partial = {dp = sum, mb = sum}>, plan.object = #plan.object<loss, "loss">}
  // CHECK-SAME:      tensor<8x3xf32> {plan.layout = #plan.layout<{{\[}}[dp, mb], []]>, plan.object = #plan.object<residual, "0">})
  func.func @forward(%w: tensor<4x3xf32> {plan.object = #plan.object<parameter, "w">},
                     %x: tensor<8x4xf32> {model.argument = #model.argument<input, name = "x", batchDim = 0>, plan.object = #plan.object<input, "x">})
      -> (tensor<f32> {plan.object = #plan.object<loss, "loss">}, tensor<8x3xf32> {plan.object = #plan.object<residual, "0">})
      attributes {plan.task = #plan.task<forward>} {
    %zero = arith.constant 0.0 : f32
    %0 = tensor.empty() : tensor<8x3xf32>
    // The accumulator is wanted in blocks by its only user.
    // CHECK: linalg.fill {plan.assignment = #plan.assignment<{{\[}}[dp, mb], []]>}
    %1 = linalg.fill ins(%zero : f32) outs(%0 : tensor<8x3xf32>) -> tensor<8x3xf32>
    // CHECK: linalg.contract
    // CHECK-SAME: plan.assignment = #plan.assignment<{{\[}}[dp, mb], [], []]>
    %xw = linalg.contract indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>]
        ins(%x, %w : tensor<8x4xf32>, tensor<4x3xf32>) outs(%1 : tensor<8x3xf32>) -> tensor<8x3xf32>
    %2 = tensor.empty() : tensor<f32>
    %3 = linalg.fill ins(%zero : f32) outs(%2 : tensor<f32>) -> tensor<f32>
    // CHECK: linalg.generic {{.*}} ["reduction", "reduction"]{{.*}} attrs = {plan.assignment = #plan.assignment<{{\[}}[dp, mb], []]>}
    %sum = linalg.generic {indexing_maps = [#id, #all], iterator_types = ["reduction", "reduction"]}
        ins(%xw : tensor<8x3xf32>) outs(%3 : tensor<f32>) {
    ^bb0(%a: f32, %o: f32):
      %q = arith.mulf %a, %a : f32
      %t = arith.addf %o, %q : f32
      linalg.yield %t : f32
    } -> tensor<f32>
    // A mean is linear: the sum stays partial.
    // CHECK: linalg.generic {{.*}} attrs = {plan.assignment = #plan.assignment<[], partial = {{\[}}[dp, mb], []]>}
    %loss = linalg.generic {indexing_maps = [#scalar, #scalar], iterator_types = []}
        ins(%sum : tensor<f32>) outs(%2 : tensor<f32>) {
    ^bb0(%a: f32, %o: f32):
      %n = arith.constant 24.0 : f32
      %q = arith.divf %a, %n : f32
      linalg.yield %q : f32
    } -> tensor<f32>
    return %loss, %xw : tensor<f32>, tensor<8x3xf32>
  }

  // A residual lies as forward left it; the weight gradient stays partial over ranks and micro-batches.
  // CHECK-LABEL: func.func @backward
  // CHECK-SAME:  plan.layout = #plan.layout<{{\[}}[dp, mb], []]>, plan.object = #plan.object<residual, "0">}
  // CHECK-SAME:  -> (tensor<4x3xf32> {plan.layout = #plan.layout<{{\[}}[], []], partial = {dp = sum, mb = sum}>, plan.object = #plan.object<gradient, "w">})
  func.func @backward(%x: tensor<8x4xf32> {model.argument = #model.argument<input, name = "x", batchDim = 0>, plan.object = #plan.object<input, "x">},
                      %r: tensor<8x3xf32> {plan.object = #plan.object<residual, "0">})
      -> (tensor<4x3xf32> {plan.object = #plan.object<gradient, "w">}) attributes {plan.task = #plan.task<backward>} {
    %zero = arith.constant 0.0 : f32
    %0 = tensor.empty() : tensor<4x3xf32>
    %1 = linalg.fill ins(%zero : f32) outs(%0 : tensor<4x3xf32>) -> tensor<4x3xf32>
    %dw = linalg.contract indexing_maps = [affine_map<(m, n, k) -> (k, m)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>]
        ins(%x, %r : tensor<8x4xf32>, tensor<8x3xf32>) outs(%1 : tensor<4x3xf32>) -> tensor<4x3xf32>
    return %dw : tensor<4x3xf32>
  }
}

// -----

// What the user pins stays: here the weight's columns lie on tp, and so do the contraction's.
module attributes {plan.mesh = #plan.mesh<dp = 2, tp = 2>} {
  // CHECK-LABEL: func.func @forward
  // CHECK: linalg.contract
  // CHECK-SAME: plan.assignment = #plan.assignment<{{\[}}[dp], [tp], []]>
  func.func @forward(%w: tensor<4x6xf32> {plan.layout = #plan.layout<[[], [tp]]>, plan.object = #plan.object<parameter, "w">},
                     %x: tensor<8x4xf32> {model.argument = #model.argument<input, name = "x", batchDim = 0>, plan.object = #plan.object<input, "x">})
      -> (tensor<8x6xf32> {plan.object = #plan.object<residual, "0">}) attributes {plan.task = #plan.task<forward>} {
    %zero = arith.constant 0.0 : f32
    %0 = tensor.empty() : tensor<8x6xf32>
    %1 = linalg.fill ins(%zero : f32) outs(%0 : tensor<8x6xf32>) -> tensor<8x6xf32>
    %2 = linalg.contract indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>]
        ins(%x, %w : tensor<8x4xf32>, tensor<4x6xf32>) outs(%1 : tensor<8x6xf32>) -> tensor<8x6xf32>
    return %2 : tensor<8x6xf32>
  }
}
