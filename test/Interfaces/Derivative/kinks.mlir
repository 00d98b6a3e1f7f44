// Gradients where there is a kink or an overflow, by number: ties are shared as JAX does, masked branches stay masked.
// RUN: check-gradients %s | FileCheck %s --implicit-check-not=argument

#v = affine_map<(d0) -> (d0)>
#m = affine_map<(d0, d1) -> (d0, d1)>
#r = affine_map<(d0, d1) -> (d0)>

// CHECK: maximum_tie: ok
func.func @maximum_tie(%a: tensor<3xf64> {test.values = dense<[1.0, 2.0, 3.0]> : tensor<3xf64>},
                       %b: tensor<3xf64> {test.values = dense<[1.0, 3.0, 2.0]> : tensor<3xf64>}) -> tensor<3xf64>
    attributes {test.gradients = [dense<[0.5, 0.0, 1.0]> : tensor<3xf64>, dense<[0.5, 1.0, 0.0]> : tensor<3xf64>]} {
  %e = tensor.empty() : tensor<3xf64>
  %0 = linalg.generic {indexing_maps = [#v, #v, #v], iterator_types = ["parallel"]}
      ins(%a, %b : tensor<3xf64>, tensor<3xf64>) outs(%e : tensor<3xf64>) {
  ^bb0(%x: f64, %y: f64, %o: f64):
    %r = arith.maximumf %x, %y : f64
    linalg.yield %r : f64
  } -> tensor<3xf64>
  return %0 : tensor<3xf64>
}

// CHECK: abs_zero: ok
func.func @abs_zero(%a: tensor<3xf64> {test.values = dense<[-1.0, 0.0, 2.0]> : tensor<3xf64>}) -> tensor<3xf64>
    attributes {test.gradients = [dense<[-1.0, 0.0, 1.0]> : tensor<3xf64>]} {
  %e = tensor.empty() : tensor<3xf64>
  %0 = linalg.generic {indexing_maps = [#v, #v], iterator_types = ["parallel"]} ins(%a : tensor<3xf64>) outs(%e : tensor<3xf64>) {
  ^bb0(%x: f64, %o: f64):
    %r = math.absf %x : f64
    linalg.yield %r : f64
  } -> tensor<3xf64>
  return %0 : tensor<3xf64>
}

// Reduction: each of k equal maxima gets 1 / k.
// CHECK: max_reduction_ties: ok
func.func @max_reduction_ties(%a: tensor<2x4xf64> {test.values = dense<[[1.0, 5.0, 5.0, 2.0], [3.0, 3.0, 3.0, 3.0]]> : tensor<2x4xf64>}) -> tensor<2xf64>
    attributes {test.gradients = [dense<[[0.0, 0.5, 0.5, 0.0], [0.25, 0.25, 0.25, 0.25]]> : tensor<2x4xf64>]} {
  %ninf = arith.constant 0xFFF0000000000000 : f64
  %e = tensor.empty() : tensor<2xf64>
  %f = linalg.fill ins(%ninf : f64) outs(%e : tensor<2xf64>) -> tensor<2xf64>
  %0 = linalg.generic {indexing_maps = [#m, #r], iterator_types = ["parallel", "reduction"]} ins(%a : tensor<2x4xf64>) outs(%f : tensor<2xf64>) {
  ^bb0(%x: f64, %o: f64):
    %r = arith.maximumf %o, %x : f64
    linalg.yield %r : f64
  } -> tensor<2xf64>
  return %0 : tensor<2xf64>
}

// Out of range is NaN, as a gather's: what the select did not take has gradient zero, and no 0 * NaN comes out.
// CHECK: select_nan: ok
func.func @select_nan(%a: tensor<2xf64> {test.values = dense<[4.0, -1.0]> : tensor<2xf64>},
                      %b: tensor<2xf64> {test.values = dense<[2.0, 0x7FF8000000000000]> : tensor<2xf64>}) -> tensor<2xf64>
    attributes {test.gradients = [dense<[0.25, 0.0]> : tensor<2xf64>, dense<[0.0, 0.0]> : tensor<2xf64>]} {
  %e = tensor.empty() : tensor<2xf64>
  %0 = linalg.generic {indexing_maps = [#v, #v, #v], iterator_types = ["parallel"]}
      ins(%a, %b : tensor<2xf64>, tensor<2xf64>) outs(%e : tensor<2xf64>) {
  ^bb0(%x: f64, %y: f64, %o: f64):
    %zero = arith.constant 0.0 : f64
    %four = arith.constant 4.0 : f64
    %nan = arith.constant 0x7FF8000000000000 : f64
    %c = arith.cmpf ogt, %x, %zero : f64
    %s = arith.select %c, %x, %four : f64
    %q = math.sqrt %s : f64
    %l = arith.select %c, %q, %nan : f64
    %n = arith.cmpf olt, %l, %l : f64
    %r = arith.select %n, %y, %l : f64
    linalg.yield %r : f64
  } -> tensor<2xf64>
  return %0 : tensor<2xf64>
}

// 1 / (1 + exp(-x)) far out on the left, where exp overflows.
// CHECK: logistic_overflow: ok
func.func @logistic_overflow(%a: tensor<3xf64> {test.values = dense<[0.0, -800.0, 800.0]> : tensor<3xf64>}) -> tensor<3xf64>
    attributes {test.gradients = [dense<[0.25, 0.0, 0.0]> : tensor<3xf64>]} {
  %e = tensor.empty() : tensor<3xf64>
  %0 = linalg.generic {indexing_maps = [#v, #v], iterator_types = ["parallel"]} ins(%a : tensor<3xf64>) outs(%e : tensor<3xf64>) {
  ^bb0(%x: f64, %o: f64):
    %one = arith.constant 1.0 : f64
    %n = arith.negf %x : f64
    %p = math.exp %n : f64
    %q = arith.addf %one, %p : f64
    %r = arith.divf %one, %q : f64
    linalg.yield %r : f64
  } -> tensor<3xf64>
  return %0 : tensor<3xf64>
}

// x ^ 0 is flat, even at 0.
// CHECK: power_zero: ok
func.func @power_zero(%a: tensor<2xf64> {test.values = dense<[0.0, 2.0]> : tensor<2xf64>},
                      %b: tensor<2xf64> {test.values = dense<[0.0, 3.0]> : tensor<2xf64>}) -> tensor<2xf64>
    attributes {test.gradients = [dense<[0.0, 12.0]> : tensor<2xf64>, dense<[0.0, 5.545177444479562]> : tensor<2xf64>]} {
  %e = tensor.empty() : tensor<2xf64>
  %0 = linalg.generic {indexing_maps = [#v, #v, #v], iterator_types = ["parallel"]}
      ins(%a, %b : tensor<2xf64>, tensor<2xf64>) outs(%e : tensor<2xf64>) {
  ^bb0(%x: f64, %y: f64, %o: f64):
    %r = math.powf %x, %y : f64
    linalg.yield %r : f64
  } -> tensor<2xf64>
  return %0 : tensor<2xf64>
}
