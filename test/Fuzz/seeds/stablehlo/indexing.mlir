func.func @indexing(%t: tensor<512x96xf32>, %ids: tensor<8x64x1xi32>, %l: tensor<8x64x512xf32>, %label: tensor<8x64x1x1xi32>, %u: tensor<8x64x96xf32>) {
  %0 = "stablehlo.gather"(%t, %ids) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 96>}> : (tensor<512x96xf32>, tensor<8x64x1xi32>) -> tensor<8x64x96xf32>
  %1 = "stablehlo.gather"(%l, %label) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [2], operand_batching_dims = [0, 1], start_indices_batching_dims = [0, 1], start_index_map = [2], index_vector_dim = 3>, slice_sizes = array<i64: 1, 1, 1>}> : (tensor<8x64x512xf32>, tensor<8x64x1x1xi32>) -> tensor<8x64x1xf32>
  %2 = "stablehlo.scatter"(%t, %ids, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %3 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %3 : tensor<f32>
  }) : (tensor<512x96xf32>, tensor<8x64x1xi32>, tensor<8x64x96xf32>) -> tensor<512x96xf32>
  return
}
