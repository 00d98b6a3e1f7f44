func.func @elementwise(%f: tensor<4xf32>, %i: tensor<4xi32>, %u: tensor<4xui8>, %p: tensor<4xi1>, %c: tensor<4xcomplex<f32>>) {
  %0 = stablehlo.add %f, %f : tensor<4xf32>
  %1 = stablehlo.multiply %u, %u {mhlo.note = "kept"} : (tensor<4xui8>, tensor<4xui8>) -> tensor<4xui8>
  %2 = stablehlo.exponential %f {result_accuracy = #stablehlo.result_accuracy<atol = 0.0, rtol = 0.0, ulps = 10, mode = #stablehlo.result_accuracy_mode<TOLERANCE>>} : tensor<4xf32>
  %3 = stablehlo.not %p : tensor<4xi1>
  %4 = stablehlo.is_finite %f : (tensor<4xf32>) -> tensor<4xi1>
  %5 = stablehlo.convert %i : (tensor<4xi32>) -> tensor<4xbf16>
  %6 = stablehlo.convert %f : tensor<4xf32>
  %7 = stablehlo.abs %c : (tensor<4xcomplex<f32>>) -> tensor<4xf32>
  %8 = stablehlo.complex %f, %f : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xcomplex<f32>>
  %9 = stablehlo.real %c : (tensor<4xcomplex<f32>>) -> tensor<4xf32>
  %10 = stablehlo.bitcast_convert %f : (tensor<4xf32>) -> tensor<4x2xbf16>
  %11 = stablehlo.reduce_precision %f, format = e5m10 : tensor<4xf32>
  return
}
