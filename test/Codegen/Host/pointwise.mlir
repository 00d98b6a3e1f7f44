// Pointwise kernels: broadcasts, several results, masks from indices, every element type.
// RUN: kernel-run %s

#id1 = affine_map<(i) -> (i)>
#id2 = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
#col = affine_map<(i, j) -> (j)>
#all = affine_map<(i, j) -> ()>

// 50257 is prime and no multiple of a vector.
func.func @one_loop(%x: tensor<50257xf32>, %y: tensor<50257xf32>) -> tensor<50257xf32> {
  %e = tensor.empty() : tensor<50257xf32>
  %r = linalg.generic {indexing_maps = [#id1, #id1, #id1], iterator_types = ["parallel"]}
      ins(%x, %y : tensor<50257xf32>, tensor<50257xf32>) outs(%e : tensor<50257xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %p = arith.mulf %a, %b : f32
    %s = arith.addf %p, %a : f32
    linalg.yield %s : f32
  } -> tensor<50257xf32>
  return %r : tensor<50257xf32>
}

func.func @broadcasts(%x: tensor<7x129xf32>, %r: tensor<7xf32>, %c: tensor<129xf32>, %s: tensor<f32>) -> tensor<7x129xf32> {
  %e = tensor.empty() : tensor<7x129xf32>
  %0 = linalg.generic {indexing_maps = [#id2, #row, #col, #all, #id2], iterator_types = ["parallel", "parallel"]}
      ins(%x, %r, %c, %s : tensor<7x129xf32>, tensor<7xf32>, tensor<129xf32>, tensor<f32>) outs(%e : tensor<7x129xf32>) {
  ^bb0(%a: f32, %b: f32, %d: f32, %f: f32, %o: f32):
    %p = arith.subf %a, %b : f32
    %q = arith.mulf %p, %d : f32
    %t = arith.addf %q, %f : f32
    linalg.yield %t : f32
  } -> tensor<7x129xf32>
  return %0 : tensor<7x129xf32>
}

func.func @scalar(%x: tensor<f32>) -> tensor<f32> {
  %e = tensor.empty() : tensor<f32>
  %0 = linalg.generic {indexing_maps = [affine_map<() -> ()>, affine_map<() -> ()>], iterator_types = []}
      ins(%x : tensor<f32>) outs(%e : tensor<f32>) {
  ^bb0(%a: f32, %o: f32):
    %r = math.exp %a : f32
    linalg.yield %r : f32
  } -> tensor<f32>
  return %0 : tensor<f32>
}

// Single iterations are dropped, and their index is 0.
func.func @single_iterations(%x: tensor<1x5x1xi64>) -> tensor<1x5x1xi64> {
  %e = tensor.empty() : tensor<1x5x1xi64>
  %0 = linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, j, k)>, affine_map<(i, j, k) -> (i, j, k)>],
      iterator_types = ["parallel", "parallel", "parallel"]} ins(%x : tensor<1x5x1xi64>) outs(%e : tensor<1x5x1xi64>) {
  ^bb0(%a: i64, %o: i64):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %k = arith.addi %i, %j : index
    %w = arith.index_cast %k : index to i64
    %s = arith.addi %a, %w : i64
    linalg.yield %s : i64
  } -> tensor<1x5x1xi64>
  return %0 : tensor<1x5x1xi64>
}

func.func @causal_mask(%x: tensor<2x33x65xf32>) -> (tensor<2x33x65xf32>, tensor<2x33x65xi1>) {
  %e = tensor.empty() : tensor<2x33x65xf32>
  %m = tensor.empty() : tensor<2x33x65xi1>
  %0:2 = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i, j)>,
      affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%x : tensor<2x33x65xf32>) outs(%e, %m : tensor<2x33x65xf32>, tensor<2x33x65xi1>) {
  ^bb0(%a: f32, %o: f32, %n: i1):
    %i = linalg.index 1 : index
    %j = linalg.index 2 : index
    %c = arith.cmpi sge, %i, %j : index
    %low = arith.constant 0xFF800000 : f32
    %s = arith.select %c, %a, %low : f32
    linalg.yield %s, %c : f32, i1
  } -> (tensor<2x33x65xf32>, tensor<2x33x65xi1>)
  return %0#0, %0#1 : tensor<2x33x65xf32>, tensor<2x33x65xi1>
}

// exp of a mask's infinities; maximum keeps NaN, maxnum drops it.
func.func @special_values(%x: tensor<1000xf32> {test.special}) -> (tensor<1000xf32>, tensor<1000xf32>, tensor<1000xf32>, tensor<1000xi1>) {
  %e = tensor.empty() : tensor<1000xf32>
  %b = tensor.empty() : tensor<1000xi1>
  %0:4 = linalg.generic {indexing_maps = [#id1, #id1, #id1, #id1, #id1], iterator_types = ["parallel"]}
      ins(%x : tensor<1000xf32>) outs(%e, %e, %e, %b : tensor<1000xf32>, tensor<1000xf32>, tensor<1000xf32>, tensor<1000xi1>) {
  ^bb0(%a: f32, %o0: f32, %o1: f32, %o2: f32, %o3: i1):
    %zero = arith.constant 0.0 : f32
    %exp = math.exp %a : f32
    %max = arith.maximumf %a, %zero : f32
    %num = arith.maxnumf %a, %zero : f32
    %nan = arith.cmpf uno, %a, %a : f32
    linalg.yield %exp, %max, %num, %nan : f32, f32, f32, i1
  } -> (tensor<1000xf32>, tensor<1000xf32>, tensor<1000xf32>, tensor<1000xi1>)
  return %0#0, %0#1, %0#2, %0#3 : tensor<1000xf32>, tensor<1000xf32>, tensor<1000xf32>, tensor<1000xi1>
}

func.func @functions(%x: tensor<999xf32>) -> (tensor<999xf32>, tensor<999xf32>, tensor<999xf32>, tensor<999xf32>, tensor<999xf32>, tensor<999xf32>)
    attributes {test.tolerance = 4.0e-6} {
  %e = tensor.empty() : tensor<999xf32>
  %0:6 = linalg.generic {indexing_maps = [#id1, #id1, #id1, #id1, #id1, #id1, #id1], iterator_types = ["parallel"]}
      ins(%x : tensor<999xf32>) outs(%e, %e, %e, %e, %e, %e : tensor<999xf32>, tensor<999xf32>, tensor<999xf32>, tensor<999xf32>, tensor<999xf32>, tensor<999xf32>) {
  ^bb0(%a: f32, %o0: f32, %o1: f32, %o2: f32, %o3: f32, %o4: f32, %o5: f32):
    %one = arith.constant 1.0 : f32
    %abs = math.absf %a : f32
    %pos = arith.addf %abs, %one : f32
    %0 = math.tanh %a : f32
    %1 = math.erf %a : f32
    %2 = math.log %pos : f32
    %3 = math.rsqrt %pos : f32
    %4 = math.sin %a : f32
    %5 = math.powf %pos, %a : f32
    linalg.yield %0, %1, %2, %3, %4, %5 : f32, f32, f32, f32, f32, f32
  } -> (tensor<999xf32>, tensor<999xf32>, tensor<999xf32>, tensor<999xf32>, tensor<999xf32>, tensor<999xf32>)
  return %0#0, %0#1, %0#2, %0#3, %0#4, %0#5 : tensor<999xf32>, tensor<999xf32>, tensor<999xf32>, tensor<999xf32>, tensor<999xf32>, tensor<999xf32>
}

func.func @f64(%x: tensor<77xf64>) -> (tensor<77xf64>, tensor<77xf64>) {
  %e = tensor.empty() : tensor<77xf64>
  %0:2 = linalg.generic {indexing_maps = [#id1, #id1, #id1], iterator_types = ["parallel"]}
      ins(%x : tensor<77xf64>) outs(%e, %e : tensor<77xf64>, tensor<77xf64>) {
  ^bb0(%a: f64, %o: f64, %p: f64):
    %0 = math.exp %a : f64
    %1 = math.erf %a : f64
    linalg.yield %0, %1 : f64, f64
  } -> (tensor<77xf64>, tensor<77xf64>)
  return %0#0, %0#1 : tensor<77xf64>, tensor<77xf64>
}

func.func @bf16(%x: tensor<300xbf16>, %w: tensor<300xf32>) -> (tensor<300xbf16>, tensor<300xf32>, tensor<300xi32>) {
  %e = tensor.empty() : tensor<300xbf16>
  %f = tensor.empty() : tensor<300xf32>
  %g = tensor.empty() : tensor<300xi32>
  %0:3 = linalg.generic {indexing_maps = [#id1, #id1, #id1, #id1, #id1], iterator_types = ["parallel"]}
      ins(%x, %w : tensor<300xbf16>, tensor<300xf32>) outs(%e, %f, %g : tensor<300xbf16>, tensor<300xf32>, tensor<300xi32>) {
  ^bb0(%a: bf16, %b: f32, %o: bf16, %p: f32, %q: i32):
    %t = arith.truncf %b : f32 to bf16
    %one = arith.constant 1.0 : bf16
    %s = arith.addf %a, %one : bf16
    %m = arith.mulf %s, %t : bf16
    %r = math.tanh %m : bf16
    %u = arith.extf %a : bf16 to f32
    %i = arith.fptosi %a : bf16 to i32
    linalg.yield %r, %u, %i : bf16, f32, i32
  } -> (tensor<300xbf16>, tensor<300xf32>, tensor<300xi32>)
  return %0#0, %0#1, %0#2 : tensor<300xbf16>, tensor<300xf32>, tensor<300xi32>
}

func.func @f16(%x: tensor<300xf16>) -> tensor<300xf16> {
  %e = tensor.empty() : tensor<300xf16>
  %0 = linalg.generic {indexing_maps = [#id1, #id1], iterator_types = ["parallel"]}
      ins(%x : tensor<300xf16>) outs(%e : tensor<300xf16>) {
  ^bb0(%a: f16, %o: f16):
    %s = arith.mulf %a, %a : f16
    linalg.yield %s : f16
  } -> tensor<300xf16>
  return %0 : tensor<300xf16>
}

func.func @integers(%x: tensor<65xi8>, %y: tensor<65xi16>, %c: tensor<65xi1>) -> (tensor<65xi32>, tensor<65xi1>, tensor<65xi8>) {
  %e = tensor.empty() : tensor<65xi32>
  %f = tensor.empty() : tensor<65xi1>
  %g = tensor.empty() : tensor<65xi8>
  %0:3 = linalg.generic {indexing_maps = [#id1, #id1, #id1, #id1, #id1, #id1], iterator_types = ["parallel"]}
      ins(%x, %y, %c : tensor<65xi8>, tensor<65xi16>, tensor<65xi1>) outs(%e, %f, %g : tensor<65xi32>, tensor<65xi1>, tensor<65xi8>) {
  ^bb0(%a: i8, %b: i16, %d: i1, %o: i32, %p: i1, %q: i8):
    %wa = arith.extsi %a : i8 to i32
    %wb = arith.extui %b : i16 to i32
    %s = arith.muli %wa, %wb : i32
    %three = arith.constant 3 : i8
    %lt = arith.cmpi slt, %a, %three : i8
    %and = arith.andi %lt, %d : i1
    %r = arith.select %and, %a, %three : i8
    linalg.yield %s, %and, %r : i32, i1, i8
  } -> (tensor<65xi32>, tensor<65xi1>, tensor<65xi8>)
  return %0#0, %0#1, %0#2 : tensor<65xi32>, tensor<65xi1>, tensor<65xi8>
}

// Splat constants and fills are no operands.
func.func @uniform_inputs(%x: tensor<40xf32>) -> tensor<40xf32> {
  %e = tensor.empty() : tensor<40xf32>
  %c = arith.constant dense<2.5> : tensor<40xf32>
  %one = arith.constant 1.0 : f32
  %f = linalg.fill ins(%one : f32) outs(%e : tensor<40xf32>) -> tensor<40xf32>
  %0 = linalg.generic {indexing_maps = [#id1, #id1, #id1, #id1], iterator_types = ["parallel"]}
      ins(%c, %x, %f : tensor<40xf32>, tensor<40xf32>, tensor<40xf32>) outs(%e : tensor<40xf32>) {
  ^bb0(%a: f32, %b: f32, %d: f32, %o: f32):
    %s = arith.mulf %a, %b : f32
    %t = arith.subf %s, %d : f32
    linalg.yield %t : f32
  } -> tensor<40xf32>
  return %0 : tensor<40xf32>
}

// Updates in place, once with a loop that the input does not have.
func.func @in_place(%p: tensor<5000xf32>, %m: tensor<5000xf32>, %g: tensor<5000xf32>, %s: tensor<f32>) -> (tensor<5000xf32>, tensor<5000xf32>) {
  %0:2 = linalg.generic {indexing_maps = [#id1, affine_map<(i) -> ()>, #id1, #id1], iterator_types = ["parallel"]}
      ins(%g, %s : tensor<5000xf32>, tensor<f32>) outs(%p, %m : tensor<5000xf32>, tensor<5000xf32>) {
  ^bb0(%a: f32, %lr: f32, %pp: f32, %mm: f32):
    %x = arith.addf %mm, %a : f32
    %d = arith.mulf %x, %lr : f32
    %q = arith.subf %pp, %d : f32
    linalg.yield %q, %x : f32, f32
  } -> (tensor<5000xf32>, tensor<5000xf32>)
  return %0#0, %0#1 : tensor<5000xf32>, tensor<5000xf32>
}

func.func @input_is_also_updated(%p: tensor<10x10xf32>) -> tensor<10x10xf32> {
  %0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (j, i)>, #id2], iterator_types = ["parallel", "parallel"]}
      ins(%p : tensor<10x10xf32>) outs(%p : tensor<10x10xf32>) {
  ^bb0(%a: f32, %b: f32):
    %x = arith.addf %a, %b : f32
    linalg.yield %x : f32
  } -> tensor<10x10xf32>
  return %0 : tensor<10x10xf32>
}

func.func @no_elements(%p: tensor<0x10xf32>) -> tensor<0x10xf32> {
  %e = tensor.empty() : tensor<0x10xf32>
  %0 = linalg.generic {indexing_maps = [#id2, #id2], iterator_types = ["parallel", "parallel"]}
      ins(%p : tensor<0x10xf32>) outs(%e : tensor<0x10xf32>) {
  ^bb0(%a: f32, %b: f32):
    %x = arith.addf %a, %a : f32
    linalg.yield %x : f32
  } -> tensor<0x10xf32>
  return %0 : tensor<0x10xf32>
}
