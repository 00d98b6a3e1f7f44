// Reductions: along rows, along columns, to a scalar, with short loops, with two results; sums start at a fill.
// RUN: kernel-run %s

#id = affine_map<(i, j) -> (i, j)>
#tr = affine_map<(i, j) -> (j, i)>
#row = affine_map<(i, j) -> (i)>

func.func @rows(%x: tensor<65x50257xf32>) -> tensor<65xf32> attributes {test.tolerance = 1.0e-4} {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<65xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<65xf32>) -> tensor<65xf32>
  %0 = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<65x50257xf32>) outs(%f : tensor<65xf32>) {
  ^bb0(%a: f32, %o: f32):
    %s = arith.mulf %a, %a : f32
    %r = arith.addf %o, %s : f32
    linalg.yield %r : f32
  } -> tensor<65xf32>
  return %0 : tensor<65xf32>
}

// The maximum of nothing but -inf is -inf; NaN wins.
func.func @rows_max(%x: tensor<9x7xf32> {test.special}) -> (tensor<9xf32>, tensor<9xf32>) {
  %low = arith.constant 0xFF800000 : f32
  %high = arith.constant 0x7F800000 : f32
  %e = tensor.empty() : tensor<9xf32>
  %f = linalg.fill ins(%low : f32) outs(%e : tensor<9xf32>) -> tensor<9xf32>
  %g = linalg.fill ins(%high : f32) outs(%e : tensor<9xf32>) -> tensor<9xf32>
  %0:2 = linalg.generic {indexing_maps = [#id, #row, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<9x7xf32>) outs(%f, %g : tensor<9xf32>, tensor<9xf32>) {
  ^bb0(%a: f32, %o: f32, %p: f32):
    %r = arith.maximumf %o, %a : f32
    %s = arith.minimumf %a, %p : f32
    linalg.yield %r, %s : f32, f32
  } -> (tensor<9xf32>, tensor<9xf32>)
  return %0#0, %0#1 : tensor<9xf32>, tensor<9xf32>
}

// exp(x - max) summed where whole columns are masked: exp(-inf) is 0.
func.func @masked_softmax_sum(%x: tensor<12x133xf32>) -> tensor<12xf32> {
  %low = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<12xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<12xf32>) -> tensor<12xf32>
  %0 = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<12x133xf32>) outs(%f : tensor<12xf32>) {
  ^bb0(%a: f32, %o: f32):
    %neg = arith.constant 0xFF800000 : f32
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %c = arith.cmpi sle, %j, %i : index
    %m = arith.select %c, %a, %neg : f32
    %t = math.exp %m : f32
    %r = arith.addf %o, %t : f32
    linalg.yield %r : f32
  } -> tensor<12xf32>
  return %0 : tensor<12xf32>
}

func.func @columns(%x: tensor<100x771xf32>, %y: tensor<100x771xf32>) -> tensor<771xf32> attributes {test.tolerance = 1.0e-5} {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<771xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<771xf32>) -> tensor<771xf32>
  %0 = linalg.generic {indexing_maps = [#tr, #tr, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x, %y : tensor<100x771xf32>, tensor<100x771xf32>) outs(%f : tensor<771xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %s = arith.mulf %a, %b : f32
    %r = arith.addf %s, %o : f32
    linalg.yield %r : f32
  } -> tensor<771xf32>
  return %0 : tensor<771xf32>
}

// Parallel loops on both sides of the reduction.
func.func @middle(%x: tensor<3x17x5x64xf32>) -> tensor<3x5x64xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<3x5x64xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<3x5x64xf32>) -> tensor<3x5x64xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(a, b, c, d) -> (a, d, b, c)>, affine_map<(a, b, c, d) -> (a, b, c)>],
      iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%x : tensor<3x17x5x64xf32>) outs(%f : tensor<3x5x64xf32>) {
  ^bb0(%a: f32, %o: f32):
    %r = arith.addf %o, %a : f32
    linalg.yield %r : f32
  } -> tensor<3x5x64xf32>
  return %0 : tensor<3x5x64xf32>
}

func.func @short_columns(%x: tensor<1000x3xf32>) -> tensor<3xf32> attributes {test.tolerance = 1.0e-5} {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<3xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<3xf32>) -> tensor<3xf32>
  %0 = linalg.generic {indexing_maps = [#tr, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<1000x3xf32>) outs(%f : tensor<3xf32>) {
  ^bb0(%a: f32, %o: f32):
    %r = arith.addf %o, %a : f32
    linalg.yield %r : f32
  } -> tensor<3xf32>
  return %0 : tensor<3xf32>
}

// 2100 terms of either sign nearly cancel, so the order of additions (the vector width of the CPU) shows in the fifth digit.
func.func @to_scalar(%x: tensor<70x30xf32>, %w: tensor<30xf32>) -> tensor<f32> attributes {test.tolerance = 1.0e-4} {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<f32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<f32>) -> tensor<f32>
  %0 = linalg.generic {indexing_maps = [#id, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> ()>], iterator_types = ["reduction", "reduction"]}
      ins(%x, %w : tensor<70x30xf32>, tensor<30xf32>) outs(%f : tensor<f32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %s = arith.mulf %a, %b : f32
    %r = arith.addf %o, %s : f32
    linalg.yield %r : f32
  } -> tensor<f32>
  return %0 : tensor<f32>
}

// A reduction of one iteration still adds to its start.
func.func @single_iteration(%x: tensor<6x1xf32>) -> tensor<6xf32> {
  %two = arith.constant 2.0 : f32
  %e = tensor.empty() : tensor<6xf32>
  %f = linalg.fill ins(%two : f32) outs(%e : tensor<6xf32>) -> tensor<6xf32>
  %0 = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<6x1xf32>) outs(%f : tensor<6xf32>) {
  ^bb0(%a: f32, %o: f32):
    %r = arith.addf %o, %a : f32
    linalg.yield %r : f32
  } -> tensor<6xf32>
  return %0 : tensor<6xf32>
}

// The first of the largest.
func.func @argmax(%x: tensor<20x31xf32>) -> (tensor<20xf32>, tensor<20xi32>) {
  %low = arith.constant 0xFF800000 : f32
  %none = arith.constant 0 : i32
  %e = tensor.empty() : tensor<20xf32>
  %i = tensor.empty() : tensor<20xi32>
  %f = linalg.fill ins(%low : f32) outs(%e : tensor<20xf32>) -> tensor<20xf32>
  %g = linalg.fill ins(%none : i32) outs(%i : tensor<20xi32>) -> tensor<20xi32>
  %0:2 = linalg.generic {indexing_maps = [#id, #row, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<20x31xf32>) outs(%f, %g : tensor<20xf32>, tensor<20xi32>) {
  ^bb0(%a: f32, %v: f32, %n: i32):
    %j = linalg.index 1 : index
    %k = arith.index_cast %j : index to i32
    %c = arith.cmpf ogt, %a, %v : f32
    %w = arith.select %c, %a, %v : f32
    %m = arith.select %c, %k, %n : i32
    linalg.yield %w, %m : f32, i32
  } -> (tensor<20xf32>, tensor<20xi32>)
  return %0#0, %0#1 : tensor<20xf32>, tensor<20xi32>
}

func.func @into_a_tensor(%x: tensor<50x40xf32>, %y: tensor<40xf32>) -> tensor<40xf32> attributes {test.tolerance = 1.0e-5} {
  %0 = linalg.generic {indexing_maps = [#tr, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<50x40xf32>) outs(%y : tensor<40xf32>) {
  ^bb0(%a: f32, %o: f32):
    %r = arith.addf %o, %a : f32
    linalg.yield %r : f32
  } -> tensor<40xf32>
  return %0 : tensor<40xf32>
}

// 16-bit sums are kept in f32: 2000 ones are 2000, which adding one by one in bf16 would never reach.
func.func @bf16_ones() -> tensor<4xbf16> {
  %one = arith.constant 1.0 : bf16
  %zero = arith.constant 0.0 : bf16
  %x = tensor.empty() : tensor<4x2000xbf16>
  %ones = linalg.fill ins(%one : bf16) outs(%x : tensor<4x2000xbf16>) -> tensor<4x2000xbf16>
  %e = tensor.empty() : tensor<4xbf16>
  %f = linalg.fill ins(%zero : bf16) outs(%e : tensor<4xbf16>) -> tensor<4xbf16>
  %0 = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%ones : tensor<4x2000xbf16>) outs(%f : tensor<4xbf16>) {
  ^bb0(%a: bf16, %o: bf16):
    %r = arith.addf %o, %a : bf16
    linalg.yield %r : bf16
  } -> tensor<4xbf16>
  return %0 : tensor<4xbf16>
}

func.func @integers(%x: tensor<8x300xi32>, %y: tensor<300x40xi1>) -> (tensor<8xi32>, tensor<40xi1>) {
  %zero = arith.constant 0 : i32
  %false = arith.constant false
  %e = tensor.empty() : tensor<8xi32>
  %h = tensor.empty() : tensor<40xi1>
  %f = linalg.fill ins(%zero : i32) outs(%e : tensor<8xi32>) -> tensor<8xi32>
  %g = linalg.fill ins(%false : i1) outs(%h : tensor<40xi1>) -> tensor<40xi1>
  %0 = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<8x300xi32>) outs(%f : tensor<8xi32>) {
  ^bb0(%a: i32, %o: i32):
    %r = arith.addi %o, %a : i32
    linalg.yield %r : i32
  } -> tensor<8xi32>
  %1 = linalg.generic {indexing_maps = [#tr, #row], iterator_types = ["parallel", "reduction"]}
      ins(%y : tensor<300x40xi1>) outs(%g : tensor<40xi1>) {
  ^bb0(%a: i1, %o: i1):
    %r = arith.ori %o, %a : i1
    linalg.yield %r : i1
  } -> tensor<40xi1>
  return %0, %1 : tensor<8xi32>, tensor<40xi1>
}
