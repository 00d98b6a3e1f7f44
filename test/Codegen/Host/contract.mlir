// Contractions that no BLAS does: as loops, 16-bit floats and integers included.
// RUN: kernel-run %s

func.func @nn(%a: tensor<5x33xf32>, %b: tensor<33x70xf32>) -> tensor<5x70xf32> attributes {test.tolerance = 1.0e-5} {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<5x70xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<5x70xf32>) -> tensor<5x70xf32>
  %0 = linalg.contract indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>]
      ins(%a, %b : tensor<5x33xf32>, tensor<33x70xf32>) outs(%f : tensor<5x70xf32>) -> tensor<5x70xf32>
  return %0 : tensor<5x70xf32>
}

func.func @nt_batched(%a: tensor<3x5x33xf64>, %b: tensor<3x7x33xf64>) -> tensor<3x5x7xf64> {
  %zero = arith.constant 0.0 : f64
  %e = tensor.empty() : tensor<3x5x7xf64>
  %f = linalg.fill ins(%zero : f64) outs(%e : tensor<3x5x7xf64>) -> tensor<3x5x7xf64>
  %0 = linalg.contract indexing_maps = [affine_map<(b, m, n, k) -> (b, m, k)>, affine_map<(b, m, n, k) -> (b, n, k)>, affine_map<(b, m, n, k) -> (b, m, n)>]
      ins(%a, %b : tensor<3x5x33xf64>, tensor<3x7x33xf64>) outs(%f : tensor<3x5x7xf64>) -> tensor<3x5x7xf64>
  return %0 : tensor<3x5x7xf64>
}

func.func @bf16_to_f32(%a: tensor<20x64xbf16>, %b: tensor<64x30xbf16>) -> tensor<20x30xf32> attributes {test.tolerance = 1.0e-5} {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<20x30xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<20x30xf32>) -> tensor<20x30xf32>
  %0 = linalg.contract indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>]
      ins(%a, %b : tensor<20x64xbf16>, tensor<64x30xbf16>) outs(%f : tensor<20x30xf32>) -> tensor<20x30xf32>
  return %0 : tensor<20x30xf32>
}

func.func @bf16(%a: tensor<20x64xbf16>, %b: tensor<30x64xbf16>) -> tensor<20x30xbf16> {
  %zero = arith.constant 0.0 : bf16
  %e = tensor.empty() : tensor<20x30xbf16>
  %f = linalg.fill ins(%zero : bf16) outs(%e : tensor<20x30xbf16>) -> tensor<20x30xbf16>
  %0 = linalg.contract indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
      ins(%a, %b : tensor<20x64xbf16>, tensor<30x64xbf16>) outs(%f : tensor<20x30xbf16>) -> tensor<20x30xbf16>
  return %0 : tensor<20x30xbf16>
}

func.func @i32(%a: tensor<6x9xi32>, %b: tensor<9x11xi32>) -> tensor<6x11xi32> {
  %zero = arith.constant 0 : i32
  %e = tensor.empty() : tensor<6x11xi32>
  %f = linalg.fill ins(%zero : i32) outs(%e : tensor<6x11xi32>) -> tensor<6x11xi32>
  %0 = linalg.contract indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>]
      ins(%a, %b : tensor<6x9xi32>, tensor<9x11xi32>) outs(%f : tensor<6x11xi32>) -> tensor<6x11xi32>
  return %0 : tensor<6x11xi32>
}

func.func @outer_product(%a: tensor<40x1xf32>, %b: tensor<1x300xf32>) -> tensor<40x300xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<40x300xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<40x300xf32>) -> tensor<40x300xf32>
  %0 = linalg.contract indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>]
      ins(%a, %b : tensor<40x1xf32>, tensor<1x300xf32>) outs(%f : tensor<40x300xf32>) -> tensor<40x300xf32>
  return %0 : tensor<40x300xf32>
}
