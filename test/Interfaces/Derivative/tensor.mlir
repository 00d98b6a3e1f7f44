// Gradients of slices, padding, concatenation and reshapes against finite differences, in f64.
// RUN: check-gradients %s | FileCheck %s --implicit-check-not=argument

#id = affine_map<(d0, d1) -> (d0, d1)>

// CHECK: extract: ok
func.func @extract(%a: tensor<4x6xf64>) -> tensor<2x3xf64> {
  %0 = tensor.extract_slice %a[1, 2] [2, 3] [1, 1] : tensor<4x6xf64> to tensor<2x3xf64>
  return %0 : tensor<2x3xf64>
}

// CHECK: extract_strided: ok
func.func @extract_strided(%a: tensor<4x6xf64>) -> tensor<2x3xf64> {
  %0 = tensor.extract_slice %a[0, 1] [2, 3] [2, 2] : tensor<4x6xf64> to tensor<2x3xf64>
  return %0 : tensor<2x3xf64>
}

// CHECK: extract_row: ok
func.func @extract_row(%a: tensor<4x6xf64>) -> tensor<6xf64> {
  %0 = tensor.extract_slice %a[2, 0] [1, 6] [1, 1] : tensor<4x6xf64> to tensor<6xf64>
  return %0 : tensor<6xf64>
}

// Thirds that cover the tensor, rows that do not, and overlapping windows.
// CHECK: thirds: ok
func.func @thirds(%a: tensor<2x6xf64>) -> (tensor<2x2xf64>, tensor<2x2xf64>, tensor<2x2xf64>) {
  %0 = tensor.extract_slice %a[0, 4] [2, 2] [1, 1] : tensor<2x6xf64> to tensor<2x2xf64>
  %1 = tensor.extract_slice %a[0, 0] [2, 2] [1, 1] : tensor<2x6xf64> to tensor<2x2xf64>
  %2 = tensor.extract_slice %a[0, 2] [2, 2] [1, 1] : tensor<2x6xf64> to tensor<2x2xf64>
  return %0, %1, %2 : tensor<2x2xf64>, tensor<2x2xf64>, tensor<2x2xf64>
}

// CHECK: rows: ok
func.func @rows(%a: tensor<4x6xf64>) -> (tensor<6xf64>, tensor<1x6xf64>) {
  %0 = tensor.extract_slice %a[3, 0] [1, 6] [1, 1] : tensor<4x6xf64> to tensor<6xf64>
  %1 = tensor.extract_slice %a[1, 0] [1, 6] [1, 1] : tensor<4x6xf64> to tensor<1x6xf64>
  return %0, %1 : tensor<6xf64>, tensor<1x6xf64>
}

// CHECK: windows: ok
func.func @windows(%a: tensor<4x6xf64>) -> (tensor<4x3xf64>, tensor<4x3xf64>, tensor<4x3xf64>) {
  %0 = tensor.extract_slice %a[0, 0] [4, 3] [1, 1] : tensor<4x6xf64> to tensor<4x3xf64>
  %1 = tensor.extract_slice %a[0, 1] [4, 3] [1, 1] : tensor<4x6xf64> to tensor<4x3xf64>
  %2 = tensor.extract_slice %a[0, 3] [4, 3] [1, 1] : tensor<4x6xf64> to tensor<4x3xf64>
  return %0, %1, %2 : tensor<4x3xf64>, tensor<4x3xf64>, tensor<4x3xf64>
}

// CHECK: insert: ok
func.func @insert(%a: tensor<3xf64>, %b: tensor<4x6xf64>) -> tensor<4x6xf64> {
  %0 = tensor.insert_slice %a into %b[2, 1] [1, 3] [1, 2] : tensor<3xf64> into tensor<4x6xf64>
  return %0 : tensor<4x6xf64>
}

// CHECK: pad: ok
func.func @pad(%a: tensor<2x3xf64>) -> tensor<4x6xf64> {
  %zero = arith.constant 1.0 : f64
  %0 = tensor.pad %a low[2, 1] high[0, 2] {
  ^bb0(%i: index, %j: index):
    tensor.yield %zero : f64
  } : tensor<2x3xf64> to tensor<4x6xf64>
  return %0 : tensor<4x6xf64>
}

// CHECK: concat: ok
func.func @concat(%a: tensor<2x3xf64>, %b: tensor<2x1xf64>) -> tensor<2x7xf64> {
  %0 = tensor.concat dim(1) %a, %b, %a : (tensor<2x3xf64>, tensor<2x1xf64>, tensor<2x3xf64>) -> tensor<2x7xf64>
  return %0 : tensor<2x7xf64>
}

// CHECK: reshape: ok
func.func @reshape(%a: tensor<2x6xf64>) -> tensor<4x3xf64> {
  %0 = tensor.expand_shape %a [[0], [1, 2]] output_shape [2, 2, 3] : tensor<2x6xf64> into tensor<2x2x3xf64>
  %1 = tensor.collapse_shape %0 [[0, 1], [2]] : tensor<2x2x3xf64> into tensor<4x3xf64>
  %e = tensor.empty() : tensor<4x3xf64>
  %2 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%1 : tensor<4x3xf64>) outs(%e : tensor<4x3xf64>) {
  ^bb0(%x: f64, %o: f64):
    %3 = math.sin %x : f64
    linalg.yield %3 : f64
  } -> tensor<4x3xf64>
  return %2 : tensor<4x3xf64>
}
