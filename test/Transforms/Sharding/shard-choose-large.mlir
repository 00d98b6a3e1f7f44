// Costs of huge tensors stay apart from what must not be: a concatenation computes nothing, however many loops it has.
// RUN: plan-opt %s --model-derive --plan-form-tasks --shard-choose | FileCheck %s

// CHECK: tensor.concat dim(1) {{.*}} : (tensor<1048576x65536xf32>, tensor<1048576x65536xf32>, tensor<1048576x65536xf32>) -> tensor<1048576x196608xf32>
module attributes {plan.mesh = #plan.mesh<dp = 1, tp = 2, mb = 1>} {
  func.func @main(%w: tensor<196608xf32> {model.argument = #model.argument<parameter, name = "w">},
                  %x: tensor<1048576x65536xf32> {model.argument = #model.argument<input, name = "x", batchDim = 0>}) -> tensor<f32> {
    %zero = arith.constant 0.0 : f32
    %all = tensor.concat dim(1) %x, %x, %x : (tensor<1048576x65536xf32>, tensor<1048576x65536xf32>, tensor<1048576x65536xf32>) -> tensor<1048576x196608xf32>
    %e = tensor.empty() : tensor<f32>
    %z = linalg.fill ins(%zero : f32) outs(%e : tensor<f32>) -> tensor<f32>
    %loss = linalg.generic {indexing_maps = [affine_map<(b, n) -> (b, n)>, affine_map<(b, n) -> (n)>, affine_map<(b, n) -> ()>], iterator_types = ["reduction", "reduction"]}
        ins(%all, %w : tensor<1048576x196608xf32>, tensor<196608xf32>) outs(%z : tensor<f32>) {
    ^bb0(%p: f32, %q: f32, %o: f32):
      %r = arith.mulf %p, %q : f32
      %t = arith.addf %o, %r : f32
      linalg.yield %t : f32
    } -> tensor<f32>
    return %loss : tensor<f32>
  }
}
