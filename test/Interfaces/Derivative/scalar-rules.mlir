// One function per row of the scalar rule table (lib/Interfaces/Derivative/ScalarRules.cpp): gradients against finite
// differences, in f64.
// RUN: check-gradients %s | FileCheck %s --implicit-check-not=argument

#v = affine_map<(d0) -> (d0)>

// CHECK: addf: ok
func.func @addf(%a0: tensor<5xf64>, %a1: tensor<5xf64>) -> tensor<5xf64> {
  %e = tensor.empty() : tensor<5xf64>
  %0 = linalg.generic {indexing_maps = [#v, #v, #v], iterator_types = ["parallel"]}
      ins(%a0, %a1 : tensor<5xf64>, tensor<5xf64>) outs(%e : tensor<5xf64>) {
  ^bb0(%x: f64, %y: f64, %o: f64):
    %r = arith.addf %x, %y : f64
    linalg.yield %r : f64
  } -> tensor<5xf64>
  return %0 : tensor<5xf64>
}

// CHECK: subf: ok
func.func @subf(%a0: tensor<5xf64>, %a1: tensor<5xf64>) -> tensor<5xf64> {
  %e = tensor.empty() : tensor<5xf64>
  %0 = linalg.generic {indexing_maps = [#v, #v, #v], iterator_types = ["parallel"]}
      ins(%a0, %a1 : tensor<5xf64>, tensor<5xf64>) outs(%e : tensor<5xf64>) {
  ^bb0(%x: f64, %y: f64, %o: f64):
    %r = arith.subf %x, %y : f64
    linalg.yield %r : f64
  } -> tensor<5xf64>
  return %0 : tensor<5xf64>
}

// CHECK: mulf: ok
func.func @mulf(%a0: tensor<5xf64>, %a1: tensor<5xf64>) -> tensor<5xf64> {
  %e = tensor.empty() : tensor<5xf64>
  %0 = linalg.generic {indexing_maps = [#v, #v, #v], iterator_types = ["parallel"]}
      ins(%a0, %a1 : tensor<5xf64>, tensor<5xf64>) outs(%e : tensor<5xf64>) {
  ^bb0(%x: f64, %y: f64, %o: f64):
    %r = arith.mulf %x, %y : f64
    linalg.yield %r : f64
  } -> tensor<5xf64>
  return %0 : tensor<5xf64>
}

// CHECK: divf: ok
func.func @divf(%a0: tensor<5xf64>, %a1: tensor<5xf64> {test.range = array<f64: 0.3, 2.0>}) -> tensor<5xf64> {
  %e = tensor.empty() : tensor<5xf64>
  %0 = linalg.generic {indexing_maps = [#v, #v, #v], iterator_types = ["parallel"]}
      ins(%a0, %a1 : tensor<5xf64>, tensor<5xf64>) outs(%e : tensor<5xf64>) {
  ^bb0(%x: f64, %y: f64, %o: f64):
    %r = arith.divf %x, %y : f64
    linalg.yield %r : f64
  } -> tensor<5xf64>
  return %0 : tensor<5xf64>
}

// CHECK: remf: ok
func.func @remf(%a0: tensor<5xf64> {test.range = array<f64: 4.1, 4.9>}, %a1: tensor<5xf64> {test.range = array<f64: 1.1, 1.3>}) -> tensor<5xf64> {
  %e = tensor.empty() : tensor<5xf64>
  %0 = linalg.generic {indexing_maps = [#v, #v, #v], iterator_types = ["parallel"]}
      ins(%a0, %a1 : tensor<5xf64>, tensor<5xf64>) outs(%e : tensor<5xf64>) {
  ^bb0(%x: f64, %y: f64, %o: f64):
    %r = arith.remf %x, %y : f64
    linalg.yield %r : f64
  } -> tensor<5xf64>
  return %0 : tensor<5xf64>
}

// CHECK: negf: ok
func.func @negf(%a0: tensor<5xf64>) -> tensor<5xf64> {
  %e = tensor.empty() : tensor<5xf64>
  %0 = linalg.generic {indexing_maps = [#v, #v], iterator_types = ["parallel"]}
      ins(%a0 : tensor<5xf64>) outs(%e : tensor<5xf64>) {
  ^bb0(%x: f64, %o: f64):
    %r = arith.negf %x : f64
    linalg.yield %r : f64
  } -> tensor<5xf64>
  return %0 : tensor<5xf64>
}

// CHECK: fma: ok
func.func @fma(%a0: tensor<5xf64>, %a1: tensor<5xf64>, %a2: tensor<5xf64>) -> tensor<5xf64> {
  %e = tensor.empty() : tensor<5xf64>
  %0 = linalg.generic {indexing_maps = [#v, #v, #v, #v], iterator_types = ["parallel"]}
      ins(%a0, %a1, %a2 : tensor<5xf64>, tensor<5xf64>, tensor<5xf64>) outs(%e : tensor<5xf64>) {
  ^bb0(%x: f64, %y: f64, %z: f64, %o: f64):
    %r = math.fma %x, %y, %z : f64
    linalg.yield %r : f64
  } -> tensor<5xf64>
  return %0 : tensor<5xf64>
}

// CHECK: select: ok
func.func @select(%a0: tensor<5xf64>, %a1: tensor<5xf64>, %a2: tensor<5xf64>) -> tensor<5xf64> {
  %e = tensor.empty() : tensor<5xf64>
  %0 = linalg.generic {indexing_maps = [#v, #v, #v, #v], iterator_types = ["parallel"]}
      ins(%a0, %a1, %a2 : tensor<5xf64>, tensor<5xf64>, tensor<5xf64>) outs(%e : tensor<5xf64>) {
  ^bb0(%x: f64, %y: f64, %z: f64, %o: f64):
    %c = arith.cmpf olt, %x, %y : f64
    %s = arith.mulf %x, %z : f64
    %r = arith.select %c, %s, %y : f64
    linalg.yield %r : f64
  } -> tensor<5xf64>
  return %0 : tensor<5xf64>
}

// CHECK: maximumf: ok
func.func @maximumf(%a0: tensor<5xf64>, %a1: tensor<5xf64>) -> tensor<5xf64> {
  %e = tensor.empty() : tensor<5xf64>
  %0 = linalg.generic {indexing_maps = [#v, #v, #v], iterator_types = ["parallel"]}
      ins(%a0, %a1 : tensor<5xf64>, tensor<5xf64>) outs(%e : tensor<5xf64>) {
  ^bb0(%x: f64, %y: f64, %o: f64):
    %r = arith.maximumf %x, %y : f64
    linalg.yield %r : f64
  } -> tensor<5xf64>
  return %0 : tensor<5xf64>
}

// CHECK: minimumf: ok
func.func @minimumf(%a0: tensor<5xf64>, %a1: tensor<5xf64>) -> tensor<5xf64> {
  %e = tensor.empty() : tensor<5xf64>
  %0 = linalg.generic {indexing_maps = [#v, #v, #v], iterator_types = ["parallel"]}
      ins(%a0, %a1 : tensor<5xf64>, tensor<5xf64>) outs(%e : tensor<5xf64>) {
  ^bb0(%x: f64, %y: f64, %o: f64):
    %r = arith.minimumf %x, %y : f64
    linalg.yield %r : f64
  } -> tensor<5xf64>
  return %0 : tensor<5xf64>
}

// CHECK: maxnumf: ok
func.func @maxnumf(%a0: tensor<5xf64>, %a1: tensor<5xf64>) -> tensor<5xf64> {
  %e = tensor.empty() : tensor<5xf64>
  %0 = linalg.generic {indexing_maps = [#v, #v, #v], iterator_types = ["parallel"]}
      ins(%a0, %a1 : tensor<5xf64>, tensor<5xf64>) outs(%e : tensor<5xf64>) {
  ^bb0(%x: f64, %y: f64, %o: f64):
    %r = arith.maxnumf %x, %y : f64
    linalg.yield %r : f64
  } -> tensor<5xf64>
  return %0 : tensor<5xf64>
}

// CHECK: minnumf: ok
func.func @minnumf(%a0: tensor<5xf64>, %a1: tensor<5xf64>) -> tensor<5xf64> {
  %e = tensor.empty() : tensor<5xf64>
  %0 = linalg.generic {indexing_maps = [#v, #v, #v], iterator_types = ["parallel"]}
      ins(%a0, %a1 : tensor<5xf64>, tensor<5xf64>) outs(%e : tensor<5xf64>) {
  ^bb0(%x: f64, %y: f64, %o: f64):
    %r = arith.minnumf %x, %y : f64
    linalg.yield %r : f64
  } -> tensor<5xf64>
  return %0 : tensor<5xf64>
}

// CHECK: clampf: ok
func.func @clampf(%a0: tensor<5xf64>, %a1: tensor<5xf64> {test.range = array<f64: -1.1, -0.9>}, %a2: tensor<5xf64> {test.range = array<f64: 0.9, 1.1>}) -> tensor<5xf64> {
  %e = tensor.empty() : tensor<5xf64>
  %0 = linalg.generic {indexing_maps = [#v, #v, #v, #v], iterator_types = ["parallel"]}
      ins(%a0, %a1, %a2 : tensor<5xf64>, tensor<5xf64>, tensor<5xf64>) outs(%e : tensor<5xf64>) {
  ^bb0(%x: f64, %y: f64, %z: f64, %o: f64):
    %r = math.clampf %x to [%y, %z] : f64
    linalg.yield %r : f64
  } -> tensor<5xf64>
  return %0 : tensor<5xf64>
}

// CHECK: absf: ok
func.func @absf(%a0: tensor<5xf64>) -> tensor<5xf64> {
  %e = tensor.empty() : tensor<5xf64>
  %0 = linalg.generic {indexing_maps = [#v, #v], iterator_types = ["parallel"]}
      ins(%a0 : tensor<5xf64>) outs(%e : tensor<5xf64>) {
  ^bb0(%x: f64, %o: f64):
    %r = math.absf %x : f64
    linalg.yield %r : f64
  } -> tensor<5xf64>
  return %0 : tensor<5xf64>
}

// CHECK: copysign: ok
func.func @copysign(%a0: tensor<5xf64>, %a1: tensor<5xf64>) -> tensor<5xf64> {
  %e = tensor.empty() : tensor<5xf64>
  %0 = linalg.generic {indexing_maps = [#v, #v, #v], iterator_types = ["parallel"]}
      ins(%a0, %a1 : tensor<5xf64>, tensor<5xf64>) outs(%e : tensor<5xf64>) {
  ^bb0(%x: f64, %y: f64, %o: f64):
    %r = math.copysign %x, %y : f64
    linalg.yield %r : f64
  } -> tensor<5xf64>
  return %0 : tensor<5xf64>
}

// CHECK: casts: ok
func.func @casts(%a0: tensor<5xf64>) -> tensor<5xf64> {
  %e = tensor.empty() : tensor<5xf64>
  %0 = linalg.generic {indexing_maps = [#v, #v], iterator_types = ["parallel"]}
      ins(%a0 : tensor<5xf64>) outs(%e : tensor<5xf64>) {
  ^bb0(%x: f64, %o: f64):
    %n = arith.truncf %x : f64 to f32
    %m = arith.mulf %n, %n : f32
    %r = arith.extf %m : f32 to f64
    linalg.yield %r : f64
  } -> tensor<5xf64>
  return %0 : tensor<5xf64>
}

// CHECK: integers: ok
func.func @integers(%a0: tensor<5xf64>, %a1: tensor<5xf64>) -> tensor<5xf64> {
  %e = tensor.empty() : tensor<5xf64>
  %0 = linalg.generic {indexing_maps = [#v, #v, #v], iterator_types = ["parallel"]}
      ins(%a0, %a1 : tensor<5xf64>, tensor<5xf64>) outs(%e : tensor<5xf64>) {
  ^bb0(%x: f64, %y: f64, %o: f64):
    %i = arith.fptosi %x : f64 to i32
    %f = arith.sitofp %i : i32 to f64
    %r = arith.mulf %f, %y : f64
    linalg.yield %r : f64
  } -> tensor<5xf64>
  return %0 : tensor<5xf64>
}

// CHECK: floor: ok
func.func @floor(%a0: tensor<5xf64> {test.range = array<f64: 0.1, 0.4>}) -> tensor<5xf64> {
  %e = tensor.empty() : tensor<5xf64>
  %0 = linalg.generic {indexing_maps = [#v, #v], iterator_types = ["parallel"]}
      ins(%a0 : tensor<5xf64>) outs(%e : tensor<5xf64>) {
  ^bb0(%x: f64, %o: f64):
    %f = math.floor %x : f64
    %r = arith.mulf %f, %x : f64
    linalg.yield %r : f64
  } -> tensor<5xf64>
  return %0 : tensor<5xf64>
}

// CHECK: ceil: ok
func.func @ceil(%a0: tensor<5xf64> {test.range = array<f64: 0.1, 0.4>}) -> tensor<5xf64> {
  %e = tensor.empty() : tensor<5xf64>
  %0 = linalg.generic {indexing_maps = [#v, #v], iterator_types = ["parallel"]}
      ins(%a0 : tensor<5xf64>) outs(%e : tensor<5xf64>) {
  ^bb0(%x: f64, %o: f64):
    %f = math.ceil %x : f64
    %r = arith.mulf %f, %x : f64
    linalg.yield %r : f64
  } -> tensor<5xf64>
  return %0 : tensor<5xf64>
}

// CHECK: round: ok
func.func @round(%a0: tensor<5xf64> {test.range = array<f64: 0.1, 0.4>}) -> tensor<5xf64> {
  %e = tensor.empty() : tensor<5xf64>
  %0 = linalg.generic {indexing_maps = [#v, #v], iterator_types = ["parallel"]}
      ins(%a0 : tensor<5xf64>) outs(%e : tensor<5xf64>) {
  ^bb0(%x: f64, %o: f64):
    %f = math.round %x : f64
    %r = arith.mulf %f, %x : f64
    linalg.yield %r : f64
  } -> tensor<5xf64>
  return %0 : tensor<5xf64>
}

// CHECK: roundeven: ok
func.func @roundeven(%a0: tensor<5xf64> {test.range = array<f64: 0.1, 0.4>}) -> tensor<5xf64> {
  %e = tensor.empty() : tensor<5xf64>
  %0 = linalg.generic {indexing_maps = [#v, #v], iterator_types = ["parallel"]}
      ins(%a0 : tensor<5xf64>) outs(%e : tensor<5xf64>) {
  ^bb0(%x: f64, %o: f64):
    %f = math.roundeven %x : f64
    %r = arith.mulf %f, %x : f64
    linalg.yield %r : f64
  } -> tensor<5xf64>
  return %0 : tensor<5xf64>
}

// CHECK: trunc: ok
func.func @trunc(%a0: tensor<5xf64> {test.range = array<f64: 0.1, 0.4>}) -> tensor<5xf64> {
  %e = tensor.empty() : tensor<5xf64>
  %0 = linalg.generic {indexing_maps = [#v, #v], iterator_types = ["parallel"]}
      ins(%a0 : tensor<5xf64>) outs(%e : tensor<5xf64>) {
  ^bb0(%x: f64, %o: f64):
    %f = math.trunc %x : f64
    %r = arith.mulf %f, %x : f64
    linalg.yield %r : f64
  } -> tensor<5xf64>
  return %0 : tensor<5xf64>
}

// CHECK: exp: ok
func.func @exp(%a0: tensor<5xf64>) -> tensor<5xf64> {
  %e = tensor.empty() : tensor<5xf64>
  %0 = linalg.generic {indexing_maps = [#v, #v], iterator_types = ["parallel"]}
      ins(%a0 : tensor<5xf64>) outs(%e : tensor<5xf64>) {
  ^bb0(%x: f64, %o: f64):
    %r = math.exp %x : f64
    linalg.yield %r : f64
  } -> tensor<5xf64>
  return %0 : tensor<5xf64>
}

// CHECK: exp2: ok
func.func @exp2(%a0: tensor<5xf64>) -> tensor<5xf64> {
  %e = tensor.empty() : tensor<5xf64>
  %0 = linalg.generic {indexing_maps = [#v, #v], iterator_types = ["parallel"]}
      ins(%a0 : tensor<5xf64>) outs(%e : tensor<5xf64>) {
  ^bb0(%x: f64, %o: f64):
    %r = math.exp2 %x : f64
    linalg.yield %r : f64
  } -> tensor<5xf64>
  return %0 : tensor<5xf64>
}

// CHECK: expm1: ok
func.func @expm1(%a0: tensor<5xf64>) -> tensor<5xf64> {
  %e = tensor.empty() : tensor<5xf64>
  %0 = linalg.generic {indexing_maps = [#v, #v], iterator_types = ["parallel"]}
      ins(%a0 : tensor<5xf64>) outs(%e : tensor<5xf64>) {
  ^bb0(%x: f64, %o: f64):
    %r = math.expm1 %x : f64
    linalg.yield %r : f64
  } -> tensor<5xf64>
  return %0 : tensor<5xf64>
}

// CHECK: log: ok
func.func @log(%a0: tensor<5xf64> {test.range = array<f64: 0.3, 2.0>}) -> tensor<5xf64> {
  %e = tensor.empty() : tensor<5xf64>
  %0 = linalg.generic {indexing_maps = [#v, #v], iterator_types = ["parallel"]}
      ins(%a0 : tensor<5xf64>) outs(%e : tensor<5xf64>) {
  ^bb0(%x: f64, %o: f64):
    %r = math.log %x : f64
    linalg.yield %r : f64
  } -> tensor<5xf64>
  return %0 : tensor<5xf64>
}

// CHECK: log2: ok
func.func @log2(%a0: tensor<5xf64> {test.range = array<f64: 0.3, 2.0>}) -> tensor<5xf64> {
  %e = tensor.empty() : tensor<5xf64>
  %0 = linalg.generic {indexing_maps = [#v, #v], iterator_types = ["parallel"]}
      ins(%a0 : tensor<5xf64>) outs(%e : tensor<5xf64>) {
  ^bb0(%x: f64, %o: f64):
    %r = math.log2 %x : f64
    linalg.yield %r : f64
  } -> tensor<5xf64>
  return %0 : tensor<5xf64>
}

// CHECK: log10: ok
func.func @log10(%a0: tensor<5xf64> {test.range = array<f64: 0.3, 2.0>}) -> tensor<5xf64> {
  %e = tensor.empty() : tensor<5xf64>
  %0 = linalg.generic {indexing_maps = [#v, #v], iterator_types = ["parallel"]}
      ins(%a0 : tensor<5xf64>) outs(%e : tensor<5xf64>) {
  ^bb0(%x: f64, %o: f64):
    %r = math.log10 %x : f64
    linalg.yield %r : f64
  } -> tensor<5xf64>
  return %0 : tensor<5xf64>
}

// CHECK: log1p: ok
func.func @log1p(%a0: tensor<5xf64> {test.range = array<f64: 0.3, 2.0>}) -> tensor<5xf64> {
  %e = tensor.empty() : tensor<5xf64>
  %0 = linalg.generic {indexing_maps = [#v, #v], iterator_types = ["parallel"]}
      ins(%a0 : tensor<5xf64>) outs(%e : tensor<5xf64>) {
  ^bb0(%x: f64, %o: f64):
    %r = math.log1p %x : f64
    linalg.yield %r : f64
  } -> tensor<5xf64>
  return %0 : tensor<5xf64>
}

// CHECK: powf: ok
func.func @powf(%a0: tensor<5xf64> {test.range = array<f64: 0.3, 2.0>}, %a1: tensor<5xf64>) -> tensor<5xf64> {
  %e = tensor.empty() : tensor<5xf64>
  %0 = linalg.generic {indexing_maps = [#v, #v, #v], iterator_types = ["parallel"]}
      ins(%a0, %a1 : tensor<5xf64>, tensor<5xf64>) outs(%e : tensor<5xf64>) {
  ^bb0(%x: f64, %y: f64, %o: f64):
    %r = math.powf %x, %y : f64
    linalg.yield %r : f64
  } -> tensor<5xf64>
  return %0 : tensor<5xf64>
}

// CHECK: powf_square: ok
func.func @powf_square(%a0: tensor<5xf64>) -> tensor<5xf64> {
  %e = tensor.empty() : tensor<5xf64>
  %0 = linalg.generic {indexing_maps = [#v, #v], iterator_types = ["parallel"]}
      ins(%a0 : tensor<5xf64>) outs(%e : tensor<5xf64>) {
  ^bb0(%x: f64, %o: f64):
    %c = arith.constant 2.0 : f64
    %r = math.powf %x, %c : f64
    linalg.yield %r : f64
  } -> tensor<5xf64>
  return %0 : tensor<5xf64>
}

// CHECK: powf_cube: ok
func.func @powf_cube(%a0: tensor<5xf64>) -> tensor<5xf64> {
  %e = tensor.empty() : tensor<5xf64>
  %0 = linalg.generic {indexing_maps = [#v, #v], iterator_types = ["parallel"]}
      ins(%a0 : tensor<5xf64>) outs(%e : tensor<5xf64>) {
  ^bb0(%x: f64, %o: f64):
    %c = arith.constant 3.0 : f64
    %r = math.powf %x, %c : f64
    linalg.yield %r : f64
  } -> tensor<5xf64>
  return %0 : tensor<5xf64>
}

// CHECK: powf_constant: ok
func.func @powf_constant(%a0: tensor<5xf64> {test.range = array<f64: 0.3, 2.0>}) -> tensor<5xf64> {
  %e = tensor.empty() : tensor<5xf64>
  %0 = linalg.generic {indexing_maps = [#v, #v], iterator_types = ["parallel"]}
      ins(%a0 : tensor<5xf64>) outs(%e : tensor<5xf64>) {
  ^bb0(%x: f64, %o: f64):
    %c = arith.constant -1.5 : f64
    %r = math.powf %x, %c : f64
    linalg.yield %r : f64
  } -> tensor<5xf64>
  return %0 : tensor<5xf64>
}

// CHECK: powf_base: ok
func.func @powf_base(%a0: tensor<5xf64>) -> tensor<5xf64> {
  %e = tensor.empty() : tensor<5xf64>
  %0 = linalg.generic {indexing_maps = [#v, #v], iterator_types = ["parallel"]}
      ins(%a0 : tensor<5xf64>) outs(%e : tensor<5xf64>) {
  ^bb0(%x: f64, %o: f64):
    %c = arith.constant 3.0 : f64
    %r = math.powf %c, %x : f64
    linalg.yield %r : f64
  } -> tensor<5xf64>
  return %0 : tensor<5xf64>
}

// CHECK: sqrt: ok
func.func @sqrt(%a0: tensor<5xf64> {test.range = array<f64: 0.3, 2.0>}) -> tensor<5xf64> {
  %e = tensor.empty() : tensor<5xf64>
  %0 = linalg.generic {indexing_maps = [#v, #v], iterator_types = ["parallel"]}
      ins(%a0 : tensor<5xf64>) outs(%e : tensor<5xf64>) {
  ^bb0(%x: f64, %o: f64):
    %r = math.sqrt %x : f64
    linalg.yield %r : f64
  } -> tensor<5xf64>
  return %0 : tensor<5xf64>
}

// CHECK: rsqrt: ok
func.func @rsqrt(%a0: tensor<5xf64> {test.range = array<f64: 0.3, 2.0>}) -> tensor<5xf64> {
  %e = tensor.empty() : tensor<5xf64>
  %0 = linalg.generic {indexing_maps = [#v, #v], iterator_types = ["parallel"]}
      ins(%a0 : tensor<5xf64>) outs(%e : tensor<5xf64>) {
  ^bb0(%x: f64, %o: f64):
    %r = math.rsqrt %x : f64
    linalg.yield %r : f64
  } -> tensor<5xf64>
  return %0 : tensor<5xf64>
}

// CHECK: cbrt: ok
func.func @cbrt(%a0: tensor<5xf64> {test.range = array<f64: 0.3, 2.0>}) -> tensor<5xf64> {
  %e = tensor.empty() : tensor<5xf64>
  %0 = linalg.generic {indexing_maps = [#v, #v], iterator_types = ["parallel"]}
      ins(%a0 : tensor<5xf64>) outs(%e : tensor<5xf64>) {
  ^bb0(%x: f64, %o: f64):
    %r = math.cbrt %x : f64
    linalg.yield %r : f64
  } -> tensor<5xf64>
  return %0 : tensor<5xf64>
}

// CHECK: sin: ok
func.func @sin(%a0: tensor<5xf64>) -> tensor<5xf64> {
  %e = tensor.empty() : tensor<5xf64>
  %0 = linalg.generic {indexing_maps = [#v, #v], iterator_types = ["parallel"]}
      ins(%a0 : tensor<5xf64>) outs(%e : tensor<5xf64>) {
  ^bb0(%x: f64, %o: f64):
    %r = math.sin %x : f64
    linalg.yield %r : f64
  } -> tensor<5xf64>
  return %0 : tensor<5xf64>
}

// CHECK: cos: ok
func.func @cos(%a0: tensor<5xf64>) -> tensor<5xf64> {
  %e = tensor.empty() : tensor<5xf64>
  %0 = linalg.generic {indexing_maps = [#v, #v], iterator_types = ["parallel"]}
      ins(%a0 : tensor<5xf64>) outs(%e : tensor<5xf64>) {
  ^bb0(%x: f64, %o: f64):
    %r = math.cos %x : f64
    linalg.yield %r : f64
  } -> tensor<5xf64>
  return %0 : tensor<5xf64>
}

// CHECK: atan: ok
func.func @atan(%a0: tensor<5xf64>) -> tensor<5xf64> {
  %e = tensor.empty() : tensor<5xf64>
  %0 = linalg.generic {indexing_maps = [#v, #v], iterator_types = ["parallel"]}
      ins(%a0 : tensor<5xf64>) outs(%e : tensor<5xf64>) {
  ^bb0(%x: f64, %o: f64):
    %r = math.atan %x : f64
    linalg.yield %r : f64
  } -> tensor<5xf64>
  return %0 : tensor<5xf64>
}

// CHECK: sinh: ok
func.func @sinh(%a0: tensor<5xf64>) -> tensor<5xf64> {
  %e = tensor.empty() : tensor<5xf64>
  %0 = linalg.generic {indexing_maps = [#v, #v], iterator_types = ["parallel"]}
      ins(%a0 : tensor<5xf64>) outs(%e : tensor<5xf64>) {
  ^bb0(%x: f64, %o: f64):
    %r = math.sinh %x : f64
    linalg.yield %r : f64
  } -> tensor<5xf64>
  return %0 : tensor<5xf64>
}

// CHECK: cosh: ok
func.func @cosh(%a0: tensor<5xf64>) -> tensor<5xf64> {
  %e = tensor.empty() : tensor<5xf64>
  %0 = linalg.generic {indexing_maps = [#v, #v], iterator_types = ["parallel"]}
      ins(%a0 : tensor<5xf64>) outs(%e : tensor<5xf64>) {
  ^bb0(%x: f64, %o: f64):
    %r = math.cosh %x : f64
    linalg.yield %r : f64
  } -> tensor<5xf64>
  return %0 : tensor<5xf64>
}

// CHECK: tanh: ok
func.func @tanh(%a0: tensor<5xf64>) -> tensor<5xf64> {
  %e = tensor.empty() : tensor<5xf64>
  %0 = linalg.generic {indexing_maps = [#v, #v], iterator_types = ["parallel"]}
      ins(%a0 : tensor<5xf64>) outs(%e : tensor<5xf64>) {
  ^bb0(%x: f64, %o: f64):
    %r = math.tanh %x : f64
    linalg.yield %r : f64
  } -> tensor<5xf64>
  return %0 : tensor<5xf64>
}

// CHECK: asinh: ok
func.func @asinh(%a0: tensor<5xf64>) -> tensor<5xf64> {
  %e = tensor.empty() : tensor<5xf64>
  %0 = linalg.generic {indexing_maps = [#v, #v], iterator_types = ["parallel"]}
      ins(%a0 : tensor<5xf64>) outs(%e : tensor<5xf64>) {
  ^bb0(%x: f64, %o: f64):
    %r = math.asinh %x : f64
    linalg.yield %r : f64
  } -> tensor<5xf64>
  return %0 : tensor<5xf64>
}

// CHECK: erf: ok
func.func @erf(%a0: tensor<5xf64>) -> tensor<5xf64> {
  %e = tensor.empty() : tensor<5xf64>
  %0 = linalg.generic {indexing_maps = [#v, #v], iterator_types = ["parallel"]}
      ins(%a0 : tensor<5xf64>) outs(%e : tensor<5xf64>) {
  ^bb0(%x: f64, %o: f64):
    %r = math.erf %x : f64
    linalg.yield %r : f64
  } -> tensor<5xf64>
  return %0 : tensor<5xf64>
}

// CHECK: erfc: ok
func.func @erfc(%a0: tensor<5xf64>) -> tensor<5xf64> {
  %e = tensor.empty() : tensor<5xf64>
  %0 = linalg.generic {indexing_maps = [#v, #v], iterator_types = ["parallel"]}
      ins(%a0 : tensor<5xf64>) outs(%e : tensor<5xf64>) {
  ^bb0(%x: f64, %o: f64):
    %r = math.erfc %x : f64
    linalg.yield %r : f64
  } -> tensor<5xf64>
  return %0 : tensor<5xf64>
}

// CHECK: tan: ok
func.func @tan(%a0: tensor<5xf64> {test.range = array<f64: -0.9, 0.9>}) -> tensor<5xf64> {
  %e = tensor.empty() : tensor<5xf64>
  %0 = linalg.generic {indexing_maps = [#v, #v], iterator_types = ["parallel"]}
      ins(%a0 : tensor<5xf64>) outs(%e : tensor<5xf64>) {
  ^bb0(%x: f64, %o: f64):
    %r = math.tan %x : f64
    linalg.yield %r : f64
  } -> tensor<5xf64>
  return %0 : tensor<5xf64>
}

// CHECK: asin: ok
func.func @asin(%a0: tensor<5xf64> {test.range = array<f64: -0.9, 0.9>}) -> tensor<5xf64> {
  %e = tensor.empty() : tensor<5xf64>
  %0 = linalg.generic {indexing_maps = [#v, #v], iterator_types = ["parallel"]}
      ins(%a0 : tensor<5xf64>) outs(%e : tensor<5xf64>) {
  ^bb0(%x: f64, %o: f64):
    %r = math.asin %x : f64
    linalg.yield %r : f64
  } -> tensor<5xf64>
  return %0 : tensor<5xf64>
}

// CHECK: acos: ok
func.func @acos(%a0: tensor<5xf64> {test.range = array<f64: -0.9, 0.9>}) -> tensor<5xf64> {
  %e = tensor.empty() : tensor<5xf64>
  %0 = linalg.generic {indexing_maps = [#v, #v], iterator_types = ["parallel"]}
      ins(%a0 : tensor<5xf64>) outs(%e : tensor<5xf64>) {
  ^bb0(%x: f64, %o: f64):
    %r = math.acos %x : f64
    linalg.yield %r : f64
  } -> tensor<5xf64>
  return %0 : tensor<5xf64>
}

// CHECK: atanh: ok
func.func @atanh(%a0: tensor<5xf64> {test.range = array<f64: -0.9, 0.9>}) -> tensor<5xf64> {
  %e = tensor.empty() : tensor<5xf64>
  %0 = linalg.generic {indexing_maps = [#v, #v], iterator_types = ["parallel"]}
      ins(%a0 : tensor<5xf64>) outs(%e : tensor<5xf64>) {
  ^bb0(%x: f64, %o: f64):
    %r = math.atanh %x : f64
    linalg.yield %r : f64
  } -> tensor<5xf64>
  return %0 : tensor<5xf64>
}

// CHECK: acosh: ok
func.func @acosh(%a0: tensor<5xf64> {test.range = array<f64: 1.2, 3.0>}) -> tensor<5xf64> {
  %e = tensor.empty() : tensor<5xf64>
  %0 = linalg.generic {indexing_maps = [#v, #v], iterator_types = ["parallel"]}
      ins(%a0 : tensor<5xf64>) outs(%e : tensor<5xf64>) {
  ^bb0(%x: f64, %o: f64):
    %r = math.acosh %x : f64
    linalg.yield %r : f64
  } -> tensor<5xf64>
  return %0 : tensor<5xf64>
}

// CHECK: atan2: ok
func.func @atan2(%a0: tensor<5xf64>, %a1: tensor<5xf64> {test.range = array<f64: 0.3, 2.0>}) -> tensor<5xf64> {
  %e = tensor.empty() : tensor<5xf64>
  %0 = linalg.generic {indexing_maps = [#v, #v, #v], iterator_types = ["parallel"]}
      ins(%a0, %a1 : tensor<5xf64>, tensor<5xf64>) outs(%e : tensor<5xf64>) {
  ^bb0(%x: f64, %y: f64, %o: f64):
    %r = math.atan2 %x, %y : f64
    linalg.yield %r : f64
  } -> tensor<5xf64>
  return %0 : tensor<5xf64>
}
