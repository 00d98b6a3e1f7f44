// A value that is wanted in another layout than it has: one exchange per pair of layouts.
// RUN: plan-opt %s --shard-propagate --shard-materialize --split-input-file | FileCheck %s

// Position on a divided dimension: the rank's and the micro-batch's offset comes from scalars.
module attributes {plan.mesh = #plan.mesh<dp = 2, mb = 2>} {
  // CHECK-LABEL: func.func @forward
  // CHECK-SAME:  (%[[X:[a-z0-9]+]]: tensor<2x4xf32> {{{.*}}}, %[[DP:[a-z0-9]+]]: tensor<i64> {plan.layout = #plan.layout<[]>, plan.object = #plan.object<scalar, "axis/dp">}, %[[MB:[a-z0-9]+]]: tensor<i64> {plan.layout = #plan.layout<[]>, plan.object = #plan.object<scalar, "mb">})
  // CHECK:       %[[OFFSET:.*]] = linalg.generic {{.*}} ins(%[[DP]], %[[MB]] : tensor<i64>, tensor<i64>)
  // CHECK-NEXT:  ^bb0(%[[RANK:.*]]: i64, %[[TURN:.*]]: i64, %{{.*}}: i64):
  // CHECK-NEXT:    %[[C2:.*]] = arith.constant 2 : i64
  // CHECK-NEXT:    %[[R2:.*]] = arith.muli %[[RANK]], %[[C2]]
  // CHECK-NEXT:    %[[BLOCK:.*]] = arith.addi %[[R2]], %[[TURN]]
  // CHECK-NEXT:    %[[ROWS:.*]] = arith.constant 2 : i64
  // CHECK-NEXT:    arith.muli %[[BLOCK]], %[[ROWS]]
  // CHECK:       linalg.generic {{.*}} ins(%[[X]], %[[OFFSET]] : tensor<2x4xf32>, tensor<i64>)
  // CHECK-NEXT:  ^bb0(%{{.*}}: f32, %[[FIRST:.*]]: i64, %{{.*}}: f32):
  // CHECK-NEXT:    %[[LOCAL:.*]] = linalg.index 0
  // CHECK-NEXT:    %[[CAST:.*]] = arith.index_cast %[[FIRST]]
  // CHECK-NEXT:    arith.addi %[[LOCAL]], %[[CAST]]
  func.func @forward(%x: tensor<8x4xf32> {plan.layout = #plan.layout<[[dp, mb], []]>, plan.object = #plan.object<input, "x">})
      -> (tensor<8x4xf32> {plan.object = #plan.object<residual, "0">}) attributes {plan.task = #plan.task<forward>} {
    %0 = tensor.empty() : tensor<8x4xf32>
    %1 = linalg.generic {indexing_maps = [affine_map<(b, n) -> (b, n)>, affine_map<(b, n) -> (b, n)>], iterator_types = ["parallel", "parallel"]}
        ins(%x : tensor<8x4xf32>) outs(%0 : tensor<8x4xf32>) {
    ^bb0(%a: f32, %o: f32):
      %i = linalg.index 0 : index
      %c = arith.index_cast %i : index to i64
      %f = arith.sitofp %c : i64 to f32
      %s = arith.addf %a, %f : f32
      linalg.yield %s : f32
    } -> tensor<8x4xf32>
    return %1 : tensor<8x4xf32>
  }
}

// -----

// Max over a divided dimension is complete before it is used; a running sum needs its dimension whole.
module attributes {plan.mesh = #plan.mesh<tp = 2>} {
  // CHECK-LABEL: func.func @forward
  // CHECK:       %[[MAX:.*]] = linalg.generic {{.*}} ins(%{{.*}} : tensor<4x3xf32>)
  // CHECK:       %[[ALL:.*]] = comm.all_reduce %{{.*}} axes = ["tp"] combiner = max : tensor<4xf32>
  // CHECK:       linalg.generic {{.*}} ins(%{{.*}}, %[[ALL]] : tensor<4x3xf32>, tensor<4xf32>)
  // CHECK:       comm.all_gather %{{.*}} dim = 1 axes = ["tp"] : tensor<4x3xf32> -> tensor<4x6xf32>
  // CHECK:       model.cumulative_sum %{{.*}} dim 1 : tensor<4x6xf32>
  func.func @forward(%x: tensor<4x6xf32> {plan.layout = #plan.layout<[[], [tp]]>, plan.object = #plan.object<input, "x">})
      -> (tensor<4x6xf32> {plan.object = #plan.object<residual, "0">}) attributes {plan.task = #plan.task<forward>} {
    %lowest = arith.constant 0xFF800000 : f32
    %0 = tensor.empty() : tensor<4xf32>
    %1 = linalg.fill ins(%lowest : f32) outs(%0 : tensor<4xf32>) -> tensor<4xf32>
    %m = linalg.generic {indexing_maps = [affine_map<(b, n) -> (b, n)>, affine_map<(b, n) -> (b)>], iterator_types = ["parallel", "reduction"]}
        ins(%x : tensor<4x6xf32>) outs(%1 : tensor<4xf32>) {
    ^bb0(%a: f32, %o: f32):
      %r = arith.maximumf %a, %o : f32
      linalg.yield %r : f32
    } -> tensor<4xf32>
    %2 = tensor.empty() : tensor<4x6xf32>
    %e = linalg.generic {indexing_maps = [affine_map<(b, n) -> (b, n)>, affine_map<(b, n) -> (b)>, affine_map<(b, n) -> (b, n)>], iterator_types = ["parallel", "parallel"]}
        ins(%x, %m : tensor<4x6xf32>, tensor<4xf32>) outs(%2 : tensor<4x6xf32>) {
    ^bb0(%a: f32, %b: f32, %o: f32):
      %d = arith.subf %a, %b : f32
      %r = math.exp %d : f32
      linalg.yield %r : f32
    } -> tensor<4x6xf32>
    %c = model.cumulative_sum %e dim 1 : tensor<4x6xf32>
    return %c : tensor<4x6xf32>
  }
}

// -----

// A partial sum that is wanted divided is scattered; a whole summand is taken in equal shares.
module attributes {plan.mesh = #plan.mesh<dp = 2, tp = 2>} {
  // CHECK-LABEL: func.func @forward
  // CHECK:       %[[PART:.*]] = linalg.contract
  // CHECK:       %[[SHARE:.*]] = linalg.generic
  // CHECK:         arith.constant 5.000000e-01
  // CHECK:       %[[SUM:.*]] = linalg.generic {{.*}} ins(%[[PART]], %[[SHARE]] : tensor<4x6xf32>, tensor<4x6xf32>)
  // CHECK:       comm.reduce_scatter %[[SUM]] dim = 1 axes = ["tp"] combiner = sum : tensor<4x6xf32> -> tensor<4x3xf32>
  func.func @forward(%x: tensor<4x8xf32> {plan.layout = #plan.layout<[[], [tp]]>, plan.object = #plan.object<input, "x">},
                     %w: tensor<8x6xf32> {plan.layout = #plan.layout<[[tp], []]>, plan.object = #plan.object<parameter, "w">},
                     %b: tensor<4x6xf32> {plan.object = #plan.object<parameter, "b">},
                     %y: tensor<4x6xf32> {plan.layout = #plan.layout<[[], [tp]]>, plan.object = #plan.object<input, "y">})
      -> (tensor<4x6xf32> {plan.object = #plan.object<residual, "0">}) attributes {plan.task = #plan.task<forward>} {
    %zero = arith.constant 0.0 : f32
    %0 = tensor.empty() : tensor<4x6xf32>
    %1 = linalg.fill ins(%zero : f32) outs(%0 : tensor<4x6xf32>) -> tensor<4x6xf32>
    %xw = linalg.contract indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>]
        ins(%x, %w : tensor<4x8xf32>, tensor<8x6xf32>) outs(%1 : tensor<4x6xf32>) -> tensor<4x6xf32>
    %s = linalg.generic {indexing_maps = [affine_map<(b, n) -> (b, n)>, affine_map<(b, n) -> (b, n)>, affine_map<(b, n) -> (b, n)>], iterator_types = ["parallel", "parallel"]}
        ins(%xw, %b : tensor<4x6xf32>, tensor<4x6xf32>) outs(%0 : tensor<4x6xf32>) {
    ^bb0(%p: f32, %q: f32, %o: f32):
      %r = arith.addf %p, %q : f32
      linalg.yield %r : f32
    } -> tensor<4x6xf32>
    %t = linalg.generic {indexing_maps = [affine_map<(b, n) -> (b, n)>, affine_map<(b, n) -> (b, n)>, affine_map<(b, n) -> (b, n)>], iterator_types = ["parallel", "parallel"]}
        ins(%s, %y : tensor<4x6xf32>, tensor<4x6xf32>) outs(%0 : tensor<4x6xf32>) {
    ^bb0(%p: f32, %q: f32, %o: f32):
      %r = arith.mulf %p, %q : f32
      linalg.yield %r : f32
    } -> tensor<4x6xf32>
    return %t : tensor<4x6xf32>
  }
}

// -----

// A constant table with one row per example: each rank and micro-batch takes its rows. A splat is a splat.
module attributes {plan.mesh = #plan.mesh<dp = 2, mb = 1>} {
  // CHECK-LABEL: func.func @forward
  // CHECK-DAG:   %[[TABLE:.*]] = arith.constant dense<[1.000000e+00, 2.000000e+00, 3.000000e+00, 4.000000e+00]> : tensor<4xf32>
  // CHECK-DAG:   %[[SPLAT:.*]] = arith.constant dense<7.000000e+00> : tensor<2xf32>
  // CHECK-DAG:   %[[ROWS:.*]] = comm.all_slice %[[TABLE]] dim = 0 axes = ["dp"] : tensor<4xf32> -> tensor<2xf32>
  // CHECK:       linalg.generic {{.*}} ins(%{{.*}}, %[[ROWS]], %[[SPLAT]] : tensor<2xf32>, tensor<2xf32>, tensor<2xf32>)
  func.func @forward(%x: tensor<4xf32> {plan.layout = #plan.layout<[[dp]]>, plan.object = #plan.object<input, "x">})
      -> (tensor<4xf32> {plan.object = #plan.object<residual, "0">}) attributes {plan.task = #plan.task<forward>} {
    %table = arith.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
    %splat = arith.constant dense<7.0> : tensor<4xf32>
    %0 = tensor.empty() : tensor<4xf32>
    %1 = linalg.generic {indexing_maps = [affine_map<(b) -> (b)>, affine_map<(b) -> (b)>, affine_map<(b) -> (b)>, affine_map<(b) -> (b)>], iterator_types = ["parallel"]}
        ins(%x, %table, %splat : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) outs(%0 : tensor<4xf32>) {
    ^bb0(%a: f32, %b: f32, %c: f32, %o: f32):
      %p = arith.mulf %a, %b : f32
      %q = arith.mulf %p, %c : f32
      linalg.yield %q : f32
    } -> tensor<4xf32>
    return %1 : tensor<4xf32>
  }
}

// -----

// Rows that this rank holds: indices are moved to its block, others read zeros, and the sum goes over the ranks. The
// gradient of the table stays in blocks.
module attributes {plan.mesh = #plan.mesh<tp = 4>} {
  // CHECK-LABEL: func.func @forward
  // CHECK-SAME:  (%[[T:[a-z0-9]+]]: tensor<4x8xf32>
  // CHECK:       %[[FIRST:.*]] = linalg.generic {{.*}} outs(%{{.*}} : tensor<i64>) {
  // CHECK:       %[[MOVED:.*]] = linalg.generic {{.*}} ins(%{{.*}}, %[[FIRST]] : tensor<4x3xi32>, tensor<i64>) outs(%{{.*}} : tensor<4x3xi64>)
  // CHECK:         %[[WIDE:.*]] = arith.extsi
  // CHECK:         %[[C0:.*]] = arith.constant 0 : i64
  // CHECK:         arith.maxsi %[[WIDE]], %[[C0]]
  // CHECK:         %[[C15:.*]] = arith.constant 15 : i64
  // CHECK:         arith.minsi %{{.*}}, %[[C15]]
  // CHECK:         arith.subi
  // CHECK:       %[[ROWS:.*]] = model.lookup %[[T]], %[[MOVED]] masked : (tensor<4x8xf32>, tensor<4x3xi64>) -> tensor<4x3x8xf32>
  // CHECK:       %[[SUM:.*]] = comm.all_reduce %[[ROWS]] axes = ["tp"] combiner = sum : tensor<4x3x8xf32>
  // CHECK:       %[[GRAD:.*]] = model.lookup_grad %{{.*}}, %{{.*}} masked : (tensor<4x3x8xf32>, tensor<4x3xi64>) -> tensor<4x8xf32>
  // CHECK:       return %{{.*}}, %[[GRAD]] : tensor<4x3x8xf32>, tensor<4x8xf32>
  func.func @forward(%t: tensor<16x8xf32> {plan.layout = #plan.layout<[[tp], []]>, plan.object = #plan.object<parameter, "t">}, %i: tensor<4x3xi32> {plan.layout = #plan.layout<[[], []]>, plan.object = #plan.object<input, "i">})
      -> (tensor<4x3x8xf32> {plan.object = #plan.object<residual, "0">}, tensor<16x8xf32> {plan.object = #plan.object<gradient, "t">}) attributes {plan.task = #plan.task<forward>} {
    %0 = model.lookup %t, %i : (tensor<16x8xf32>, tensor<4x3xi32>) -> tensor<4x3x8xf32>
    %1 = tensor.empty() : tensor<4x3x8xf32>
    %2 = linalg.generic {indexing_maps = [affine_map<(a, b, c) -> (a, b, c)>, affine_map<(a, b, c) -> (a, b, c)>], iterator_types = ["parallel", "parallel", "parallel"]}
        ins(%0 : tensor<4x3x8xf32>) outs(%1 : tensor<4x3x8xf32>) {
    ^bb0(%x: f32, %o: f32):
      %r = math.exp %x : f32
      linalg.yield %r : f32
    } -> tensor<4x3x8xf32>
    %3 = model.lookup_grad %2, %i {plan.assignment = #plan.assignment<[[], [], [], [tp]]>} : (tensor<4x3x8xf32>, tensor<4x3xi32>) -> tensor<16x8xf32>
    return %2, %3 : tensor<4x3x8xf32>, tensor<16x8xf32>
  }
}
