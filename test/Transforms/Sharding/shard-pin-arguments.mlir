// What the strategy pins stands on the arguments of every task that takes them; axes of one rank are left out.
// RUN: plan-opt %s --shard-pin-arguments | FileCheck %s

module attributes {
  plan.mesh = #plan.mesh<dp = 2, tp = 2, mb = 2>,
  plan.strategy = #plan.strategy<dp = 2, tp = 2, micro_batches = 2,
                                 pins = {"w" = #plan.layout<[[cp], [tp, dp]]>, "x" = #plan.layout<[[dp, mb, cp], [tp]]>}>
} {
  // CHECK-LABEL: func.func @forward
  // CHECK-SAME:  tensor<6x4xf32> {plan.layout = #plan.layout<{{\[}}[], [tp, dp]]>, plan.object = #plan.object<parameter, "w">, plan.pinned}
  // CHECK-SAME:  tensor<6x4xf32> {plan.object = #plan.object<parameter, "v">}
  // CHECK-SAME:  tensor<8x6xf32> {plan.layout = #plan.layout<{{\[}}[dp, mb], [tp]]>, plan.object = #plan.object<input, "x">, plan.pinned}
  func.func @forward(%w: tensor<6x4xf32> {plan.object = #plan.object<parameter, "w">},
                     %v: tensor<6x4xf32> {plan.object = #plan.object<parameter, "v">},
                     %x: tensor<8x6xf32> {plan.object = #plan.object<input, "x">})
      attributes {plan.task = #plan.task<forward>} {
    return
  }
  // CHECK-LABEL: func.func @backward
  // CHECK-SAME:  tensor<8x6xf32> {plan.layout = #plan.layout<{{\[}}[dp, mb], [tp]]>, plan.object = #plan.object<input, "x">, plan.pinned}
  // CHECK-SAME:  tensor<6x4xf32> {plan.layout = #plan.layout<{{\[}}[], [tp, dp]]>, plan.object = #plan.object<parameter, "w">, plan.pinned}
  func.func @backward(%x: tensor<8x6xf32> {plan.object = #plan.object<input, "x">},
                      %w: tensor<6x4xf32> {plan.object = #plan.object<parameter, "w">})
      attributes {plan.task = #plan.task<backward>} {
    return
  }
}
