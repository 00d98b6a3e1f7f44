// CHLO as JAX prints it beside StableHLO, and its diagnostics.
// RUN: plan-opt %s -split-input-file -verify-diagnostics | FileCheck %s

// CHECK-LABEL: @functions
func.func @functions(%x: tensor<8x64xf32>) {
  // CHECK: "chlo.square"(%{{.*}}) : (tensor<8x64xf32>) -> tensor<8x64xf32>
  %0 = chlo.square %x : tensor<8x64xf32> -> tensor<8x64xf32>
  // CHECK: "chlo.erf"
  %1 = chlo.erf %x : tensor<8x64xf32> -> tensor<8x64xf32>
  // CHECK: "chlo.is_inf"(%{{.*}}) : (tensor<8x64xf32>) -> tensor<8x64xi1>
  %2 = chlo.is_inf %x : tensor<8x64xf32> -> tensor<8x64xi1>
  // CHECK: "chlo.next_after"
  %3 = chlo.next_after %x, %x : tensor<8x64xf32>, tensor<8x64xf32> -> tensor<8x64xf32>
  // CHECK: "chlo.broadcast_add"(%{{.*}}, %{{.*}}) : (tensor<8x64xf32>, tensor<64xf32>) -> tensor<8x64xf32>
  %c = "chlo.constant"() <{value = dense<1.0> : tensor<64xf32>}> : () -> tensor<64xf32>
  %4 = chlo.broadcast_add %x, %c : (tensor<8x64xf32>, tensor<64xf32>) -> tensor<8x64xf32>
  // CHECK: "chlo.top_k"(%{{.*}}) <{k = 2 : i64}> : (tensor<8x64xf32>) -> (tensor<8x2xf32>, tensor<8x2xi32>)
  %values, %indices = chlo.top_k(%x, k = 2) : tensor<8x64xf32> -> (tensor<8x2xf32>, tensor<8x2xi32>)
  return
}

// -----

func.func @same_type(%x: tensor<8xf32>) {
  // expected-error @+1 {{'chlo.erf' op result #0 has type 'tensor<4xf32>', but 'tensor<8xf32>' is expected}}
  %0 = chlo.erf %x : tensor<8xf32> -> tensor<4xf32>
  return
}

// -----

func.func @top_k_c1(%x: tensor<8x4xf32>) {
  // expected-error @+1 {{cannot take 5 elements out of the last dimension of 'tensor<8x4xf32>'}}
  %0:2 = chlo.top_k(%x, k = 5) : tensor<8x4xf32> -> (tensor<8x5xf32>, tensor<8x5xi32>)
  return
}

// -----

func.func @top_k_c2(%x: tensor<8x4xf32>) {
  // expected-error @+1 {{indices has type 'tensor<8x3xi32>', but 'tensor<8x2xi32>' is expected}}
  %0:2 = chlo.top_k(%x, k = 2) : tensor<8x4xf32> -> (tensor<8x2xf32>, tensor<8x3xi32>)
  return
}

// -----

func.func @constant_c1() {
  // expected-error @+1 {{result has type 'tensor<4xf32>', but 'tensor<8xf32>' is expected}}
  %0 = "chlo.constant"() <{value = dense<1.0> : tensor<8xf32>}> : () -> tensor<4xf32>
  return
}
