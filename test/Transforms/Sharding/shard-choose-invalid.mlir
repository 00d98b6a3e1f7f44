// What cannot be divided over tp, and why.
// RUN: plan-opt %s --shard-choose --split-input-file --verify-diagnostics

// expected-error @below {{has no mesh: expected the attribute "plan.mesh"}}
module {
}

// -----

// expected-error @below {{has no forward or no backward task: run plan-form-tasks first}}
module attributes {plan.mesh = #plan.mesh<dp = 1, tp = 2, mb = 1>} {
}

// -----

// The columns divide, but not the heads into which they are reshaped.
module attributes {plan.mesh = #plan.mesh<dp = 1, tp = 2, mb = 1>} {
  func.func @forward(%w: tensor<5x6xf32> {plan.object = #plan.object<parameter, "w">},
                     %x: tensor<8x5xf32> {model.argument = #model.argument<input, name = "x", batchDim = 0>, plan.object = #plan.object<input, "x">})
      -> (tensor<8x3x2xf32> {plan.object = #plan.object<residual, "0">}) attributes {plan.task = #plan.task<forward>} {
    %zero = arith.constant 0.0 : f32
    %e = tensor.empty() : tensor<8x6xf32>
    %z = linalg.fill ins(%zero : f32) outs(%e : tensor<8x6xf32>) -> tensor<8x6xf32>
    %h = linalg.contract indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>]
        ins(%x, %w : tensor<8x5xf32>, tensor<5x6xf32>) outs(%z : tensor<8x6xf32>) -> tensor<8x6xf32>
    // expected-error @below {{dimension of size 3 does not divide over tp = 2}}
    %heads = tensor.expand_shape %h [[0], [1, 2]] output_shape [8, 3, 2] : tensor<8x6xf32> into tensor<8x3x2xf32>
    return %heads : tensor<8x3x2xf32>
  }
  func.func @backward(%r: tensor<8x3x2xf32> {plan.object = #plan.object<residual, "0">}) attributes {plan.task = #plan.task<backward>} {
    return
  }
}

// -----

// Neither dimension of the second weight divides, so the work could not be shared. Of two alike the first is named.
module attributes {plan.mesh = #plan.mesh<dp = 1, tp = 3, mb = 1>} {
  func.func @forward(%w: tensor<4x6xf32> {plan.object = #plan.object<parameter, "w">},
                     %v: tensor<7x5xf32> {plan.object = #plan.object<parameter, "v">},
                     %x: tensor<8x4xf32> {model.argument = #model.argument<input, name = "x", batchDim = 0>, plan.object = #plan.object<input, "x">},
                     %y: tensor<8x7xf32> {plan.object = #plan.object<parameter, "y">})
      -> (tensor<8x6xf32> {plan.object = #plan.object<residual, "0">}, tensor<8x5xf32> {plan.object = #plan.object<residual, "1">},
          tensor<8x5xf32> {plan.object = #plan.object<residual, "2">}) attributes {plan.task = #plan.task<forward>} {
    %zero = arith.constant 0.0 : f32
    %e6 = tensor.empty() : tensor<8x6xf32>
    %z6 = linalg.fill ins(%zero : f32) outs(%e6 : tensor<8x6xf32>) -> tensor<8x6xf32>
    %g = linalg.contract indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>]
        ins(%x, %w : tensor<8x4xf32>, tensor<4x6xf32>) outs(%z6 : tensor<8x6xf32>) -> tensor<8x6xf32>
    %e5 = tensor.empty() : tensor<8x5xf32>
    %z5 = linalg.fill ins(%zero : f32) outs(%e5 : tensor<8x5xf32>) -> tensor<8x5xf32>
    // expected-error @below {{'linalg.contract' op cannot be divided over tp = 3: dimension 0 of argument "y" has size 8, dimension 1 of argument "v" has size 5, dimension 0 of argument "v" has size 7 (the first of 2 such operations)}}
    %h = linalg.contract indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>]
        ins(%y, %v : tensor<8x7xf32>, tensor<7x5xf32>) outs(%z5 : tensor<8x5xf32>) -> tensor<8x5xf32>
    %i = linalg.contract indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>]
        ins(%y, %v : tensor<8x7xf32>, tensor<7x5xf32>) outs(%z5 : tensor<8x5xf32>) -> tensor<8x5xf32>
    return %g, %h, %i : tensor<8x6xf32>, tensor<8x5xf32>, tensor<8x5xf32>
  }
  func.func @backward(%r: tensor<8x6xf32> {plan.object = #plan.object<residual, "0">}) attributes {plan.task = #plan.task<backward>} {
    return
  }
}

// -----

// The rows of the weight divide, but not the three heads of the attention behind it.
module attributes {plan.mesh = #plan.mesh<dp = 1, tp = 2, mb = 1>} {
  func.func @forward(%w: tensor<4x3x2xf32> {plan.object = #plan.object<parameter, "w">},
                     %x: tensor<8x6x4xf32> {model.argument = #model.argument<input, name = "x", batchDim = 0>, plan.object = #plan.object<input, "x">})
      -> (tensor<8x3x6x6xf32> {plan.object = #plan.object<residual, "0">}) attributes {plan.task = #plan.task<forward>} {
    %zero = arith.constant 0.0 : f32
    %eq = tensor.empty() : tensor<8x6x3x2xf32>
    %zq = linalg.fill ins(%zero : f32) outs(%eq : tensor<8x6x3x2xf32>) -> tensor<8x6x3x2xf32>
    %q = linalg.contract indexing_maps = [affine_map<(b, s, h, d, k) -> (b, s, k)>, affine_map<(b, s, h, d, k) -> (k, h, d)>, affine_map<(b, s, h, d, k) -> (b, s, h, d)>]
        ins(%x, %w : tensor<8x6x4xf32>, tensor<4x3x2xf32>) outs(%zq : tensor<8x6x3x2xf32>) -> tensor<8x6x3x2xf32>
    %es = tensor.empty() : tensor<8x3x6x6xf32>
    %zs = linalg.fill ins(%zero : f32) outs(%es : tensor<8x3x6x6xf32>) -> tensor<8x3x6x6xf32>
    // expected-error @below {{'linalg.contract' op cannot be divided over tp = 2: dimension 2 of operand 0 has size 3}}
    %s = linalg.contract indexing_maps = [affine_map<(b, h, s, t, d) -> (b, s, h, d)>, affine_map<(b, h, s, t, d) -> (b, t, h, d)>, affine_map<(b, h, s, t, d) -> (b, h, s, t)>]
        ins(%q, %q : tensor<8x6x3x2xf32>, tensor<8x6x3x2xf32>) outs(%zs : tensor<8x3x6x6xf32>) -> tensor<8x3x6x6xf32>
    return %s : tensor<8x3x6x6xf32>
  }
  func.func @backward(%r: tensor<8x3x6x6xf32> {plan.object = #plan.object<residual, "0">}) attributes {plan.task = #plan.task<backward>} {
    return
  }
}

// -----

// Hidden units divide, but not the vocabulary: every rank would have a part of each logit.
module attributes {plan.mesh = #plan.mesh<dp = 1, tp = 2, mb = 1>} {
  func.func @forward(%table: tensor<7x4xf32> {plan.object = #plan.object<parameter, "table">},
                     %tokens: tensor<8xi32> {model.argument = #model.argument<input, name = "tokens", batchDim = 0>, plan.object = #plan.object<input, "tokens">})
      -> (tensor<8x7xf32> {plan.object = #plan.object<residual, "0">}) attributes {plan.task = #plan.task<forward>} {
    %zero = arith.constant 0.0 : f32
    %x = model.lookup %table, %tokens : (tensor<7x4xf32>, tensor<8xi32>) -> tensor<8x4xf32>
    %e = tensor.empty() : tensor<8x7xf32>
    %z = linalg.fill ins(%zero : f32) outs(%e : tensor<8x7xf32>) -> tensor<8x7xf32>
    // expected-error @below {{vocabulary of size 7, dimension 1 of logits, does not divide over tp = 2: logits would be summed whole}}
    %logits = linalg.contract indexing_maps = [affine_map<(b, v, d) -> (b, d)>, affine_map<(b, v, d) -> (v, d)>, affine_map<(b, v, d) -> (b, v)>]
        ins(%x, %table : tensor<8x4xf32>, tensor<7x4xf32>) outs(%z : tensor<8x7xf32>) -> tensor<8x7xf32>
    %p = linalg.generic {indexing_maps = [affine_map<(b, v) -> (b, v)>, affine_map<(b, v) -> (b, v)>], iterator_types = ["parallel", "parallel"]}
        ins(%logits : tensor<8x7xf32>) outs(%e : tensor<8x7xf32>) {
    ^bb0(%a: f32, %o: f32):
      %r = math.exp %a : f32
      linalg.yield %r : f32
    } -> tensor<8x7xf32>
    return %p : tensor<8x7xf32>
  }
  func.func @backward(%r: tensor<8x7xf32> {plan.object = #plan.object<residual, "0">}) attributes {plan.task = #plan.task<backward>} {
    return
  }
}
