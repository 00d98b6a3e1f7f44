// Tensor parallelism is found: columns of the first weight, rows of the second, one sum behind it.
// RUN: plan-opt %s --model-derive --plan-form-tasks --shard-choose | FileCheck %s
// RUN: plan-opt %s --model-derive --plan-form-tasks --shard-choose=axis=ep | FileCheck %s --check-prefix=ONE
// RUN: plan-opt %s --model-derive --plan-form-tasks --shard-choose --shard-propagate --shard-materialize \
// RUN:   | FileCheck %s --check-prefix=COMM --implicit-check-not=comm.
// RUN: sed 's/name = "w1">/name = "w1">, plan.layout = #plan.layout<[[tp, dp], []]>, plan.pinned/' %s \
// RUN:   | plan-opt --model-derive --plan-form-tasks --shard-choose | FileCheck %s --check-prefix=PINNED
// RUN: sed 's/name = "w1">/name = "w1">, plan.layout = #plan.layout<[[], []]>, plan.pinned/' %s \
// RUN:   | plan-opt --model-derive --plan-form-tasks --shard-choose | FileCheck %s --check-prefix=WHOLE

// A pinned layout is kept, and the work goes with it; of a weight that is kept whole each rank uses a block.
// PINNED-LABEL: func.func @forward
// PINNED-SAME:  tensor<4x6xf32> {{[{].*}}plan.layout = #plan.layout<{{\[}}[tp, dp], []]>, plan.object = #plan.object<parameter, "w1">, plan.pinned}
// PINNED:       linalg.contract {{.*[{]}}plan.assignment = #plan.assignment<{{\[}}[], [], [tp]]>}
// WHOLE-LABEL:  func.func @forward
// WHOLE-SAME:   tensor<4x6xf32> {{[{].*}}plan.layout = #plan.layout<{{\[}}[], []]>, plan.object = #plan.object<parameter, "w1">, plan.pinned}
// WHOLE:        linalg.contract {{.*[{]}}plan.assignment = #plan.assignment<{{\[}}[], [tp], []]>}

// An axis that the mesh does not have divides nothing.
// ONE-NOT: plan.chosen_axes
// ONE-NOT: plan.assignment

// CHECK-LABEL: func.func @forward
// CHECK-SAME:  tensor<4x6xf32> {{[{].*}}plan.layout = #plan.layout<{{\[}}[], [tp]]>, plan.object = #plan.object<parameter, "w1">}
// CHECK-SAME:  tensor<6x8xf32> {{[{].*}}plan.layout = #plan.layout<{{\[}}[tp], []]>, plan.object = #plan.object<parameter, "w2">}
// CHECK-SAME:  tensor<8xf32> {{[{].*}}plan.layout = #plan.layout<{{\[}}[]]>, plan.object = #plan.object<parameter, "b2">}
// CHECK-SAME:  plan.chosen_axes = #plan.axes<[tp]>
// CHECK:       linalg.contract {{.*[{]}}plan.assignment = #plan.assignment<{{\[}}[], [tp], []]>}
// CHECK:       math.tanh
// CHECK:       linalg.contract {{.*[{]}}plan.assignment = #plan.assignment<{{\[}}[], [], [tp]]>}

// CHECK-LABEL: func.func @backward
// CHECK-SAME:  plan.chosen_axes = #plan.axes<[tp]>

// In forward the sum behind the rows; x needs no gradient, so backward has none; the bias is not divided, and its gradient is
// the same everywhere.
// COMM-LABEL: func.func @forward
// COMM:       comm.all_reduce %{{.*}} axes = ["tp"] combiner = sum : tensor<4x8xf32>
// COMM-LABEL: func.func @backward
// COMM-LABEL: func.func @reduce
// COMM:       comm.all_reduce %{{.*}} axes = ["dp"] combiner = sum : tensor<f32>
// COMM:       comm.all_reduce %{{.*}} axes = ["dp"] combiner = sum : tensor<4x3xf32>, tensor<3x8xf32>, tensor<8xf32>
#bn = affine_map<(b, n) -> (b, n)>
module attributes {plan.mesh = #plan.mesh<dp = 2, tp = 2, mb = 1>} {
  func.func @main(%w1: tensor<4x6xf32> {model.argument = #model.argument<parameter, name = "w1">},
                  %w2: tensor<6x8xf32> {model.argument = #model.argument<parameter, name = "w2">},
                  %b2: tensor<8xf32> {model.argument = #model.argument<parameter, name = "b2">},
                  %x: tensor<8x4xf32> {model.argument = #model.argument<input, name = "x", batchDim = 0>}) -> tensor<f32> {
    %zero = arith.constant 0.0 : f32
    %e86 = tensor.empty() : tensor<8x6xf32>
    %z86 = linalg.fill ins(%zero : f32) outs(%e86 : tensor<8x6xf32>) -> tensor<8x6xf32>
    %h = linalg.contract indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>]
        ins(%x, %w1 : tensor<8x4xf32>, tensor<4x6xf32>) outs(%z86 : tensor<8x6xf32>) -> tensor<8x6xf32>
    %a = linalg.generic {indexing_maps = [#bn, #bn], iterator_types = ["parallel", "parallel"]}
        ins(%h : tensor<8x6xf32>) outs(%e86 : tensor<8x6xf32>) {
    ^bb0(%p: f32, %o: f32):
      %r = math.tanh %p : f32
      linalg.yield %r : f32
    } -> tensor<8x6xf32>
    %e88 = tensor.empty() : tensor<8x8xf32>
    %z88 = linalg.fill ins(%zero : f32) outs(%e88 : tensor<8x8xf32>) -> tensor<8x8xf32>
    %g = linalg.contract indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>]
        ins(%a, %w2 : tensor<8x6xf32>, tensor<6x8xf32>) outs(%z88 : tensor<8x8xf32>) -> tensor<8x8xf32>
    %e = tensor.empty() : tensor<f32>
    %z = linalg.fill ins(%zero : f32) outs(%e : tensor<f32>) -> tensor<f32>
    %loss = linalg.generic {indexing_maps = [#bn, affine_map<(b, n) -> (n)>, affine_map<(b, n) -> ()>], iterator_types = ["reduction", "reduction"]}
        ins(%g, %b2 : tensor<8x8xf32>, tensor<8xf32>) outs(%z : tensor<f32>) {
    ^bb0(%p: f32, %q: f32, %o: f32):
      %s = arith.addf %p, %q : f32
      %r = arith.mulf %s, %s : f32
      %t = arith.addf %o, %r : f32
      linalg.yield %t : f32
    } -> tensor<f32>
    return %loss : tensor<f32>
  }
}
