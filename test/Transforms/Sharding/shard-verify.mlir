// What tensor parallelism does exchange passes, and nothing is changed.
// RUN: plan-opt %s --split-input-file -o %t && plan-opt %s --shard-verify --split-input-file | diff %t -

// Logits are reduced row by row, and scattered; activations are gathered and summed; weights are gathered over the data axis.
#bsd = affine_map<(b, s, v, d) -> (b, s, d)>
#vd = affine_map<(b, s, v, d) -> (v, d)>
#bsv = affine_map<(b, s, v, d) -> (b, s, v)>
module attributes {plan.mesh = #plan.mesh<fsdp = 2, tp = 2, mb = 1>} {
  func.func @forward(%part: tensor<10x2xf32> {plan.object = #plan.object<parameter, "table">},
                     %tokens: tensor<2x6xi32> {model.argument = #model.argument<input, name = "tokens", batchDim = 0>, plan.object = #plan.object<input, "tokens">}) attributes {plan.task = #plan.task<forward>} {
    %zero = arith.constant 0.0 : f32
    %table = comm.all_gather %part dim = 1 axes = ["fsdp"] : tensor<10x2xf32> -> tensor<10x4xf32>
    %x = model.lookup %table, %tokens masked : (tensor<10x4xf32>, tensor<2x6xi32>) -> tensor<2x6x4xf32>
    %blocks = comm.reduce_scatter %x dim = 1 axes = ["tp"] combiner = sum : tensor<2x6x4xf32> -> tensor<2x3x4xf32>
    %all = comm.all_gather %blocks dim = 1 axes = ["tp"] : tensor<2x3x4xf32> -> tensor<2x6x4xf32>
    %e = tensor.empty() : tensor<2x6x10xf32>
    %z = linalg.fill ins(%zero : f32) outs(%e : tensor<2x6x10xf32>) -> tensor<2x6x10xf32>
    %logits = linalg.contract indexing_maps = [#bsd, #vd, #bsv] ins(%all, %table : tensor<2x6x4xf32>, tensor<10x4xf32>) outs(%z : tensor<2x6x10xf32>) -> tensor<2x6x10xf32>
    %scattered = comm.reduce_scatter %logits dim = 1 axes = ["tp"] combiner = sum : tensor<2x6x10xf32> -> tensor<2x3x10xf32>
    %f = tensor.empty() : tensor<2x6xf32>
    %y = linalg.fill ins(%zero : f32) outs(%f : tensor<2x6xf32>) -> tensor<2x6xf32>
    %rows = linalg.generic {indexing_maps = [affine_map<(b, s, v) -> (b, s, v)>, affine_map<(b, s, v) -> (b, s)>], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%logits : tensor<2x6x10xf32>) outs(%y : tensor<2x6xf32>) {
    ^bb0(%a: f32, %o: f32):
      %t = arith.addf %o, %a : f32
      linalg.yield %t : f32
    } -> tensor<2x6xf32>
    %sum = comm.all_reduce %rows axes = ["tp"] combiner = sum : tensor<2x6xf32>
    return
  }
}

// -----

// Experts that a router picks are no vocabulary: what it picks by comes from weights as well.
#be = affine_map<(b, e) -> (b, e)>
#b = affine_map<(b, e) -> (b)>
module attributes {plan.mesh = #plan.mesh<tp = 2>} {
  func.func @forward(%x: tensor<2x6xf32> {model.argument = #model.argument<input, name = "x", batchDim = 0>, plan.object = #plan.object<input, "x">},
                     %r: tensor<6x4xf32> {plan.object = #plan.object<parameter, "router">}) attributes {plan.task = #plan.task<forward>} {
    %zero = arith.constant 0.0 : f32
    %e = tensor.empty() : tensor<2x4xf32>
    %z = linalg.fill ins(%zero : f32) outs(%e : tensor<2x4xf32>) -> tensor<2x4xf32>
    %parts = linalg.contract indexing_maps = [affine_map<(b, e, d) -> (b, d)>, affine_map<(b, e, d) -> (d, e)>, affine_map<(b, e, d) -> (b, e)>]
        ins(%x, %r : tensor<2x6xf32>, tensor<6x4xf32>) outs(%z : tensor<2x4xf32>) -> tensor<2x4xf32>
    %routes = comm.all_reduce %parts axes = ["tp"] combiner = sum : tensor<2x4xf32>
    %best, %indices = model.top_k %routes : tensor<2x4xf32> -> tensor<2x1xf32>, tensor<2x1xi32>
    %index = tensor.collapse_shape %indices [[0, 1]] : tensor<2x1xi32> into tensor<2xi32>
    %gates = linalg.generic {indexing_maps = [#be, #b, #be], iterator_types = ["parallel", "parallel"]}
        ins(%routes, %index : tensor<2x4xf32>, tensor<2xi32>) outs(%e : tensor<2x4xf32>) {
    ^bb0(%a: f32, %i: i32, %o: f32):
      %j = linalg.index 1 : index
      %expert = arith.index_cast %j : index to i32
      %is = arith.cmpi eq, %expert, %i : i32
      %g = arith.select %is, %a, %zero : f32
      linalg.yield %g : f32
    } -> tensor<2x4xf32>
    return
  }
}

// -----

// Zeros of one shape, made one, join nothing: hidden units are not a vocabulary because both have 4 elements on this rank.
#bsd = affine_map<(b, s, v, d) -> (b, s, d)>
#vd = affine_map<(b, s, v, d) -> (v, d)>
#bsv = affine_map<(b, s, v, d) -> (b, s, v)>
module attributes {plan.mesh = #plan.mesh<tp = 2>} {
  func.func @zero() -> (tensor<4x4xf32> {plan.object = #plan.object<gradient, "table">}, tensor<4x4xf32> {plan.object = #plan.object<gradient, "w">}) attributes {plan.task = #plan.task<zero>} {
    %zeros = arith.constant dense<0.0> : tensor<4x4xf32>
    return %zeros, %zeros : tensor<4x4xf32>, tensor<4x4xf32>
  }
  func.func @forward(%table: tensor<4x4xf32> {plan.object = #plan.object<parameter, "table">}, %w: tensor<4x4xf32> {plan.object = #plan.object<parameter, "w">},
                     %tokens: tensor<2x6xi32> {model.argument = #model.argument<input, name = "tokens", batchDim = 0>, plan.object = #plan.object<input, "tokens">}) attributes {plan.task = #plan.task<forward>} {
    %zero = arith.constant 0.0 : f32
    %rows = model.lookup %table, %tokens masked : (tensor<4x4xf32>, tensor<2x6xi32>) -> tensor<2x6x4xf32>
    %x = comm.all_reduce %rows axes = ["tp"] combiner = sum : tensor<2x6x4xf32>
    %e = tensor.empty() : tensor<2x6x4xf32>
    %z = linalg.fill ins(%zero : f32) outs(%e : tensor<2x6x4xf32>) -> tensor<2x6x4xf32>
    %logits = linalg.contract indexing_maps = [#bsd, #vd, #bsv] ins(%x, %table : tensor<2x6x4xf32>, tensor<4x4xf32>) outs(%z : tensor<2x6x4xf32>) -> tensor<2x6x4xf32>
    %hidden = linalg.contract indexing_maps = [#bsd, #vd, #bsv] ins(%x, %w : tensor<2x6x4xf32>, tensor<4x4xf32>) outs(%z : tensor<2x6x4xf32>) -> tensor<2x6x4xf32>
    %sum = comm.all_reduce %hidden axes = ["tp"] combiner = sum : tensor<2x6x4xf32>
    return
  }
}

// -----

// Over an axis that divides no work everything may be gathered.
module attributes {plan.mesh = #plan.mesh<dp = 2, tp = 1>} {
  func.func @forward(%w: tensor<4x6xf32> {plan.object = #plan.object<parameter, "w">}) attributes {plan.task = #plan.task<forward>} {
    %0 = comm.all_gather %w dim = 1 axes = ["dp"] : tensor<4x6xf32> -> tensor<4x12xf32>
    return
  }
}
