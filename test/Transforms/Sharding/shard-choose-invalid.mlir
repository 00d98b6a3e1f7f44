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
