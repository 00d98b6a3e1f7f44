// Each exchange that must not be, in tasks of one rank; and what the pass cannot work on.
// RUN: plan-opt %s --shard-verify --split-input-file --verify-diagnostics

// expected-error @below {{has no mesh: expected the attribute "plan.mesh"}}
module {
}

// -----

module attributes {plan.mesh = #plan.mesh<tp = 2>} {
  // expected-error @below {{argument 0 has no plan.object}}
  func.func @forward(%x: tensor<4xf32>) attributes {plan.task = #plan.task<forward>} {
    return
  }
}

// -----

module attributes {plan.mesh = #plan.mesh<tp = 2>} {
  // expected-error @below {{result 0 has no plan.object}}
  func.func @forward(%x: tensor<4xf32> {plan.object = #plan.object<input, "x">}) -> tensor<4xf32> attributes {plan.task = #plan.task<forward>} {
    return %x : tensor<4xf32>
  }
}

// -----

// 1: a weight as it is; and one that is gathered over the data axis, as it may be, and converted first. Every violation is named.
#nk = affine_map<(n, k) -> (n, k)>
#kn = affine_map<(n, k) -> (k, n)>
module attributes {plan.mesh = #plan.mesh<fsdp = 2, tp = 2, mb = 1>} {
  func.func @forward(%w: tensor<4x6xf32> {plan.object = #plan.object<parameter, "w">}, %v: tensor<2x6xf32> {plan.object = #plan.object<parameter, "v">}) attributes {plan.task = #plan.task<forward>} {
    // expected-error @below {{gathers dimension 1 of parameter "w" over tp = 2: weights stay divided over this axis}}
    %0 = comm.all_gather %w dim = 1 axes = ["tp"] : tensor<4x6xf32> -> tensor<4x12xf32>
    %1 = comm.all_gather %v dim = 0 axes = ["fsdp"] : tensor<2x6xf32> -> tensor<4x6xf32>
    %2 = tensor.empty() : tensor<6x4xf16>
    %3 = linalg.generic {indexing_maps = [#kn, #nk], iterator_types = ["parallel", "parallel"]} ins(%1 : tensor<4x6xf32>) outs(%2 : tensor<6x4xf16>) {
    ^bb0(%a: f32, %o: f16):
      %r = arith.truncf %a : f32 to f16
      linalg.yield %r : f16
    } -> tensor<6x4xf16>
    // expected-error @below {{gathers dimension 0 of parameter "v" over tp = 2}}
    %4 = comm.all_to_all %3 split_dim = 1 concat_dim = 0 axes = ["tp"] : tensor<6x4xf16> -> tensor<12x2xf16>
    return
  }
}

// -----

// 2: logits whose vocabulary is that of a table which tokens look up, gathered and moved to positions.
#bsd = affine_map<(b, s, v, d) -> (b, s, d)>
#vd = affine_map<(b, s, v, d) -> (v, d)>
#bsv = affine_map<(b, s, v, d) -> (b, s, v)>
module attributes {plan.mesh = #plan.mesh<tp = 2>} {
  func.func @forward(%table: tensor<10x4xf32> {plan.object = #plan.object<parameter, "table">},
                     %tokens: tensor<2x6xi32> {model.argument = #model.argument<input, name = "tokens", batchDim = 0>, plan.object = #plan.object<input, "tokens">}) attributes {plan.task = #plan.task<forward>} {
    %zero = arith.constant 0.0 : f32
    %x = model.lookup %table, %tokens masked : (tensor<10x4xf32>, tensor<2x6xi32>) -> tensor<2x6x4xf32>
    %sum = comm.all_reduce %x axes = ["tp"] combiner = sum : tensor<2x6x4xf32>
    %e = tensor.empty() : tensor<2x6x10xf32>
    %z = linalg.fill ins(%zero : f32) outs(%e : tensor<2x6x10xf32>) -> tensor<2x6x10xf32>
    %logits = linalg.contract indexing_maps = [#bsd, #vd, #bsv] ins(%sum, %table : tensor<2x6x4xf32>, tensor<10x4xf32>) outs(%z : tensor<2x6x10xf32>) -> tensor<2x6x10xf32>
    // expected-error @below {{gathers dimension 2 of logits over tp = 2: dimension 2 is their vocabulary}}
    %0 = comm.all_gather %logits dim = 2 axes = ["tp"] : tensor<2x6x10xf32> -> tensor<2x6x20xf32>
    // expected-error @below {{gathers dimension 2 of logits over tp = 2: dimension 2 is their vocabulary}}
    %1 = comm.all_to_all %logits split_dim = 1 concat_dim = 2 axes = ["tp"] : tensor<2x6x10xf32> -> tensor<2x3x20xf32>
    return
  }
}

// -----

// 2: logits whose vocabulary is what labels pick from, summed whole. One example a rank, flattened: its positions are left.
#sd = affine_map<(s, v, d) -> (s, d)>
#dv = affine_map<(s, v, d) -> (d, v)>
#sv = affine_map<(s, v, d) -> (s, v)>
#row = affine_map<(s, v) -> (s, v)>
#rows = affine_map<(s, v) -> (s)>
module attributes {plan.mesh = #plan.mesh<tp = 2>} {
  func.func @forward(%head: tensor<4x10xf32> {plan.object = #plan.object<parameter, "head">},
                     %x: tensor<1x6x4xf32> {model.argument = #model.argument<input, name = "x", batchDim = 0>, plan.object = #plan.object<input, "x">},
                     %labels: tensor<1x6xi32> {model.argument = #model.argument<input, name = "labels", batchDim = 0>, plan.object = #plan.object<input, "labels">}) attributes {plan.task = #plan.task<forward>} {
    %zero = arith.constant 0.0 : f32
    %flat = tensor.collapse_shape %x [[0, 1], [2]] : tensor<1x6x4xf32> into tensor<6x4xf32>
    %flatLabels = tensor.collapse_shape %labels [[0, 1]] : tensor<1x6xi32> into tensor<6xi32>
    %e = tensor.empty() : tensor<6x10xf32>
    %z = linalg.fill ins(%zero : f32) outs(%e : tensor<6x10xf32>) -> tensor<6x10xf32>
    %parts = linalg.contract indexing_maps = [#sd, #dv, #sv] ins(%flat, %head : tensor<6x4xf32>, tensor<4x10xf32>) outs(%z : tensor<6x10xf32>) -> tensor<6x10xf32>
    // expected-error @below {{sums whole logits over tp = 2: dimension 1 is their vocabulary}}
    %logits = comm.all_reduce %parts axes = ["tp"] combiner = sum : tensor<6x10xf32>
    %f = tensor.empty() : tensor<6xf32>
    %y = linalg.fill ins(%zero : f32) outs(%f : tensor<6xf32>) -> tensor<6xf32>
    %picked = linalg.generic {indexing_maps = [#row, #rows, #rows], iterator_types = ["parallel", "reduction"]}
        ins(%logits, %flatLabels : tensor<6x10xf32>, tensor<6xi32>) outs(%y : tensor<6xf32>) {
    ^bb0(%a: f32, %label: i32, %o: f32):
      %i = linalg.index 1 : index
      %class = arith.index_cast %i : index to i32
      %is = arith.cmpi eq, %class, %label : i32
      %r = arith.select %is, %a, %zero : f32
      %t = arith.addf %o, %r : f32
      linalg.yield %t : f32
    } -> tensor<6xf32>
    return
  }
}

// -----

// 3: scores of queries and keys, gathered along heads.
#q = affine_map<(b, h, s, t, d) -> (b, h, s, d)>
#k = affine_map<(b, h, s, t, d) -> (b, h, t, d)>
#st = affine_map<(b, h, s, t, d) -> (b, h, s, t)>
module attributes {plan.mesh = #plan.mesh<tp = 2>} {
  func.func @forward(%x: tensor<2x6x4xf32> {model.argument = #model.argument<input, name = "x", batchDim = 0>, plan.object = #plan.object<input, "x">},
                     %w: tensor<4x3x5xf32> {plan.object = #plan.object<parameter, "w">}) attributes {plan.task = #plan.task<forward>} {
    %zero = arith.constant 0.0 : f32
    %e = tensor.empty() : tensor<2x3x6x5xf32>
    %z = linalg.fill ins(%zero : f32) outs(%e : tensor<2x3x6x5xf32>) -> tensor<2x3x6x5xf32>
    %heads = linalg.contract indexing_maps = [affine_map<(b, h, s, d, e) -> (b, s, e)>, affine_map<(b, h, s, d, e) -> (e, h, d)>, affine_map<(b, h, s, d, e) -> (b, h, s, d)>]
        ins(%x, %w : tensor<2x6x4xf32>, tensor<4x3x5xf32>) outs(%z : tensor<2x3x6x5xf32>) -> tensor<2x3x6x5xf32>
    %f = tensor.empty() : tensor<2x3x6x6xf32>
    %y = linalg.fill ins(%zero : f32) outs(%f : tensor<2x3x6x6xf32>) -> tensor<2x3x6x6xf32>
    %scores = linalg.contract indexing_maps = [#q, #k, #st] ins(%heads, %heads : tensor<2x3x6x5xf32>, tensor<2x3x6x5xf32>) outs(%y : tensor<2x3x6x6xf32>) -> tensor<2x3x6x6xf32>
    // expected-error @below {{gathers dimension 1 of scores over tp = 2: two of their dimensions are positions}}
    %all = comm.all_gather %scores dim = 1 axes = ["tp"] : tensor<2x3x6x6xf32> -> tensor<2x6x6x6xf32>
    return
  }
}
