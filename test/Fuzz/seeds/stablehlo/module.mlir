#loc1 = loc("model.py":1:2)
module @jit_loss attributes {mhlo.num_partitions = 1 : i32} {
  func.func public @main(%arg0: tensor<2x3xf32>) -> (tensor<f32> {jax.result_info = "result"}) {
    %cst = stablehlo.constant dense<"0x00000000"> : tensor<f32>
    %0 = call @f(%arg0) : (tensor<2x3xf32>) -> tensor<2x3xf32> loc(#loc1)
    %1 = stablehlo.reduce(%0 init: %cst) applies stablehlo.add across dimensions = [0, 1] : (tensor<2x3xf32>, tensor<f32>) -> tensor<f32>
    return %1 : tensor<f32>
  }
  func.func private @f(%arg0: tensor<2x3xf32>) -> tensor<2x3xf32> {
    %c = stablehlo.constant dense<[[1.0, 0x7FC00000, -3.40282347E+38], [0xFF800000, 1, 2.5e-3]]> : tensor<2x3xf32>
    %0 = stablehlo.add %arg0, %c : tensor<2x3xf32>
    return %0 : tensor<2x3xf32>
  }
}
#loc2 = loc("name"(#loc1))
