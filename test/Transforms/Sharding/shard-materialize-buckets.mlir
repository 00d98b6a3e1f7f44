// Gradients are reduced in buckets, in the order in which backward gives them; what is whole is not reduced.
// RUN: plan-opt %s --shard-materialize | FileCheck %s --check-prefix=ONE
// RUN: plan-opt %s --shard-materialize="bucket-bytes=48" | FileCheck %s --check-prefix=SMALL

// ONE-LABEL:   func.func @reduce
// ONE:         comm.all_reduce %{{.*}}, %{{.*}}, %{{.*}} axes = ["dp"] combiner = sum : tensor<4xf32>, tensor<8xf32>, tensor<2xf32>
// ONE-NEXT:    comm.all_reduce %{{.*}} axes = ["dp"] combiner = sum : tensor<4xf64>
// ONE-NOT:     comm.

// SMALL-LABEL: func.func @reduce
// SMALL:       comm.all_reduce %{{.*}}, %{{.*}} axes = ["dp"] combiner = sum : tensor<4xf32>, tensor<8xf32>
// SMALL-NEXT:  comm.all_reduce %{{.*}} axes = ["dp"] combiner = sum : tensor<4xf64>
// SMALL-NEXT:  comm.all_reduce %{{.*}} axes = ["dp"] combiner = sum : tensor<2xf32>
module attributes {plan.mesh = #plan.mesh<dp = 2, mb = 1>} {
  func.func @backward(%a: tensor<4xf32> {plan.layout = #plan.layout<[[]], partial = {dp = sum}>, plan.object = #plan.object<residual, "0">},
                      %b: tensor<8xf32> {plan.layout = #plan.layout<[[]], partial = {dp = sum}>, plan.object = #plan.object<residual, "1">},
                      %c: tensor<4xf64> {plan.layout = #plan.layout<[[]], partial = {dp = sum}>, plan.object = #plan.object<residual, "2">},
                      %d: tensor<2xf32> {plan.layout = #plan.layout<[[]], partial = {dp = sum}>, plan.object = #plan.object<residual, "3">},
                      %e: tensor<16xf32> {plan.layout = #plan.layout<[[]]>, plan.object = #plan.object<residual, "4">})
      -> (tensor<4xf32> {plan.layout = #plan.layout<[[]], partial = {dp = sum}>, plan.object = #plan.object<gradient, "a">},
          tensor<8xf32> {plan.layout = #plan.layout<[[]], partial = {dp = sum}>, plan.object = #plan.object<gradient, "b">},
          tensor<4xf64> {plan.layout = #plan.layout<[[]], partial = {dp = sum}>, plan.object = #plan.object<gradient, "c">},
          tensor<2xf32> {plan.layout = #plan.layout<[[]], partial = {dp = sum}>, plan.object = #plan.object<gradient, "d">},
          tensor<16xf32> {plan.layout = #plan.layout<[[]]>, plan.object = #plan.object<gradient, "e">})
      attributes {plan.task = #plan.task<backward>} {
    return %a, %b, %c, %d, %e : tensor<4xf32>, tensor<8xf32>, tensor<4xf64>, tensor<2xf32>, tensor<16xf32>
  }
}
