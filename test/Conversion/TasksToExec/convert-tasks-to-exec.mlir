// Tasks of a linear model on two ranks and two micro-batches: loss = sum((x w + b - y)^2).
// RUN: plan-opt %s --convert-tasks-to-exec | FileCheck %s
// RUN: plan-opt %s --convert-tasks-to-exec --exec-assign-offsets --exec-verify | FileCheck %s --check-prefix=OFFSETS

#id1 = affine_map<(d0) -> (d0)>
#id2 = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d1)>
#scalar1 = affine_map<(d0) -> ()>
#scalar2 = affine_map<(d0, d1) -> ()>
#whole = #plan.layout<[[], []]>
#partial = #plan.layout<[[], []], partial = {dp = sum}>
#batch = #plan.layout<[[dp, mb], []]>

// CHECK-LABEL: exec.program @step axes ["dp", "mb"] sizes [2, 2]
// OFFSETS: exec.program @step axes ["dp", "mb"] sizes [2, 2] arena {{[0-9]+}}
// Every kernel carries its text.
// CHECK: exec.kernel @{{.*}} in "kernels/host.so" family "{{.*}}" source
// CHECK: exec.communicator @"communicator/dp" axes ["dp"]

// Parameters first; what is reduced together lies in one bucket, at multiples of 64 bytes.
// CHECK: exec.buffer @"parameter/w" parameter "w" tensor<4x3xf32> size 48
// CHECK-SAME: dimension_axes = {{\[\[}}], []], global_shape = array<i64: 4, 3>
// CHECK: exec.buffer @"literal/0" literal "0" tensor<3xf32> size 12 data dense<[1.000000e+00, 2.000000e+00, 3.000000e+00]>
// CHECK: exec.buffer @"bucket/0" bucket "0" tensor<19xf32> size 76
// CHECK: exec.buffer @"gradient/w" gradient "w" tensor<4x3xf32> size 48 part of @"bucket/0" at 0
// CHECK: exec.buffer @"gradient/b" gradient "b" tensor<3xf32> size 12 part of @"bucket/0" at 64
// An input holds one block for each micro-batch.
// CHECK: exec.buffer @"input/x" input "x" tensor<2x4xf32> size 64
// CHECK-SAME: dimension_axes = {{\[\[}}"dp", "mb"], []], global_shape = array<i64: 8, 4>
// CHECK: exec.buffer @"residual/0" residual "0" tensor<2x3xf32> size 24
module attributes {plan.mesh = #plan.mesh<dp = 2, mb = 2>,
    plan.schedule = [#plan.step<@zero>, #plan.step<@forward, mb = 0>, #plan.step<@backward, mb = 0>, #plan.step<@forward, mb = 1>,
                     #plan.step<@backward, mb = 1>, #plan.step<@reduce>, #plan.step<@update>]} {

  // Fills with zero bits need no kernel.
  // CHECK-LABEL: exec.subprogram @zero
  // CHECK-NEXT: exec.zero <@"loss/loss"[0, 4]>
  // CHECK-NEXT: exec.zero <@"gradient/w"[0, 48]>
  // CHECK-NEXT: exec.zero <@"gradient/b"[0, 12]>
  // CHECK-NEXT: }
  func.func @zero() -> (tensor<f32> {plan.layout = #plan.layout<[], partial = {dp = sum}>, plan.object = #plan.object<loss, "loss">},
                        tensor<4x3xf32> {plan.layout = #partial, plan.object = #plan.object<gradient, "w">},
                        tensor<3xf32> {plan.layout = #plan.layout<[[]], partial = {dp = sum}>, plan.object = #plan.object<gradient, "b">})
      attributes {plan.task = #plan.task<zero>} {
    %zero = arith.constant 0.0 : f32
    %0 = tensor.empty() : tensor<f32>
    %l = linalg.fill ins(%zero : f32) outs(%0 : tensor<f32>) -> tensor<f32>
    %1 = tensor.empty() : tensor<4x3xf32>
    %g = linalg.fill ins(%zero : f32) outs(%1 : tensor<4x3xf32>) -> tensor<4x3xf32>
    %2 = tensor.empty() : tensor<3xf32>
    %h = linalg.fill ins(%zero : f32) outs(%2 : tensor<3xf32>) -> tensor<3xf32>
    return %l, %g, %h : tensor<f32>, tensor<4x3xf32>, tensor<3xf32>
  }

  // The residual is computed in its place, the loss is added in place; inputs are read through a base.
  // CHECK-LABEL: exec.subprogram @forward
  // CHECK: #exec.operand<read <@"input/x"[0, 32] base 1>>
  // CHECK: #exec.operand<read <@"input/y"[0, 24] base 2>>, {{.*}}#exec.operand<write <@"residual/0"[0, 24]>>
  // CHECK: #exec.operand<read <@"residual/0"[0, 24]>>, #exec.operand<write <[[PART:@"temporary/[0-9]+"]][0, 4]>>
  // CHECK: #exec.operand<read <[[PART]][0, 4]>>, #exec.operand<update <@"loss/loss"[0, 4]>>
  // CHECK-NEXT: }
  func.func @forward(%w: tensor<4x3xf32> {plan.layout = #whole, plan.object = #plan.object<parameter, "w">},
                     %b: tensor<3xf32> {plan.layout = #plan.layout<[[]]>, plan.object = #plan.object<parameter, "b">},
                     %x: tensor<2x4xf32> {plan.layout = #batch, plan.object = #plan.object<input, "x">},
                     %y: tensor<2x3xf32> {plan.layout = #batch, plan.object = #plan.object<input, "y">},
                     %acc: tensor<f32> {plan.layout = #plan.layout<[], partial = {dp = sum}>, plan.object = #plan.object<loss, "loss">})
      -> (tensor<f32> {plan.layout = #plan.layout<[], partial = {dp = sum}>, plan.object = #plan.object<loss, "loss">},
          tensor<2x3xf32> {plan.layout = #batch, plan.object = #plan.object<residual, "0">})
      attributes {plan.task = #plan.task<forward>} {
    %zero = arith.constant 0.0 : f32
    %0 = tensor.empty() : tensor<2x3xf32>
    %1 = linalg.fill ins(%zero : f32) outs(%0 : tensor<2x3xf32>) -> tensor<2x3xf32>
    %p = linalg.contract indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (k, j)>, affine_map<(i, j, k) -> (i, j)>]
        ins(%x, %w : tensor<2x4xf32>, tensor<4x3xf32>) outs(%1 : tensor<2x3xf32>) -> tensor<2x3xf32>
    %2 = tensor.empty() : tensor<2x3xf32>
    %r = linalg.generic {indexing_maps = [#id2, #row, #id2, #id2], iterator_types = ["parallel", "parallel"]}
        ins(%p, %b, %y : tensor<2x3xf32>, tensor<3xf32>, tensor<2x3xf32>) outs(%2 : tensor<2x3xf32>) {
    ^bb0(%pi: f32, %bi: f32, %yi: f32, %out: f32):
      %s = arith.addf %pi, %bi : f32
      %d = arith.subf %s, %yi : f32
      linalg.yield %d : f32
    } -> tensor<2x3xf32>
    %3 = tensor.empty() : tensor<f32>
    %4 = linalg.fill ins(%zero : f32) outs(%3 : tensor<f32>) -> tensor<f32>
    %part = linalg.generic {indexing_maps = [#id2, #scalar2], iterator_types = ["reduction", "reduction"]}
        ins(%r : tensor<2x3xf32>) outs(%4 : tensor<f32>) {
    ^bb0(%ri: f32, %out: f32):
      %s = arith.mulf %ri, %ri : f32
      %a = arith.addf %out, %s : f32
      linalg.yield %a : f32
    } -> tensor<f32>
    %l = linalg.generic {indexing_maps = [affine_map<() -> ()>, affine_map<() -> ()>], iterator_types = []}
        ins(%part : tensor<f32>) outs(%acc : tensor<f32>) {
    ^bb0(%in: f32, %out: f32):
      %s = arith.addf %out, %in : f32
      linalg.yield %s : f32
    } -> tensor<f32>
    return %l, %r : tensor<f32>, tensor<2x3xf32>
  }

  // CHECK-LABEL: exec.subprogram @backward
  // CHECK: #exec.operand<read <@"literal/0"[0, 12]>>
  // CHECK: #exec.operand<update <@"gradient/w"[0, 48]>>
  // CHECK: #exec.operand<update <@"gradient/b"[0, 12]>>
  // CHECK-NEXT: }
  func.func @backward(%x: tensor<2x4xf32> {plan.layout = #batch, plan.object = #plan.object<input, "x">},
                      %r: tensor<2x3xf32> {plan.layout = #batch, plan.object = #plan.object<residual, "0">},
                      %gw: tensor<4x3xf32> {plan.layout = #partial, plan.object = #plan.object<gradient, "w">},
                      %gb: tensor<3xf32> {plan.layout = #plan.layout<[[]], partial = {dp = sum}>, plan.object = #plan.object<gradient, "b">})
      -> (tensor<4x3xf32> {plan.layout = #partial, plan.object = #plan.object<gradient, "w">},
          tensor<3xf32> {plan.layout = #plan.layout<[[]], partial = {dp = sum}>, plan.object = #plan.object<gradient, "b">})
      attributes {plan.task = #plan.task<backward>} {
    %zero = arith.constant 0.0 : f32
    %scale = arith.constant dense<[1.0, 2.0, 3.0]> : tensor<3xf32>
    %0 = tensor.empty() : tensor<2x3xf32>
    %d = linalg.generic {indexing_maps = [#id2, #row, #id2], iterator_types = ["parallel", "parallel"]}
        ins(%r, %scale : tensor<2x3xf32>, tensor<3xf32>) outs(%0 : tensor<2x3xf32>) {
    ^bb0(%ri: f32, %si: f32, %out: f32):
      %t = arith.mulf %ri, %si : f32
      linalg.yield %t : f32
    } -> tensor<2x3xf32>
    %1 = tensor.empty() : tensor<4x3xf32>
    %2 = linalg.fill ins(%zero : f32) outs(%1 : tensor<4x3xf32>) -> tensor<4x3xf32>
    %dw = linalg.contract indexing_maps = [affine_map<(i, j, k) -> (k, i)>, affine_map<(i, j, k) -> (k, j)>, affine_map<(i, j, k) -> (i, j)>]
        ins(%x, %d : tensor<2x4xf32>, tensor<2x3xf32>) outs(%2 : tensor<4x3xf32>) -> tensor<4x3xf32>
    %g = linalg.generic {indexing_maps = [#id2, #id2], iterator_types = ["parallel", "parallel"]}
        ins(%dw : tensor<4x3xf32>) outs(%gw : tensor<4x3xf32>) {
    ^bb0(%in: f32, %out: f32):
      %s = arith.addf %out, %in : f32
      linalg.yield %s : f32
    } -> tensor<4x3xf32>
    %3 = tensor.empty() : tensor<3xf32>
    %4 = linalg.fill ins(%zero : f32) outs(%3 : tensor<3xf32>) -> tensor<3xf32>
    %db = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d1, d0)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]}
        ins(%d : tensor<2x3xf32>) outs(%4 : tensor<3xf32>) {
    ^bb0(%in: f32, %out: f32):
      %s = arith.addf %out, %in : f32
      linalg.yield %s : f32
    } -> tensor<3xf32>
    %h = linalg.generic {indexing_maps = [#id1, #id1], iterator_types = ["parallel"]} ins(%db : tensor<3xf32>) outs(%gb : tensor<3xf32>) {
    ^bb0(%in: f32, %out: f32):
      %s = arith.addf %out, %in : f32
      linalg.yield %s : f32
    } -> tensor<3xf32>
    return %g, %h : tensor<4x3xf32>, tensor<3xf32>
  }

  // One exchange for the bucket, gap included.
  // CHECK-LABEL: exec.subprogram @reduce
  // CHECK-NEXT: exec.all_reduce sum <@"loss/loss"[0, 4]> to <@"loss/loss"[0, 4]> over @"communicator/dp" f32
  // CHECK-NEXT: exec.all_reduce sum <@"bucket/0"[0, 76]> to <@"bucket/0"[0, 76]> over @"communicator/dp" f32
  // CHECK-NEXT: }
  func.func @reduce(%l: tensor<f32> {plan.layout = #plan.layout<[], partial = {dp = sum}>, plan.object = #plan.object<loss, "loss">},
                    %g: tensor<4x3xf32> {plan.layout = #partial, plan.object = #plan.object<gradient, "w">},
                    %h: tensor<3xf32> {plan.layout = #plan.layout<[[]], partial = {dp = sum}>, plan.object = #plan.object<gradient, "b">})
      -> (tensor<f32> {plan.layout = #plan.layout<[]>, plan.object = #plan.object<loss, "loss">},
          tensor<4x3xf32> {plan.layout = #whole, plan.object = #plan.object<gradient, "w">},
          tensor<3xf32> {plan.layout = #plan.layout<[[]]>, plan.object = #plan.object<gradient, "b">})
      attributes {plan.task = #plan.task<reduce>} {
    %0 = comm.all_reduce %l axes = ["dp"] combiner = sum : tensor<f32>
    %1:2 = comm.all_reduce %g, %h axes = ["dp"] combiner = sum : tensor<4x3xf32>, tensor<3xf32>
    return %0, %1#0, %1#1 : tensor<f32>, tensor<4x3xf32>, tensor<3xf32>
  }

  // Parameters are updated in place; a reshape is no instruction.
  // CHECK-LABEL: exec.subprogram @update
  // CHECK-NEXT: exec.launch {{.*}}#exec.operand<update <@"parameter/w"[0, 48]>>
  // CHECK-NEXT: exec.launch {{.*}}#exec.operand<update <@"parameter/b"[0, 12]>>
  // CHECK-NEXT: }
  func.func @update(%w: tensor<4x3xf32> {plan.layout = #whole, plan.object = #plan.object<parameter, "w">},
                    %b: tensor<3xf32> {plan.layout = #plan.layout<[[]]>, plan.object = #plan.object<parameter, "b">},
                    %g: tensor<4x3xf32> {plan.layout = #whole, plan.object = #plan.object<gradient, "w">},
                    %h: tensor<3xf32> {plan.layout = #plan.layout<[[]]>, plan.object = #plan.object<gradient, "b">})
      -> (tensor<4x3xf32> {plan.layout = #whole, plan.object = #plan.object<parameter, "w">},
          tensor<3xf32> {plan.layout = #plan.layout<[[]]>, plan.object = #plan.object<parameter, "b">})
      attributes {plan.task = #plan.task<update>} {
    %flat = tensor.collapse_shape %w [[0, 1]] : tensor<4x3xf32> into tensor<12xf32>
    %gflat = tensor.collapse_shape %g [[0, 1]] : tensor<4x3xf32> into tensor<12xf32>
    %0 = linalg.generic {indexing_maps = [#id1, #id1], iterator_types = ["parallel"]} ins(%gflat : tensor<12xf32>) outs(%flat : tensor<12xf32>) {
    ^bb0(%in: f32, %out: f32):
      %s = arith.subf %out, %in : f32
      linalg.yield %s : f32
    } -> tensor<12xf32>
    %1 = tensor.expand_shape %0 [[0, 1]] output_shape [4, 3] : tensor<12xf32> into tensor<4x3xf32>
    %2 = linalg.generic {indexing_maps = [#id1, #id1], iterator_types = ["parallel"]} ins(%h : tensor<3xf32>) outs(%b : tensor<3xf32>) {
    ^bb0(%in: f32, %out: f32):
      %s = arith.subf %out, %in : f32
      linalg.yield %s : f32
    } -> tensor<3xf32>
    return %1, %2 : tensor<4x3xf32>, tensor<3xf32>
  }
}

// CHECK: exec.task zero @zero bases [0, 0, 0]
// CHECK-NEXT: exec.task forward @forward micro_batch 0 bases [0, 0, 0]
// CHECK-NEXT: exec.task backward @backward micro_batch 0 bases [0, 0, 0]
// CHECK-NEXT: exec.task forward @forward micro_batch 1 bases [0, 32, 24]
// CHECK-NEXT: exec.task backward @backward micro_batch 1 bases [0, 32, 24]
// CHECK-NEXT: exec.task reduce @reduce bases [0, 0, 0]
// CHECK-NEXT: exec.task update @update bases [0, 0, 0]
// CHECK-NEXT: exec.task safe_point bases [0, 0, 0]
