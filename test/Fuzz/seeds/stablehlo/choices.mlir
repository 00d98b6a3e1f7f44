func.func @choices(%f: tensor<4xf32>, %s: tensor<f32>, %i: tensor<4xi32>, %p: tensor<4xi1>, %q: tensor<i1>) {
  %0 = stablehlo.compare LT, %i, %i, SIGNED : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
  %1 = stablehlo.compare  NE, %i, %i : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
  %2 = stablehlo.select %p, %f, %f : tensor<4xi1>, tensor<4xf32>
  %3 = stablehlo.select %q, %f, %f : (tensor<i1>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %4 = stablehlo.clamp %s, %f, %s : (tensor<f32>, tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  return
}
