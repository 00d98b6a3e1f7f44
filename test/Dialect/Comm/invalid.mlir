// Every diagnostic of the comm dialect, by constraint number.
// RUN: plan-opt %s --split-input-file --verify-diagnostics

func.func @nothing_to_reduce() { // all_reduce_c1
  // expected-error @below {{has nothing to reduce}}
  "comm.all_reduce"() <{axes = ["dp"], combiner = #plan<combiner sum>}> : () -> ()
  return
}

// -----

func.func @two_element_types(%a: tensor<2xf32>, %b: tensor<2xf64>) { // all_reduce_c1
  // expected-error @below {{one bucket has one element type, found 'f32' and 'f64'}}
  %0:2 = comm.all_reduce %a, %b axes = ["dp"] combiner = sum : tensor<2xf32>, tensor<2xf64>
  return
}

// -----

func.func @no_axis(%a: tensor<2xf32>) { // all_reduce_c2
  // expected-error @below {{names no axis}}
  %0 = comm.all_reduce %a axes = [] combiner = sum : tensor<2xf32>
  return
}

// -----

func.func @axis_twice(%a: tensor<2xf32>) { // all_reduce_c2
  // expected-error @below {{names axis "dp" twice}}
  %0 = comm.all_reduce %a axes = ["dp", "dp"] combiner = sum : tensor<2xf32>
  return
}

// -----

func.func @over_time(%a: tensor<2xf32>) { // all_reduce_c2
  // expected-error @below {{cannot exchange over "mb": micro-batches follow each other in time}}
  %0 = comm.all_reduce %a axes = ["mb"] combiner = sum : tensor<2xf32>
  return
}

// -----

func.func @gather_no_dimension(%a: tensor<2xf32>) { // all_gather_c1
  // expected-error @below {{dimension 1 does not exist in 'tensor<2xf32>'}}
  %0 = comm.all_gather %a dim = 1 axes = ["dp"] : tensor<2xf32> -> tensor<4xf32>
  return
}

// -----

func.func @gather_no_multiple(%a: tensor<2xf32>) { // all_gather_c1
  // expected-error @below {{expected 'tensor<3xf32>' to be a multiple of 'tensor<2xf32>' along dimension 0}}
  %0 = comm.all_gather %a dim = 0 axes = ["dp"] : tensor<2xf32> -> tensor<3xf32>
  return
}

// -----

func.func @gather_axes(%a: tensor<2xf32>) { // all_gather_c2
  // expected-error @below {{names no axis}}
  %0 = comm.all_gather %a dim = 0 axes = [] : tensor<2xf32> -> tensor<4xf32>
  return
}

// -----

func.func @scatter_no_multiple(%a: tensor<4x4xf32>) { // reduce_scatter_c1
  // expected-error @below {{to be a multiple of 'tensor<3x4xf32>' along dimension 0}}
  %0 = comm.reduce_scatter %a dim = 0 axes = ["dp"] combiner = sum : tensor<4x4xf32> -> tensor<3x4xf32>
  return
}

// -----

func.func @scatter_over_time(%a: tensor<4xf32>) { // reduce_scatter_c2
  // expected-error @below {{cannot exchange over "mb"}}
  %0 = comm.reduce_scatter %a dim = 0 axes = ["mb"] combiner = sum : tensor<4xf32> -> tensor<2xf32>
  return
}

// -----

func.func @all_to_all_shapes(%a: tensor<4x2xf32>) { // all_to_all_c1
  // expected-error @below {{cannot turn 'tensor<4x2xf32>' into 'tensor<2x2xf32>' by cutting dimension 0 and joining along dimension 1}}
  %0 = comm.all_to_all %a split_dim = 0 concat_dim = 1 axes = ["ep"] : tensor<4x2xf32> -> tensor<2x2xf32>
  return
}

// -----

func.func @all_to_all_axes(%a: tensor<4x2xf32>) { // all_to_all_c2
  // expected-error @below {{names axis "ep" twice}}
  %0 = comm.all_to_all %a split_dim = 0 concat_dim = 1 axes = ["ep", "ep"] : tensor<4x2xf32> -> tensor<2x4xf32>
  return
}

// -----

func.func @slice_shapes(%a: tensor<4xf32>) { // all_slice_c1
  // expected-error @below {{to be a multiple of 'tensor<3xf32>' along dimension 0}}
  %0 = comm.all_slice %a dim = 0 axes = ["dp"] : tensor<4xf32> -> tensor<3xf32>
  return
}

// -----

func.func @slice_axes(%a: tensor<4xf32>) { // all_slice_c2
  // expected-error @below {{names no axis}}
  %0 = comm.all_slice %a dim = 0 axes = [] : tensor<4xf32> -> tensor<2xf32>
  return
}
