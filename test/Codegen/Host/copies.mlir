// Copies: slices, pads, concatenations, transposes, fills. Every element of a result is written.
// RUN: kernel-run %s

func.func @extract(%x: tensor<7x9x11xf32>) -> (tensor<2x9x11xf32>, tensor<7x3x4xf32>, tensor<7x11xf32>) {
  %0 = tensor.extract_slice %x[3, 0, 0] [2, 9, 11] [1, 1, 1] : tensor<7x9x11xf32> to tensor<2x9x11xf32>
  %1 = tensor.extract_slice %x[0, 2, 1] [7, 3, 4] [1, 2, 3] : tensor<7x9x11xf32> to tensor<7x3x4xf32>
  %2 = tensor.extract_slice %x[0, 8, 0] [7, 1, 11] [1, 1, 1] : tensor<7x9x11xf32> to tensor<7x11xf32>
  return %0, %1, %2 : tensor<2x9x11xf32>, tensor<7x3x4xf32>, tensor<7x11xf32>
}

func.func @insert(%x: tensor<5x6xi64>, %y: tensor<3x6xi64>, %r: tensor<6xi64>) -> (tensor<5x6xi64>, tensor<5x6xi64>) {
  %0 = tensor.insert_slice %y into %x[1, 0] [3, 6] [1, 1] : tensor<3x6xi64> into tensor<5x6xi64>
  %1 = tensor.insert_slice %r into %x[4, 0] [1, 6] [1, 1] : tensor<6xi64> into tensor<5x6xi64>
  return %0, %1 : tensor<5x6xi64>, tensor<5x6xi64>
}

// What a slice's gradient is: zeros around, between the elements too.
func.func @insert_into_fill(%x: tensor<3x4xf32>, %y: tensor<2x3xbf16>) -> (tensor<8x9xf32>, tensor<7x9xbf16>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x9xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<8x9xf32>) -> tensor<8x9xf32>
  %0 = tensor.insert_slice %x into %f[1, 5] [3, 4] [1, 1] : tensor<3x4xf32> into tensor<8x9xf32>
  %g = arith.constant dense<1.5> : tensor<7x9xbf16>
  %1 = tensor.insert_slice %y into %g[1, 0] [2, 3] [3, 4] : tensor<2x3xbf16> into tensor<7x9xbf16>
  return %0, %1 : tensor<8x9xf32>, tensor<7x9xbf16>
}

func.func @pad(%x: tensor<3x70x5xf32>) -> (tensor<3x75x5xf32>, tensor<4x70x8xf32>) {
  %low = arith.constant 0xFF800000 : f32
  %0 = tensor.pad %x low[0, 2, 0] high[0, 3, 0] {
  ^bb0(%i: index, %j: index, %k: index):
    tensor.yield %low : f32
  } : tensor<3x70x5xf32> to tensor<3x75x5xf32>
  %1 = tensor.pad %x low[1, 0, 1] high[0, 0, 2] {
  ^bb0(%i: index, %j: index, %k: index):
    tensor.yield %low : f32
  } : tensor<3x70x5xf32> to tensor<4x70x8xf32>
  return %0, %1 : tensor<3x75x5xf32>, tensor<4x70x8xf32>
}

func.func @concat(%x: tensor<4x6xi1>, %y: tensor<4x1xi1>, %u: tensor<3000x2xf64>, %v: tensor<1x2xf64>) -> (tensor<4x13xi1>, tensor<3002x2xf64>) {
  %0 = tensor.concat dim(1) %x, %y, %x : (tensor<4x6xi1>, tensor<4x1xi1>, tensor<4x6xi1>) -> tensor<4x13xi1>
  %1 = tensor.concat dim(0) %v, %u, %v : (tensor<1x2xf64>, tensor<3000x2xf64>, tensor<1x2xf64>) -> tensor<3002x2xf64>
  return %0, %1 : tensor<4x13xi1>, tensor<3002x2xf64>
}

func.func @transpose(%x: tensor<131x70xf32>, %y: tensor<2x7x3x5xi16>) -> (tensor<70x131xf32>, tensor<2x3x7x5xi16>, tensor<5x3x7x2xi16>) {
  %e = tensor.empty() : tensor<70x131xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (j, i)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<131x70xf32>) outs(%e : tensor<70x131xf32>) {
  ^bb0(%a: f32, %o: f32):
    linalg.yield %a : f32
  } -> tensor<70x131xf32>
  %f = tensor.empty() : tensor<2x3x7x5xi16>
  %1 = linalg.generic {indexing_maps = [affine_map<(i, j, k, l) -> (i, k, j, l)>, affine_map<(i, j, k, l) -> (i, j, k, l)>],
      iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%y : tensor<2x7x3x5xi16>) outs(%f : tensor<2x3x7x5xi16>) {
  ^bb0(%a: i16, %o: i16):
    linalg.yield %a : i16
  } -> tensor<2x3x7x5xi16>
  %g = tensor.empty() : tensor<5x3x7x2xi16>
  %2 = linalg.transpose ins(%y : tensor<2x7x3x5xi16>) outs(%g : tensor<5x3x7x2xi16>) permutation = [3, 2, 1, 0]
  return %0, %1, %2 : tensor<70x131xf32>, tensor<2x3x7x5xi16>, tensor<5x3x7x2xi16>
}

// A permuted output map: the loops follow the output.
func.func @permuted_output(%x: tensor<131x70xf32>) -> tensor<70x131xf32> {
  %e = tensor.empty() : tensor<70x131xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j, i)>], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<131x70xf32>) outs(%e : tensor<70x131xf32>) {
  ^bb0(%a: f32, %o: f32):
    %i = linalg.index 0 : index
    %c = arith.index_cast %i : index to i32
    %d = arith.sitofp %c : i32 to f32
    %s = arith.addf %a, %d : f32
    linalg.yield %s : f32
  } -> tensor<70x131xf32>
  return %0 : tensor<70x131xf32>
}

func.func @fill() -> tensor<3x5000xf16> {
  %c = arith.constant 0.1 : f16
  %e = tensor.empty() : tensor<3x5000xf16>
  %0 = linalg.fill ins(%c : f16) outs(%e : tensor<3x5000xf16>) -> tensor<3x5000xf16>
  return %0 : tensor<3x5000xf16>
}
