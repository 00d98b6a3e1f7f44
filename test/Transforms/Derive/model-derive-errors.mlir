// Everything that model-derive refuses.
// RUN: plan-opt %s --split-input-file --verify-diagnostics --model-derive

#v = affine_map<(d0) -> (d0)>
#s = affine_map<(d0) -> ()>

// All operations without a derivative are reported at once.
func.func @refused(%x: tensor<4xf64>) -> tensor<4xf64> {
  %e = tensor.empty() : tensor<4xf64>
  // expected-error @below {{'linalg.generic' op cannot be differentiated: no derivative is known for 'math.fpowi'}}
  %0 = linalg.generic {indexing_maps = [#v, #v], iterator_types = ["parallel"]} ins(%x : tensor<4xf64>) outs(%e : tensor<4xf64>) {
  ^bb0(%a: f64, %o: f64):
    %c = arith.constant 3 : i32
    %1 = math.fpowi %a, %c : f64, i32
    linalg.yield %1 : f64
  } -> tensor<4xf64>
  // expected-error @below {{'tensor.cast' op cannot be differentiated: no derivative is known for it}}
  %1 = tensor.cast %0 : tensor<4xf64> to tensor<4xf64>
  return %1 : tensor<4xf64>
}

// -----

#v = affine_map<(d0) -> (d0)>
#s = affine_map<(d0) -> ()>

func.func @product(%x: tensor<4xf64>) -> tensor<f64> {
  %one = arith.constant dense<1.0> : tensor<f64>
  // expected-error @below {{the reduction of result 0 is no sum, maximum, minimum or choice by index}}
  %0 = linalg.generic {indexing_maps = [#v, #s], iterator_types = ["reduction"]} ins(%x : tensor<4xf64>) outs(%one : tensor<f64>) {
  ^bb0(%a: f64, %o: f64):
    %1 = arith.mulf %o, %a : f64
    linalg.yield %1 : f64
  } -> tensor<f64>
  return %0 : tensor<f64>
}

// -----

#v = affine_map<(d0) -> (d0)>
#s = affine_map<(d0) -> ()>

func.func @max_onto(%x: tensor<4xf64>, %y: tensor<f64>) -> tensor<f64> {
  // expected-error @below {{result 0 starts from a value that has a gradient, and is not a sum}}
  %0 = linalg.generic {indexing_maps = [#v, #s], iterator_types = ["reduction"]} ins(%x : tensor<4xf64>) outs(%y : tensor<f64>) {
  ^bb0(%a: f64, %o: f64):
    %1 = arith.maximumf %o, %a : f64
    linalg.yield %1 : f64
  } -> tensor<f64>
  return %0 : tensor<f64>
}

// -----

// expected-error @below {{has no trainable parameter to take a gradient for}}
func.func @main(%x: tensor<f32> {model.argument = #model.argument<input, name = "x">}) -> tensor<f32> {
  return %x : tensor<f32>
}

// -----

// expected-error @below {{must return one scalar float, the loss, but has type '(tensor<4xf32>) -> tensor<4xf32>'}}
func.func @main(%x: tensor<4xf32> {model.argument = #model.argument<parameter, name = "x">}) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}

// -----

// expected-error @below {{calls itself and cannot be differentiated}}
func.func private @again(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = call @again(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = call @again(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// expected-error @below {{cannot be differentiated: it must have a body of one block}}
func.func private @outside(%x: tensor<4xf32>) -> tensor<4xf32>
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = call @outside(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
