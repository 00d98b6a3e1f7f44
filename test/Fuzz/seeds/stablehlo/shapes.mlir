func.func @shapes(%a: tensor<4x6xf32>, %v: tensor<6xf32>, %s: tensor<f32>, %i: tensor<i32>) {
  %0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %1 = stablehlo.iota dim = 1 : tensor<4x6xui32>
  %2 = stablehlo.broadcast %v, sizes = [2] : (tensor<6xf32>) -> tensor<2x6xf32>
  %3 = stablehlo.broadcast_in_dim %v, dims = [1] : (tensor<6xf32>) -> tensor<4x6xf32>
  %4 = stablehlo.broadcast_in_dim %s, dims = [] : (tensor<f32>) -> tensor<4x6xf32>
  %5 = stablehlo.reshape %a : (tensor<4x6xf32>) -> tensor<2x12xf32>
  %6 = stablehlo.transpose %a, dims = [1, 0] {result_layout = dense<[0, 1]> : tensor<2xindex>, xla_shape = "f32[6,4]{0,1}"} : (tensor<4x6xf32>) -> tensor<6x4xf32>
  %7 = stablehlo.reverse %a, dims = [0] : tensor<4x6xf32>
  %8 = stablehlo.slice %a [0:4, 1:6:2] : (tensor<4x6xf32>) -> tensor<4x3xf32>
  %9 = stablehlo.slice %s [] : (tensor<f32>) -> tensor<f32>
  %10 = stablehlo.dynamic_slice %a, %i, %i, sizes = [1, 6] : (tensor<4x6xf32>, tensor<i32>, tensor<i32>) -> tensor<1x6xf32>
  %11 = stablehlo.dynamic_update_slice %a, %10, %i, %i : (tensor<4x6xf32>, tensor<1x6xf32>, tensor<i32>, tensor<i32>) -> tensor<4x6xf32>
  %12 = stablehlo.concatenate %a, %2, dim = 0 : (tensor<4x6xf32>, tensor<2x6xf32>) -> tensor<6x6xf32>
  %13 = stablehlo.pad %a, %s, low = [1, 0], high = [0, -1], interior = [0, 1] : (tensor<4x6xf32>, tensor<f32>) -> tensor<5x10xf32>
  return
}
