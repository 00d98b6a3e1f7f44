// Parameters are stored in blocks over a data axis: gathered once in forward and once in backward, gradients scattered, the
// update on blocks. Work is divided as without it.
// RUN: plan-opt %s --model-derive --model-build-update=optimizer=adamw:lr=0.1 --plan-form-tasks --shard-divide-parameters | FileCheck %s
// RUN: plan-opt %s --model-derive --model-build-update=optimizer=adamw:lr=0.1 --plan-form-tasks --shard-divide-parameters --shard-propagate \
// RUN:   --shard-materialize --plan-verify-tasks | FileCheck %s --check-prefix=COMM --implicit-check-not=comm.
// RUN: plan-opt %s --model-derive --plan-form-tasks --shard-divide-parameters=axis=dp | FileCheck %s --check-prefix=ONE
// RUN: not plan-opt %s --model-derive --plan-form-tasks --shard-divide-parameters=axis=tp 2>&1 | FileCheck %s --check-prefix=TP

// The outermost dimension that divides and is free; the one that is not free where it is the only one; none of b.
// CHECK-LABEL: func.func @forward
// CHECK-SAME:  plan.layout = #plan.layout<{{\[}}[fsdp], [tp]]>, plan.object = #plan.object<parameter, "w">
// CHECK-SAME:  plan.layout = #plan.layout<{{\[}}[tp, fsdp]]>, plan.object = #plan.object<parameter, "g">
// CHECK-SAME:  plan.layout = #plan.layout<{{\[}}[]]>, plan.object = #plan.object<parameter, "b">

// A mesh without the axis leaves nothing to do.
// ONE-NOT: plan.layout = #plan.layout<{{.*}}dp

// TP: error: cannot store parameters divided over tp = 2: they are gathered over axes that divide the batch, expected "dp" or "fsdp"

// COMM-LABEL: func.func @forward(
// COMM:       comm.all_gather %{{.*}} dim = 0 axes = ["fsdp"] : tensor<2x4xf32> -> tensor<4x4xf32>
// COMM:       comm.all_gather %{{.*}} dim = 0 axes = ["fsdp"] : tensor<2xf32> -> tensor<4xf32>
// COMM-LABEL: func.func @backward(
// COMM:       comm.all_gather %{{.*}} dim = 0 axes = ["fsdp"] : tensor<2xf32> -> tensor<4xf32>
// COMM-DAG:   comm.reduce_scatter %{{.*}} dim = 0 axes = ["fsdp"] combiner = sum : tensor<4xf32> -> tensor<2xf32>
// COMM-DAG:   comm.reduce_scatter %{{.*}} dim = 0 axes = ["fsdp"] combiner = sum : tensor<4x4xf32> -> tensor<2x4xf32>
// COMM-LABEL: func.func @reduce(
// COMM:       comm.all_reduce %{{.*}} axes = ["fsdp", "tp"] combiner = sum : tensor<f32>
// COMM:       comm.all_reduce %{{.*}} axes = ["fsdp"] combiner = sum : tensor<3xf32>
// The norm of all gradients, of which each rank has a part; nothing else.
// COMM-LABEL: func.func @update(
// COMM:       comm.all_reduce %{{.*}} axes = ["fsdp", "tp"] combiner = sum : tensor<f32>
#bn = affine_map<(b, n) -> (b, n)>
#n = affine_map<(b, n) -> (n)>
module attributes {plan.mesh = #plan.mesh<fsdp = 2, tp = 2, mb = 2>} {
  func.func @main(%w: tensor<4x8xf32> {model.argument = #model.argument<parameter, name = "w">, plan.layout = #plan.layout<[[], [tp]]>},
                  %g: tensor<8xf32> {model.argument = #model.argument<parameter, name = "g">, plan.layout = #plan.layout<[[tp]]>},
                  %b: tensor<3xf32> {model.argument = #model.argument<parameter, name = "b">},
                  %x: tensor<8x4xf32> {model.argument = #model.argument<input, name = "x", batchDim = 0>},
                  %y: tensor<8x3xf32> {model.argument = #model.argument<input, name = "y", batchDim = 0>}) -> tensor<f32> {
    %zero = arith.constant 0.0 : f32
    %e88 = tensor.empty() : tensor<8x8xf32>
    %z88 = linalg.fill ins(%zero : f32) outs(%e88 : tensor<8x8xf32>) -> tensor<8x8xf32>
    %h = linalg.contract indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>]
        ins(%x, %w : tensor<8x4xf32>, tensor<4x8xf32>) outs(%z88 : tensor<8x8xf32>) -> tensor<8x8xf32>
    %e = tensor.empty() : tensor<f32>
    %z = linalg.fill ins(%zero : f32) outs(%e : tensor<f32>) -> tensor<f32>
    %p = linalg.generic {indexing_maps = [#bn, #n, affine_map<(b, n) -> ()>], iterator_types = ["reduction", "reduction"]}
        ins(%h, %g : tensor<8x8xf32>, tensor<8xf32>) outs(%z : tensor<f32>) {
    ^bb0(%a: f32, %c: f32, %o: f32):
      %s = arith.mulf %a, %c : f32
      %t = arith.addf %o, %s : f32
      linalg.yield %t : f32
    } -> tensor<f32>
    %q = linalg.generic {indexing_maps = [#bn, #n, affine_map<(b, n) -> ()>], iterator_types = ["reduction", "reduction"]}
        ins(%y, %b : tensor<8x3xf32>, tensor<3xf32>) outs(%z : tensor<f32>) {
    ^bb0(%a: f32, %c: f32, %o: f32):
      %s = arith.mulf %a, %c : f32
      %t = arith.addf %o, %s : f32
      linalg.yield %t : f32
    } -> tensor<f32>
    %loss = linalg.generic {indexing_maps = [affine_map<() -> ()>, affine_map<() -> ()>, affine_map<() -> ()>], iterator_types = []}
        ins(%p, %q : tensor<f32>, tensor<f32>) outs(%e : tensor<f32>) {
    ^bb0(%a: f32, %c: f32, %o: f32):
      %s = arith.addf %a, %c : f32
      linalg.yield %s : f32
    } -> tensor<f32>
    return %loss : tensor<f32>
  }
}
