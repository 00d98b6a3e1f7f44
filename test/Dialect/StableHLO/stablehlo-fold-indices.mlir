// Guards of indices that are known to be inside disappear; guards of data stay.
// RUN: plan-opt --stablehlo-fold-indices %s | FileCheck %s

// select(i < 0, i + n, i) of an iota is the iota, and the test of its bounds is true.
// CHECK-LABEL: func.func @take(
// CHECK-DAG: %[[IOTA:.*]] = "stablehlo.iota"
// CHECK-NOT: "stablehlo.select"
// CHECK: %[[G:.*]] = "stablehlo.gather"(%arg0, %{{.*}})
// CHECK-NEXT: return %[[G]]
func.func @take(%table: tensor<64x8xf32>) -> tensor<64x8xf32> {
  %i = stablehlo.iota dim = 0 : tensor<64xi32>
  %zero = stablehlo.constant dense<0> : tensor<64xi32>
  %n = stablehlo.constant dense<64> : tensor<64xi32>
  %0 = stablehlo.compare LT, %i, %zero, SIGNED : (tensor<64xi32>, tensor<64xi32>) -> tensor<64xi1>
  %1 = stablehlo.add %i, %n : tensor<64xi32>
  %2 = stablehlo.select %0, %1, %i : tensor<64xi1>, tensor<64xi32>
  %3 = stablehlo.broadcast_in_dim %2, dims = [0] : (tensor<64xi32>) -> tensor<64x1xi32>
  %z = stablehlo.constant dense<0> : tensor<64x1xi32>
  %last = stablehlo.constant dense<63> : tensor<64x1xi32>
  %4 = stablehlo.compare GE, %3, %z, SIGNED : (tensor<64x1xi32>, tensor<64x1xi32>) -> tensor<64x1xi1>
  %5 = stablehlo.compare LE, %3, %last, SIGNED : (tensor<64x1xi32>, tensor<64x1xi32>) -> tensor<64x1xi1>
  %6 = stablehlo.and %4, %5 : tensor<64x1xi1>
  %true = stablehlo.constant dense<true> : tensor<i1>
  %7 = stablehlo.reduce(%6 init: %true) applies stablehlo.and across dimensions = [1] : (tensor<64x1xi1>, tensor<i1>) -> tensor<64xi1>
  %8 = stablehlo.broadcast_in_dim %7, dims = [0] : (tensor<64xi1>) -> tensor<64x8xi1>
  %9 = "stablehlo.gather"(%table, %3) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 8>}> : (tensor<64x8xf32>, tensor<64x1xi32>) -> tensor<64x8xf32>
  %nan = stablehlo.constant dense<0x7FC00000> : tensor<64x8xf32>
  %10 = stablehlo.select %8, %9, %nan : tensor<64x8xi1>, tensor<64x8xf32>
  return %10 : tensor<64x8xf32>
}

// An index from outside keeps its guard.
// CHECK-LABEL: func.func @data(
// CHECK: "stablehlo.compare"
// CHECK: "stablehlo.select"
func.func @data(%i: tensor<8xi32>) -> tensor<8xi32> {
  %zero = stablehlo.constant dense<0> : tensor<8xi32>
  %n = stablehlo.constant dense<64> : tensor<8xi32>
  %0 = stablehlo.compare LT, %i, %zero, SIGNED : (tensor<8xi32>, tensor<8xi32>) -> tensor<8xi1>
  %1 = stablehlo.add %i, %n : tensor<8xi32>
  %2 = stablehlo.select %0, %1, %i : tensor<8xi1>, tensor<8xi32>
  return %2 : tensor<8xi32>
}

// A mask that went through numbers is the mask; the maximum with -inf does nothing.
// CHECK-LABEL: func.func @clutter(
// CHECK-SAME: %[[MASK:[a-z0-9]+]]: tensor<4xi1>, %[[X:[a-z0-9]+]]: tensor<4xf32>
// CHECK-NEXT: %[[Y:.*]] = "stablehlo.negate"(%[[X]])
// CHECK-NEXT: %[[R:.*]] = "stablehlo.select"(%[[MASK]], %[[X]], %[[Y]])
func.func @clutter(%mask: tensor<4xi1>, %x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.convert %mask : (tensor<4xi1>) -> tensor<4xi32>
  %zero = stablehlo.constant dense<0> : tensor<4xi32>
  %1 = stablehlo.compare NE, %0, %zero, SIGNED : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
  %inf = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %2 = stablehlo.broadcast_in_dim %inf, dims = [] : (tensor<f32>) -> tensor<4xf32>
  %3 = stablehlo.maximum %2, %x : tensor<4xf32>
  %4 = stablehlo.convert %x : tensor<4xf32>
  %y = stablehlo.negate %4 : tensor<4xf32>
  %5 = stablehlo.select %1, %3, %y : tensor<4xi1>, tensor<4xf32>
  return %5 : tensor<4xf32>
}

// Numbers that wrap around are not followed: 200 + 100 is 44 in eight bits.
// CHECK-LABEL: func.func @wraps(
// CHECK: "stablehlo.compare"
func.func @wraps() -> tensor<ui8> {
  %a = stablehlo.constant dense<200> : tensor<ui8>
  %b = stablehlo.constant dense<100> : tensor<ui8>
  %0 = stablehlo.add %a, %b : tensor<ui8>
  %1 = stablehlo.compare GT, %0, %a, UNSIGNED : (tensor<ui8>, tensor<ui8>) -> tensor<i1>
  %2 = stablehlo.convert %1 : (tensor<i1>) -> tensor<ui8>
  return %2 : tensor<ui8>
}
