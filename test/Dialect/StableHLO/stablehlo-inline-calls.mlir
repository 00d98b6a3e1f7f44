// Calls in the body and in regions are replaced by what they call; only @main is left.
// RUN: split-file %s %t
// RUN: plan-opt --stablehlo-inline-calls %t/calls.mlir | FileCheck %s --implicit-check-not=call --implicit-check-not=@twice
// RUN: not plan-opt --stablehlo-inline-calls %t/recursive.mlir 2>&1 | FileCheck %s --check-prefix=RECURSIVE
// RUN: not plan-opt --stablehlo-inline-calls %t/declared.mlir 2>&1 | FileCheck %s --check-prefix=DECLARED

//--- calls.mlir
// CHECK-LABEL: func.func @main
// CHECK: %[[ONCE:.*]] = "stablehlo.add"(%arg0, %arg0)
// CHECK: %[[TWICE:.*]] = "stablehlo.add"(%[[ONCE]], %[[ONCE]])
// CHECK: "stablehlo.while"(%[[TWICE]])
// CHECK: ^bb0(%[[I:.*]]: tensor<i32>):
// CHECK: ^bb0(%[[I:.*]]: tensor<i32>):
// CHECK-NEXT: %[[NEXT:.*]] = "stablehlo.add"(%[[I]], %[[I]])
// CHECK-NEXT: "stablehlo.return"(%[[NEXT]])
func.func @main(%x: tensor<i32>) -> tensor<i32> {
  %0 = call @twice(%x) : (tensor<i32>) -> tensor<i32>
  %1 = call @twice(%0) : (tensor<i32>) -> tensor<i32>
  %2 = stablehlo.while(%i = %1) : tensor<i32>
    cond {
      %c = stablehlo.constant dense<100> : tensor<i32>
      %3 = stablehlo.compare LT, %i, %c, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %3 : tensor<i1>
    } do {
      %3 = func.call @twice(%i) : (tensor<i32>) -> tensor<i32>
      stablehlo.return %3 : tensor<i32>
    }
  return %2 : tensor<i32>
}
func.func private @twice(%x: tensor<i32>) -> tensor<i32> {
  %0 = call @plus(%x, %x) : (tensor<i32>, tensor<i32>) -> tensor<i32>
  return %0 : tensor<i32>
}
func.func private @plus(%x: tensor<i32>, %y: tensor<i32>) -> tensor<i32> {
  %0 = stablehlo.add %x, %y : tensor<i32>
  return %0 : tensor<i32>
}
//--- recursive.mlir
// RECURSIVE: error: @f calls itself, directly or through others
func.func @main(%x: tensor<i32>) -> tensor<i32> {
  %0 = call @f(%x) : (tensor<i32>) -> tensor<i32>
  return %0 : tensor<i32>
}
func.func private @f(%x: tensor<i32>) -> tensor<i32> {
  %0 = call @g(%x) : (tensor<i32>) -> tensor<i32>
  return %0 : tensor<i32>
}
func.func private @g(%x: tensor<i32>) -> tensor<i32> {
  %0 = call @f(%x) : (tensor<i32>) -> tensor<i32>
  return %0 : tensor<i32>
}
//--- declared.mlir
// DECLARED: error: {{.*}}calls @f, which is not a function with a body of one block
func.func @main(%x: tensor<i32>) -> tensor<i32> {
  %0 = call @f(%x) : (tensor<i32>) -> tensor<i32>
  return %0 : tensor<i32>
}
func.func private @f(tensor<i32>) -> tensor<i32>
