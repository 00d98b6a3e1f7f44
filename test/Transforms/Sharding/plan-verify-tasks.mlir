// A training step that is complete passes, and is left as it is.
// RUN: plan-opt %s --plan-verify-tasks | FileCheck %s

// CHECK: plan.schedule
module attributes {plan.mesh = #plan.mesh<dp = 2, mb = 1>,
                   plan.schedule = [#plan.step<@forward, mb = 0>, #plan.step<@backward, mb = 0>, #plan.step<@reduce>, #plan.step<@update>]} {
  func.func @forward(%x: tensor<4xf32> {plan.layout = #plan.layout<[[dp]]>, plan.object = #plan.object<input, "x">})
      -> (tensor<4xf32> {plan.layout = #plan.layout<[[dp]]>, plan.object = #plan.object<residual, "0">}) attributes {plan.task = #plan.task<forward>} {
    return %x : tensor<4xf32>
  }
  func.func @backward(%r: tensor<4xf32> {plan.layout = #plan.layout<[[dp]]>, plan.object = #plan.object<residual, "0">})
      -> (tensor<4xf32> {plan.layout = #plan.layout<[[]], partial = {dp = sum}>, plan.object = #plan.object<gradient, "w">}) attributes {plan.task = #plan.task<backward>} {
    return %r : tensor<4xf32>
  }
  func.func @reduce(%g: tensor<4xf32> {plan.layout = #plan.layout<[[]], partial = {dp = sum}>, plan.object = #plan.object<gradient, "w">})
      -> (tensor<4xf32> {plan.layout = #plan.layout<[[]]>, plan.object = #plan.object<gradient, "w">}) attributes {plan.task = #plan.task<reduce>} {
    %0 = comm.all_reduce %g axes = ["dp"] combiner = sum : tensor<4xf32>
    return %0 : tensor<4xf32>
  }
  func.func @update(%w: tensor<4xf32> {plan.layout = #plan.layout<[[]]>, plan.object = #plan.object<parameter, "w">},
                    %g: tensor<4xf32> {plan.layout = #plan.layout<[[]]>, plan.object = #plan.object<gradient, "w">})
      -> (tensor<4xf32> {plan.layout = #plan.layout<[[]]>, plan.object = #plan.object<parameter, "w">}) attributes {plan.task = #plan.task<update>} {
    return %g : tensor<4xf32>
  }
}
