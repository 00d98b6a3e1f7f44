// Every diagnostic of the stablehlo dialect. Functions are named after the constraint in the .td files.
// RUN: plan-opt %s -split-input-file -verify-diagnostics --allow-unregistered-dialect

//===----------------------------------------------------------------------===//
// Traits, types and syntax
//===----------------------------------------------------------------------===//

func.func @same_type(%x: tensor<4xf32>, %y: tensor<5xf32>) {
  // expected-error @+1 {{'stablehlo.add' op operand #1 has type 'tensor<5xf32>', but 'tensor<4xf32>' is expected, the type of operand #0}}
  %0 = "stablehlo.add"(%x, %y) : (tensor<4xf32>, tensor<5xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @same_shape(%x: tensor<4xf32>) {
  // expected-error @+1 {{'stablehlo.convert' op result #0 has type 'tensor<5xi32>', but the shape of 'tensor<4xf32>' is expected, the type of operand #0}}
  %0 = stablehlo.convert %x : (tensor<4xf32>) -> tensor<5xi32>
  return
}

// -----

func.func @static_shapes(%x: tensor<?xf32>) {
  // expected-error @+1 {{operand #0 must be statically shaped tensor of integer or float or complex values, but got 'tensor<?xf32>'}}
  %0 = stablehlo.negate %x : tensor<?xf32>
  return
}

// -----

func.func @no_index(%x: tensor<4xindex>) {
  // expected-error @+1 {{operand #0 must be statically shaped tensor of}}
  %0 = stablehlo.add %x, %x : tensor<4xindex>
  return
}

// -----

func.func @unknown_clause(%x: tensor<4xf32>) {
  // expected-error @+1 {{stablehlo.transpose has no "perm"}}
  %0 = stablehlo.transpose %x, perm = [0] : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @unknown_dot_clause(%x: tensor<4xf32>) {
  // expected-error @+1 {{stablehlo.dot_general has no "contracting"}}
  %0 = stablehlo.dot_general %x, %x, contracting = [0] x [0] : (tensor<4xf32>, tensor<4xf32>) -> tensor<f32>
  return
}

// -----

func.func @missing_clause(%x: tensor<4xf32>) {
  // expected-error @+1 {{'stablehlo.transpose' op requires attribute 'permutation'}}
  %0 = stablehlo.transpose %x : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @generic_only(%x: tensor<4xf32>) {
  // expected-error @+1 {{custom op 'stablehlo.gather' has no custom assembly form}}
  %0 = stablehlo.gather %x : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @types_without_arrow(%x: tensor<4xf32>) {
  // expected-error @+1 {{expected one type for all, or the results' types behind an arrow}}
  %0 = stablehlo.add %x, %x : tensor<4xf32>, tensor<4xf32>
  return
}

// -----

func.func @select_types(%p: tensor<i1>, %x: tensor<4xf32>) {
  // expected-error @+1 {{expected the predicate's type and the type of the rest}}
  %0 = stablehlo.select %p, %x, %x : tensor<i1>
  return
}

// -----

func.func @constant_value() {
  // expected-error @+1 {{a constant needs a tensor of elements, but found 1.000000e+00 : f32}}
  %0 = stablehlo.constant 1.0 : f32
  return
}

// -----

func.func @direction_word(%x: tensor<4xf32>) {
  // expected-error @+1 {{"LESS" is no case of comparison_direction}}
  %0 = stablehlo.compare LESS, %x, %x : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  return
}

// -----

func.func @format_word(%x: tensor<4xf32>) {
  // expected-error @+1 {{expected a format such as e5m10, but found bf16}}
  %0 = stablehlo.reduce_precision %x, format = bf16 : tensor<4xf32>
  return
}

// -----

func.func @applies(%x: tensor<4xf32>, %s: tensor<f32>) {
  // expected-error @+1 {{stablehlo.negate cannot combine two elements of one type}}
  %0 = stablehlo.reduce(%x init: %s) applies stablehlo.negate across dimensions = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
  return
}

// -----

func.func @applies_two(%x: tensor<4xf32>, %s: tensor<f32>) {
  // expected-error @+1 {{only one tensor can be reduced by an operation's name}}
  %0:2 = stablehlo.reduce(%x init: %s), (%x init: %s) applies stablehlo.add across dimensions = [0] : (tensor<4xf32>, tensor<4xf32>, tensor<f32>, tensor<f32>) -> (tensor<f32>, tensor<f32>)
  return
}

// -----

func.func @window_field(%x: tensor<1x8x4xf32>, %k: tensor<3x4x2xf32>) {
  // expected-error @+1 {{a window has stride, pad, lhs_dilate, rhs_dilate and reverse, but no strides}}
  %0 = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {strides = [1]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x8x4xf32>, tensor<3x4x2xf32>) -> tensor<1x6x2xf32>
  return
}

// -----

//===----------------------------------------------------------------------===//
// Attributes
//===----------------------------------------------------------------------===//

func.func @field_unknown() {
  // expected-error @+1 {{there is no field "offsets" here; fields are offset_dims, collapsed_slice_dims, operand_batching_dims, start_indices_batching_dims, start_index_map, index_vector_dim}}
  "test.op"() {a = #stablehlo.gather<offsets = [2]>} : () -> ()
  return
}

// -----

func.func @field_twice() {
  // expected-error @+1 {{field "lhs_batching_dimensions" is given twice}}
  "test.op"() {a = #stablehlo.dot<lhs_batching_dimensions = [0], lhs_batching_dimensions = [1]>} : () -> ()
  return
}

// -----

func.func @dot_algorithm() {
  // expected-error @+1 {{a dot algorithm needs its three types}}
  "test.op"() {a = #stablehlo.dot_algorithm<lhs_precision_type = f32>} : () -> ()
  return
}

// -----

func.func @conv_letters() {
  // expected-error @+1 {{expected b, f or a number, each once, but found b}}
  "test.op"() {a = #stablehlo.conv<[b, 0, b]x[0, i, o]->[b, 0, f]>} : () -> ()
  return
}

// -----

func.func @conv_missing() {
  // expected-error @+1 {{dimensions b and f have to be in this list}}
  "test.op"() {a = #stablehlo.conv<[b, 0]x[0, i, o]->[b, 0, f]>} : () -> ()
  return
}

// -----

func.func @conv_spatial() {
  // expected-error @+1 {{spatial dimension 0 is missing in this list}}
  "test.op"() {a = #stablehlo.conv<[b, 1, f]x[0, i, o]->[b, 0, f]>} : () -> ()
  return
}

// -----

func.func @conv_counts() {
  // expected-error @+1 {{input, kernel and output have different numbers of spatial dimensions: 1, 2 and 1}}
  "test.op"() {a = #stablehlo.conv<[b, 0, f]x[0, 1, i, o]->[b, 0, f]>} : () -> ()
  return
}

// -----

func.func @conv_c1() {
  // expected-error @+1 {{each list of dimensions has to name each of its dimensions once}}
  "test.op"() {a = #stablehlo.conv<raw input_batch_dimension = 0, input_feature_dimension = 7>} : () -> ()
  return
}

// -----

//===----------------------------------------------------------------------===//
// Elementwise
//===----------------------------------------------------------------------===//

func.func @abs_c1(%x: tensor<4xcomplex<f32>>) {
  // expected-error @+1 {{result has type 'tensor<4xcomplex<f32>>', but element type 'f32' is expected}}
  %0 = stablehlo.abs %x : tensor<4xcomplex<f32>>
  return
}

// -----

func.func @real_c1(%x: tensor<4xcomplex<f32>>) {
  // expected-error @+1 {{result has type 'tensor<4xf64>', but element type 'f32' is expected}}
  %0 = stablehlo.real %x : (tensor<4xcomplex<f32>>) -> tensor<4xf64>
  return
}

// -----

func.func @complex_c1(%x: tensor<4xf32>) {
  // expected-error @+1 {{operand #0 has type 'tensor<4xf32>', but element type 'f64' is expected}}
  %0 = stablehlo.complex %x, %x : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xcomplex<f64>>
  return
}

// -----

func.func @bitcast_convert_c1(%x: tensor<4xf32>) {
  // expected-error @+1 {{result has type 'tensor<4xbf16>', but shape [4, 2] is expected}}
  %0 = stablehlo.bitcast_convert %x : (tensor<4xf32>) -> tensor<4xbf16>
  return
}

// -----

func.func @bitcast_convert_c1_ratio(%x: tensor<4xf32>) {
  // expected-error @+1 {{neither width divides the other: 'tensor<4xf32>' to 'tensor<4xtf32>'}}
  %0 = stablehlo.bitcast_convert %x : (tensor<4xf32>) -> tensor<4xtf32>
  return
}

// -----

func.func @reduce_precision_c1(%x: tensor<4xf32>) {
  // expected-error @+1 {{a float needs at least one exponent bit, but the format is e0m10}}
  %0 = stablehlo.reduce_precision %x, format = e0m10 : tensor<4xf32>
  return
}

// -----

func.func @compare_c1(%x: tensor<4xf32>, %y: tensor<4xf64>) {
  // expected-error @+1 {{operand #1 has type 'tensor<4xf64>', but 'tensor<4xf32>' is expected}}
  %0 = stablehlo.compare LT, %x, %y : (tensor<4xf32>, tensor<4xf64>) -> tensor<4xi1>
  return
}

// -----

func.func @compare_c2(%x: tensor<4xcomplex<f32>>) {
  // expected-error @+1 {{complex numbers have no order, but the direction is LT}}
  %0 = stablehlo.compare LT, %x, %x : (tensor<4xcomplex<f32>>, tensor<4xcomplex<f32>>) -> tensor<4xi1>
  return
}

// -----

func.func @compare_c3(%x: tensor<4xui8>) {
  // expected-error @+1 {{elements of type 'ui8' cannot be compared as SIGNED}}
  %0 = stablehlo.compare LT, %x, %x, SIGNED : (tensor<4xui8>, tensor<4xui8>) -> tensor<4xi1>
  return
}

// -----

func.func @select_c1(%p: tensor<4xi1>, %x: tensor<4xf32>, %y: tensor<4xf64>) {
  // expected-error @+1 {{operand #2 has type 'tensor<4xf64>', but 'tensor<4xf32>' is expected}}
  %0 = stablehlo.select %p, %x, %y : (tensor<4xi1>, tensor<4xf32>, tensor<4xf64>) -> tensor<4xf32>
  return
}

// -----

func.func @select_c2(%p: tensor<2xi1>, %x: tensor<4xf32>) {
  // expected-error @+1 {{the predicate has type 'tensor<2xi1>', but shape [4] is expected}}
  %0 = stablehlo.select %p, %x, %x : tensor<2xi1>, tensor<4xf32>
  return
}

// -----

func.func @clamp_c1(%x: tensor<4xf32>) {
  // expected-error @+1 {{result has type 'tensor<5xf32>', but 'tensor<4xf32>' is expected}}
  %0 = stablehlo.clamp %x, %x, %x : (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<5xf32>
  return
}

// -----

func.func @clamp_c2(%x: tensor<4xf32>, %m: tensor<2xf32>) {
  // expected-error @+1 {{a bound has type 'tensor<2xf32>', but 'tensor<4xf32>' or 'tensor<f32>' is expected}}
  %0 = stablehlo.clamp %m, %x, %m : (tensor<2xf32>, tensor<4xf32>, tensor<2xf32>) -> tensor<4xf32>
  return
}

// -----

//===----------------------------------------------------------------------===//
// Shapes
//===----------------------------------------------------------------------===//

func.func @constant_c1() {
  // expected-error @+1 {{result has type 'tensor<2xi64>', but 'tensor<2xi32>' is expected}}
  %0 = "stablehlo.constant"() <{value = dense<1> : tensor<2xi32>}> : () -> tensor<2xi64>
  return
}

// -----

func.func @iota_c1() {
  // expected-error @+1 {{iota_dimension names dimension 2, but there are 2}}
  %0 = stablehlo.iota dim = 2 : tensor<2x3xi32>
  return
}

// -----

func.func @broadcast_c1(%x: tensor<4xf32>) {
  // expected-error @+1 {{result has type 'tensor<4x2xf32>', but shape [2, 4] is expected}}
  %0 = stablehlo.broadcast %x, sizes = [2] : (tensor<4xf32>) -> tensor<4x2xf32>
  return
}

// -----

func.func @broadcast_in_dim_c1(%x: tensor<4xf32>) {
  // expected-error @+1 {{broadcast_dimensions has 2 entries, but 1 are expected}}
  %0 = stablehlo.broadcast_in_dim %x, dims = [0, 1] : (tensor<4xf32>) -> tensor<4x2xf32>
  return
}

// -----

func.func @broadcast_in_dim_c2(%x: tensor<4x4xf32>) {
  // expected-error @+1 {{broadcast_dimensions names dimension 0 twice}}
  %0 = stablehlo.broadcast_in_dim %x, dims = [0, 0] : (tensor<4x4xf32>) -> tensor<4x4xf32>
  return
}

// -----

func.func @broadcast_in_dim_c3(%x: tensor<4xf32>) {
  // expected-error @+1 {{dimension 0 of 'tensor<4xf32>' has size 4, but becomes dimension 1 of 'tensor<4x2xf32>', of size 2: 1 or 2 is expected}}
  %0 = stablehlo.broadcast_in_dim %x, dims = [1] : (tensor<4xf32>) -> tensor<4x2xf32>
  return
}

// -----

func.func @broadcast_in_dim_c4(%x: tensor<4xf32>) {
  // expected-error @+1 {{result has type 'tensor<4x2xf64>', but element type 'f32' is expected}}
  %0 = stablehlo.broadcast_in_dim %x, dims = [0] : (tensor<4xf32>) -> tensor<4x2xf64>
  return
}

// -----

func.func @reshape_c1(%x: tensor<4xf32>) {
  // expected-error @+1 {{result 'tensor<2x3xf32>' has 6 elements, but operand 'tensor<4xf32>' has 4}}
  %0 = stablehlo.reshape %x : (tensor<4xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @transpose_c1(%x: tensor<4x5xf32>) {
  // expected-error @+1 {{permutation names dimension 2, but there are 2}}
  %0 = stablehlo.transpose %x, dims = [0, 2] : (tensor<4x5xf32>) -> tensor<4x5xf32>
  return
}

// -----

func.func @transpose_c2(%x: tensor<4x5xf32>) {
  // expected-error @+1 {{result has type 'tensor<4x5xf32>', but 'tensor<5x4xf32>' is expected}}
  %0 = stablehlo.transpose %x, dims = [1, 0] : (tensor<4x5xf32>) -> tensor<4x5xf32>
  return
}

// -----

func.func @reverse_c1(%x: tensor<4x5xf32>) {
  // expected-error @+1 {{dimensions names dimension -1, but there are 2}}
  %0 = stablehlo.reverse %x, dims = [-1] : tensor<4x5xf32>
  return
}

// -----

func.func @slice_c1(%x: tensor<4x5xf32>) {
  // expected-error @+1 {{start_indices has 1 entries, but 2 are expected}}
  %0 = stablehlo.slice %x [0:4] : (tensor<4x5xf32>) -> tensor<4x5xf32>
  return
}

// -----

func.func @slice_c2(%x: tensor<4xf32>) {
  // expected-error @+1 {{takes 2:5:1 of dimension 0, but 0 <= start <= limit <= 4 and a positive stride are expected}}
  %0 = stablehlo.slice %x [2:5] : (tensor<4xf32>) -> tensor<3xf32>
  return
}

// -----

func.func @slice_c3(%x: tensor<4xf32>) {
  // expected-error @+1 {{result has type 'tensor<1xf32>', but shape [2] is expected}}
  %0 = stablehlo.slice %x [0:4:3] : (tensor<4xf32>) -> tensor<1xf32>
  return
}

// -----

func.func @dynamic_slice_c1(%x: tensor<4xf32>, %i: tensor<i32>) {
  // expected-error @+1 {{start_indices has 2 entries, but 1 are expected}}
  %0 = stablehlo.dynamic_slice %x, %i, %i, sizes = [1] : (tensor<4xf32>, tensor<i32>, tensor<i32>) -> tensor<1xf32>
  return
}

// -----

func.func @dynamic_slice_c1_scalar(%x: tensor<4xf32>, %i: tensor<1xi32>) {
  // expected-error @+1 {{a start index has type 'tensor<1xi32>', but 'tensor<i32>' is expected}}
  %0 = stablehlo.dynamic_slice %x, %i, sizes = [1] : (tensor<4xf32>, tensor<1xi32>) -> tensor<1xf32>
  return
}

// -----

func.func @dynamic_slice_c2(%x: tensor<4xf32>, %i: tensor<i32>) {
  // expected-error @+1 {{takes 5 elements of dimension 0 of 'tensor<4xf32>'}}
  %0 = stablehlo.dynamic_slice %x, %i, sizes = [5] : (tensor<4xf32>, tensor<i32>) -> tensor<5xf32>
  return
}

// -----

func.func @dynamic_slice_c3(%x: tensor<4xf32>, %i: tensor<i32>) {
  // expected-error @+1 {{result has type 'tensor<3xf32>', but 'tensor<2xf32>' is expected}}
  %0 = stablehlo.dynamic_slice %x, %i, sizes = [2] : (tensor<4xf32>, tensor<i32>) -> tensor<3xf32>
  return
}

// -----

func.func @dynamic_update_slice_c1(%x: tensor<4xf32>) {
  // expected-error @+1 {{start_indices has 0 entries, but 1 are expected}}
  %0 = stablehlo.dynamic_update_slice %x, %x : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @dynamic_update_slice_c2(%x: tensor<4xf32>, %u: tensor<5xf32>, %i: tensor<i32>) {
  // expected-error @+1 {{update 'tensor<5xf32>' does not fit into 'tensor<4xf32>'}}
  %0 = stablehlo.dynamic_update_slice %x, %u, %i : (tensor<4xf32>, tensor<5xf32>, tensor<i32>) -> tensor<4xf32>
  return
}

// -----

func.func @dynamic_update_slice_c3(%x: tensor<4xf32>, %i: tensor<i32>) {
  // expected-error @+1 {{result has type 'tensor<5xf32>', but 'tensor<4xf32>' is expected}}
  %0 = stablehlo.dynamic_update_slice %x, %x, %i : (tensor<4xf32>, tensor<4xf32>, tensor<i32>) -> tensor<5xf32>
  return
}

// -----

func.func @concatenate_c1() {
  // expected-error @+1 {{has nothing to join, but at least one input is expected}}
  %0 = "stablehlo.concatenate"() <{dimension = 0 : i64}> : () -> tensor<4xf32>
  return
}

// -----

func.func @concatenate_c2(%x: tensor<4x2xf32>, %y: tensor<4x3xf32>) {
  // expected-error @+1 {{operand #1 has type 'tensor<4x3xf32>', but 'tensor<4x2xf32>' is expected}}
  %0 = stablehlo.concatenate %x, %y, dim = 0 : (tensor<4x2xf32>, tensor<4x3xf32>) -> tensor<8x2xf32>
  return
}

// -----

func.func @concatenate_c3(%x: tensor<4x2xf32>) {
  // expected-error @+1 {{result has type 'tensor<4x3xf32>', but shape [4, 4] is expected}}
  %0 = stablehlo.concatenate %x, %x, dim = 1 : (tensor<4x2xf32>, tensor<4x2xf32>) -> tensor<4x3xf32>
  return
}

// -----

func.func @pad_c1(%x: tensor<4xf32>) {
  // expected-error @+1 {{the padding value has type 'tensor<4xf32>', but 'tensor<f32>' is expected}}
  %0 = stablehlo.pad %x, %x, low = [0], high = [0], interior = [0] : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @pad_c2(%x: tensor<4xf32>, %s: tensor<f32>) {
  // expected-error @+1 {{interior padding -1 of dimension 0 is negative}}
  %0 = stablehlo.pad %x, %s, low = [0], high = [0], interior = [-1] : (tensor<4xf32>, tensor<f32>) -> tensor<1xf32>
  return
}

// -----

func.func @pad_c3(%x: tensor<4xf32>, %s: tensor<f32>) {
  // expected-error @+1 {{result has type 'tensor<4xf32>', but shape [7] is expected}}
  %0 = stablehlo.pad %x, %s, low = [1], high = [-1], interior = [1] : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  return
}

// -----

func.func @pad_huge(%x: tensor<4xf32>, %s: tensor<f32>) {
  // expected-error @+1 {{result has type 'tensor<4xf32>', but shape [9223372036854775807] is expected}}
  %0 = stablehlo.pad %x, %s, low = [0], high = [9223372036854775807], interior = [9223372036854775807] : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  return
}

// -----

//===----------------------------------------------------------------------===//
// Contractions
//===----------------------------------------------------------------------===//

func.func @dot_c1(%x: tensor<4x5xf32>) {
  // expected-error @+1 {{cannot multiply 'tensor<4x5xf32>' by 'tensor<4x5xf32>'}}
  %0 = stablehlo.dot %x, %x : (tensor<4x5xf32>, tensor<4x5xf32>) -> tensor<4x5xf32>
  return
}

// -----

func.func @dot_c2(%x: tensor<4x4xf32>, %y: tensor<4xf32>) {
  // expected-error @+1 {{result has type 'tensor<4x1xf32>', but shape [4] is expected}}
  %0 = stablehlo.dot %x, %y : (tensor<4x4xf32>, tensor<4xf32>) -> tensor<4x1xf32>
  return
}

// -----

func.func @dot_c3(%x: tensor<4xf32>, %y: tensor<4xi32>) {
  // expected-error @+1 {{mixes kinds of elements: operands are 'tensor<4xf32>', 'tensor<4xi32>', the result is 'tensor<f32>', but all integers, all floats or all complex are expected}}
  %0 = stablehlo.dot %x, %y : (tensor<4xf32>, tensor<4xi32>) -> tensor<f32>
  return
}

// -----

func.func @dot_general_c1(%x: tensor<2x3x4xf32>, %y: tensor<2x4x5xf32>) {
  // expected-error @+1 {{the left side names dimension 0 twice}}
  %0 = stablehlo.dot_general %x, %y, batching_dims = [0] x [0], contracting_dims = [0] x [1] : (tensor<2x3x4xf32>, tensor<2x4x5xf32>) -> tensor<2x3x5xf32>
  return
}

// -----

func.func @dot_general_c2(%x: tensor<2x3x4xf32>, %y: tensor<2x4x5xf32>) {
  // expected-error @+1 {{contracting dimension 1 of 'tensor<2x3x4xf32>' has size 3, but dimension 1 of 'tensor<2x4x5xf32>', which goes with it, has size 4}}
  %0 = stablehlo.dot_general %x, %y, batching_dims = [0] x [0], contracting_dims = [1] x [1] : (tensor<2x3x4xf32>, tensor<2x4x5xf32>) -> tensor<2x4x5xf32>
  return
}

// -----

func.func @dot_general_c2_count(%x: tensor<2x3x4xf32>, %y: tensor<2x4x5xf32>) {
  // expected-error @+1 {{batching dimensions come in pairs, but there are 1 of the left and 0 of the right side}}
  %0 = stablehlo.dot_general %x, %y, batching_dims = [0] x [], contracting_dims = [2] x [1] : (tensor<2x3x4xf32>, tensor<2x4x5xf32>) -> tensor<2x4x5xf32>
  return
}

// -----

func.func @dot_general_c3(%x: tensor<2x3x4xf32>, %y: tensor<2x4x5xf32>) {
  // expected-error @+1 {{result has type 'tensor<3x2x5xf32>', but shape [2, 3, 5] is expected}}
  %0 = stablehlo.dot_general %x, %y, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x3x4xf32>, tensor<2x4x5xf32>) -> tensor<3x2x5xf32>
  return
}

// -----

func.func @dot_general_c4(%x: tensor<2x3x4xf32>, %y: tensor<2x4x5xf32>) {
  // expected-error @+1 {{mixes kinds of elements}}
  %0 = stablehlo.dot_general %x, %y, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x3x4xf32>, tensor<2x4x5xf32>) -> tensor<2x3x5xi32>
  return
}

// -----

func.func @dot_general_c5(%x: tensor<2x3x4xf32>, %y: tensor<2x4x5xf32>) {
  // expected-error @+1 {{precision_config has 1 entries, but 2 are expected}}
  %0 = stablehlo.dot_general %x, %y, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [HIGH] : (tensor<2x3x4xf32>, tensor<2x4x5xf32>) -> tensor<2x3x5xf32>
  return
}

// -----

func.func @convolution_c1(%x: tensor<2x8xf32>, %k: tensor<3x4x3xf32>) {
  // expected-error @+1 {{dimension numbers name 3 dimensions, but one side is 'tensor<2x8xf32>'}}
  %0 = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x8xf32>, tensor<3x4x3xf32>) -> tensor<2x6x3xf32>
  return
}

// -----

func.func @convolution_c1_window(%x: tensor<2x8x4xf32>, %k: tensor<3x4x3xf32>) {
  // expected-error @+1 {{window_strides has 2 entries, but 1 are expected}}
  %0 = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {stride = [1, 1]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x8x4xf32>, tensor<3x4x3xf32>) -> tensor<2x6x3xf32>
  return
}

// -----

func.func @convolution_c1_reversal(%x: tensor<2x8x4xf32>, %k: tensor<3x4x3xf32>) {
  // expected-error @+1 {{window_reversal has 2 entries, but 1 are expected}}
  %0 = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {reverse = [false, true]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x8x4xf32>, tensor<3x4x3xf32>) -> tensor<2x6x3xf32>
  return
}

// -----

func.func @convolution_c1_padding(%x: tensor<2x8x4xf32>, %k: tensor<3x4x3xf32>) {
  // expected-error @+1 {{padding has type 'tensor<2x2xi64>', but shape [1, 2] is expected: low and high for each dimension}}
  %0 = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {pad = [[1, 1], [0, 0]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x8x4xf32>, tensor<3x4x3xf32>) -> tensor<2x6x3xf32>
  return
}

// -----

func.func @convolution_c2(%x: tensor<2x8x4xf32>, %k: tensor<3x4x3xf32>) {
  // expected-error @+1 {{lhs_dilation has to be positive, but is [0]}}
  %0 = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {lhs_dilate = [0]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x8x4xf32>, tensor<3x4x3xf32>) -> tensor<2x6x3xf32>
  return
}

// -----

func.func @convolution_c3(%x: tensor<2x8x4xf32>, %k: tensor<3x4x3xf32>) {
  // expected-error @+1 {{groups have to be positive, and either of features or of the batch, but there are 2 and 2}}
  %0 = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {} {batch_group_count = 2 : i64, feature_group_count = 2 : i64} : (tensor<2x8x4xf32>, tensor<3x4x3xf32>) -> tensor<2x6x3xf32>
  return
}

// -----

func.func @convolution_c3_divide(%x: tensor<2x8x4xf32>, %k: tensor<3x4x3xf32>) {
  // expected-error @+1 {{2 groups of features and 1 of the batch do not divide 'tensor<2x8x4xf32>' and 'tensor<3x4x3xf32>'}}
  %0 = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 2 : i64} : (tensor<2x8x4xf32>, tensor<3x4x3xf32>) -> tensor<2x6x3xf32>
  return
}

// -----

func.func @convolution_c4(%x: tensor<2x8x5xf32>, %k: tensor<3x4x3xf32>) {
  // expected-error @+1 {{the kernel has 4 input features, but 5 are expected: 5 in 1 groups}}
  %0 = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x8x5xf32>, tensor<3x4x3xf32>) -> tensor<2x6x3xf32>
  return
}

// -----

func.func @convolution_c5(%x: tensor<2x8x4xf32>, %k: tensor<3x4x3xf32>) {
  // expected-error @+1 {{result has type 'tensor<2x6x3xf32>', but shape [2, 8, 3] is expected}}
  %0 = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {pad = [[1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x8x4xf32>, tensor<3x4x3xf32>) -> tensor<2x6x3xf32>
  return
}

// -----

func.func @convolution_c6(%x: tensor<2x8x4xf32>, %k: tensor<3x4x3xf32>) {
  // expected-error @+1 {{mixes kinds of elements}}
  %0 = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x8x4xf32>, tensor<3x4x3xf32>) -> tensor<2x6x3xi32>
  return
}

// -----

func.func @convolution_c7(%x: tensor<2x8x4xf32>, %k: tensor<3x4x3xf32>) {
  // expected-error @+1 {{precision_config has 1 entries, but 2 are expected}}
  %0 = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision HIGH>]} : (tensor<2x8x4xf32>, tensor<3x4x3xf32>) -> tensor<2x6x3xf32>
  return
}

// -----

func.func @batch_norm_c1(%x: tensor<2x3xf32>, %s: tensor<3xf32>) {
  // expected-error @+1 {{feature_index names dimension 2, but there are 2}}
  %0:3 = "stablehlo.batch_norm_training"(%x, %s, %s) <{epsilon = 1.0e-5 : f32, feature_index = 2 : i64}> : (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>) -> (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>)
  return
}

// -----

func.func @batch_norm_c2(%x: tensor<2x3xf32>, %s: tensor<3xf32>) {
  // expected-error @+1 {{a value per feature has type 'tensor<3xf32>', but 'tensor<2xf32>' is expected}}
  %0:3 = "stablehlo.batch_norm_training"(%x, %s, %s) <{epsilon = 1.0e-5 : f32, feature_index = 0 : i64}> : (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>) -> (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>)
  return
}

// -----

func.func @batch_norm_c2_full(%x: tensor<2x3xf32>, %s: tensor<3xf32>) {
  // expected-error @+1 {{a full-size value has type 'tensor<3x2xf32>', but 'tensor<2x3xf32>' is expected}}
  %0:3 = "stablehlo.batch_norm_training"(%x, %s, %s) <{epsilon = 1.0e-5 : f32, feature_index = 1 : i64}> : (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>) -> (tensor<3x2xf32>, tensor<3xf32>, tensor<3xf32>)
  return
}

// -----

func.func @cholesky_c1(%x: tensor<2x3xf32>) {
  // expected-error @+1 {{square matrices are expected, but operand #0 is 'tensor<2x3xf32>'}}
  %0 = stablehlo.cholesky %x, lower = true : tensor<2x3xf32>
  return
}

// -----

func.func @triangular_solve_c1(%a: tensor<3x3xf32>, %b: tensor<3xf32>) {
  // expected-error @+1 {{both sides need the same number of dimensions, but are 'tensor<3x3xf32>' and 'tensor<3xf32>'}}
  %0 = "stablehlo.triangular_solve"(%a, %b) <{left_side = true, lower = true, unit_diagonal = false, transpose_a = #stablehlo<transpose NO_TRANSPOSE>}> : (tensor<3x3xf32>, tensor<3xf32>) -> tensor<3xf32>
  return
}

// -----

func.func @triangular_solve_c2(%a: tensor<3x3xf32>) {
  // expected-error @+1 {{result has type 'tensor<3x4xf32>', but 'tensor<3x3xf32>' is expected}}
  %0 = "stablehlo.triangular_solve"(%a, %a) <{left_side = true, lower = true, unit_diagonal = false, transpose_a = #stablehlo<transpose NO_TRANSPOSE>}> : (tensor<3x3xf32>, tensor<3x3xf32>) -> tensor<3x4xf32>
  return
}

// -----

func.func @fft_c1(%x: tensor<4xf32>) {
  // expected-error @+1 {{cannot transform 2 dimensions of 'tensor<4xf32>'}}
  %0 = stablehlo.fft %x, type = FFT, length = [4, 4] : (tensor<4xf32>) -> tensor<4xcomplex<f32>>
  return
}

// -----

func.func @fft_c2(%x: tensor<4xf32>) {
  // expected-error @+1 {{result 'tensor<1x3xcomplex<f32>>' needs as many dimensions as 'tensor<4xf32>'}}
  %0 = stablehlo.fft %x, type = RFFT, length = [4] : (tensor<4xf32>) -> tensor<1x3xcomplex<f32>>
  return
}

// -----

//===----------------------------------------------------------------------===//
// Indexing
//===----------------------------------------------------------------------===//

func.func @gather_c1(%t: tensor<8x4xf32>, %i: tensor<5x1xi32>) {
  // expected-error @+1 {{index_vector_dim is 3, but the indices 'tensor<5x1xi32>' have 2 dimensions}}
  %0 = "stablehlo.gather"(%t, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 3>, slice_sizes = array<i64: 1, 4>}> : (tensor<8x4xf32>, tensor<5x1xi32>) -> tensor<5x4xf32>
  return
}

// -----

func.func @gather_c2(%t: tensor<8x4xf32>, %i: tensor<5x1xi32>) {
  // expected-error @+1 {{an index vector has 1 elements, but they are mapped to dimensions [0, 1]}}
  %0 = "stablehlo.gather"(%t, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0, 1], index_vector_dim = 1>, slice_sizes = array<i64: 1, 4>}> : (tensor<8x4xf32>, tensor<5x1xi32>) -> tensor<5x4xf32>
  return
}

// -----

func.func @gather_c3(%t: tensor<8x4xf32>, %i: tensor<5x1xi32>) {
  // expected-error @+1 {{the list of dropped dimensions has to be in rising order, but is [1, 0]}}
  %0 = "stablehlo.gather"(%t, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [1, 0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 4>}> : (tensor<8x4xf32>, tensor<5x1xi32>) -> tensor<5x4xf32>
  return
}

// -----

func.func @gather_c3_overlap(%t: tensor<5x4xf32>, %i: tensor<5x1xi32>) {
  // expected-error @+1 {{dropped and batching dimensions both name dimension 0}}
  %0 = "stablehlo.gather"(%t, %i) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 1>, slice_sizes = array<i64: 1, 4>}> : (tensor<5x4xf32>, tensor<5x1xi32>) -> tensor<5x4xf32>
  return
}

// -----

func.func @gather_c3_offset(%t: tensor<8x4xf32>, %i: tensor<5x1xi32>) {
  // expected-error @+1 {{offset_dims names dimension 2, but there are 2}}
  %0 = "stablehlo.gather"(%t, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 4>}> : (tensor<8x4xf32>, tensor<5x1xi32>) -> tensor<5x4xf32>
  return
}

// -----

func.func @gather_c4(%t: tensor<8x4xf32>, %i: tensor<5x1xi32>) {
  // expected-error @+1 {{takes slices of 2 elements of dimension 0 of 'tensor<8x4xf32>', but at most 1 are expected}}
  %0 = "stablehlo.gather"(%t, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 2, 4>}> : (tensor<8x4xf32>, tensor<5x1xi32>) -> tensor<5x4xf32>
  return
}

// -----

func.func @gather_c5(%t: tensor<8x4xf32>, %i: tensor<5x1xi32>) {
  // expected-error @+1 {{batching dimension 0 of 'tensor<8x4xf32>' goes with dimension 0 of the indices 'tensor<5x1xi32>', but their sizes differ}}
  %0 = "stablehlo.gather"(%t, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 1>, slice_sizes = array<i64: 1, 4>}> : (tensor<8x4xf32>, tensor<5x1xi32>) -> tensor<5x4xf32>
  return
}

// -----

func.func @gather_c5_vector(%t: tensor<8x4xf32>, %i: tensor<5x1xi32>) {
  // expected-error @+1 {{dimension 1 of the indices holds the index vectors and cannot be batching}}
  %0 = "stablehlo.gather"(%t, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [1], start_index_map = [1], index_vector_dim = 1>, slice_sizes = array<i64: 1, 4>}> : (tensor<8x4xf32>, tensor<5x1xi32>) -> tensor<5x4xf32>
  return
}

// -----

func.func @gather_c6(%t: tensor<8x4xf32>, %i: tensor<5x1xi32>) {
  // expected-error @+1 {{result has type 'tensor<5x4xf32>', but 'tensor<5x3xf32>' is expected}}
  %0 = "stablehlo.gather"(%t, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 3>}> : (tensor<8x4xf32>, tensor<5x1xi32>) -> tensor<5x4xf32>
  return
}

// -----

func.func @scatter_c1(%t: tensor<8x4xf32>, %i: tensor<5x1xi32>, %u: tensor<5x4xf32>) {
  // expected-error @+1 {{results are ('tensor<8x5xf32>'), but ('tensor<8x4xf32>') are expected}}
  %0 = "stablehlo.scatter"(%t, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %r = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %r : tensor<f32>
  }) : (tensor<8x4xf32>, tensor<5x1xi32>, tensor<5x4xf32>) -> tensor<8x5xf32>
  return
}

// -----

func.func @scatter_c1_none(%i: tensor<5x1xi32>) {
  // expected-error @+1 {{has no input, but at least one is expected}}
  "stablehlo.scatter"(%i) <{scatter_dimension_numbers = #stablehlo.scatter<index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %r = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %r : tensor<f32>
  }) : (tensor<5x1xi32>) -> ()
  return
}

// -----

func.func @scatter_c1_element(%t: tensor<8x4xf32>, %i: tensor<5x1xi32>, %u: tensor<5x4xf64>) {
  // expected-error @+1 {{update #0 has type 'tensor<5x4xf64>', but element type 'f32' is expected}}
  %0 = "stablehlo.scatter"(%t, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %r = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %r : tensor<f32>
  }) : (tensor<8x4xf32>, tensor<5x1xi32>, tensor<5x4xf64>) -> tensor<8x4xf32>
  return
}

// -----

func.func @scatter_c5_count(%t: tensor<8x4xf32>, %i: tensor<5x1xi32>, %u: tensor<5x4xf32>) {
  // expected-error @+1 {{update_window_dims has 0 entries, but 1 are expected}}
  %0 = "stablehlo.scatter"(%t, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %r = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %r : tensor<f32>
  }) : (tensor<8x4xf32>, tensor<5x1xi32>, tensor<5x4xf32>) -> tensor<8x4xf32>
  return
}

// -----

func.func @scatter_c5_rank(%t: tensor<8x4xf32>, %i: tensor<5x1xi32>, %u: tensor<5x4x1xf32>) {
  // expected-error @+1 {{updates 'tensor<5x4x1xf32>' need 2 dimensions}}
  %0 = "stablehlo.scatter"(%t, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %r = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %r : tensor<f32>
  }) : (tensor<8x4xf32>, tensor<5x1xi32>, tensor<5x4x1xf32>) -> tensor<8x4xf32>
  return
}

// -----

func.func @scatter_c5_window(%t: tensor<8x4xf32>, %i: tensor<5x1xi32>, %u: tensor<5x6xf32>) {
  // expected-error @+1 {{updates 'tensor<5x6xf32>' have windows of 6 elements, but at most 4 fit into 'tensor<8x4xf32>'}}
  %0 = "stablehlo.scatter"(%t, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %r = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %r : tensor<f32>
  }) : (tensor<8x4xf32>, tensor<5x1xi32>, tensor<5x6xf32>) -> tensor<8x4xf32>
  return
}

// -----

func.func @scatter_c5(%t: tensor<8x4xf32>, %i: tensor<5x1xi32>, %u: tensor<6x4xf32>) {
  // expected-error @+1 {{updates has type 'tensor<6x4xf32>', but shape [5, 4] is expected}}
  %0 = "stablehlo.scatter"(%t, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %r = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %r : tensor<f32>
  }) : (tensor<8x4xf32>, tensor<5x1xi32>, tensor<6x4xf32>) -> tensor<8x4xf32>
  return
}

// -----

func.func @scatter_c7(%t: tensor<8x4xf32>, %i: tensor<5x1xi32>, %u: tensor<5x4xf32>) {
  // expected-error @+1 {{the update computation takes ('tensor<f32>'), but ('tensor<f32>', 'tensor<f32>') are expected}}
  %0 = "stablehlo.scatter"(%t, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f32>):
    stablehlo.return %a : tensor<f32>
  }) : (tensor<8x4xf32>, tensor<5x1xi32>, tensor<5x4xf32>) -> tensor<8x4xf32>
  return
}

// -----

//===----------------------------------------------------------------------===//
// Regions
//===----------------------------------------------------------------------===//

func.func @return_c1(%x: tensor<4xf32>) {
  // expected-error @+1 {{ends a region of a StableHLO operation, but stands elsewhere}}
  stablehlo.return %x : tensor<4xf32>
}

// -----

func.func @returning_regions(%p: tensor<i1>) {
  // expected-error @+1 {{region #0 has to be one block that ends in stablehlo.return}}
  "stablehlo.if"(%p) ({
    "test.end"() : () -> ()
  }, {
    stablehlo.return
  }) : (tensor<i1>) -> ()
  return
}

// -----

func.func @reduce_c1() {
  // expected-error @+1 {{has no input, but at least one is expected}}
  "stablehlo.reduce"() <{dimensions = array<i64>}> ({
    stablehlo.return
  }) : () -> ()
  return
}

// -----

func.func @reduce_c1_results(%x: tensor<8xf32>, %s: tensor<f32>) {
  // expected-error @+1 {{has 0 results, but 1 are expected, one for each input}}
  "stablehlo.reduce"(%x, %s) <{dimensions = array<i64: 0>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %r = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %r : tensor<f32>
  }) : (tensor<8xf32>, tensor<f32>) -> ()
  return
}

// -----

func.func @reduce_c1_shapes(%x: tensor<8xf32>, %y: tensor<4xf32>, %s: tensor<f32>) {
  // expected-error @+1 {{input #1 has type 'tensor<4xf32>', but shape [8] is expected}}
  %0:2 = "stablehlo.reduce"(%x, %y, %s, %s) <{dimensions = array<i64: 0>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %r = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %r : tensor<f32>
  }) : (tensor<8xf32>, tensor<4xf32>, tensor<f32>, tensor<f32>) -> (tensor<f32>, tensor<f32>)
  return
}

// -----

func.func @reduce_c2(%x: tensor<8xf32>, %s: tensor<1xf32>) {
  // expected-error @+1 {{initial value #0 has type 'tensor<1xf32>', but 'tensor<f32>' is expected}}
  %0 = "stablehlo.reduce"(%x, %s) <{dimensions = array<i64: 0>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %r = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %r : tensor<f32>
  }) : (tensor<8xf32>, tensor<1xf32>) -> tensor<f32>
  return
}

// -----

func.func @reduce_c3(%x: tensor<8xf32>, %s: tensor<f32>) {
  // expected-error @+1 {{dimensions names dimension 1, but there are 1}}
  %0 = stablehlo.reduce(%x init: %s) applies stablehlo.add across dimensions = [1] : (tensor<8xf32>, tensor<f32>) -> tensor<f32>
  return
}

// -----

func.func @reduce_c4(%x: tensor<8x4xf32>, %s: tensor<f32>) {
  // expected-error @+1 {{result #0 has type 'tensor<4xf32>', but shape [8] is expected}}
  %0 = stablehlo.reduce(%x init: %s) applies stablehlo.add across dimensions = [1] : (tensor<8x4xf32>, tensor<f32>) -> tensor<4xf32>
  return
}

// -----

func.func @reduce_c4_element(%x: tensor<8x4xbf16>, %s: tensor<bf16>) {
  // expected-error @+1 {{result #0 has type 'tensor<8xf32>', but element type 'bf16' is expected}}
  %0 = stablehlo.reduce(%x init: %s) applies stablehlo.add across dimensions = [1] : (tensor<8x4xbf16>, tensor<bf16>) -> tensor<8xf32>
  return
}

// -----

func.func @reduce_c5(%x: tensor<8xf64>, %s: tensor<f64>) {
  // expected-error @+1 {{the body takes ('tensor<f32>', 'tensor<f32>'), but ('tensor<f64>', 'tensor<f64>') are expected}}
  %0 = "stablehlo.reduce"(%x, %s) <{dimensions = array<i64: 0>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %r = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %r : tensor<f32>
  }) : (tensor<8xf64>, tensor<f64>) -> tensor<f64>
  return
}

// -----

func.func @reduce_window_c3(%x: tensor<8xf32>, %s: tensor<f32>) {
  // expected-error @+1 {{window_dimensions has 2 entries, but 1 are expected}}
  %0 = "stablehlo.reduce_window"(%x, %s) <{window_dimensions = array<i64: 2, 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %r = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %r : tensor<f32>
  }) : (tensor<8xf32>, tensor<f32>) -> tensor<7xf32>
  return
}

// -----

func.func @reduce_window_c3_positive(%x: tensor<8xf32>, %s: tensor<f32>) {
  // expected-error @+1 {{window_strides has to be positive, but is [0]}}
  %0 = "stablehlo.reduce_window"(%x, %s) <{window_dimensions = array<i64: 2>, window_strides = array<i64: 0>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %r = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %r : tensor<f32>
  }) : (tensor<8xf32>, tensor<f32>) -> tensor<7xf32>
  return
}

// -----

func.func @reduce_window_c4(%x: tensor<8xf32>, %s: tensor<f32>) {
  // expected-error @+1 {{result #0 has type 'tensor<7xf32>', but shape [4] is expected}}
  %0 = "stablehlo.reduce_window"(%x, %s) <{window_dimensions = array<i64: 2>, window_strides = array<i64: 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %r = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %r : tensor<f32>
  }) : (tensor<8xf32>, tensor<f32>) -> tensor<7xf32>
  return
}

// -----

func.func @select_and_scatter_c1(%x: tensor<8xf32>, %y: tensor<4xf32>) {
  // expected-error @+1 {{the initial value has type 'tensor<8xf32>', but 'tensor<f32>' is expected}}
  %0 = "stablehlo.select_and_scatter"(%x, %y, %x) <{window_dimensions = array<i64: 2>, window_strides = array<i64: 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = stablehlo.compare GE, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  }, {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %r = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %r : tensor<f32>
  }) : (tensor<8xf32>, tensor<4xf32>, tensor<8xf32>) -> tensor<8xf32>
  return
}

// -----

func.func @select_and_scatter_c2(%x: tensor<8xf32>, %y: tensor<4xf32>, %s: tensor<f32>) {
  // expected-error @+1 {{window_dimensions has to be positive, but is [0]}}
  %0 = "stablehlo.select_and_scatter"(%x, %y, %s) <{window_dimensions = array<i64: 0>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = stablehlo.compare GE, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  }, {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %r = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %r : tensor<f32>
  }) : (tensor<8xf32>, tensor<4xf32>, tensor<f32>) -> tensor<8xf32>
  return
}

// -----

func.func @select_and_scatter_c3(%x: tensor<8xf32>, %y: tensor<4xf32>, %s: tensor<f32>) {
  // expected-error @+1 {{source has type 'tensor<4xf32>', but shape [7] is expected}}
  %0 = "stablehlo.select_and_scatter"(%x, %y, %s) <{window_dimensions = array<i64: 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = stablehlo.compare GE, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  }, {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %r = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %r : tensor<f32>
  }) : (tensor<8xf32>, tensor<4xf32>, tensor<f32>) -> tensor<8xf32>
  return
}

// -----

func.func @map_c2(%x: tensor<8x4xf32>) {
  // expected-error @+1 {{dimensions are [1], but all 2 are expected, in order}}
  %0 = "stablehlo.map"(%x) <{dimensions = array<i64: 1>}> ({
  ^bb0(%a: tensor<f32>):
    stablehlo.return %a : tensor<f32>
  }) : (tensor<8x4xf32>) -> tensor<8x4xf32>
  return
}

// -----

func.func @sort_c1(%x: tensor<8xf32>) {
  // expected-error @+1 {{results are ('tensor<4xf32>'), but ('tensor<8xf32>') are expected}}
  %0 = "stablehlo.sort"(%x) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = stablehlo.compare LT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  }) : (tensor<8xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @sort_c2(%x: tensor<8xf32>) {
  // expected-error @+1 {{dimension names dimension 1, but there are 1}}
  %0 = "stablehlo.sort"(%x) <{dimension = 1 : i64}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = stablehlo.compare LT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  }) : (tensor<8xf32>) -> tensor<8xf32>
  return
}

// -----

func.func @while_c1(%x: tensor<i1>) {
  // expected-error @+1 {{results are ('tensor<i32>'), but ('tensor<i1>') are expected}}
  %0 = "stablehlo.while"(%x) ({
  ^bb0(%a: tensor<i1>):
    stablehlo.return %a : tensor<i1>
  }, {
  ^bb0(%a: tensor<i1>):
    stablehlo.return %a : tensor<i1>
  }) : (tensor<i1>) -> tensor<i32>
  return
}

// -----

func.func @if_c1(%p: tensor<2xi1>) {
  // expected-error @+1 {{the predicate has type 'tensor<2xi1>', but a scalar is expected}}
  "stablehlo.if"(%p) ({
    stablehlo.return
  }, {
    stablehlo.return
  }) : (tensor<2xi1>) -> ()
  return
}

// -----

func.func @case_c1(%i: tensor<i32>) {
  // expected-error @+1 {{a scalar index and at least one branch are expected, but there are 'tensor<i32>' and 0}}
  "stablehlo.case"(%i) : (tensor<i32>) -> ()
  return
}

// -----

//===----------------------------------------------------------------------===//
// Others
//===----------------------------------------------------------------------===//

func.func @rng_c1(%a: tensor<f32>, %b: tensor<f64>, %s: tensor<1xi64>) {
  // expected-error @+1 {{operand #1 has type 'tensor<f64>', but 'tensor<f32>' is expected}}
  %0 = stablehlo.rng %a, %b, %s, distribution = NORMAL : (tensor<f32>, tensor<f64>, tensor<1xi64>) -> tensor<4xf32>
  return
}

// -----

func.func @rng_c2(%a: tensor<f32>, %s: tensor<2xi64>) {
  // expected-error @+1 {{operand #2 has type 'tensor<2xi64>', but shape [1] is expected}}
  %0 = stablehlo.rng %a, %a, %s, distribution = NORMAL : (tensor<f32>, tensor<f32>, tensor<2xi64>) -> tensor<4xf32>
  return
}

// -----

func.func @rng_bit_generator_c1(%s: tensor<2xui32>) {
  // expected-error @+1 {{the state has type 'tensor<2xui32>', but a vector of unsigned 64-bit integers is expected}}
  %0:2 = stablehlo.rng_bit_generator %s, algorithm = DEFAULT : (tensor<2xui32>) -> (tensor<2xui32>, tensor<4xui32>)
  return
}

// -----

func.func @optimization_barrier_c1(%x: tensor<4xf32>) {
  // expected-error @+1 {{results are ('tensor<5xf32>'), but ('tensor<4xf32>') are expected}}
  %0 = "stablehlo.optimization_barrier"(%x) : (tensor<4xf32>) -> tensor<5xf32>
  return
}

// -----

func.func @tuple_c1(%x: tensor<4xf32>) {
  // expected-error @+1 {{result has type 'tuple<tensor<5xf32>>', but 'tuple<tensor<4xf32>>' is expected}}
  %0 = "stablehlo.tuple"(%x) : (tensor<4xf32>) -> tuple<tensor<5xf32>>
  return
}

// -----

func.func @get_tuple_element_c1(%t: tuple<tensor<4xf32>>) {
  // expected-error @+1 {{index is 1, but 'tuple<tensor<4xf32>>' has 1 elements}}
  %0 = stablehlo.get_tuple_element %t[1] : (tuple<tensor<4xf32>>) -> tensor<4xf32>
  return
}

// -----

func.func @custom_call_c1() {
  // expected-error @+1 {{the target has no name}}
  "stablehlo.custom_call"() <{call_target_name = ""}> : () -> ()
  return
}

// -----

func.func @composite_c1(%x: tensor<4xf32>) {
  // expected-error @+1 {{there is no function @missing}}
  %0 = stablehlo.composite "my.op" %x {decomposition = @missing} : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @while_c2(%x: tensor<i32>) {
  // expected-error @+1 {{the body returns (), but ('tensor<i32>') are expected}}
  %0 = stablehlo.while(%i = %x) : tensor<i32>
    cond {
      %c = stablehlo.constant dense<true> : tensor<i1>
      stablehlo.return %c : tensor<i1>
    } do {
      // expected-note @+1 {{returned here}}
      stablehlo.return
    }
  return
}

// -----

// expected-note @+1 {{decomposition is here}}
func.func private @decomposition(tensor<5xf32>) -> tensor<5xf32>
func.func @composite_c1_type(%x: tensor<4xf32>) {
  // expected-error @+1 {{has operands ('tensor<4xf32>') and results ('tensor<4xf32>'), but its decomposition has others}}
  %0 = stablehlo.composite "my.op" %x {decomposition = @decomposition} : (tensor<4xf32>) -> tensor<4xf32>
  return
}
