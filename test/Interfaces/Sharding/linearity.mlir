// Through which ops a partial sum may pass.
// RUN: plan-opt %s --shard-propagate --split-input-file | FileCheck %s

// Sums of partial values stay partial.
module attributes {plan.mesh = #plan.mesh<dp = 2, tp = 2>} {
  // CHECK-LABEL: func.func @forward
  // CHECK-SAME: plan.layout = #plan.layout<{{\[}}[]], partial = {tp = sum}>, plan.object = #plan.object<residual, "0">
  // CHECK: partial = {{\[}}[tp], [tp], []]
  func.func @forward(%p: tensor<4xf32> {plan.layout = #plan.layout<[[]], partial = {tp = sum}>, plan.object = #plan.object<input, "p">}, %q: tensor<4xf32> {plan.layout = #plan.layout<[[]], partial = {tp = sum}>, plan.object = #plan.object<input, "q">}, %w: tensor<4xf32> {plan.layout = #plan.layout<[[]]>, plan.object = #plan.object<input, "w">})
      -> (tensor<4xf32> {plan.object = #plan.object<residual, "0">}) attributes {plan.task = #plan.task<forward>} {
    %0 = tensor.empty() : tensor<4xf32>
    %1 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
        ins(%p, %q : tensor<4xf32>, tensor<4xf32>) outs(%0 : tensor<4xf32>) {
    ^bb0(%a0: f32, %a1: f32, %o: f32):
      %r = arith.addf %a0, %a1 : f32
      linalg.yield %r : f32
    } -> tensor<4xf32>
    return %1 : tensor<4xf32>
  }
}

// -----

// Scaling by whole values, sign, conversion and selection by a whole condition keep a partial value partial.
module attributes {plan.mesh = #plan.mesh<dp = 2, tp = 2>} {
  // CHECK-LABEL: func.func @forward
  // CHECK-SAME: plan.layout = #plan.layout<{{\[}}[]], partial = {tp = sum}>, plan.object = #plan.object<residual, "0">
  // CHECK: partial = {{\[}}[tp], [], []]
  func.func @forward(%p: tensor<4xf32> {plan.layout = #plan.layout<[[]], partial = {tp = sum}>, plan.object = #plan.object<input, "p">}, %q: tensor<4xf32> {plan.layout = #plan.layout<[[]], partial = {tp = sum}>, plan.object = #plan.object<input, "q">}, %w: tensor<4xf32> {plan.layout = #plan.layout<[[]]>, plan.object = #plan.object<input, "w">})
      -> (tensor<4xf32> {plan.object = #plan.object<residual, "0">}) attributes {plan.task = #plan.task<forward>} {
    %0 = tensor.empty() : tensor<4xf32>
    %1 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
        ins(%p, %w : tensor<4xf32>, tensor<4xf32>) outs(%0 : tensor<4xf32>) {
    ^bb0(%a0: f32, %a1: f32, %o: f32):
      %z = arith.constant 0.0 : f32
      %m = arith.mulf %a0, %a1 : f32
      %d = arith.divf %m, %a1 : f32
      %n = arith.negf %d : f32
      %t = arith.truncf %n : f32 to bf16
      %e = arith.extf %t : bf16 to f32
      %c = arith.cmpf ogt, %a1, %z : f32
      %r = arith.select %c, %e, %z : f32
      linalg.yield %r : f32
    } -> tensor<4xf32>
    return %1 : tensor<4xf32>
  }
}

// -----

// A whole summand is taken partial as well.
module attributes {plan.mesh = #plan.mesh<dp = 2, tp = 2>} {
  // CHECK-LABEL: func.func @forward
  // CHECK-SAME: plan.layout = #plan.layout<{{\[}}[]], partial = {tp = sum}>, plan.object = #plan.object<residual, "0">
  // CHECK: partial = {{\[}}[tp], [tp], []]
  func.func @forward(%p: tensor<4xf32> {plan.layout = #plan.layout<[[]], partial = {tp = sum}>, plan.object = #plan.object<input, "p">}, %q: tensor<4xf32> {plan.layout = #plan.layout<[[]], partial = {tp = sum}>, plan.object = #plan.object<input, "q">}, %w: tensor<4xf32> {plan.layout = #plan.layout<[[]]>, plan.object = #plan.object<input, "w">})
      -> (tensor<4xf32> {plan.object = #plan.object<residual, "0">}) attributes {plan.task = #plan.task<forward>} {
    %0 = tensor.empty() : tensor<4xf32>
    %1 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
        ins(%p, %w : tensor<4xf32>, tensor<4xf32>) outs(%0 : tensor<4xf32>) {
    ^bb0(%a0: f32, %a1: f32, %o: f32):
      %r = arith.subf %a0, %a1 : f32
      linalg.yield %r : f32
    } -> tensor<4xf32>
    return %1 : tensor<4xf32>
  }
}

// -----

// Of two partial factors one must be completed first, the other may stay.
module attributes {plan.mesh = #plan.mesh<dp = 2, tp = 2>} {
  // CHECK-LABEL: func.func @forward
  // CHECK-SAME: plan.layout = #plan.layout<{{\[}}[]], partial = {tp = sum}>, plan.object = #plan.object<residual, "0">
  // CHECK: partial = {{\[}}[tp], [], []]
  func.func @forward(%p: tensor<4xf32> {plan.layout = #plan.layout<[[]], partial = {tp = sum}>, plan.object = #plan.object<input, "p">}, %q: tensor<4xf32> {plan.layout = #plan.layout<[[]], partial = {tp = sum}>, plan.object = #plan.object<input, "q">}, %w: tensor<4xf32> {plan.layout = #plan.layout<[[]]>, plan.object = #plan.object<input, "w">})
      -> (tensor<4xf32> {plan.object = #plan.object<residual, "0">}) attributes {plan.task = #plan.task<forward>} {
    %0 = tensor.empty() : tensor<4xf32>
    %1 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
        ins(%p, %q : tensor<4xf32>, tensor<4xf32>) outs(%0 : tensor<4xf32>) {
    ^bb0(%a0: f32, %a1: f32, %o: f32):
      %r = arith.mulf %a0, %a1 : f32
      linalg.yield %r : f32
    } -> tensor<4xf32>
    return %1 : tensor<4xf32>
  }
}

// -----

// A constant summand, a square, a function, a partial divisor and a partial condition need the value complete.
module attributes {plan.mesh = #plan.mesh<dp = 2, tp = 2>} {
  // CHECK-LABEL: func.func @forward
  // CHECK-SAME: plan.layout = #plan.layout<{{\[}}[]]>, plan.object = #plan.object<residual, "0">
  // CHECK-NOT: plan.assignment
  func.func @forward(%p: tensor<4xf32> {plan.layout = #plan.layout<[[]], partial = {tp = sum}>, plan.object = #plan.object<input, "p">}, %q: tensor<4xf32> {plan.layout = #plan.layout<[[]], partial = {tp = sum}>, plan.object = #plan.object<input, "q">}, %w: tensor<4xf32> {plan.layout = #plan.layout<[[]]>, plan.object = #plan.object<input, "w">})
      -> (tensor<4xf32> {plan.object = #plan.object<residual, "0">}) attributes {plan.task = #plan.task<forward>} {
    %0 = tensor.empty() : tensor<4xf32>
    %1 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
        ins(%p : tensor<4xf32>) outs(%0 : tensor<4xf32>) {
    ^bb0(%a0: f32, %o: f32):
      %k = arith.constant 1.0 : f32
      %r = arith.addf %a0, %k : f32
      linalg.yield %r : f32
    } -> tensor<4xf32>
    return %1 : tensor<4xf32>
  }
}

// -----

module attributes {plan.mesh = #plan.mesh<dp = 2, tp = 2>} {
  // CHECK-LABEL: func.func @forward
  // CHECK-SAME: plan.layout = #plan.layout<{{\[}}[]]>, plan.object = #plan.object<residual, "0">
  // CHECK-NOT: plan.assignment
  func.func @forward(%p: tensor<4xf32> {plan.layout = #plan.layout<[[]], partial = {tp = sum}>, plan.object = #plan.object<input, "p">}, %q: tensor<4xf32> {plan.layout = #plan.layout<[[]], partial = {tp = sum}>, plan.object = #plan.object<input, "q">}, %w: tensor<4xf32> {plan.layout = #plan.layout<[[]]>, plan.object = #plan.object<input, "w">})
      -> (tensor<4xf32> {plan.object = #plan.object<residual, "0">}) attributes {plan.task = #plan.task<forward>} {
    %0 = tensor.empty() : tensor<4xf32>
    %1 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
        ins(%p : tensor<4xf32>) outs(%0 : tensor<4xf32>) {
    ^bb0(%a0: f32, %o: f32):
      %r = arith.mulf %a0, %a0 : f32
      linalg.yield %r : f32
    } -> tensor<4xf32>
    return %1 : tensor<4xf32>
  }
}

// -----

module attributes {plan.mesh = #plan.mesh<dp = 2, tp = 2>} {
  // CHECK-LABEL: func.func @forward
  // CHECK-SAME: plan.layout = #plan.layout<{{\[}}[]]>, plan.object = #plan.object<residual, "0">
  // CHECK-NOT: plan.assignment
  func.func @forward(%p: tensor<4xf32> {plan.layout = #plan.layout<[[]], partial = {tp = sum}>, plan.object = #plan.object<input, "p">}, %q: tensor<4xf32> {plan.layout = #plan.layout<[[]], partial = {tp = sum}>, plan.object = #plan.object<input, "q">}, %w: tensor<4xf32> {plan.layout = #plan.layout<[[]]>, plan.object = #plan.object<input, "w">})
      -> (tensor<4xf32> {plan.object = #plan.object<residual, "0">}) attributes {plan.task = #plan.task<forward>} {
    %0 = tensor.empty() : tensor<4xf32>
    %1 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
        ins(%p : tensor<4xf32>) outs(%0 : tensor<4xf32>) {
    ^bb0(%a0: f32, %o: f32):
      %r = math.exp %a0 : f32
      linalg.yield %r : f32
    } -> tensor<4xf32>
    return %1 : tensor<4xf32>
  }
}

// -----

module attributes {plan.mesh = #plan.mesh<dp = 2, tp = 2>} {
  // CHECK-LABEL: func.func @forward
  // CHECK-SAME: plan.layout = #plan.layout<{{\[}}[]]>, plan.object = #plan.object<residual, "0">
  // CHECK-NOT: plan.assignment
  func.func @forward(%p: tensor<4xf32> {plan.layout = #plan.layout<[[]], partial = {tp = sum}>, plan.object = #plan.object<input, "p">}, %q: tensor<4xf32> {plan.layout = #plan.layout<[[]], partial = {tp = sum}>, plan.object = #plan.object<input, "q">}, %w: tensor<4xf32> {plan.layout = #plan.layout<[[]]>, plan.object = #plan.object<input, "w">})
      -> (tensor<4xf32> {plan.object = #plan.object<residual, "0">}) attributes {plan.task = #plan.task<forward>} {
    %0 = tensor.empty() : tensor<4xf32>
    %1 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
        ins(%w, %p : tensor<4xf32>, tensor<4xf32>) outs(%0 : tensor<4xf32>) {
    ^bb0(%a0: f32, %a1: f32, %o: f32):
      %r = arith.divf %a0, %a1 : f32
      linalg.yield %r : f32
    } -> tensor<4xf32>
    return %1 : tensor<4xf32>
  }
}

// -----

module attributes {plan.mesh = #plan.mesh<dp = 2, tp = 2>} {
  // CHECK-LABEL: func.func @forward
  // CHECK-SAME: plan.layout = #plan.layout<{{\[}}[]]>, plan.object = #plan.object<residual, "0">
  // CHECK-NOT: plan.assignment
  func.func @forward(%p: tensor<4xf32> {plan.layout = #plan.layout<[[]], partial = {tp = sum}>, plan.object = #plan.object<input, "p">}, %q: tensor<4xf32> {plan.layout = #plan.layout<[[]], partial = {tp = sum}>, plan.object = #plan.object<input, "q">}, %w: tensor<4xf32> {plan.layout = #plan.layout<[[]]>, plan.object = #plan.object<input, "w">})
      -> (tensor<4xf32> {plan.object = #plan.object<residual, "0">}) attributes {plan.task = #plan.task<forward>} {
    %0 = tensor.empty() : tensor<4xf32>
    %1 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
        ins(%p, %w : tensor<4xf32>, tensor<4xf32>) outs(%0 : tensor<4xf32>) {
    ^bb0(%a0: f32, %a1: f32, %o: f32):
      %c = arith.cmpf ogt, %a0, %a1 : f32
      %r = arith.select %c, %a1, %a1 : f32
      linalg.yield %r : f32
    } -> tensor<4xf32>
    return %1 : tensor<4xf32>
  }
}

// -----

// Moves keep partial values partial: cut, put together, padded with zeros, reshaped, added up.
module attributes {plan.mesh = #plan.mesh<dp = 2, tp = 2>} {
  // CHECK-LABEL: func.func @forward
  // CHECK-SAME: plan.layout = #plan.layout<{{\[}}[]], partial = {tp = sum}>, plan.object = #plan.object<residual, "0">
  func.func @forward(%p: tensor<4xf32> {plan.layout = #plan.layout<[[]], partial = {tp = sum}>, plan.object = #plan.object<input, "p">}, %q: tensor<4xf32> {plan.layout = #plan.layout<[[]], partial = {tp = sum}>, plan.object = #plan.object<input, "q">}, %w: tensor<4xf32> {plan.layout = #plan.layout<[[]]>, plan.object = #plan.object<input, "w">})
      -> (tensor<13xf32> {plan.object = #plan.object<residual, "0">}) attributes {plan.task = #plan.task<forward>} {
    %zero = arith.constant 0.0 : f32
    %0 = tensor.empty() : tensor<8xf32>
    %1 = linalg.fill ins(%zero : f32) outs(%0 : tensor<8xf32>) -> tensor<8xf32>
    %2 = tensor.insert_slice %p into %1[0] [4] [1] : tensor<4xf32> into tensor<8xf32>
    %3 = tensor.insert_slice %q into %2[4] [4] [1] : tensor<4xf32> into tensor<8xf32>
    %4 = tensor.extract_slice %3[2] [4] [1] : tensor<8xf32> to tensor<4xf32>
    %5 = tensor.pad %4 low[1] high[0] {
    ^bb0(%i: index):
      tensor.yield %zero : f32
    } : tensor<4xf32> to tensor<5xf32>
    %6 = tensor.concat dim(0) %5, %3 : (tensor<5xf32>, tensor<8xf32>) -> tensor<13xf32>
    %7 = model.cumulative_sum %6 dim 0 : tensor<13xf32>
    %8 = tensor.expand_shape %7 [[0, 1]] output_shape [13, 1] : tensor<13xf32> into tensor<13x1xf32>
    %9 = tensor.collapse_shape %8 [[0, 1]] : tensor<13x1xf32> into tensor<13xf32>
    return %9 : tensor<13xf32>
  }
}

// -----

// A contraction is linear in each operand, but not in both.
module attributes {plan.mesh = #plan.mesh<dp = 2, tp = 2>} {
  // CHECK-LABEL: func.func @forward
  // CHECK-SAME: partial = {tp = sum}>, plan.object = #plan.object<residual, "0">
  // CHECK: linalg.contract {{.*}}partial = {{\[}}[tp], [], []]
  func.func @forward(%p: tensor<4x4xf32> {plan.layout = #plan.layout<[[], []], partial = {tp = sum}>, plan.object = #plan.object<input, "p">}, %q: tensor<4x4xf32> {plan.layout = #plan.layout<[[], []], partial = {tp = sum}>, plan.object = #plan.object<input, "q">})
      -> (tensor<4x4xf32> {plan.object = #plan.object<residual, "0">}) attributes {plan.task = #plan.task<forward>} {
    %zero = arith.constant 0.0 : f32
    %0 = tensor.empty() : tensor<4x4xf32>
    %1 = linalg.fill ins(%zero : f32) outs(%0 : tensor<4x4xf32>) -> tensor<4x4xf32>
    %2 = linalg.contract indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>]
        ins(%p, %q : tensor<4x4xf32>, tensor<4x4xf32>) outs(%1 : tensor<4x4xf32>) -> tensor<4x4xf32>
    return %2 : tensor<4x4xf32>
  }
}
