// A scan over stacked weights becomes its iterations, each with its slice at a known place.
// RUN: split-file %s %t
// RUN: plan-opt --stablehlo-unroll-while %t/scan.mlir | FileCheck %s --implicit-check-not=stablehlo.while
// RUN: plan-opt --stablehlo-unroll-while %t/branches.mlir | FileCheck %s --check-prefix=BRANCH
// RUN: not plan-opt --stablehlo-unroll-while %t/unknown.mlir 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// RUN: not plan-opt --stablehlo-unroll-while %t/endless.mlir 2>&1 | FileCheck %s --check-prefix=ENDLESS

//--- scan.mlir
// CHECK-LABEL: func.func @main(%arg0: tensor<2x4xf32>, %arg1: tensor<4xf32>)
// CHECK: %[[ZERO:.*]] = "stablehlo.constant"() <{value = dense<0>
// CHECK: %[[W0:.*]] = "stablehlo.dynamic_slice"(%arg0, %[[ZERO]],
// CHECK: %[[R0:.*]] = "stablehlo.reshape"(%[[W0]])
// CHECK: %[[X1:.*]] = "stablehlo.multiply"(%arg1, %[[R0]])
// CHECK: "stablehlo.constant"() <{value = dense<1>
// CHECK-NEXT: %[[ONE:.*]] = "stablehlo.constant"() <{value = dense<1>
// CHECK: %[[W1:.*]] = "stablehlo.dynamic_slice"(%arg0, %[[ONE]],
// CHECK: %[[R1:.*]] = "stablehlo.reshape"(%[[W1]])
// CHECK: %[[X2:.*]] = "stablehlo.multiply"(%[[X1]], %[[R1]])
// CHECK: return %[[X2]]
func.func @main(%w: tensor<2x4xf32>, %x: tensor<4xf32>) -> tensor<4xf32> {
  %c = stablehlo.constant dense<0> : tensor<i32>
  %0:3 = stablehlo.while(%ws = %w, %i = %c, %xs = %x) : tensor<2x4xf32>, tensor<i32>, tensor<4xf32>
    cond {
      %n = stablehlo.constant dense<2> : tensor<i32>
      %1 = stablehlo.compare LT, %i, %n, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %1 : tensor<i1>
    } do {
      %zero = stablehlo.constant dense<0> : tensor<i32>
      %1 = stablehlo.dynamic_slice %ws, %i, %zero, sizes = [1, 4] : (tensor<2x4xf32>, tensor<i32>, tensor<i32>) -> tensor<1x4xf32>
      %2 = stablehlo.reshape %1 : (tensor<1x4xf32>) -> tensor<4xf32>
      %3 = stablehlo.multiply %xs, %2 : tensor<4xf32>
      %one = stablehlo.constant dense<1> : tensor<i32>
      %4 = stablehlo.add %i, %one : tensor<i32>
      stablehlo.return %ws, %4, %3 : tensor<2x4xf32>, tensor<i32>, tensor<4xf32>
    }
  return %0#2 : tensor<4xf32>
}
//--- branches.mlir
// The choice is known: the last branch stands for every index that has none.
// BRANCH: %[[R:.*]] = "stablehlo.negate"(%arg0)
// BRANCH-NEXT: return %[[R]]
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %c = stablehlo.constant dense<7> : tensor<i32>
  %0 = "stablehlo.case"(%c) ({
    stablehlo.return %x : tensor<4xf32>
  }, {
    %1 = stablehlo.negate %x : tensor<4xf32>
    stablehlo.return %1 : tensor<4xf32>
  }) : (tensor<i32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
//--- unknown.mlir
// UNKNOWN: error: the number of iterations is not known before the program runs
// UNKNOWN: note: this condition must follow from a counter
func.func @main(%n: tensor<i32>) -> tensor<i32> {
  %0 = stablehlo.while(%i = %n) : tensor<i32>
    cond {
      %c = stablehlo.constant dense<2> : tensor<i32>
      %1 = stablehlo.compare LT, %i, %c, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %1 : tensor<i1>
    } do {
      stablehlo.return %i : tensor<i32>
    }
  return %0 : tensor<i32>
}
//--- endless.mlir
// ENDLESS: error: unfolds to more than 65536 iterations
func.func @main() -> tensor<i32> {
  %n = stablehlo.constant dense<1> : tensor<i32>
  %0 = stablehlo.while(%i = %n) : tensor<i32>
    cond {
      %1 = stablehlo.compare LE, %i, %i, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %1 : tensor<i1>
    } do {
      stablehlo.return %i : tensor<i32>
    }
  return %0 : tensor<i32>
}
