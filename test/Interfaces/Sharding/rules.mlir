// One case per op with a sharding rule: which dimension is which factor, and of which kind.
// RUN: plan-opt %s --shard-propagate --split-input-file | FileCheck %s

// A transposing generic: loops are factors, whatever the maps.
module attributes {plan.mesh = #plan.mesh<dp = 2, tp = 2>} {
  // CHECK-LABEL: func.func @forward
  // CHECK-SAME: plan.layout = #plan.layout<{{\[}}[tp], [dp]]>, plan.object = #plan.object<residual, "0">
  // CHECK: linalg.generic {{.*}}plan.assignment = #plan.assignment<{{\[}}[tp], [dp]]>
  func.func @forward(%x: tensor<4x6xf32> {plan.layout = #plan.layout<[[dp], [tp]]>, plan.object = #plan.object<input, "x">})
      -> (tensor<6x4xf32> {plan.object = #plan.object<residual, "0">}) attributes {plan.task = #plan.task<forward>} {
    %0 = tensor.empty() : tensor<6x4xf32>
    %1 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (j, i)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
        ins(%x : tensor<4x6xf32>) outs(%0 : tensor<6x4xf32>) {
    ^bb0(%a: f32, %o: f32):
      linalg.yield %a : f32
    } -> tensor<6x4xf32>
    return %1 : tensor<6x4xf32>
  }
}

// -----

// A sum over a divided dimension is partial; a maximum too, with another combiner.
module attributes {plan.mesh = #plan.mesh<dp = 2, tp = 2>} {
  // CHECK-LABEL: func.func @forward
  // CHECK-SAME: plan.layout = #plan.layout<{{\[}}[dp]], partial = {tp = sum}>, plan.object = #plan.object<residual, "0">
  // CHECK-SAME: plan.layout = #plan.layout<{{\[}}[dp]], partial = {tp = max}>, plan.object = #plan.object<residual, "1">
  func.func @forward(%x: tensor<4x6xf32> {plan.layout = #plan.layout<[[dp], [tp]]>, plan.object = #plan.object<input, "x">})
      -> (tensor<4xf32> {plan.object = #plan.object<residual, "0">}, tensor<4xf32> {plan.object = #plan.object<residual, "1">}) attributes {plan.task = #plan.task<forward>} {
    %zero = arith.constant 0.0 : f32
    %0 = tensor.empty() : tensor<4xf32>
    %1 = linalg.fill ins(%zero : f32) outs(%0 : tensor<4xf32>) -> tensor<4xf32>
    %s = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]}
        ins(%x : tensor<4x6xf32>) outs(%1 : tensor<4xf32>) {
    ^bb0(%a: f32, %o: f32):
      %r = arith.addf %o, %a : f32
      linalg.yield %r : f32
    } -> tensor<4xf32>
    %m = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]}
        ins(%x : tensor<4x6xf32>) outs(%1 : tensor<4xf32>) {
    ^bb0(%a: f32, %o: f32):
      %r = arith.maximumf %o, %a : f32
      linalg.yield %r : f32
    } -> tensor<4xf32>
    return %s, %m : tensor<4xf32>, tensor<4xf32>
  }
}

// -----

// A sum that does not start from zero, a product, and the place of a maximum must stay whole: the start would count twice, the rest
// has no combiner.
module attributes {plan.mesh = #plan.mesh<dp = 2, tp = 2>} {
  // CHECK-LABEL: func.func @forward
  // CHECK-COUNT-3: linalg.generic {{.*}}plan.assignment = #plan.assignment<{{\[}}[dp], []]>
  func.func @forward(%x: tensor<4x6xf32> {plan.layout = #plan.layout<[[dp], [tp]]>, plan.object = #plan.object<input, "x">}, %b: tensor<4xf32> {plan.layout = #plan.layout<[[]]>, plan.object = #plan.object<input, "b">})
      -> (tensor<4xf32> {plan.object = #plan.object<residual, "0">}, tensor<4xf32> {plan.object = #plan.object<residual, "1">}, tensor<4xi32> {plan.object = #plan.object<residual, "2">}) attributes {plan.task = #plan.task<forward>} {
    %one = arith.constant 1.0 : f32
    %zero = arith.constant 0 : i32
    %0 = tensor.empty() : tensor<4xf32>
    %1 = linalg.fill ins(%one : f32) outs(%0 : tensor<4xf32>) -> tensor<4xf32>
    %2 = tensor.empty() : tensor<4xi32>
    %3 = linalg.fill ins(%zero : i32) outs(%2 : tensor<4xi32>) -> tensor<4xi32>
    %s = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]}
        ins(%x : tensor<4x6xf32>) outs(%b : tensor<4xf32>) {
    ^bb0(%a: f32, %o: f32):
      %r = arith.addf %o, %a : f32
      linalg.yield %r : f32
    } -> tensor<4xf32>
    %p = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]}
        ins(%x : tensor<4x6xf32>) outs(%1 : tensor<4xf32>) {
    ^bb0(%a: f32, %o: f32):
      %r = arith.mulf %o, %a : f32
      linalg.yield %r : f32
    } -> tensor<4xf32>
    %m:2 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]}
        ins(%x : tensor<4x6xf32>) outs(%1, %3 : tensor<4xf32>, tensor<4xi32>) {
    ^bb0(%a: f32, %o: f32, %k: i32):
      %j = linalg.index 1 : index
      %n = arith.index_cast %j : index to i32
      %g = arith.cmpf ogt, %a, %o : f32
      %v = arith.select %g, %a, %o : f32
      %w = arith.select %g, %n, %k : i32
      linalg.yield %v, %w : f32, i32
    } -> (tensor<4xf32>, tensor<4xi32>)
    return %s, %p, %m#1 : tensor<4xf32>, tensor<4xf32>, tensor<4xi32>
  }
}

// -----

// A contraction: batch, rows and columns are parallel, the contracted dimension is summed.
module attributes {plan.mesh = #plan.mesh<dp = 2, tp = 2>} {
  // CHECK-LABEL: func.func @forward
  // CHECK-SAME: plan.layout = #plan.layout<{{\[}}[dp], [], []], partial = {tp = sum}>, plan.object = #plan.object<residual, "0">
  // CHECK: linalg.contract {{.*}}plan.assignment = #plan.assignment<{{\[}}[dp], [], [], [tp]]>
  func.func @forward(%a: tensor<4x6x8xf32> {plan.layout = #plan.layout<[[dp], [], [tp]]>, plan.object = #plan.object<input, "a">}, %b: tensor<4x8x2xf32> {plan.layout = #plan.layout<[[dp], [tp], []]>, plan.object = #plan.object<input, "b">})
      -> (tensor<4x6x2xf32> {plan.object = #plan.object<residual, "0">}) attributes {plan.task = #plan.task<forward>} {
    %zero = arith.constant 0.0 : f32
    %0 = tensor.empty() : tensor<4x6x2xf32>
    %1 = linalg.fill ins(%zero : f32) outs(%0 : tensor<4x6x2xf32>) -> tensor<4x6x2xf32>
    %2 = linalg.contract indexing_maps = [affine_map<(b, m, n, k) -> (b, m, k)>, affine_map<(b, m, n, k) -> (b, k, n)>, affine_map<(b, m, n, k) -> (b, m, n)>]
        ins(%a, %b : tensor<4x6x8xf32>, tensor<4x8x2xf32>) outs(%1 : tensor<4x6x2xf32>) -> tensor<4x6x2xf32>
    return %2 : tensor<4x6x2xf32>
  }
}

// -----

// Operands that disagree: the larger one wins, the other will be exchanged.
module attributes {plan.mesh = #plan.mesh<dp = 2, tp = 2>} {
  // CHECK-LABEL: func.func @forward
  // CHECK: linalg.contract {{.*}}plan.assignment = #plan.assignment<{{\[}}[tp], [], []]>
  func.func @forward(%a: tensor<4x64xf32> {plan.layout = #plan.layout<[[tp], []]>, plan.object = #plan.object<input, "a">}, %b: tensor<64x2xf32> {plan.layout = #plan.layout<[[tp], []]>, plan.object = #plan.object<input, "b">})
      -> (tensor<4x2xf32> {plan.object = #plan.object<residual, "0">}) attributes {plan.task = #plan.task<forward>} {
    %zero = arith.constant 0.0 : f32
    %0 = tensor.empty() : tensor<4x2xf32>
    %1 = linalg.fill ins(%zero : f32) outs(%0 : tensor<4x2xf32>) -> tensor<4x2xf32>
    %2 = linalg.contract indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>]
        ins(%a, %b : tensor<4x64xf32>, tensor<64x2xf32>) outs(%1 : tensor<4x2xf32>) -> tensor<4x2xf32>
    return %2 : tensor<4x2xf32>
  }
}

// -----

// Slices: a dimension taken from end to end may be divided, one that is cut may not.
module attributes {plan.mesh = #plan.mesh<dp = 2, tp = 2>} {
  // CHECK-LABEL: func.func @forward
  // CHECK: tensor.extract_slice {{.*}}plan.assignment = #plan.assignment<{{\[}}[dp], [], []]>
  // CHECK: tensor.extract_slice {{.*}}plan.assignment = #plan.assignment<{{\[}}[dp], []]>
  // CHECK: tensor.insert_slice {{.*}}plan.assignment = #plan.assignment<{{\[}}[dp], [], []]>
  func.func @forward(%x: tensor<4x6xf32> {plan.layout = #plan.layout<[[dp], [tp]]>, plan.object = #plan.object<input, "x">})
      -> (tensor<4x3xf32> {plan.object = #plan.object<residual, "0">}, tensor<4xf32> {plan.object = #plan.object<residual, "1">}, tensor<4x9xf32> {plan.object = #plan.object<residual, "2">}) attributes {plan.task = #plan.task<forward>} {
    %0 = tensor.extract_slice %x[0, 2] [4, 3] [1, 1] : tensor<4x6xf32> to tensor<4x3xf32>
    %1 = tensor.extract_slice %x[0, 2] [4, 1] [1, 1] : tensor<4x6xf32> to tensor<4xf32>
    %2 = tensor.empty() : tensor<4x9xf32>
    %3 = tensor.insert_slice %x into %2[0, 1] [4, 6] [1, 1] : tensor<4x6xf32> into tensor<4x9xf32>
    return %0, %1, %3 : tensor<4x3xf32>, tensor<4xf32>, tensor<4x9xf32>
  }
}

// -----

// Padded and joined dimensions are whole; all others are not.
module attributes {plan.mesh = #plan.mesh<dp = 2, tp = 2>} {
  // CHECK-LABEL: func.func @forward
  // CHECK: } {plan.assignment = #plan.assignment<{{\[}}[dp], [], []]>} : tensor<4x6xf32> to tensor<4x8xf32>
  // CHECK: tensor.concat {{.*}}plan.assignment = #plan.assignment<{{\[}}[dp], [], [], []]>
  func.func @forward(%x: tensor<4x6xf32> {plan.layout = #plan.layout<[[dp], [tp]]>, plan.object = #plan.object<input, "x">})
      -> (tensor<4x8xf32> {plan.object = #plan.object<residual, "0">}, tensor<4x12xf32> {plan.object = #plan.object<residual, "1">}) attributes {plan.task = #plan.task<forward>} {
    %zero = arith.constant 0.0 : f32
    %0 = tensor.pad %x low[0, 1] high[0, 1] {
    ^bb0(%i: index, %j: index):
      tensor.yield %zero : f32
    } : tensor<4x6xf32> to tensor<4x8xf32>
    %1 = tensor.concat dim(1) %x, %x : (tensor<4x6xf32>, tensor<4x6xf32>) -> tensor<4x12xf32>
    return %0, %1 : tensor<4x8xf32>, tensor<4x12xf32>
  }
}

// -----

// A dimension that is split: axes fill the major factor first; joining is the reverse.
module attributes {plan.mesh = #plan.mesh<dp = 2, tp = 2>} {
  // CHECK-LABEL: func.func @forward
  // CHECK: tensor.expand_shape {{.*}}plan.assignment = #plan.assignment<{{\[}}[dp], [tp], []]>
  // CHECK: tensor.collapse_shape {{.*}}plan.assignment = #plan.assignment<{{\[}}[dp], [tp], []]>
  // CHECK: tensor.expand_shape {{.*}}plan.assignment = #plan.assignment<{{\[}}[dp], []]>
  func.func @forward(%x: tensor<8x6xf32> {plan.layout = #plan.layout<[[dp, tp], []]>, plan.object = #plan.object<input, "x">}, %y: tensor<8xf32> {plan.layout = #plan.layout<[[dp]]>, plan.object = #plan.object<input, "y">})
      -> (tensor<2x24xf32> {plan.object = #plan.object<residual, "0">}, tensor<4x2xf32> {plan.object = #plan.object<residual, "1">}) attributes {plan.task = #plan.task<forward>} {
    %0 = tensor.expand_shape %x [[0, 1], [2]] output_shape [2, 4, 6] : tensor<8x6xf32> into tensor<2x4x6xf32>
    %1 = tensor.collapse_shape %0 [[0], [1, 2]] : tensor<2x4x6xf32> into tensor<2x24xf32>
    %2 = tensor.expand_shape %y [[0, 1]] output_shape [4, 2] : tensor<8xf32> into tensor<4x2xf32>
    return %1, %2 : tensor<2x24xf32>, tensor<4x2xf32>
  }
}

// -----

// Embedding: rows divide by index and by trailing dimension; the gradient sums over indices.
module attributes {plan.mesh = #plan.mesh<dp = 2, tp = 2>} {
  // CHECK-LABEL: func.func @forward
  // CHECK-SAME: plan.layout = #plan.layout<{{\[}}[], [tp]], partial = {dp = sum}>, plan.object = #plan.object<residual, "1">
  // CHECK: model.lookup {{.*}}plan.assignment = #plan.assignment<{{\[}}[dp], [], [tp], []]>
  // CHECK: model.lookup_grad {{.*}}plan.assignment = #plan.assignment<{{\[}}[dp], [], [tp], []]>
  func.func @forward(%t: tensor<16x8xf32> {plan.layout = #plan.layout<[[], [tp]]>, plan.object = #plan.object<input, "t">}, %i: tensor<4x3xi32> {plan.layout = #plan.layout<[[dp], []]>, plan.object = #plan.object<input, "i">})
      -> (tensor<4x3x8xf32> {plan.object = #plan.object<residual, "0">}, tensor<16x8xf32> {plan.object = #plan.object<residual, "1">}) attributes {plan.task = #plan.task<forward>} {
    %0 = model.lookup %t, %i : (tensor<16x8xf32>, tensor<4x3xi32>) -> tensor<4x3x8xf32>
    %1 = model.lookup_grad %0, %i : (tensor<4x3x8xf32>, tensor<4x3xi32>) -> tensor<16x8xf32>
    return %0, %1 : tensor<4x3x8xf32>, tensor<16x8xf32>
  }
}

// -----

// A table divided along the rows that are indexed: results add up over the ranks.
module attributes {plan.mesh = #plan.mesh<dp = 2, tp = 2>} {
  // CHECK-LABEL: func.func @forward
  // CHECK-SAME: plan.layout = #plan.layout<{{\[}}[dp], [], []], partial = {tp = sum}>, plan.object = #plan.object<residual, "0">
  // CHECK: model.lookup {{.*}}plan.assignment = #plan.assignment<{{\[}}[dp], [], [], [tp]]>
  func.func @forward(%t: tensor<16x8xf32> {plan.layout = #plan.layout<[[tp], []]>, plan.object = #plan.object<input, "t">}, %i: tensor<4x3xi32> {plan.layout = #plan.layout<[[dp], []]>, plan.object = #plan.object<input, "i">})
      -> (tensor<4x3x8xf32> {plan.object = #plan.object<residual, "0">}) attributes {plan.task = #plan.task<forward>} {
    %0 = model.lookup %t, %i : (tensor<16x8xf32>, tensor<4x3xi32>) -> tensor<4x3x8xf32>
    return %0 : tensor<4x3x8xf32>
  }
}

// -----

// Running sums and the k largest need their own dimension whole.
module attributes {plan.mesh = #plan.mesh<dp = 2, tp = 2>} {
  // CHECK-LABEL: func.func @forward
  // CHECK: model.cumulative_sum {{.*}}plan.assignment = #plan.assignment<{{\[}}[dp], []]>
  // CHECK: model.top_k {{.*}}plan.assignment = #plan.assignment<{{\[}}[dp], [], []]>
  func.func @forward(%x: tensor<4x6xf32> {plan.layout = #plan.layout<[[dp], [tp]]>, plan.object = #plan.object<input, "x">})
      -> (tensor<4x6xf32> {plan.object = #plan.object<residual, "0">}, tensor<4x2xi32> {plan.object = #plan.object<residual, "1">}) attributes {plan.task = #plan.task<forward>} {
    %0 = model.cumulative_sum %x dim 1 : tensor<4x6xf32>
    %1, %2 = model.top_k %x : tensor<4x6xf32> -> tensor<4x2xf32>, tensor<4x2xi32>
    return %0, %2 : tensor<4x6xf32>, tensor<4x2xi32>
  }
}
