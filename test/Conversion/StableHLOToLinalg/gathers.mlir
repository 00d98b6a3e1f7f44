// Gathers by what is known about their indices.
// RUN: plan-opt --convert-stablehlo-to-linalg --model-fold-broadcasts --cse --model-close-bodies --model-verify-normal-form %s | FileCheck %s

// Rows by data: a lookup.
// CHECK-LABEL: func.func @embedding(
// CHECK: model.lookup %arg0, %{{.*}} : (tensor<16x4xf32>, tensor<8x2xi32>) -> tensor<8x2x4xf32>
func.func @embedding(%table: tensor<16x4xf32>, %i: tensor<8x2x1xi32>) -> tensor<8x2x4xf32> {
  %0 = "stablehlo.gather"(%table, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, slice_sizes = array<i64: 1, 4>}> : (tensor<16x4xf32>, tensor<8x2x1xi32>) -> tensor<8x2x4xf32>
  return %0 : tensor<8x2x4xf32>
}

// Rows by position: the rows themselves.
// CHECK-LABEL: func.func @positions(
// CHECK: tensor.extract_slice %arg0[2, 0] [8, 4] [1, 1]
// CHECK-NOT: model.lookup
func.func @positions(%table: tensor<16x4xf32>) -> tensor<8x4xf32> {
  %i = stablehlo.constant dense<[2, 3, 4, 5, 6, 7, 8, 9]> : tensor<8xi32>
  %0 = "stablehlo.gather"(%table, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 4>}> : (tensor<16x4xf32>, tensor<8xi32>) -> tensor<8x4xf32>
  return %0 : tensor<8x4xf32>
}

// take_along_axis: a masked sum over the picked dimension. Indices are moved inside first.
// CHECK-LABEL: func.func @pick(
// CHECK: linalg.generic {{.*}}iterator_types = ["parallel", "parallel", "reduction"]}
// CHECK: arith.maxsi
// CHECK: arith.minsi
// CHECK: %[[AT:.*]] = linalg.index 2
// CHECK: arith.cmpi eq
// CHECK: arith.select
// CHECK: arith.addf %out
func.func @pick(%x: tensor<8x4x16xf32>, %i: tensor<8x4x1x1xi32>) -> tensor<8x4x1xf32> {
  %0 = "stablehlo.gather"(%x, %i) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [2], operand_batching_dims = [0, 1], start_indices_batching_dims = [0, 1], start_index_map = [2], index_vector_dim = 3>, slice_sizes = array<i64: 1, 1, 1>}> : (tensor<8x4x16xf32>, tensor<8x4x1x1xi32>) -> tensor<8x4x1xf32>
  return %0 : tensor<8x4x1xf32>
}

// The same as PyTorch writes it: the row's number is one of the indices.
// CHECK-LABEL: func.func @torch_pick(
// CHECK: linalg.generic {{.*}}iterator_types = ["parallel", "reduction"]}
// CHECK: arith.minui
// CHECK: linalg.index 1
// CHECK: arith.addf %out
func.func @torch_pick(%x: tensor<8x16xf32>, %i: tensor<8x1x1xui32>) -> tensor<8x1xf32> {
  %rows = stablehlo.iota dim = 0 : tensor<8xui32>
  %0 = stablehlo.reshape %rows : (tensor<8xui32>) -> tensor<8x1x1xui32>
  %1 = stablehlo.concatenate %0, %i, dim = 2 : (tensor<8x1x1xui32>, tensor<8x1x1xui32>) -> tensor<8x1x2xui32>
  %2 = "stablehlo.gather"(%x, %1) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0, 1], start_index_map = [0, 1], index_vector_dim = 2>, slice_sizes = array<i64: 1, 1>}> : (tensor<8x16xf32>, tensor<8x1x2xui32>) -> tensor<8x1xf32>
  return %2 : tensor<8x1xf32>
}

// Rows added to a table; rows outside are left out.
// CHECK-LABEL: func.func @scatter_add(
// CHECK: arith.cmpi ult
// CHECK: model.lookup_grad
// CHECK: arith.addf
func.func @scatter_add(%table: tensor<16x4xf32>, %i: tensor<8x1xi32>, %rows: tensor<8x4xf32>) -> tensor<16x4xf32> {
  %0 = "stablehlo.scatter"(%table, %i, %rows) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) : (tensor<16x4xf32>, tensor<8x1xi32>, tensor<8x4xf32>) -> tensor<16x4xf32>
  return %0 : tensor<16x4xf32>
}
