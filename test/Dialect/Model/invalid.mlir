// Every diagnostic of the model dialect, in the order of its constraints.
// RUN: plan-opt %s --split-input-file --verify-diagnostics

// argument_c1
// expected-error @below {{an argument needs a name}}
func.func @f(%x: tensor<4xf32> {model.argument = #model.argument<parameter, name = "">}) {
  return
}

// -----

// argument_c2
// expected-error @below {{parameter "w" cannot have a batch dimension, but has 0}}
func.func @f(%x: tensor<4xf32> {model.argument = #model.argument<parameter, name = "w", batchDim = 0>}) {
  return
}

// -----

// lookup_c1
func.func @f(%table: tensor<5xf32>, %ids: tensor<2xf32>) {
  // expected-error @below {{needs a table with at least one dimension and integer indices}}
  %0 = model.lookup %table, %ids : (tensor<5xf32>, tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

// lookup_c2
func.func @f(%table: tensor<5x3xf32>, %ids: tensor<2xi32>) {
  // expected-error @below {{rows have shape 'tensor<3x2xf32>', but indices 'tensor<2xi32>' of table 'tensor<5x3xf32>' give shape [2, 3]}}
  %0 = model.lookup %table, %ids : (tensor<5x3xf32>, tensor<2xi32>) -> tensor<3x2xf32>
  return
}

// -----

// lookup_c3
func.func @f(%table: tensor<5x3xf32>, %ids: tensor<2xi32>) {
  // expected-error @below {{rows and table differ in element type: 'bf16' and 'f32'}}
  %0 = model.lookup %table, %ids : (tensor<5x3xf32>, tensor<2xi32>) -> tensor<2x3xbf16>
  return
}

// -----

// lookup_grad_c1
func.func @f(%rows: tensor<2xf32>, %ids: tensor<2xi32>) {
  // expected-error @below {{needs a table with at least one dimension and integer indices}}
  %0 = model.lookup_grad %rows, %ids : (tensor<2xf32>, tensor<2xi32>) -> tensor<f32>
  return
}

// -----

// lookup_grad_c2
func.func @f(%rows: tensor<2x3xf32>, %ids: tensor<2xi32>) {
  // expected-error @below {{rows have shape 'tensor<2x3xf32>', but indices 'tensor<2xi32>' of table 'tensor<5x4xf32>' give shape [2, 4]}}
  %0 = model.lookup_grad %rows, %ids : (tensor<2x3xf32>, tensor<2xi32>) -> tensor<5x4xf32>
  return
}

// -----

// lookup_grad_c3
func.func @f(%rows: tensor<2x3xf32>, %ids: tensor<2xi32>) {
  // expected-error @below {{rows and table differ in element type: 'f32' and 'f64'}}
  %0 = model.lookup_grad %rows, %ids : (tensor<2x3xf32>, tensor<2xi32>) -> tensor<5x3xf64>
  return
}

// -----

// cumulative_sum_c1
func.func @f(%x: tensor<2x3xf32>) {
  // expected-error @below {{dimension 2 does not exist in 'tensor<2x3xf32>'}}
  %0 = model.cumulative_sum %x dim 2 : tensor<2x3xf32>
  return
}

// -----

// top_k_c1
func.func @f(%x: tensor<2x3xf32>) {
  // expected-error @below {{cannot take values 'tensor<2x4xf32>' out of the last dimension of 'tensor<2x3xf32>'}}
  %0:2 = model.top_k %x : tensor<2x3xf32> -> tensor<2x4xf32>, tensor<2x4xi32>
  return
}

// -----

// top_k_c2
func.func @f(%x: tensor<2x3xf32>) {
  // expected-error @below {{indices 'tensor<2x1xi32>' do not match values 'tensor<2x2xf32>'}}
  %0:2 = model.top_k %x : tensor<2x3xf32> -> tensor<2x2xf32>, tensor<2x1xi32>
  return
}

// -----

// top_k_c3
func.func @f(%x: tensor<2x3xf32>) {
  // expected-error @below {{input and values differ in element type: 'f32' and 'bf16'}}
  %0:2 = model.top_k %x : tensor<2x3xf32> -> tensor<2x2xbf16>, tensor<2x2xi32>
  return
}
