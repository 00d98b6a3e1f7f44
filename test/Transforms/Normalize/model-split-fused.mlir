// A fused dimension becomes two, back to its parameters; where something else has it, nothing happens.
// RUN: plan-opt %s --model-split-fused --split-input-file | FileCheck %s

#rows = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (j)>

// CHECK: #[[X:.*]] = affine_map<(d0, d1, d2, d3) -> (d0, d3)>
// CHECK: #[[W:.*]] = affine_map<(d0, d1, d2, d3) -> (d3, d1, d2)>
// CHECK: #[[Y:.*]] = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
// CHECK: #[[B:.*]] = affine_map<(d0, d1, d2) -> (d1, d2)>
// CHECK-LABEL: func.func @main(
// CHECK-SAME:    %[[ARGW:.*]]: tensor<4x3x6xf32> {model.argument = #model.argument<parameter, name = "w">}, %[[ARGB:.*]]: tensor<3x6xf32>
// CHECK-SAME:    %[[ARGX:.*]]: tensor<8x4xf32>
// CHECK:         %[[Z:.*]] = linalg.fill {{.*}} -> tensor<8x3x6xf32>
// CHECK:         %[[P:.*]] = linalg.contract indexing_maps = [#[[X]], #[[W]], #[[Y]]] ins(%[[ARGX]], %[[ARGW]] : tensor<8x4xf32>, tensor<4x3x6xf32>) outs(%[[Z]]
// CHECK:         %[[S:.*]] = linalg.generic {indexing_maps = [#{{.*}}, #[[B]], #{{.*}}], iterator_types = ["parallel", "parallel", "parallel"]} ins(%[[P]], %[[ARGB]]
// CHECK:         %[[V:.*]] = tensor.extract_slice %[[S]][0, 2, 0] [8, 1, 6] [1, 1, 1] : tensor<8x3x6xf32> to tensor<8x1x6xf32>
// CHECK:         %[[C:.*]] = tensor.collapse_shape %[[V]] {{\[\[}}0], [1, 2]] : tensor<8x1x6xf32> into tensor<8x6xf32>
// CHECK:         tensor.extract_slice %[[S]][0, 0, 0] [8, 1, 6] [1, 1, 1]
// CHECK:         return %[[C]]
func.func @main(%w: tensor<4x18xf32> {model.argument = #model.argument<parameter, name = "w">},
                %b: tensor<18xf32> {model.argument = #model.argument<parameter, name = "b">},
                %x: tensor<8x4xf32> {model.argument = #model.argument<input, name = "x", batchDim = 0>}) -> (tensor<8x6xf32>, tensor<8x6xf32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x18xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<8x18xf32>) -> tensor<8x18xf32>
  %p = linalg.contract indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>]
      ins(%x, %w : tensor<8x4xf32>, tensor<4x18xf32>) outs(%z : tensor<8x18xf32>) -> tensor<8x18xf32>
  %s = linalg.generic {indexing_maps = [#rows, #row, #rows], iterator_types = ["parallel", "parallel"]}
      ins(%p, %b : tensor<8x18xf32>, tensor<18xf32>) outs(%e : tensor<8x18xf32>) {
  ^bb0(%u: f32, %v: f32, %o: f32):
    %r = arith.addf %u, %v : f32
    linalg.yield %r : f32
  } -> tensor<8x18xf32>
  %v = tensor.extract_slice %s[0, 12] [8, 6] [1, 1] : tensor<8x18xf32> to tensor<8x6xf32>
  %q = tensor.extract_slice %s[0, 0] [8, 6] [1, 1] : tensor<8x18xf32> to tensor<8x6xf32>
  return %v, %q : tensor<8x6xf32>, tensor<8x6xf32>
}

// -----

// Parts of different sizes, as of fewer key and value heads.
// CHECK-LABEL: func.func @uneven(
// CHECK-SAME:    tensor<4x18xf32>
func.func @uneven(%w: tensor<4x18xf32> {model.argument = #model.argument<parameter, name = "w">}, %x: tensor<8x4xf32>) -> (tensor<8x12xf32>, tensor<8x6xf32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x18xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<8x18xf32>) -> tensor<8x18xf32>
  %p = linalg.contract indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>]
      ins(%x, %w : tensor<8x4xf32>, tensor<4x18xf32>) outs(%z : tensor<8x18xf32>) -> tensor<8x18xf32>
  %q = tensor.extract_slice %p[0, 0] [8, 12] [1, 1] : tensor<8x18xf32> to tensor<8x12xf32>
  %k = tensor.extract_slice %p[0, 12] [8, 6] [1, 1] : tensor<8x18xf32> to tensor<8x6xf32>
  return %q, %k : tensor<8x12xf32>, tensor<8x6xf32>
}

// -----

// Somebody reads the whole.
// CHECK-LABEL: func.func @read_whole(
// CHECK-SAME:    tensor<4x12xf32>
func.func @read_whole(%w: tensor<4x12xf32> {model.argument = #model.argument<parameter, name = "w">}, %x: tensor<8x4xf32>) -> (tensor<8x12xf32>, tensor<8x6xf32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x12xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<8x12xf32>) -> tensor<8x12xf32>
  %p = linalg.contract indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>]
      ins(%x, %w : tensor<8x4xf32>, tensor<4x12xf32>) outs(%z : tensor<8x12xf32>) -> tensor<8x12xf32>
  %q = tensor.extract_slice %p[0, 6] [8, 6] [1, 1] : tensor<8x12xf32> to tensor<8x6xf32>
  return %p, %q : tensor<8x12xf32>, tensor<8x6xf32>
}

// -----

// The parameter is read elsewhere, and an input has no second shape.
// CHECK-LABEL: func.func @shared(
// CHECK-SAME:    tensor<4x12xf32>
func.func @shared(%w: tensor<4x12xf32> {model.argument = #model.argument<parameter, name = "w">}, %x: tensor<8x4xf32>) -> (tensor<4x12xf32>, tensor<8x6xf32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x12xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<8x12xf32>) -> tensor<8x12xf32>
  %p = linalg.contract indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>]
      ins(%x, %w : tensor<8x4xf32>, tensor<4x12xf32>) outs(%z : tensor<8x12xf32>) -> tensor<8x12xf32>
  %q = tensor.extract_slice %p[0, 6] [8, 6] [1, 1] : tensor<8x12xf32> to tensor<8x6xf32>
  return %w, %q : tensor<4x12xf32>, tensor<8x6xf32>
}
