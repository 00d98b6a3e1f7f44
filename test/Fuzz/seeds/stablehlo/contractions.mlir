func.func @contractions(%q: tensor<8x64x4x16xf32>, %w: tensor<16x32xf32>, %b: tensor<16x32xbf16>, %m: tensor<6x16xf32>,
                        %x: tensor<4x128x40xf32>, %k: tensor<3x40x32xf32>) {
  %0 = stablehlo.dot_general %q, %q, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3], precision = [DEFAULT, HIGHEST] : (tensor<8x64x4x16xf32>, tensor<8x64x4x16xf32>) -> tensor<8x4x64x64xf32>
  %1 = stablehlo.dot_general %q, %w, contracting_dims = [3] x [0] : (tensor<8x64x4x16xf32>, tensor<16x32xf32>) -> tensor<8x64x4x32xf32>
  %2 = stablehlo.dot_general %b, %b, algorithm = <lhs_precision_type = bf16, rhs_precision_type = bf16, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 1, allow_imprecise_accumulation = false> : (tensor<16x32xbf16>, tensor<16x32xbf16>) -> tensor<16x32x16x32xf32>
  %3 = stablehlo.dot %m, %w, precision = [DEFAULT, DEFAULT] : (tensor<6x16xf32>, tensor<16x32xf32>) -> tensor<6x32xf32>
  %4 = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {stride = [2], pad = [[1, 1]], lhs_dilate = [1], rhs_dilate = [1], reverse = [false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<4x128x40xf32>, tensor<3x40x32xf32>) -> tensor<4x64x32xf32>
  %5 = "stablehlo.convolution"(%x, %k) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<raw input_batch_dimension = 0, input_feature_dimension = 2, input_spatial_dimensions = [1], kernel_input_feature_dimension = 1, kernel_output_feature_dimension = 2, kernel_spatial_dimensions = [0], output_batch_dimension = 0, output_feature_dimension = 2, output_spatial_dimensions = [1]>, feature_group_count = 1 : i64}> : (tensor<4x128x40xf32>, tensor<3x40x32xf32>) -> tensor<4x126x32xf32>
  return
}
