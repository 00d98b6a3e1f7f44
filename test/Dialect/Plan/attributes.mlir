// The plan dialect's attributes print as they were read.
// RUN: plan-opt %s | plan-opt | FileCheck %s

// CHECK: #plan.mesh<dp = 2, mb = 4>
// CHECK-SAME: #plan.step<@zero>, #plan.step<@forward, mb = 3>
// CHECK-SAME: #plan.strategy<dp = 2, tp = 4, pp = 3, cp = 5, ep = 2, micro_batches = 6, sequence_parallel = true>
// CHECK-SAME: test.defaults = #plan.strategy<>
// CHECK-SAME: test.pins = #plan.strategy<tp = 2, pins = {"a b\22" = #plan.layout<[]>, "layers/0.w" = #plan.layout<{{\[}}[dp], [tp, mb]]>, w = #plan.layout<{{\[}}[]]>}>,
// CHECK-SAME: test.some = #plan.strategy<dp = 8, micro_batches = 2>
module attributes {
  plan.mesh = #plan.mesh<dp = 2, mb = 4>,
  plan.schedule = [#plan.step<@zero>, #plan.step<@forward, mb = 3>],
  plan.strategy = #plan.strategy<dp = 2, tp = 4, pp = 3, cp = 5, ep = 2, micro_batches = 6, sequence_parallel = true>,
  test.pins = #plan.strategy<pins = {"w" = #plan.layout<[[]]>, "layers/0.w" = #plan.layout<[[dp], [tp, mb]]>,
                                     "a b\"" = #plan.layout<[]>}, tp = 2>,
  test.defaults = #plan.strategy<tp = 1, sequence_parallel = false>,
  test.some = #plan.strategy<micro_batches = 2, cp = 1, dp = 8>
} {
  // CHECK: @forward
  // CHECK-SAME: plan.layout = #plan.layout<{{\[}}[dp, mb], []]>, plan.object = #plan.object<input, "x">
  // CHECK-SAME: plan.layout = #plan.layout<[], partial = {dp = sum, tp = max}>
  // CHECK-SAME: plan.task = #plan.task<forward>
  func.func private @forward(
      tensor<2x4xf32> {plan.layout = #plan.layout<[[dp, mb], []]>, plan.object = #plan.object<input, "x">})
      -> (tensor<f32> {plan.layout = #plan.layout<[], partial = {dp = sum, tp = max}>})
      attributes {plan.task = #plan.task<forward>}

  func.func @assignments(%a: tensor<8xf32>) -> tensor<8xf32> {
    // CHECK: plan.assignment = #plan.assignment<{{\[}}[dp, mb]]>
    %0 = math.exp %a {plan.assignment = #plan.assignment<[[dp, mb]]>} : tensor<8xf32>
    // CHECK: plan.assignment = #plan.assignment<{{\[}}[]], partial = {{\[}}[dp]]>
    %1 = arith.negf %0 {plan.assignment = #plan.assignment<[[]], partial = [[dp]]>} : tensor<8xf32>
    return %1 : tensor<8xf32>
  }
}
