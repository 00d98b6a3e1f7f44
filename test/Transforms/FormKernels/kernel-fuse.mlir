// What kernel-fuse makes one operation, and what it leaves apart.
// RUN: plan-opt %s --split-input-file --kernel-fuse | FileCheck %s

#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>

// A chain of pointwise operations with one use each is one operation.
// CHECK-LABEL: func @chain
// CHECK: linalg.generic
// CHECK: math.tanh
// CHECK-NEXT: arith.mulf
// CHECK-NOT: linalg.generic
// CHECK: return
func.func @chain(%x: tensor<64x128xf32>, %y: tensor<64x128xf32>) -> tensor<64x128xf32> {
  %e = tensor.empty() : tensor<64x128xf32>
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<64x128xf32>) outs(%e : tensor<64x128xf32>) {
  ^bb0(%a: f32, %o: f32):
    %t = math.tanh %a : f32
    linalg.yield %t : f32
  } -> tensor<64x128xf32>
  %1 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%0, %y : tensor<64x128xf32>, tensor<64x128xf32>) outs(%e : tensor<64x128xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %t = arith.mulf %a, %b : f32
    linalg.yield %t : f32
  } -> tensor<64x128xf32>
  return %1 : tensor<64x128xf32>
}

// -----

// Softmax: exp is expensive and used twice, so the sum returns it as well; the division reads it there.
#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
// CHECK-LABEL: func @softmax
// CHECK: %[[SUM:.*]]:2 = linalg.generic
// CHECK-SAME: iterator_types = ["parallel", "reduction"]
// CHECK: math.exp
// CHECK: linalg.generic
// CHECK-SAME: ins(%[[SUM]]#1, %[[SUM]]#0 :
// CHECK-NOT: math.exp
// CHECK: return
func.func @softmax(%x: tensor<64x128xf32>, %m: tensor<64xf32>) -> tensor<64x128xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x128xf32>
  %r = tensor.empty() : tensor<64xf32>
  %f = linalg.fill ins(%zero : f32) outs(%r : tensor<64xf32>) -> tensor<64xf32>
  %0 = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %m : tensor<64x128xf32>, tensor<64xf32>) outs(%e : tensor<64x128xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %s = arith.subf %a, %b : f32
    %t = math.exp %s : f32
    linalg.yield %t : f32
  } -> tensor<64x128xf32>
  %1 = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%0 : tensor<64x128xf32>) outs(%f : tensor<64xf32>) {
  ^bb0(%a: f32, %o: f32):
    %t = arith.addf %o, %a : f32
    linalg.yield %t : f32
  } -> tensor<64xf32>
  %2 = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%0, %1 : tensor<64x128xf32>, tensor<64xf32>) outs(%e : tensor<64x128xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %t = arith.divf %a, %b : f32
    linalg.yield %t : f32
  } -> tensor<64x128xf32>
  return %2 : tensor<64x128xf32>
}

// -----

// An expensive row value goes into the consumer (it is computed outside of the innermost loop), an expensive column
// value does not.
#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
#col = affine_map<(i, j) -> (j)>
#one = affine_map<(i) -> (i)>
// CHECK-LABEL: func @broadcasts
// CHECK-SAME: %[[X:.*]]: tensor<64x128xf32>, %[[R:.*]]: tensor<64xf32>, %[[C:.*]]: tensor<128xf32>
// CHECK: %[[COLUMN:.*]] = linalg.generic {{.*}} ins(%[[C]] : tensor<128xf32>)
// CHECK: linalg.generic {{.*}} ins(%[[R]], %[[X]], %[[COLUMN]] :
// CHECK: math.rsqrt
// CHECK-NOT: linalg.generic
// CHECK: return
func.func @broadcasts(%x: tensor<64x128xf32>, %r: tensor<64xf32>, %c: tensor<128xf32>) -> tensor<64x128xf32> {
  %e = tensor.empty() : tensor<64x128xf32>
  %er = tensor.empty() : tensor<64xf32>
  %ec = tensor.empty() : tensor<128xf32>
  %0 = linalg.generic {indexing_maps = [#one, #one], iterator_types = ["parallel"]} ins(%r : tensor<64xf32>) outs(%er : tensor<64xf32>) {
  ^bb0(%a: f32, %o: f32):
    %t = math.rsqrt %a : f32
    linalg.yield %t : f32
  } -> tensor<64xf32>
  %1 = linalg.generic {indexing_maps = [#one, #one], iterator_types = ["parallel"]} ins(%c : tensor<128xf32>) outs(%ec : tensor<128xf32>) {
  ^bb0(%a: f32, %o: f32):
    %t = math.exp %a : f32
    linalg.yield %t : f32
  } -> tensor<128xf32>
  %2 = linalg.generic {indexing_maps = [#id, #row, #col, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %0, %1 : tensor<64x128xf32>, tensor<64xf32>, tensor<128xf32>) outs(%e : tensor<64x128xf32>) {
  ^bb0(%a: f32, %b: f32, %d: f32, %o: f32):
    %s = arith.mulf %a, %b : f32
    %t = arith.mulf %s, %d : f32
    linalg.yield %t : f32
  } -> tensor<64x128xf32>
  return %2 : tensor<64x128xf32>
}

// -----

// A transposed read takes its producer along: maps and indices are those of the consumer's loops.
#id = affine_map<(i, j) -> (i, j)>
#tr = affine_map<(i, j) -> (j, i)>
// CHECK: #[[TR:.*]] = affine_map<(d0, d1) -> (d1, d0)>
// CHECK-LABEL: func @transposed
// CHECK: linalg.generic {indexing_maps = [#[[TR]],
// CHECK: linalg.index 1
// CHECK-NOT: linalg.generic
// CHECK: return
func.func @transposed(%x: tensor<64x128xi64>) -> tensor<128x64xi64> {
  %e = tensor.empty() : tensor<64x128xi64>
  %f = tensor.empty() : tensor<128x64xi64>
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<64x128xi64>) outs(%e : tensor<64x128xi64>) {
  ^bb0(%a: i64, %o: i64):
    %i = linalg.index 0 : index
    %c = arith.index_cast %i : index to i64
    %t = arith.addi %a, %c : i64
    linalg.yield %t : i64
  } -> tensor<64x128xi64>
  %1 = linalg.generic {indexing_maps = [#tr, #id], iterator_types = ["parallel", "parallel"]}
      ins(%0 : tensor<64x128xi64>) outs(%f : tensor<128x64xi64>) {
  ^bb0(%a: i64, %o: i64):
    %t = arith.muli %a, %a : i64
    linalg.yield %t : i64
  } -> tensor<128x64xi64>
  return %1 : tensor<128x64xi64>
}

// -----

// What is updated in place is read where it was read before the update.
#one = affine_map<(i) -> (i)>
// CHECK-LABEL: func @overwritten
// CHECK: %[[OLD:.*]] = linalg.generic
// CHECK: arith.negf
// CHECK: linalg.generic
// CHECK: arith.addf
// CHECK: linalg.generic {{.*}} ins(%[[OLD]], %{{.*}} :
func.func @overwritten(%p: tensor<64xf32>, %g: tensor<64xf32>) -> (tensor<64xf32>, tensor<64xf32>) {
  %e = tensor.empty() : tensor<64xf32>
  %0 = linalg.generic {indexing_maps = [#one, #one], iterator_types = ["parallel"]} ins(%p : tensor<64xf32>) outs(%e : tensor<64xf32>) {
  ^bb0(%a: f32, %o: f32):
    %t = arith.negf %a : f32
    linalg.yield %t : f32
  } -> tensor<64xf32>
  %1 = linalg.generic {indexing_maps = [#one, #one], iterator_types = ["parallel"]} ins(%g : tensor<64xf32>) outs(%p : tensor<64xf32>) {
  ^bb0(%a: f32, %o: f32):
    %t = arith.addf %o, %a : f32
    linalg.yield %t : f32
  } -> tensor<64xf32>
  %2 = linalg.generic {indexing_maps = [#one, #one, #one], iterator_types = ["parallel"]}
      ins(%0, %g : tensor<64xf32>, tensor<64xf32>) outs(%e : tensor<64xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %t = arith.mulf %a, %b : f32
    linalg.yield %t : f32
  } -> tensor<64xf32>
  return %1, %2 : tensor<64xf32>, tensor<64xf32>
}

// -----

// Two column sums that read the same tensor are one pass over it.
#id = affine_map<(i, j) -> (j, i)>
#col = affine_map<(i, j) -> (i)>
// CHECK-LABEL: func @siblings
// CHECK: %[[SUMS:.*]]:2 = linalg.generic
// CHECK-NOT: linalg.generic
// CHECK: return %[[SUMS]]#0, %[[SUMS]]#1
func.func @siblings(%x: tensor<64x128xf32>, %dy: tensor<64x128xf32>) -> (tensor<128xf32>, tensor<128xf32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<128xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<128xf32>) -> tensor<128xf32>
  %0 = linalg.generic {indexing_maps = [#id, #id, #col], iterator_types = ["parallel", "reduction"]}
      ins(%x, %dy : tensor<64x128xf32>, tensor<64x128xf32>) outs(%f : tensor<128xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %s = arith.mulf %a, %b : f32
    %t = arith.addf %o, %s : f32
    linalg.yield %t : f32
  } -> tensor<128xf32>
  %1 = linalg.generic {indexing_maps = [#id, #col], iterator_types = ["parallel", "reduction"]}
      ins(%dy : tensor<64x128xf32>) outs(%f : tensor<128xf32>) {
  ^bb0(%a: f32, %o: f32):
    %t = arith.addf %o, %a : f32
    linalg.yield %t : f32
  } -> tensor<128xf32>
  return %0, %1 : tensor<128xf32>, tensor<128xf32>
}
