// Pretty and generic forms are both read; the generic form is printed and read again.
// RUN: plan-opt %s --allow-unregistered-dialect | FileCheck %s
// RUN: plan-opt %s --allow-unregistered-dialect | plan-opt --allow-unregistered-dialect | FileCheck %s

// CHECK-LABEL: @elementwise
func.func @elementwise(%f: tensor<4xf32>, %i: tensor<4xi32>, %u: tensor<4xui8>, %p: tensor<4xi1>, %c: tensor<4xcomplex<f32>>) {
  // CHECK: "stablehlo.add"(%{{.*}}, %{{.*}}) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %0 = stablehlo.add %f, %f : tensor<4xf32>
  // A function type may stand in for the one type, and attributes of any dialect may follow.
  // CHECK: "stablehlo.multiply"(%{{.*}}) {mhlo.note = "kept"} : (tensor<4xui8>, tensor<4xui8>) -> tensor<4xui8>
  %1 = stablehlo.multiply %u, %u {mhlo.note = "kept"} : (tensor<4xui8>, tensor<4xui8>) -> tensor<4xui8>
  // CHECK: "stablehlo.exponential"(%{{.*}}) <{result_accuracy = #stablehlo.result_accuracy<{{.*}}ulps = 10, mode = #stablehlo.result_accuracy_mode<TOLERANCE>>}>
  %2 = stablehlo.exponential %f {result_accuracy = #stablehlo.result_accuracy<atol = 0.0, rtol = 0.0, ulps = 10, mode = #stablehlo.result_accuracy_mode<TOLERANCE>>} : tensor<4xf32>
  // CHECK: "stablehlo.not"
  %3 = stablehlo.not %p : tensor<4xi1>
  // CHECK: "stablehlo.is_finite"(%{{.*}}) : (tensor<4xf32>) -> tensor<4xi1>
  %4 = stablehlo.is_finite %f : (tensor<4xf32>) -> tensor<4xi1>
  // CHECK: "stablehlo.convert"(%{{.*}}) : (tensor<4xi32>) -> tensor<4xbf16>
  %5 = stablehlo.convert %i : (tensor<4xi32>) -> tensor<4xbf16>
  // CHECK: "stablehlo.convert"(%{{.*}}) : (tensor<4xf32>) -> tensor<4xf32>
  %6 = stablehlo.convert %f : tensor<4xf32>
  // CHECK: "stablehlo.abs"(%{{.*}}) : (tensor<4xcomplex<f32>>) -> tensor<4xf32>
  %7 = stablehlo.abs %c : (tensor<4xcomplex<f32>>) -> tensor<4xf32>
  // CHECK: "stablehlo.complex"
  %8 = stablehlo.complex %f, %f : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xcomplex<f32>>
  // CHECK: "stablehlo.real"
  %9 = stablehlo.real %c : (tensor<4xcomplex<f32>>) -> tensor<4xf32>
  // CHECK: "stablehlo.bitcast_convert"(%{{.*}}) : (tensor<4xf32>) -> tensor<4x2xbf16>
  %10 = stablehlo.bitcast_convert %f : (tensor<4xf32>) -> tensor<4x2xbf16>
  // CHECK: "stablehlo.reduce_precision"(%{{.*}}) <{exponent_bits = 5 : i32, mantissa_bits = 10 : i32}>
  %11 = stablehlo.reduce_precision %f, format = e5m10 : tensor<4xf32>
  return
}

// CHECK-LABEL: @choices
func.func @choices(%f: tensor<4xf32>, %s: tensor<f32>, %i: tensor<4xi32>, %p: tensor<4xi1>, %q: tensor<i1>) {
  // CHECK: "stablehlo.compare"(%{{.*}}, %{{.*}}) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}>
  %0 = stablehlo.compare LT, %i, %i, SIGNED : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
  // Two blanks and no type, as older printers wrote it.
  // CHECK: "stablehlo.compare"(%{{.*}}, %{{.*}}) <{comparison_direction = #stablehlo<comparison_direction NE>}>
  %1 = stablehlo.compare  NE, %i, %i : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
  // CHECK: "stablehlo.select"(%{{.*}}) : (tensor<4xi1>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %2 = stablehlo.select %p, %f, %f : tensor<4xi1>, tensor<4xf32>
  // CHECK: "stablehlo.select"(%{{.*}}) : (tensor<i1>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %3 = stablehlo.select %q, %f, %f : (tensor<i1>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  // CHECK: "stablehlo.clamp"(%{{.*}}) : (tensor<f32>, tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %4 = stablehlo.clamp %s, %f, %s : (tensor<f32>, tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  return
}

// CHECK-LABEL: @shapes
func.func @shapes(%a: tensor<4x6xf32>, %v: tensor<6xf32>, %s: tensor<f32>, %i: tensor<i32>) {
  // CHECK: "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}>
  %0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
  // CHECK: "stablehlo.iota"() <{iota_dimension = 1 : i64}> : () -> tensor<4x6xui32>
  %1 = stablehlo.iota dim = 1 : tensor<4x6xui32>
  // CHECK: "stablehlo.broadcast"(%{{.*}}) <{broadcast_sizes = array<i64: 2>}>
  %2 = stablehlo.broadcast %v, sizes = [2] : (tensor<6xf32>) -> tensor<2x6xf32>
  // CHECK: "stablehlo.broadcast_in_dim"(%{{.*}}) <{broadcast_dimensions = array<i64: 1>}>
  %3 = stablehlo.broadcast_in_dim %v, dims = [1] : (tensor<6xf32>) -> tensor<4x6xf32>
  // CHECK: "stablehlo.broadcast_in_dim"(%{{.*}}) <{broadcast_dimensions = array<i64>}>
  %4 = stablehlo.broadcast_in_dim %s, dims = [] : (tensor<f32>) -> tensor<4x6xf32>
  // CHECK: "stablehlo.reshape"
  %5 = stablehlo.reshape %a : (tensor<4x6xf32>) -> tensor<2x12xf32>
  // CHECK: "stablehlo.transpose"(%{{.*}}) <{permutation = array<i64: 1, 0>}> {result_layout = dense<[0, 1]> : tensor<2xindex>, xla_shape = "f32[6,4]{0,1}"}
  %6 = stablehlo.transpose %a, dims = [1, 0] {result_layout = dense<[0, 1]> : tensor<2xindex>, xla_shape = "f32[6,4]{0,1}"} : (tensor<4x6xf32>) -> tensor<6x4xf32>
  // CHECK: "stablehlo.reverse"(%{{.*}}) <{dimensions = array<i64: 0>}>
  %7 = stablehlo.reverse %a, dims = [0] : tensor<4x6xf32>
  // CHECK: "stablehlo.slice"(%{{.*}}) <{limit_indices = array<i64: 4, 6>, start_indices = array<i64: 0, 1>, strides = array<i64: 1, 2>}>
  %8 = stablehlo.slice %a [0:4, 1:6:2] : (tensor<4x6xf32>) -> tensor<4x3xf32>
  // CHECK: "stablehlo.slice"(%{{.*}}) <{limit_indices = array<i64>, start_indices = array<i64>, strides = array<i64>}>
  %9 = stablehlo.slice %s [] : (tensor<f32>) -> tensor<f32>
  // CHECK: "stablehlo.dynamic_slice"(%{{.*}}, %{{.*}}, %{{.*}}) <{slice_sizes = array<i64: 1, 6>}>
  %10 = stablehlo.dynamic_slice %a, %i, %i, sizes = [1, 6] : (tensor<4x6xf32>, tensor<i32>, tensor<i32>) -> tensor<1x6xf32>
  // CHECK: "stablehlo.dynamic_update_slice"
  %11 = stablehlo.dynamic_update_slice %a, %10, %i, %i : (tensor<4x6xf32>, tensor<1x6xf32>, tensor<i32>, tensor<i32>) -> tensor<4x6xf32>
  // CHECK: "stablehlo.concatenate"(%{{.*}}, %{{.*}}) <{dimension = 0 : i64}>
  %12 = stablehlo.concatenate %a, %2, dim = 0 : (tensor<4x6xf32>, tensor<2x6xf32>) -> tensor<6x6xf32>
  // CHECK: "stablehlo.pad"(%{{.*}}) <{edge_padding_high = array<i64: 0, -1>, edge_padding_low = array<i64: 1, 0>, interior_padding = array<i64: 0, 1>}>
  %13 = stablehlo.pad %a, %s, low = [1, 0], high = [0, -1], interior = [0, 1] : (tensor<4x6xf32>, tensor<f32>) -> tensor<5x10xf32>
  return
}

// CHECK-LABEL: @contractions
func.func @contractions(%q: tensor<8x64x4x16xf32>, %w: tensor<16x32xf32>, %b: tensor<16x32xbf16>, %m: tensor<6x16xf32>,
                        %x: tensor<4x128x40xf32>, %k: tensor<3x40x32xf32>) {
  // CHECK: "stablehlo.dot_general"(%{{.*}}) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 2], rhs_batching_dimensions = [0, 2], lhs_contracting_dimensions = [3], rhs_contracting_dimensions = [3]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision HIGHEST>]}>
  %0 = stablehlo.dot_general %q, %q, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3], precision = [DEFAULT, HIGHEST] : (tensor<8x64x4x16xf32>, tensor<8x64x4x16xf32>) -> tensor<8x4x64x64xf32>
  // CHECK: "stablehlo.dot_general"(%{{.*}}) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [3], rhs_contracting_dimensions = [0]>}>
  %1 = stablehlo.dot_general %q, %w, contracting_dims = [3] x [0] : (tensor<8x64x4x16xf32>, tensor<16x32xf32>) -> tensor<8x64x4x32xf32>
  // An outer product, with narrower operands than result.
  // CHECK: "stablehlo.dot_general"(%{{.*}}) <{algorithm = #stablehlo.dot_algorithm<lhs_precision_type = bf16, rhs_precision_type = bf16, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 1>, dot_dimension_numbers = #stablehlo.dot<>}>
  %2 = stablehlo.dot_general %b, %b, algorithm = <lhs_precision_type = bf16, rhs_precision_type = bf16, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 1, allow_imprecise_accumulation = false> : (tensor<16x32xbf16>, tensor<16x32xbf16>) -> tensor<16x32x16x32xf32>
  // CHECK: "stablehlo.dot"
  %3 = stablehlo.dot %m, %w, precision = [DEFAULT, DEFAULT] : (tensor<6x16xf32>, tensor<16x32xf32>) -> tensor<6x32xf32>
  // CHECK: "stablehlo.convolution"(%{{.*}}) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>, feature_group_count = 1 : i64, lhs_dilation = array<i64: 1>, padding = dense<1> : tensor<1x2xi64>, rhs_dilation = array<i64: 1>, window_reversal = array<i1: false>, window_strides = array<i64: 2>}>
  %4 = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {stride = [2], pad = [[1, 1]], lhs_dilate = [1], rhs_dilate = [1], reverse = [false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<4x128x40xf32>, tensor<3x40x32xf32>) -> tensor<4x64x32xf32>
  // CHECK: "stablehlo.convolution"(%{{.*}}) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>, feature_group_count = 1 : i64}>
  %5 = "stablehlo.convolution"(%x, %k) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<raw input_batch_dimension = 0, input_feature_dimension = 2, input_spatial_dimensions = [1], kernel_input_feature_dimension = 1, kernel_output_feature_dimension = 2, kernel_spatial_dimensions = [0], output_batch_dimension = 0, output_feature_dimension = 2, output_spatial_dimensions = [1]>, feature_group_count = 1 : i64}> : (tensor<4x128x40xf32>, tensor<3x40x32xf32>) -> tensor<4x126x32xf32>
  return
}

// CHECK-LABEL: @normalisation
func.func @normalisation(%x: tensor<2x3x4xf32>, %s: tensor<3xf32>) {
  // CHECK: "stablehlo.batch_norm_training"
  %0:3 = "stablehlo.batch_norm_training"(%x, %s, %s) <{epsilon = 1.0e-5 : f32, feature_index = 1 : i64}> : (tensor<2x3x4xf32>, tensor<3xf32>, tensor<3xf32>) -> (tensor<2x3x4xf32>, tensor<3xf32>, tensor<3xf32>)
  // CHECK: "stablehlo.batch_norm_inference"
  %1 = "stablehlo.batch_norm_inference"(%x, %s, %s, %s, %s) <{epsilon = 1.0e-5 : f32, feature_index = 1 : i64}> : (tensor<2x3x4xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) -> tensor<2x3x4xf32>
  // CHECK: "stablehlo.batch_norm_grad"
  %2:3 = "stablehlo.batch_norm_grad"(%x, %s, %s, %s, %x) <{epsilon = 1.0e-5 : f32, feature_index = 1 : i64}> : (tensor<2x3x4xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<2x3x4xf32>) -> (tensor<2x3x4xf32>, tensor<3xf32>, tensor<3xf32>)
  return
}

// CHECK-LABEL: @indexing
func.func @indexing(%t: tensor<512x96xf32>, %ids: tensor<8x64x1xi32>, %l: tensor<8x64x512xf32>, %label: tensor<8x64x1x1xi32>, %u: tensor<8x64x96xf32>) {
  // CHECK: "stablehlo.gather"(%{{.*}}) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 96>}>
  %0 = "stablehlo.gather"(%t, %ids) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 96>}> : (tensor<512x96xf32>, tensor<8x64x1xi32>) -> tensor<8x64x96xf32>
  // CHECK: "stablehlo.gather"(%{{.*}}) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [2], operand_batching_dims = [0, 1], start_indices_batching_dims = [0, 1], start_index_map = [2], index_vector_dim = 3>
  %1 = "stablehlo.gather"(%l, %label) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [2], operand_batching_dims = [0, 1], start_indices_batching_dims = [0, 1], start_index_map = [2], index_vector_dim = 3>, slice_sizes = array<i64: 1, 1, 1>}> : (tensor<8x64x512xf32>, tensor<8x64x1x1xi32>) -> tensor<8x64x1xf32>
  // CHECK: "stablehlo.scatter"(%{{.*}}) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 2>}>
  %2 = "stablehlo.scatter"(%t, %ids, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %3 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %3 : tensor<f32>
  }) : (tensor<512x96xf32>, tensor<8x64x1xi32>, tensor<8x64x96xf32>) -> tensor<512x96xf32>
  return
}

// CHECK-LABEL: @reductions
func.func @reductions(%x: tensor<8x64xf32>, %i: tensor<8x64xi32>, %zero: tensor<f32>, %izero: tensor<i32>) {
  // CHECK: "stablehlo.reduce"(%{{.*}}, %{{.*}}) <{dimensions = array<i64: 1>}> ({
  // CHECK-NEXT: ^bb0(%[[ACC:.*]]: tensor<f32>, %[[ELEMENT:.*]]: tensor<f32>):
  // CHECK-NEXT: "stablehlo.add"(%[[ACC]], %[[ELEMENT]])
  // CHECK-NEXT: "stablehlo.return"
  // CHECK-NEXT: }) : (tensor<8x64xf32>, tensor<f32>) -> tensor<8xf32>
  %0 = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<8x64xf32>, tensor<f32>) -> tensor<8xf32>
  // Pairs in the text, accumulators before elements in the block.
  // CHECK: "stablehlo.reduce"(%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}) <{dimensions = array<i64: 1>}> ({
  // CHECK-NEXT: ^bb0(%[[V:.*]]: tensor<f32>, %[[P:.*]]: tensor<i32>, %[[NEWV:.*]]: tensor<f32>, %[[NEWP:.*]]: tensor<i32>):
  // CHECK-NEXT: "stablehlo.compare"(%[[V]], %[[NEWV]])
  %1:2 = stablehlo.reduce(%x init: %zero), (%i init: %izero) across dimensions = [1] : (tensor<8x64xf32>, tensor<8x64xi32>, tensor<f32>, tensor<i32>) -> (tensor<8xf32>, tensor<8xi32>)
   reducer(%v: tensor<f32>, %w: tensor<f32>) (%p: tensor<i32>, %q: tensor<i32>)  {
    %2 = stablehlo.compare GT, %v, %w, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %3 = stablehlo.select %2, %v, %w : tensor<i1>, tensor<f32>
    %4 = stablehlo.select %2, %p, %q : tensor<i1>, tensor<i32>
    stablehlo.return %3, %4 : tensor<f32>, tensor<i32>
  }
  // CHECK: "stablehlo.reduce_window"
  %5 = "stablehlo.reduce_window"(%x, %zero) <{padding = dense<[[0, 0], [63, 0]]> : tensor<2x2xi64>, window_dimensions = array<i64: 1, 64>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %6 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %6 : tensor<f32>
  }) : (tensor<8x64xf32>, tensor<f32>) -> tensor<8x64xf32>
  // CHECK: "stablehlo.select_and_scatter"
  %7 = "stablehlo.select_and_scatter"(%x, %5, %zero) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %8 = stablehlo.compare GE, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %8 : tensor<i1>
  }, {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %8 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %8 : tensor<f32>
  }) : (tensor<8x64xf32>, tensor<8x64xf32>, tensor<f32>) -> tensor<8x64xf32>
  // CHECK: "stablehlo.map"
  %9 = "stablehlo.map"(%x) <{dimensions = array<i64: 0, 1>}> ({
  ^bb0(%a: tensor<f32>):
    stablehlo.return %a : tensor<f32>
  }) : (tensor<8x64xf32>) -> tensor<8x64xf32>
  // CHECK: "stablehlo.sort"
  %10:2 = "stablehlo.sort"(%x, %i) <{dimension = 1 : i64, is_stable = true}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>, %c: tensor<i32>, %d: tensor<i32>):
    %11 = stablehlo.compare LT, %a, %b, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %11 : tensor<i1>
  }) : (tensor<8x64xf32>, tensor<8x64xi32>) -> (tensor<8x64xf32>, tensor<8x64xi32>)
  return
}

// CHECK-LABEL: @control
func.func @control(%x: tensor<4xf32>, %zero: tensor<i32>, %p: tensor<i1>) {
  // CHECK: "stablehlo.while"(%{{.*}}, %{{.*}}) ({
  // CHECK-NEXT: ^bb0(%[[I:.*]]: tensor<i32>, %[[X:.*]]: tensor<4xf32>):
  // CHECK: }, {
  // CHECK-NEXT: ^bb0(%{{.*}}: tensor<i32>, %{{.*}}: tensor<4xf32>):
  // CHECK: }) {note = 1 : i64} : (tensor<i32>, tensor<4xf32>) -> (tensor<i32>, tensor<4xf32>)
  %0:2 = stablehlo.while(%i = %zero, %y = %x) : tensor<i32>, tensor<4xf32> attributes {note = 1 : i64}
    cond {
      %c = stablehlo.constant dense<4> : tensor<i32>
      %1 = stablehlo.compare LT, %i, %c, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %1 : tensor<i1>
    } do {
      %c = stablehlo.constant dense<1> : tensor<i32>
      %1 = stablehlo.add %i, %c : tensor<i32>
      %2 = stablehlo.add %y, %x : tensor<4xf32>
      stablehlo.return %1, %2 : tensor<i32>, tensor<4xf32>
    }
  // CHECK: "stablehlo.if"
  %3 = "stablehlo.if"(%p) ({
    stablehlo.return %x : tensor<4xf32>
  }, {
    stablehlo.return %0#1 : tensor<4xf32>
  }) : (tensor<i1>) -> tensor<4xf32>
  // CHECK: "stablehlo.case"
  "stablehlo.case"(%zero) ({
    stablehlo.return
  }, {
    stablehlo.return
  }) : (tensor<i32>) -> ()
  return
}

// CHECK-LABEL: @others
func.func @others(%x: tensor<4xf32>, %s: tensor<f32>, %state: tensor<2xui64>, %shape: tensor<1xi64>) {
  // CHECK: "stablehlo.custom_call"(%{{.*}}) <{call_target_name = "mhlo.erf"}> {mhlo.attributes = {}, mhlo.version = 1 : i64}
  %0 = stablehlo.custom_call @mhlo.erf(%x) {mhlo.attributes = {}, mhlo.version = 1 : i64} : (tensor<4xf32>) -> tensor<4xf32>
  // CHECK: "stablehlo.composite"(%{{.*}}) <{composite_attributes = {k = 1 : i64}, decomposition = @decomposition, name = "my.op"}>
  %1 = stablehlo.composite "my.op" %x {composite_attributes = {k = 1 : i64}, decomposition = @decomposition} : (tensor<4xf32>) -> tensor<4xf32>
  // CHECK: "stablehlo.optimization_barrier"(%{{.*}}, %{{.*}}) : (tensor<4xf32>, tensor<f32>) -> (tensor<4xf32>, tensor<f32>)
  %2:2 = stablehlo.optimization_barrier %x, %s : tensor<4xf32>, tensor<f32>
  // CHECK: "stablehlo.tuple"
  %3 = stablehlo.tuple %x, %s : tuple<tensor<4xf32>, tensor<f32>>
  // CHECK: "stablehlo.get_tuple_element"(%{{.*}}) <{index = 1 : i32}>
  %4 = stablehlo.get_tuple_element %3[1] : (tuple<tensor<4xf32>, tensor<f32>>) -> tensor<f32>
  // CHECK: "stablehlo.rng"(%{{.*}}) <{rng_distribution = #stablehlo<rng_distribution NORMAL>}>
  %5 = stablehlo.rng %s, %s, %shape, distribution = NORMAL : (tensor<f32>, tensor<f32>, tensor<1xi64>) -> tensor<4xf32>
  // CHECK: "stablehlo.rng_bit_generator"(%{{.*}}) <{rng_algorithm = #stablehlo<rng_algorithm THREE_FRY>}>
  %6:2 = stablehlo.rng_bit_generator %state, algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, tensor<4xui32>)
  // CHECK: "stablehlo.fft"(%{{.*}}) <{fft_length = array<i64: 4>, fft_type = #stablehlo<fft_type RFFT>}>
  %7 = stablehlo.fft %x, type = RFFT, length = [4] : (tensor<4xf32>) -> tensor<3xcomplex<f32>>
  // CHECK: "stablehlo.create_token"() : () -> !stablehlo.token
  %8 = stablehlo.create_token : !stablehlo.token
  return
}
func.func private @decomposition(tensor<4xf32>) -> tensor<4xf32>

// CHECK-LABEL: @collectives
func.func @collectives(%x: tensor<4x8xf32>) {
  // CHECK: "stablehlo.all_gather"(%{{.*}}) <{all_gather_dim = 1 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>
  %0 = "stablehlo.all_gather"(%x) <{all_gather_dim = 1 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, use_global_device_ids}> : (tensor<4x8xf32>) -> tensor<4x16xf32>
  // CHECK: "stablehlo.all_reduce"
  %1 = "stablehlo.all_reduce"(%x) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %2 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %2 : tensor<f32>
  }) : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}
