// Where products and copies go: accumulation in the product, operands put into order, objects that change places.
// RUN: plan-opt %s --convert-tasks-to-exec --split-input-file | FileCheck %s

#whole1 = #plan.layout<[[]]>
#whole2 = #plan.layout<[[], []]>
#whole3 = #plan.layout<[[], [], []]>
#id2 = affine_map<(d0, d1) -> (d0, d1)>

// The product adds to the gradient itself; nothing is left of the addition.
// CHECK-LABEL: exec.subprogram @accumulate
// CHECK-NEXT: exec.gemm <@"parameter/x"[0, 16384]> <@"parameter/y"[0, 16384]> into <@"gradient/w"[0, 16384]>
// CHECK-SAME: <m = 64, n = 64, k = 64, a = [1, 64], b = [64, 1], c = [64, 1]> f32 accumulate
// CHECK-NEXT: }
module attributes {plan.mesh = #plan.mesh<dp = 1, mb = 1>, plan.schedule = [#plan.step<@accumulate>]} {
  func.func @accumulate(%x: tensor<64x64xf32> {plan.layout = #whole2, plan.object = #plan.object<parameter, "x">},
                        %y: tensor<64x64xf32> {plan.layout = #whole2, plan.object = #plan.object<parameter, "y">},
                        %g: tensor<64x64xf32> {plan.layout = #whole2, plan.object = #plan.object<gradient, "w">})
      -> (tensor<64x64xf32> {plan.layout = #whole2, plan.object = #plan.object<gradient, "w">}) attributes {plan.task = #plan.task<backward>} {
    %zero = arith.constant 0.0 : f32
    %0 = tensor.empty() : tensor<64x64xf32>
    %1 = linalg.fill ins(%zero : f32) outs(%0 : tensor<64x64xf32>) -> tensor<64x64xf32>
    %2 = linalg.contract indexing_maps = [affine_map<(i, j, k) -> (k, i)>, affine_map<(i, j, k) -> (k, j)>, affine_map<(i, j, k) -> (i, j)>]
        ins(%x, %y : tensor<64x64xf32>, tensor<64x64xf32>) outs(%1 : tensor<64x64xf32>) -> tensor<64x64xf32>
    %3 = linalg.generic {indexing_maps = [#id2, #id2], iterator_types = ["parallel", "parallel"]}
        ins(%2 : tensor<64x64xf32>) outs(%g : tensor<64x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %s = arith.addf %out, %in : f32
      linalg.yield %s : f32
    } -> tensor<64x64xf32>
    return %3 : tensor<64x64xf32>
  }
}

// -----

#whole2 = #plan.layout<[[], []]>

// Objects that change places go through a temporary; one that stays needs nothing.
// CHECK-LABEL: exec.subprogram @swap
// CHECK-NEXT: exec.copy <@"parameter/b"[0, 16]> to <[[B:@"temporary/[0-9]+"]][0, 16]>
// CHECK-NEXT: exec.copy <@"parameter/a"[0, 16]> to <[[A:@"temporary/[0-9]+"]][0, 16]>
// CHECK-NEXT: exec.copy <[[B]][0, 16]> to <@"parameter/a"[0, 16]>
// CHECK-NEXT: exec.copy <[[A]][0, 16]> to <@"parameter/b"[0, 16]>
// CHECK-NEXT: }
module attributes {plan.mesh = #plan.mesh<dp = 1, mb = 1>, plan.schedule = [#plan.step<@swap>]} {
  func.func @swap(%a: tensor<2x2xf32> {plan.layout = #whole2, plan.object = #plan.object<parameter, "a">},
                  %b: tensor<2x2xf32> {plan.layout = #whole2, plan.object = #plan.object<parameter, "b">},
                  %c: tensor<2x2xf32> {plan.layout = #whole2, plan.object = #plan.object<parameter, "c">})
      -> (tensor<2x2xf32> {plan.layout = #whole2, plan.object = #plan.object<parameter, "a">},
          tensor<2x2xf32> {plan.layout = #whole2, plan.object = #plan.object<parameter, "b">},
          tensor<2x2xf32> {plan.layout = #whole2, plan.object = #plan.object<parameter, "c">}) attributes {plan.task = #plan.task<update>} {
    return %b, %a, %c : tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>
  }
}

// -----

#whole1 = #plan.layout<[[]]>
#id1 = affine_map<(d0) -> (d0)>

// The old value of an object is read after the new one exists: the new one waits in a temporary.
// CHECK-LABEL: exec.subprogram @late
// CHECK-NEXT: exec.launch {{.*}}#exec.operand<read <@"parameter/a"[0, 16]>>, #exec.operand<write <[[NEW:@"temporary/[0-9]+"]][0, 16]>>
// CHECK-NEXT: exec.launch {{.*}}#exec.operand<read <[[NEW]][0, 16]>>, #exec.operand<read <@"parameter/a"[0, 16]>>, #exec.operand<write <@"state/s"[0, 16]>>
// CHECK-NEXT: exec.copy <[[NEW]][0, 16]> to <@"parameter/a"[0, 16]>
// CHECK-NEXT: }
// A task must not change an object that it does not give back: the update works on a copy.
// CHECK-LABEL: exec.subprogram @keeps
// CHECK-NEXT: exec.copy <@"parameter/a"[0, 16]> to <@"state/s"[0, 16]>
// CHECK-NEXT: exec.launch {{.*}}#exec.operand<update <@"state/s"[0, 16]>>
// CHECK-NEXT: }
module attributes {plan.mesh = #plan.mesh<dp = 1, mb = 1>, plan.schedule = [#plan.step<@late>, #plan.step<@keeps>]} {
  func.func @late(%a: tensor<4xf32> {plan.layout = #whole1, plan.object = #plan.object<parameter, "a">})
      -> (tensor<4xf32> {plan.layout = #whole1, plan.object = #plan.object<parameter, "a">},
          tensor<4xf32> {plan.layout = #whole1, plan.object = #plan.object<state, "s">}) attributes {plan.task = #plan.task<update>} {
    %0 = tensor.empty() : tensor<4xf32>
    %1 = linalg.generic {indexing_maps = [#id1, #id1], iterator_types = ["parallel"]} ins(%a : tensor<4xf32>) outs(%0 : tensor<4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %s = arith.negf %in : f32
      linalg.yield %s : f32
    } -> tensor<4xf32>
    %2 = tensor.empty() : tensor<4xf32>
    %3 = linalg.generic {indexing_maps = [#id1, #id1, #id1], iterator_types = ["parallel"]} ins(%1, %a : tensor<4xf32>, tensor<4xf32>) outs(%2 : tensor<4xf32>) {
    ^bb0(%x: f32, %y: f32, %out: f32):
      %s = arith.addf %x, %y : f32
      linalg.yield %s : f32
    } -> tensor<4xf32>
    return %1, %3 : tensor<4xf32>, tensor<4xf32>
  }
  func.func @keeps(%a: tensor<4xf32> {plan.layout = #whole1, plan.object = #plan.object<parameter, "a">})
      -> (tensor<4xf32> {plan.layout = #whole1, plan.object = #plan.object<state, "s">}) attributes {plan.task = #plan.task<update>} {
    %c = arith.constant 2.0 : f32
    %0 = linalg.generic {indexing_maps = [#id1], iterator_types = ["parallel"]} outs(%a : tensor<4xf32>) {
    ^bb0(%out: f32):
      %two = arith.constant 2.0 : f32
      %s = arith.mulf %out, %two : f32
      linalg.yield %s : f32
    } -> tensor<4xf32>
    return %0 : tensor<4xf32>
  }
}

// -----

#whole3 = #plan.layout<[[], [], []]>

// No stride of a's matrices is 1, for the loop over h is innermost: it is copied into order, once for both products.
// CHECK-LABEL: exec.subprogram @order
// CHECK-NEXT: exec.launch {{.*}}read <@"parameter/a"{{.*}}write <[[A:@"temporary/[0-9]+"]]
// CHECK-NEXT: exec.gemm <[[A]]{{.*}} into <@"residual/0"{{.*}}loops = [<4, a = 1024, b = 1024, c = 1024>]> f32
// CHECK-NEXT: exec.gemm <[[A]]{{.*}} into <@"residual/1"
// CHECK-NEXT: }
module attributes {plan.mesh = #plan.mesh<dp = 1, mb = 1>, plan.schedule = [#plan.step<@order>]} {
  func.func @order(%a: tensor<32x32x4xf32> {plan.layout = #whole3, plan.object = #plan.object<parameter, "a">},
                   %b: tensor<4x32x32xf32> {plan.layout = #whole3, plan.object = #plan.object<parameter, "b">},
                   %d: tensor<4x32x32xf32> {plan.layout = #whole3, plan.object = #plan.object<parameter, "d">})
      -> (tensor<4x32x32xf32> {plan.layout = #whole3, plan.object = #plan.object<residual, "0">},
          tensor<4x32x32xf32> {plan.layout = #whole3, plan.object = #plan.object<residual, "1">}) attributes {plan.task = #plan.task<forward>} {
    %zero = arith.constant 0.0 : f32
    %0 = tensor.empty() : tensor<4x32x32xf32>
    %1 = linalg.fill ins(%zero : f32) outs(%0 : tensor<4x32x32xf32>) -> tensor<4x32x32xf32>
    %2 = linalg.contract indexing_maps = [affine_map<(h, i, j, k) -> (i, k, h)>, affine_map<(h, i, j, k) -> (h, k, j)>, affine_map<(h, i, j, k) -> (h, i, j)>]
        ins(%a, %b : tensor<32x32x4xf32>, tensor<4x32x32xf32>) outs(%1 : tensor<4x32x32xf32>) -> tensor<4x32x32xf32>
    %3 = linalg.contract indexing_maps = [affine_map<(h, i, j, k) -> (i, k, h)>, affine_map<(h, i, j, k) -> (h, k, j)>, affine_map<(h, i, j, k) -> (h, i, j)>]
        ins(%a, %d : tensor<32x32x4xf32>, tensor<4x32x32xf32>) outs(%1 : tensor<4x32x32xf32>) -> tensor<4x32x32xf32>
    return %2, %3 : tensor<4x32x32xf32>, tensor<4x32x32xf32>
  }
}
