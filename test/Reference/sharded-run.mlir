// A schedule on two ranks and two micro-batches computes what the whole program does: the loss is divided by a count
// over the whole batch, gradients are accumulated and reduced, the update runs on every rank.

// RUN: split-file %s %t
// RUN: reference-run %t/sharded.mlir --ranks-from-mesh --against %t/whole.mlir --f64 --steps 2 | FileCheck %s
// RUN: sed -e 's/%%gw axes = \["dp"\] combiner = sum/%%gw axes = ["dp"] combiner = max/' %t/sharded.mlir > %t/wrong.mlir
// RUN: not reference-run %t/wrong.mlir --ranks-from-mesh --against %t/whole.mlir --f64 2>&1 | FileCheck %s --check-prefix=WRONG
// RUN: sed -e 's/%%1 = comm.all_reduce %%gw axes = \["dp"\] combiner = sum/%%1 = tensor.cast %%gw/' %t/sharded.mlir \
// RUN:   | sed -e 's/tensor.cast %%gw : tensor<4x3xf32>/tensor.cast %%gw : tensor<4x3xf32> to tensor<4x3xf32>/' > %t/missing.mlir
// RUN: not reference-run %t/missing.mlir --ranks-from-mesh 2>&1 | FileCheck %s --check-prefix=MISSING

// CHECK: step 0 loss
// CHECK: gradients:
// CHECK: 1 of 1 tensors agree
// CHECK: parameters:
// CHECK: 1 of 1 tensors agree
// CHECK: step 1 loss
// CHECK: 1 of 1 tensors agree
// WRONG: w TOO FAR
// MISSING: parameter "w" differs on rank 1 from another rank that holds the same block

// loss = sum((x w - y)^2) / n, n = number of y >= 0
//--- whole.mlir
#mk = affine_map<(m, n, k) -> (m, k)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>
#id = affine_map<(m, n) -> (m, n)>
#none = affine_map<(m, n) -> ()>
#s = affine_map<() -> ()>
func.func @main.fwd(%w: tensor<4x3xf32> {model.argument = #model.argument<parameter, name = "w">},
                    %x: tensor<8x4xf32> {model.argument = #model.argument<input, name = "x", batchDim = 0, trainable = false>},
                    %y: tensor<8x3xf32> {model.argument = #model.argument<label, name = "y", batchDim = 0, trainable = false>})
    -> (tensor<f32>, tensor<8x3xf32>) {
  %zero = arith.constant 0.0 : f32
  %zeros = arith.constant dense<0.0> : tensor<8x3xf32>
  %z = arith.constant dense<0.0> : tensor<f32>
  %r = linalg.contract indexing_maps = [#mk, #kn, #mn] ins(%x, %w : tensor<8x4xf32>, tensor<4x3xf32>)
      outs(%zeros : tensor<8x3xf32>) -> tensor<8x3xf32>
  %sum:2 = linalg.generic {indexing_maps = [#id, #id, #none, #none], iterator_types = ["reduction", "reduction"]}
      ins(%r, %y : tensor<8x3xf32>, tensor<8x3xf32>) outs(%z, %z : tensor<f32>, tensor<f32>) {
  ^bb0(%a: f32, %b: f32, %total: f32, %count: f32):
    %d = arith.subf %a, %b : f32
    %square = arith.mulf %d, %d : f32
    %new = arith.addf %total, %square : f32
    %c = arith.cmpf oge, %b, %zero : f32
    %one = arith.uitofp %c : i1 to f32
    %more = arith.addf %count, %one : f32
    linalg.yield %new, %more : f32, f32
  } -> (tensor<f32>, tensor<f32>)
  %loss = arith.divf %sum#0, %sum#1 : tensor<f32>
  %e = tensor.empty() : tensor<8x3xf32>
  %dr = linalg.generic {indexing_maps = [#id, #id, #none, #id], iterator_types = ["parallel", "parallel"]}
      ins(%r, %y, %sum#1 : tensor<8x3xf32>, tensor<8x3xf32>, tensor<f32>) outs(%e : tensor<8x3xf32>) {
  ^bb0(%a: f32, %b: f32, %n: f32, %unused: f32):
    %d = arith.subf %a, %b : f32
    %twice = arith.addf %d, %d : f32
    %g = arith.divf %twice, %n : f32
    linalg.yield %g : f32
  } -> tensor<8x3xf32>
  return %loss, %dr : tensor<f32>, tensor<8x3xf32>
}
func.func @main.bwd(%w: tensor<4x3xf32>, %x: tensor<8x4xf32>, %y: tensor<8x3xf32>, %dr: tensor<8x3xf32>)
    -> (tensor<4x3xf32> {plan.object = #plan.object<gradient, "w">}) {
  %zeros = arith.constant dense<0.0> : tensor<4x3xf32>
  %dw = linalg.contract indexing_maps = [affine_map<(k, n, m) -> (m, k)>, affine_map<(k, n, m) -> (m, n)>,
                                         affine_map<(k, n, m) -> (k, n)>]
      ins(%x, %dr : tensor<8x4xf32>, tensor<8x3xf32>) outs(%zeros : tensor<4x3xf32>) -> tensor<4x3xf32>
  return %dw : tensor<4x3xf32>
}
func.func @update(%w: tensor<4x3xf32> {plan.object = #plan.object<parameter, "w">},
                  %g: tensor<4x3xf32> {plan.object = #plan.object<gradient, "w">},
                  %m: tensor<4x3xf32> {plan.object = #plan.object<state, "m/w">})
    -> (tensor<4x3xf32> {plan.object = #plan.object<parameter, "w">},
        tensor<4x3xf32> {plan.object = #plan.object<state, "m/w">}) {
  %m1 = arith.addf %m, %g : tensor<4x3xf32>
  %w1 = arith.subf %w, %m1 : tensor<4x3xf32>
  return %w1, %m1 : tensor<4x3xf32>, tensor<4x3xf32>
}

//--- sharded.mlir
#mk = affine_map<(m, n, k) -> (m, k)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>
#id = affine_map<(m, n) -> (m, n)>
#none = affine_map<(m, n) -> ()>
#s = affine_map<() -> ()>
module attributes {plan.mesh = #plan.mesh<dp = 2, mb = 2>,
    plan.schedule = [#plan.step<@zero>, #plan.step<@prologue, mb = 0>, #plan.step<@prologue, mb = 1>,
                     #plan.step<@prologue.reduce>, #plan.step<@forward, mb = 0>, #plan.step<@backward, mb = 0>,
                     #plan.step<@forward, mb = 1>, #plan.step<@backward, mb = 1>, #plan.step<@reduce>,
                     #plan.step<@update>]} {
  func.func @zero()
      -> (tensor<f32> {plan.layout = #plan.layout<[], partial = {dp = sum}>, plan.object = #plan.object<prologue, "0">},
          tensor<f32> {plan.layout = #plan.layout<[], partial = {dp = sum}>, plan.object = #plan.object<loss, "loss">},
          tensor<4x3xf32> {plan.layout = #plan.layout<[[], []], partial = {dp = sum}>, plan.object = #plan.object<gradient, "w">})
      attributes {plan.task = #plan.task<zero>} {
    %z = arith.constant dense<0.0> : tensor<f32>
    %zw = arith.constant dense<0.0> : tensor<4x3xf32>
    return %z, %z, %zw : tensor<f32>, tensor<f32>, tensor<4x3xf32>
  }
  func.func @prologue(%y: tensor<2x3xf32> {plan.layout = #plan.layout<[[dp, mb], []]>, plan.object = #plan.object<input, "y">},
                      %acc: tensor<f32> {plan.layout = #plan.layout<[], partial = {dp = sum}>, plan.object = #plan.object<prologue, "0">})
      -> (tensor<f32> {plan.layout = #plan.layout<[], partial = {dp = sum}>, plan.object = #plan.object<prologue, "0">})
      attributes {plan.task = #plan.task<prologue>} {
    %zero = arith.constant 0.0 : f32
    %n = linalg.generic {indexing_maps = [#id, #none], iterator_types = ["reduction", "reduction"]}
        ins(%y : tensor<2x3xf32>) outs(%acc : tensor<f32>) {
    ^bb0(%b: f32, %count: f32):
      %c = arith.cmpf oge, %b, %zero : f32
      %one = arith.uitofp %c : i1 to f32
      %more = arith.addf %count, %one : f32
      linalg.yield %more : f32
    } -> tensor<f32>
    return %n : tensor<f32>
  }
  func.func @prologue.reduce(%n: tensor<f32> {plan.layout = #plan.layout<[], partial = {dp = sum}>, plan.object = #plan.object<prologue, "0">})
      -> (tensor<f32> {plan.layout = #plan.layout<[]>, plan.object = #plan.object<prologue, "0">})
      attributes {plan.task = #plan.task<reduce>} {
    %0 = comm.all_reduce %n axes = ["dp"] combiner = sum : tensor<f32>
    return %0 : tensor<f32>
  }
  func.func @forward(%w: tensor<4x3xf32> {plan.layout = #plan.layout<[[], []]>, plan.object = #plan.object<parameter, "w">},
                     %x: tensor<2x4xf32> {plan.layout = #plan.layout<[[dp, mb], []]>, plan.object = #plan.object<input, "x">},
                     %y: tensor<2x3xf32> {plan.layout = #plan.layout<[[dp, mb], []]>, plan.object = #plan.object<input, "y">},
                     %n: tensor<f32> {plan.layout = #plan.layout<[]>, plan.object = #plan.object<prologue, "0">},
                     %loss: tensor<f32> {plan.layout = #plan.layout<[], partial = {dp = sum}>, plan.object = #plan.object<loss, "loss">})
      -> (tensor<f32> {plan.layout = #plan.layout<[], partial = {dp = sum}>, plan.object = #plan.object<loss, "loss">},
          tensor<2x3xf32> {plan.layout = #plan.layout<[[dp, mb], []]>, plan.object = #plan.object<residual, "0">})
      attributes {plan.task = #plan.task<forward>} {
    %zeros = arith.constant dense<0.0> : tensor<2x3xf32>
    %r = linalg.contract indexing_maps = [#mk, #kn, #mn] ins(%x, %w : tensor<2x4xf32>, tensor<4x3xf32>)
        outs(%zeros : tensor<2x3xf32>) -> tensor<2x3xf32>
    %e = tensor.empty() : tensor<2x3xf32>
    %d = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%r, %y : tensor<2x3xf32>, tensor<2x3xf32>) outs(%e : tensor<2x3xf32>) {
    ^bb0(%a: f32, %b: f32, %unused: f32):
      %0 = arith.subf %a, %b : f32
      linalg.yield %0 : f32
    } -> tensor<2x3xf32>
    %sum = linalg.generic {indexing_maps = [#id, #none, #none], iterator_types = ["reduction", "reduction"]}
        ins(%d, %n : tensor<2x3xf32>, tensor<f32>) outs(%loss : tensor<f32>) {
    ^bb0(%a: f32, %count: f32, %total: f32):
      %square = arith.mulf %a, %a : f32
      %part = arith.divf %square, %count : f32
      %new = arith.addf %total, %part : f32
      linalg.yield %new : f32
    } -> tensor<f32>
    return %sum, %d : tensor<f32>, tensor<2x3xf32>
  }
  func.func @backward(%x: tensor<2x4xf32> {plan.layout = #plan.layout<[[dp, mb], []]>, plan.object = #plan.object<input, "x">},
                      %n: tensor<f32> {plan.layout = #plan.layout<[]>, plan.object = #plan.object<prologue, "0">},
                      %d: tensor<2x3xf32> {plan.layout = #plan.layout<[[dp, mb], []]>, plan.object = #plan.object<residual, "0">},
                      %acc: tensor<4x3xf32> {plan.layout = #plan.layout<[[], []], partial = {dp = sum}>, plan.object = #plan.object<gradient, "w">})
      -> (tensor<4x3xf32> {plan.layout = #plan.layout<[[], []], partial = {dp = sum}>, plan.object = #plan.object<gradient, "w">})
      attributes {plan.task = #plan.task<backward>} {
    %e = tensor.empty() : tensor<2x3xf32>
    %dr = linalg.generic {indexing_maps = [#id, #none, #id], iterator_types = ["parallel", "parallel"]}
        ins(%d, %n : tensor<2x3xf32>, tensor<f32>) outs(%e : tensor<2x3xf32>) {
    ^bb0(%a: f32, %count: f32, %unused: f32):
      %twice = arith.addf %a, %a : f32
      %g = arith.divf %twice, %count : f32
      linalg.yield %g : f32
    } -> tensor<2x3xf32>
    %dw = linalg.contract indexing_maps = [affine_map<(k, n, m) -> (m, k)>, affine_map<(k, n, m) -> (m, n)>,
                                           affine_map<(k, n, m) -> (k, n)>]
        ins(%x, %dr : tensor<2x4xf32>, tensor<2x3xf32>) outs(%acc : tensor<4x3xf32>) -> tensor<4x3xf32>
    return %dw : tensor<4x3xf32>
  }
  func.func @reduce(%loss: tensor<f32> {plan.layout = #plan.layout<[], partial = {dp = sum}>, plan.object = #plan.object<loss, "loss">},
                    %gw: tensor<4x3xf32> {plan.layout = #plan.layout<[[], []], partial = {dp = sum}>, plan.object = #plan.object<gradient, "w">})
      -> (tensor<f32> {plan.layout = #plan.layout<[]>, plan.object = #plan.object<loss, "loss">},
          tensor<4x3xf32> {plan.layout = #plan.layout<[[], []]>, plan.object = #plan.object<gradient, "w">})
      attributes {plan.task = #plan.task<reduce>} {
    %0 = comm.all_reduce %loss axes = ["dp"] combiner = sum : tensor<f32>
    %1 = comm.all_reduce %gw axes = ["dp"] combiner = sum : tensor<4x3xf32>
    return %0, %1 : tensor<f32>, tensor<4x3xf32>
  }
  func.func @update(%w: tensor<4x3xf32> {plan.layout = #plan.layout<[[], []]>, plan.object = #plan.object<parameter, "w">},
                    %g: tensor<4x3xf32> {plan.layout = #plan.layout<[[], []]>, plan.object = #plan.object<gradient, "w">},
                    %m: tensor<4x3xf32> {plan.layout = #plan.layout<[[], []]>, plan.object = #plan.object<state, "m/w">})
      -> (tensor<4x3xf32> {plan.layout = #plan.layout<[[], []]>, plan.object = #plan.object<parameter, "w">},
          tensor<4x3xf32> {plan.layout = #plan.layout<[[], []]>, plan.object = #plan.object<state, "m/w">})
      attributes {plan.task = #plan.task<update>} {
    %m1 = arith.addf %m, %g : tensor<4x3xf32>
    %w1 = arith.subf %w, %m1 : tensor<4x3xf32>
    return %w1, %m1 : tensor<4x3xf32>, tensor<4x3xf32>
  }
}
