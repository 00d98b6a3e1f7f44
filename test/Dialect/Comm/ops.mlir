// The comm dialect's ops print as they were read.
// RUN: plan-opt %s | plan-opt | FileCheck %s

func.func @all(%a: tensor<4x8xf32>, %b: tensor<8xf32>) {
  // CHECK: comm.all_reduce %{{.*}}, %{{.*}} axes = ["dp"] combiner = sum : tensor<4x8xf32>, tensor<8xf32>
  %0:2 = comm.all_reduce %a, %b axes = ["dp"] combiner = sum : tensor<4x8xf32>, tensor<8xf32>
  // CHECK: comm.all_gather %{{.*}} dim = 0 axes = ["dp"] : tensor<4x8xf32> -> tensor<8x8xf32>
  %1 = comm.all_gather %a dim = 0 axes = ["dp"] : tensor<4x8xf32> -> tensor<8x8xf32>
  // CHECK: comm.reduce_scatter %{{.*}} dim = 1 axes = ["dp", "tp"] combiner = max : tensor<4x8xf32> -> tensor<4x2xf32>
  %2 = comm.reduce_scatter %a dim = 1 axes = ["dp", "tp"] combiner = max : tensor<4x8xf32> -> tensor<4x2xf32>
  // CHECK: comm.all_to_all %{{.*}} split_dim = 0 concat_dim = 1 axes = ["ep"] : tensor<4x8xf32> -> tensor<2x16xf32>
  %3 = comm.all_to_all %a split_dim = 0 concat_dim = 1 axes = ["ep"] : tensor<4x8xf32> -> tensor<2x16xf32>
  // CHECK: comm.all_slice %{{.*}} dim = 0 axes = ["dp", "mb"] : tensor<4x8xf32> -> tensor<1x8xf32>
  %4 = comm.all_slice %a dim = 0 axes = ["dp", "mb"] : tensor<4x8xf32> -> tensor<1x8xf32>
  return
}
