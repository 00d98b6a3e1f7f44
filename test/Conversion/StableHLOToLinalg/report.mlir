// Everything that cannot be converted is said at once: what, how often, where first, why, and what to do.
// RUN: not plan-opt --convert-stablehlo-to-linalg %s 2>&1 | FileCheck %s
// RUN: not plan-opt --convert-stablehlo-to-linalg %s 2>&1 | FileCheck %s --check-prefix=COUNT
// COUNT-COUNT-7: error:
// COUNT-NOT: error:

func.func @main(%x: tensor<8x4xf32>, %i: tensor<i32>, %c: tensor<4xcomplex<f32>>) -> tensor<8x4xf32> {
  // CHECK-DAG: report.mlir:[[#@LINE+1]]:{{.*}}: error: 'stablehlo.sort' op cannot be converted (2 times, here first): sorting is not supported
  %0 = "stablehlo.sort"(%x) <{dimension = 1 : i64}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = stablehlo.compare LT, %a, %b, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }) : (tensor<8x4xf32>) -> tensor<8x4xf32>
  %2 = "stablehlo.sort"(%0) <{dimension = 0 : i64}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %3 = stablehlo.compare LT, %a, %b, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %3 : tensor<i1>
  }) : (tensor<8x4xf32>) -> tensor<8x4xf32>
  // CHECK-DAG: error: 'stablehlo.dynamic_slice' op cannot be converted (1 time): its start is computed while the program runs
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %4 = stablehlo.dynamic_slice %2, %i, %zero, sizes = [1, 4] : (tensor<8x4xf32>, tensor<i32>, tensor<i32>) -> tensor<1x4xf32>
  // CHECK-DAG: error: 'stablehlo.custom_call' op cannot be converted (1 time): the custom call @mystery is unknown
  %5 = stablehlo.custom_call @mystery(%4) : (tensor<1x4xf32>) -> tensor<1x4xf32>
  // CHECK-DAG: error: 'stablehlo.all_reduce' op cannot be converted (1 time): it communicates between devices
  %6 = "stablehlo.all_reduce"(%5) <{replica_groups = dense<[[0]]> : tensor<1x1xi64>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %7 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %7 : tensor<f32>
  }) : (tensor<1x4xf32>) -> tensor<1x4xf32>
  // CHECK-DAG: error: 'stablehlo.add' op cannot be converted (1 time): values of type tensor<4xcomplex<f32>> are not supported
  %8 = stablehlo.add %c, %c : tensor<4xcomplex<f32>>
  // CHECK-DAG: error: 'stablehlo.real' op cannot be converted (1 time): values of type
  %9 = stablehlo.real %8 : (tensor<4xcomplex<f32>>) -> tensor<4xf32>
  // CHECK-DAG: error: 'stablehlo.reduce' op cannot be converted (1 time): its region is no sum, product, maximum
  %f = stablehlo.constant dense<0.0> : tensor<f32>
  %10 = stablehlo.reduce(%9 init: %f) applies stablehlo.subtract across dimensions = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
  %11 = stablehlo.broadcast_in_dim %10, dims = [] : (tensor<f32>) -> tensor<8x4xf32>
  return %11 : tensor<8x4xf32>
}
