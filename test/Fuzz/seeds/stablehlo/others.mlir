func.func @others(%x: tensor<4xf32>, %s: tensor<f32>, %state: tensor<2xui64>, %shape: tensor<1xi64>) {
  %0 = stablehlo.custom_call @mhlo.erf(%x) {mhlo.attributes = {}, mhlo.version = 1 : i64} : (tensor<4xf32>) -> tensor<4xf32>
  %1 = stablehlo.composite "my.op" %x {composite_attributes = {k = 1 : i64}, decomposition = @decomposition} : (tensor<4xf32>) -> tensor<4xf32>
  %2:2 = stablehlo.optimization_barrier %x, %s : tensor<4xf32>, tensor<f32>
  %3 = stablehlo.tuple %x, %s : tuple<tensor<4xf32>, tensor<f32>>
  %4 = stablehlo.get_tuple_element %3[1] : (tuple<tensor<4xf32>, tensor<f32>>) -> tensor<f32>
  %5 = stablehlo.rng %s, %s, %shape, distribution = NORMAL : (tensor<f32>, tensor<f32>, tensor<1xi64>) -> tensor<4xf32>
  %6:2 = stablehlo.rng_bit_generator %state, algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, tensor<4xui32>)
  %7 = stablehlo.fft %x, type = RFFT, length = [4] : (tensor<4xf32>) -> tensor<3xcomplex<f32>>
  %8 = stablehlo.create_token : !stablehlo.token
  return
}
func.func private @decomposition(tensor<4xf32>) -> tensor<4xf32>
