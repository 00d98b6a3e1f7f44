// Kernels of the model dialect.
// RUN: kernel-run %s

// Indices are made up in [0, 7): some are outside of the table of five rows and read its last.
func.func @lookup(%t: tensor<5x130xf32>, %i: tensor<4x9xi32>, %n: tensor<5x2x3xbf16>, %j: tensor<6xi64>) -> (tensor<4x9x130xf32>, tensor<6x2x3xbf16>) {
  %0 = model.lookup %t, %i : (tensor<5x130xf32>, tensor<4x9xi32>) -> tensor<4x9x130xf32>
  %1 = model.lookup %n, %j : (tensor<5x2x3xbf16>, tensor<6xi64>) -> tensor<6x2x3xbf16>
  return %0, %1 : tensor<4x9x130xf32>, tensor<6x2x3xbf16>
}

func.func @lookup_clamps(%t: tensor<5xf32>) -> tensor<4xf32> {
  %i = arith.constant dense<[-3, 2, 5, 1000]> : tensor<4xi32>
  %0 = model.lookup %t, %i : (tensor<5xf32>, tensor<4xi32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// A block of a table: rows that others hold are zeros, or add nothing.
func.func @lookup_masked(%t: tensor<5x3xf32>, %n: tensor<5x2x3xbf16>, %j: tensor<6xi64>) -> (tensor<7x3xf32>, tensor<6x2x3xbf16>) {
  %i = arith.constant dense<[-3, 2, 5, 1000, 0, 4, -1]> : tensor<7xi64>
  %0 = model.lookup %t, %i masked : (tensor<5x3xf32>, tensor<7xi64>) -> tensor<7x3xf32>
  %1 = model.lookup %n, %j masked : (tensor<5x2x3xbf16>, tensor<6xi64>) -> tensor<6x2x3xbf16>
  return %0, %1 : tensor<7x3xf32>, tensor<6x2x3xbf16>
}

func.func @lookup_grad_masked(%dy: tensor<7x3xf32>) -> tensor<5x3xf32> attributes {test.tolerance = 4.0e-6} {
  %i = arith.constant dense<[-3, 2, 5, 1000, 2, 4, -1]> : tensor<7xi64>
  %0 = model.lookup_grad %dy, %i masked : (tensor<7x3xf32>, tensor<7xi64>) -> tensor<5x3xf32>
  return %0 : tensor<5x3xf32>
}

func.func @lookup_grad(%dy: tensor<4x9x130xf32>, %i: tensor<4x9xi32>, %dz: tensor<50x1xf64>, %j: tensor<50xi8>) -> (tensor<5x130xf32>, tensor<40x1xf64>) attributes {test.tolerance = 4.0e-6} {
  %0 = model.lookup_grad %dy, %i : (tensor<4x9x130xf32>, tensor<4x9xi32>) -> tensor<5x130xf32>
  %1 = model.lookup_grad %dz, %j : (tensor<50x1xf64>, tensor<50xi8>) -> tensor<40x1xf64>
  return %0, %1 : tensor<5x130xf32>, tensor<40x1xf64>
}

func.func @cumulative_sum(%x: tensor<3x50x700xf32>, %y: tensor<70x33xi32>) -> (tensor<3x50x700xf32>, tensor<3x50x700xf32>, tensor<70x33xi32>) attributes {test.tolerance = 1.0e-5} {
  %0 = model.cumulative_sum %x dim 1 : tensor<3x50x700xf32>
  %1 = model.cumulative_sum %x dim 0 reverse : tensor<3x50x700xf32>
  %2 = model.cumulative_sum %y dim 1 reverse : tensor<70x33xi32>
  return %0, %1, %2 : tensor<3x50x700xf32>, tensor<3x50x700xf32>, tensor<70x33xi32>
}

func.func @top_k(%x: tensor<3x40x4xf32>, %y: tensor<5x9xi32>, %z: tensor<11x6xf32> {test.special})
    -> (tensor<3x40x2xf32>, tensor<3x40x2xi32>, tensor<5x9xi32>, tensor<5x9xi64>, tensor<11x3xf32>, tensor<11x3xi32>) {
  %v0, %i0 = model.top_k %x : tensor<3x40x4xf32> -> tensor<3x40x2xf32>, tensor<3x40x2xi32>
  %v1, %i1 = model.top_k %y : tensor<5x9xi32> -> tensor<5x9xi32>, tensor<5x9xi64>
  %v2, %i2 = model.top_k %z : tensor<11x6xf32> -> tensor<11x3xf32>, tensor<11x3xi32>
  return %v0, %i0, %v1, %i1, %v2, %i2 : tensor<3x40x2xf32>, tensor<3x40x2xi32>, tensor<5x9xi32>, tensor<5x9xi64>, tensor<11x3xf32>, tensor<11x3xi32>
}
