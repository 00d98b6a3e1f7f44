// Context parallelism: cp lies on positions and nowhere else. Every position is scored against every other, so one side of the
// scores is gathered, and its gradient scattered. tp, chosen behind it, takes columns of the weight. (On a slow device: work weighs more than messages.)
// DEFINE: %{context} = plan-opt %s --model-derive --plan-form-tasks --shard-choose="axis=cp positions-only flops-per-second=1e7"
// RUN: %{context} | FileCheck %s
// RUN: %{context} --shard-choose=flops-per-second=1e7 | FileCheck %s --check-prefix=BOTH
// RUN: %{context} --shard-propagate --shard-materialize --plan-verify-tasks \
// RUN:   | FileCheck %s --check-prefix=COMM --implicit-check-not=comm.

// CHECK-LABEL: func.func @forward
// CHECK-SAME:  tensor<6x4xf32> {{[{].*}}plan.layout = #plan.layout<{{\[}}[], []]>, plan.object = #plan.object<parameter, "table">
// CHECK-SAME:  tensor<4x8xf32> {{[{].*}}plan.layout = #plan.layout<{{\[}}[], []]>, plan.object = #plan.object<parameter, "w">
// CHECK-SAME:  plan.chosen_axes = #plan.axes<[cp]>
// CHECK:       linalg.contract {{.*}} {plan.assignment = #plan.assignment<{{\[}}[], [cp], [], []]>}
// CHECK:       linalg.contract {{.*}} {plan.assignment = #plan.assignment<{{\[}}[], [cp], [], []]>}

// BOTH-LABEL: func.func @forward
// BOTH-SAME:  tensor<4x8xf32> {{[{].*}}plan.layout = #plan.layout<{{\[}}[], [tp]]>, plan.object = #plan.object<parameter, "w">
// BOTH-SAME:  plan.chosen_axes = #plan.axes<[cp, tp]>
// BOTH:       linalg.contract {{.*}} {plan.assignment = #plan.assignment<{{\[}}[], [cp], [tp], []]>}

// COMM-LABEL: func.func @forward
// COMM:       comm.all_slice %{{.*}} dim = 1 axes = ["cp"] : tensor<2x16xi32> -> tensor<2x8xi32>
// COMM:       comm.all_gather %{{.*}} dim = 1 axes = ["cp"] : tensor<2x8x8xf32> -> tensor<2x16x8xf32>
// COMM-LABEL: func.func @backward
// COMM:       comm.all_slice %{{.*}} dim = 1 axes = ["cp"] : tensor<2x16x8xf32> -> tensor<2x8x8xf32>
// COMM:       comm.reduce_scatter %{{.*}} dim = 1 axes = ["cp"] combiner = sum : tensor<2x16x8xf32> -> tensor<2x8x8xf32>
// COMM:       comm.all_gather %{{.*}} dim = 1 axes = ["cp"] : tensor<2x8x4xf32> -> tensor<2x16x4xf32>
// COMM-LABEL: func.func @reduce
// COMM:       comm.all_reduce %{{.*}} axes = ["cp"] combiner = sum : tensor<f32>
// COMM:       comm.all_reduce %{{.*}} axes = ["cp"] combiner = sum : tensor<4x8xf32>
#in = affine_map<(b, s, h, e) -> (b, s, e)>
#w = affine_map<(b, s, h, e) -> (e, h)>
#out = affine_map<(b, s, h, e) -> (b, s, h)>
module attributes {plan.mesh = #plan.mesh<cp = 2, tp = 2, mb = 1>} {
  func.func @main(%table: tensor<6x4xf32> {model.argument = #model.argument<parameter, name = "table">},
                  %w: tensor<4x8xf32> {model.argument = #model.argument<parameter, name = "w">},
                  %ids: tensor<2x16xi32> {model.argument = #model.argument<input, name = "ids", batchDim = 0>}) -> tensor<f32> {
    %x = model.lookup %table, %ids : (tensor<6x4xf32>, tensor<2x16xi32>) -> tensor<2x16x4xf32>
    %zero = arith.constant 0.0 : f32
    %eh = tensor.empty() : tensor<2x16x8xf32>
    %zh = linalg.fill ins(%zero : f32) outs(%eh : tensor<2x16x8xf32>) -> tensor<2x16x8xf32>
    %h = linalg.contract indexing_maps = [#in, #w, #out]
        ins(%x, %w : tensor<2x16x4xf32>, tensor<4x8xf32>) outs(%zh : tensor<2x16x8xf32>) -> tensor<2x16x8xf32>
    %es = tensor.empty() : tensor<2x16x16xf32>
    %zs = linalg.fill ins(%zero : f32) outs(%es : tensor<2x16x16xf32>) -> tensor<2x16x16xf32>
    %scores = linalg.contract indexing_maps = [affine_map<(b, s, t, h) -> (b, s, h)>, affine_map<(b, s, t, h) -> (b, t, h)>, affine_map<(b, s, t, h) -> (b, s, t)>]
        ins(%h, %h : tensor<2x16x8xf32>, tensor<2x16x8xf32>) outs(%zs : tensor<2x16x16xf32>) -> tensor<2x16x16xf32>
    %e = tensor.empty() : tensor<f32>
    %z = linalg.fill ins(%zero : f32) outs(%e : tensor<f32>) -> tensor<f32>
    %loss = linalg.generic {indexing_maps = [affine_map<(b, s, t) -> (b, s, t)>, affine_map<(b, s, t) -> ()>], iterator_types = ["reduction", "reduction", "reduction"]}
        ins(%scores : tensor<2x16x16xf32>) outs(%z : tensor<f32>) {
    ^bb0(%p: f32, %o: f32):
      %r = arith.mulf %p, %p : f32
      %t = arith.addf %o, %r : f32
      linalg.yield %t : f32
    } -> tensor<f32>
    return %loss : tensor<f32>
  }
}
