func.func @functions(%x: tensor<8x64xf32>) {
  %0 = chlo.square %x : tensor<8x64xf32> -> tensor<8x64xf32>
  %1 = chlo.is_inf %x : tensor<8x64xf32> -> tensor<8x64xi1>
  %2 = chlo.next_after %x, %x : tensor<8x64xf32>, tensor<8x64xf32> -> tensor<8x64xf32>
  %values, %indices = chlo.top_k(%x, k = 2) : tensor<8x64xf32> -> (tensor<8x2xf32>, tensor<8x2xi32>)
  return
}
