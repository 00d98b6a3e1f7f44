// Gradients of linalg operations against finite differences, in f64.
// RUN: check-gradients %s | FileCheck %s --implicit-check-not=argument
// RUN: check-gradients --recompute=none %s | FileCheck %s --implicit-check-not=argument

#id = affine_map<(d0, d1) -> (d0, d1)>
#t = affine_map<(d0, d1) -> (d1, d0)>
#r = affine_map<(d0, d1) -> (d0)>
#c = affine_map<(d0, d1) -> (d1)>
#s = affine_map<(d0, d1) -> ()>

// Broadcast operands get sums; the transposed one a transpose; one that is read twice the sum of both.
// CHECK: broadcast: ok
func.func @broadcast(%a: tensor<3x4xf64>, %t: tensor<4x3xf64>, %c: tensor<4xf64>, %r: tensor<3xf64>, %s: tensor<f64>) -> tensor<3x4xf64> {
  %e = tensor.empty() : tensor<3x4xf64>
  %0 = linalg.generic {indexing_maps = [#id, #t, #c, #r, #s, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%a, %t, %c, %r, %s, %a : tensor<3x4xf64>, tensor<4x3xf64>, tensor<4xf64>, tensor<3xf64>, tensor<f64>, tensor<3x4xf64>)
      outs(%e : tensor<3x4xf64>) {
  ^bb0(%x: f64, %y: f64, %z: f64, %u: f64, %v: f64, %w: f64, %o: f64):
    %1 = arith.mulf %x, %y : f64
    %2 = math.sin %z : f64
    %3 = arith.mulf %1, %2 : f64
    %4 = arith.mulf %u, %w : f64
    %5 = arith.subf %3, %4 : f64
    %6 = arith.mulf %5, %v : f64
    linalg.yield %6 : f64
  } -> tensor<3x4xf64>
  return %0 : tensor<3x4xf64>
}

// CHECK: bias: ok
func.func @bias(%a: tensor<3x4xf64>, %b: tensor<4xf64>, %d: tensor<3xf64>) -> tensor<3x4xf64> {
  %e = tensor.empty() : tensor<3x4xf64>
  %0 = linalg.generic {indexing_maps = [#id, #c, #r, #id], iterator_types = ["parallel", "parallel"]}
      ins(%a, %b, %d : tensor<3x4xf64>, tensor<4xf64>, tensor<3xf64>) outs(%e : tensor<3x4xf64>) {
  ^bb0(%x: f64, %y: f64, %z: f64, %o: f64):
    %1 = arith.addf %x, %y : f64
    %2 = arith.subf %1, %z : f64
    %3 = math.tanh %2 : f64
    linalg.yield %3 : f64
  } -> tensor<3x4xf64>
  return %0 : tensor<3x4xf64>
}

// Two results; the second does not use the first input.
// CHECK: two_results: ok
func.func @two_results(%a: tensor<3x4xf64>, %b: tensor<3x4xf64>) -> (tensor<3x4xf64>, tensor<4x3xf64>) {
  %e = tensor.empty() : tensor<3x4xf64>
  %f = tensor.empty() : tensor<4x3xf64>
  %0:2 = linalg.generic {indexing_maps = [#id, #id, #id, #t], iterator_types = ["parallel", "parallel"]}
      ins(%a, %b : tensor<3x4xf64>, tensor<3x4xf64>) outs(%e, %f : tensor<3x4xf64>, tensor<4x3xf64>) {
  ^bb0(%x: f64, %y: f64, %o: f64, %p: f64):
    %1 = arith.mulf %x, %y : f64
    %2 = math.exp %y : f64
    linalg.yield %1, %2 : f64, f64
  } -> (tensor<3x4xf64>, tensor<4x3xf64>)
  return %0#0, %0#1 : tensor<3x4xf64>, tensor<4x3xf64>
}

// The value depends on where it stands.
// CHECK: index: ok
func.func @index(%a: tensor<3x4xf64>) -> tensor<3x4xf64> {
  %e = tensor.empty() : tensor<3x4xf64>
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%a : tensor<3x4xf64>) outs(%e : tensor<3x4xf64>) {
  ^bb0(%x: f64, %o: f64):
    %zero = arith.constant 0.0 : f64
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %c = arith.cmpi sle, %j, %i : index
    %q = arith.mulf %x, %x : f64
    %r = arith.select %c, %q, %zero : f64
    linalg.yield %r : f64
  } -> tensor<3x4xf64>
  return %0 : tensor<3x4xf64>
}

// In place: the old value of the output is read.
// CHECK: in_place: ok
func.func @in_place(%a: tensor<3x4xf64>, %b: tensor<3x4xf64>) -> tensor<3x4xf64> {
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%a : tensor<3x4xf64>) outs(%b : tensor<3x4xf64>) {
  ^bb0(%x: f64, %o: f64):
    %1 = arith.mulf %x, %o : f64
    linalg.yield %1 : f64
  } -> tensor<3x4xf64>
  return %0 : tensor<3x4xf64>
}

// CHECK: sum: ok
func.func @sum(%a: tensor<3x4xf64>, %b: tensor<4xf64>) -> tensor<3xf64> {
  %zero = arith.constant 0.0 : f64
  %e = tensor.empty() : tensor<3xf64>
  %f = linalg.fill ins(%zero : f64) outs(%e : tensor<3xf64>) -> tensor<3xf64>
  %0 = linalg.generic {indexing_maps = [#id, #c, #r], iterator_types = ["parallel", "reduction"]} ins(%a, %b : tensor<3x4xf64>, tensor<4xf64>) outs(%f : tensor<3xf64>) {
  ^bb0(%x: f64, %y: f64, %o: f64):
    %1 = arith.mulf %x, %y : f64
    %2 = arith.addf %o, %1 : f64
    linalg.yield %2 : f64
  } -> tensor<3xf64>
  return %0 : tensor<3xf64>
}

// An operand that lacks the summed dimension: its gradient is the same for every term.
// CHECK: sum_of_broadcast: ok
func.func @sum_of_broadcast(%a: tensor<3x4xf64>, %b: tensor<3xf64>) -> tensor<3xf64> {
  %zero = arith.constant 0.0 : f64
  %e = tensor.empty() : tensor<3xf64>
  %f = linalg.fill ins(%zero : f64) outs(%e : tensor<3xf64>) -> tensor<3xf64>
  %0 = linalg.generic {indexing_maps = [#id, #r, #r], iterator_types = ["parallel", "reduction"]} ins(%a, %b : tensor<3x4xf64>, tensor<3xf64>) outs(%f : tensor<3xf64>) {
  ^bb0(%x: f64, %y: f64, %o: f64):
    %q = math.sin %y : f64
    %1 = arith.addf %x, %q : f64
    %2 = arith.addf %1, %o : f64
    linalg.yield %2 : f64
  } -> tensor<3xf64>
  return %0 : tensor<3xf64>
}

// A sum that starts from a tensor.
// CHECK: sum_onto: ok
func.func @sum_onto(%a: tensor<3x4xf64>, %b: tensor<4xf64>) -> tensor<4xf64> {
  %0 = linalg.generic {indexing_maps = [#id, #c], iterator_types = ["reduction", "parallel"]} ins(%a : tensor<3x4xf64>) outs(%b : tensor<4xf64>) {
  ^bb0(%x: f64, %o: f64):
    %1 = arith.mulf %x, %x : f64
    %2 = arith.addf %o, %1 : f64
    linalg.yield %2 : f64
  } -> tensor<4xf64>
  return %0 : tensor<4xf64>
}

// CHECK: max: ok
func.func @max(%a: tensor<3x4xf64>, %b: tensor<4xf64>) -> tensor<3xf64> {
  %ninf = arith.constant 0xFFF0000000000000 : f64
  %e = tensor.empty() : tensor<3xf64>
  %f = linalg.fill ins(%ninf : f64) outs(%e : tensor<3xf64>) -> tensor<3xf64>
  %0 = linalg.generic {indexing_maps = [#id, #c, #r], iterator_types = ["parallel", "reduction"]} ins(%a, %b : tensor<3x4xf64>, tensor<4xf64>) outs(%f : tensor<3xf64>) {
  ^bb0(%x: f64, %y: f64, %o: f64):
    %1 = arith.mulf %x, %y : f64
    %2 = arith.maximumf %o, %1 : f64
    linalg.yield %2 : f64
  } -> tensor<3xf64>
  return %0 : tensor<3xf64>
}

// CHECK: min: ok
func.func @min(%a: tensor<3x4xf64>) -> tensor<f64> {
  %inf = arith.constant 0x7FF0000000000000 : f64
  %e = tensor.empty() : tensor<f64>
  %f = linalg.fill ins(%inf : f64) outs(%e : tensor<f64>) -> tensor<f64>
  %0 = linalg.generic {indexing_maps = [#id, #s], iterator_types = ["reduction", "reduction"]} ins(%a : tensor<3x4xf64>) outs(%f : tensor<f64>) {
  ^bb0(%x: f64, %o: f64):
    %1 = math.exp %x : f64
    %2 = arith.minimumf %1, %o : f64
    linalg.yield %2 : f64
  } -> tensor<f64>
  return %0 : tensor<f64>
}

// Value and position: the gradient of the value goes to the position.
// CHECK: argmax: ok
func.func @argmax(%a: tensor<3x4xf64>) -> (tensor<3xf64>, tensor<3xi32>) {
  %ninf = arith.constant 0xFFF0000000000000 : f64
  %first = arith.constant 0 : i32
  %e = tensor.empty() : tensor<3xf64>
  %f = linalg.fill ins(%ninf : f64) outs(%e : tensor<3xf64>) -> tensor<3xf64>
  %ei = tensor.empty() : tensor<3xi32>
  %fi = linalg.fill ins(%first : i32) outs(%ei : tensor<3xi32>) -> tensor<3xi32>
  %0:2 = linalg.generic {indexing_maps = [#id, #r, #r], iterator_types = ["parallel", "reduction"]} ins(%a : tensor<3x4xf64>) outs(%f, %fi : tensor<3xf64>, tensor<3xi32>) {
  ^bb0(%x: f64, %o: f64, %p: i32):
    %q = arith.mulf %x, %x : f64
    %j = linalg.index 1 : index
    %i = arith.index_cast %j : index to i32
    %c = arith.cmpf ogt, %q, %o : f64
    %v = arith.select %c, %q, %o : f64
    %w = arith.select %c, %i, %p : i32
    linalg.yield %v, %w : f64, i32
  } -> (tensor<3xf64>, tensor<3xi32>)
  return %0#0, %0#1 : tensor<3xf64>, tensor<3xi32>
}

// The position is used as a mask: it is computed again in the backward function.
// CHECK: argmax_mask: ok
func.func @argmax_mask(%a: tensor<3x4xf64>) -> tensor<3x4xf64> {
  %ninf = arith.constant 0xFFF0000000000000 : f64
  %first = arith.constant 0 : i32
  %e = tensor.empty() : tensor<3xf64>
  %f = linalg.fill ins(%ninf : f64) outs(%e : tensor<3xf64>) -> tensor<3xf64>
  %ei = tensor.empty() : tensor<3xi32>
  %fi = linalg.fill ins(%first : i32) outs(%ei : tensor<3xi32>) -> tensor<3xi32>
  %0:2 = linalg.generic {indexing_maps = [#id, #r, #r], iterator_types = ["parallel", "reduction"]} ins(%a : tensor<3x4xf64>) outs(%f, %fi : tensor<3xf64>, tensor<3xi32>) {
  ^bb0(%x: f64, %o: f64, %p: i32):
    %j = linalg.index 1 : index
    %i = arith.index_cast %j : index to i32
    %c = arith.cmpf ogt, %x, %o : f64
    %v = arith.select %c, %x, %o : f64
    %w = arith.select %c, %i, %p : i32
    linalg.yield %v, %w : f64, i32
  } -> (tensor<3xf64>, tensor<3xi32>)
  %em = tensor.empty() : tensor<3x4xf64>
  %1 = linalg.generic {indexing_maps = [#id, #r, #id], iterator_types = ["parallel", "parallel"]} ins(%a, %0#1 : tensor<3x4xf64>, tensor<3xi32>) outs(%em : tensor<3x4xf64>) {
  ^bb0(%x: f64, %p: i32, %o: f64):
    %zero = arith.constant 0.0 : f64
    %j = linalg.index 1 : index
    %i = arith.index_cast %j : index to i32
    %c = arith.cmpi eq, %i, %p : i32
    %q = arith.mulf %x, %x : f64
    %v = arith.select %c, %q, %zero : f64
    linalg.yield %v : f64
  } -> tensor<3x4xf64>
  return %1 : tensor<3x4xf64>
}

#A = affine_map<(b, m, n, k) -> (b, m, k)>
#B = affine_map<(b, m, n, k) -> (k, n, b)>
#C = affine_map<(b, m, n, k) -> (m, b, n)>

// CHECK: contract: ok
func.func @contract(%a: tensor<2x3x4xf64>, %b: tensor<4x5x2xf64>) -> tensor<3x2x5xf64> {
  %zero = arith.constant 0.0 : f64
  %e = tensor.empty() : tensor<3x2x5xf64>
  %f = linalg.fill ins(%zero : f64) outs(%e : tensor<3x2x5xf64>) -> tensor<3x2x5xf64>
  %0 = linalg.contract indexing_maps = [#A, #B, #C] ins(%a, %b : tensor<2x3x4xf64>, tensor<4x5x2xf64>) outs(%f : tensor<3x2x5xf64>) -> tensor<3x2x5xf64>
  return %0 : tensor<3x2x5xf64>
}

// Narrow operands, wide result; both operands are the same tensor.
// CHECK: contract_narrow: ok
func.func @contract_narrow(%a: tensor<3x4xf32>) -> tensor<3x3xf32> {
  %zero = arith.constant 0.0 : f32
  %en = tensor.empty() : tensor<3x4xbf16>
  %n = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%a : tensor<3x4xf32>) outs(%en : tensor<3x4xbf16>) {
  ^bb0(%x: f32, %o: bf16):
    %1 = arith.truncf %x : f32 to bf16
    linalg.yield %1 : bf16
  } -> tensor<3x4xbf16>
  %e = tensor.empty() : tensor<3x3xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<3x3xf32>) -> tensor<3x3xf32>
  %0 = linalg.contract indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
      ins(%n, %n : tensor<3x4xbf16>, tensor<3x4xbf16>) outs(%f : tensor<3x3xf32>) -> tensor<3x3xf32>
  return %0 : tensor<3x3xf32>
}

// The gradient of a sum is a broadcast, which linalg.contract cannot read: it is made a tensor first.
// CHECK: sum_of_contract: ok
func.func @sum_of_contract(%a: tensor<3x4xf64>, %b: tensor<4x5xf64>) -> tensor<3xf64> {
  %zero = arith.constant 0.0 : f64
  %e = tensor.empty() : tensor<3x5xf64>
  %f = linalg.fill ins(%zero : f64) outs(%e : tensor<3x5xf64>) -> tensor<3x5xf64>
  %0 = linalg.contract indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>]
      ins(%a, %b : tensor<3x4xf64>, tensor<4x5xf64>) outs(%f : tensor<3x5xf64>) -> tensor<3x5xf64>
  %es = tensor.empty() : tensor<3xf64>
  %fs = linalg.fill ins(%zero : f64) outs(%es : tensor<3xf64>) -> tensor<3xf64>
  %1 = linalg.generic {indexing_maps = [#id, #r], iterator_types = ["parallel", "reduction"]} ins(%0 : tensor<3x5xf64>) outs(%fs : tensor<3xf64>) {
  ^bb0(%x: f64, %o: f64):
    %2 = arith.addf %o, %x : f64
    linalg.yield %2 : f64
  } -> tensor<3xf64>
  return %1 : tensor<3xf64>
}
