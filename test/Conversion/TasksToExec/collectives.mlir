// Collectives along outer and inner dimensions, and over axes that cut in another order than the mesh counts ranks.
// RUN: plan-opt %s --convert-tasks-to-exec --split-input-file | FileCheck %s

#whole2 = #plan.layout<[[], []]>

// Along the outermost dimension blocks follow each other: no copies.
// CHECK-LABEL: exec.subprogram @outer
// CHECK-NEXT: exec.strided_copy <@"parameter/x"[0, 128]> to <[[SLICE:@"temporary/[0-9]+"]][0, 64]> bytes 64 loops [] at [#exec.coordinate<"tp", 64>]
// CHECK-NEXT: exec.all_gather <[[SLICE]][0, 64]> to <@"residual/0"[0, 128]> over @"communicator/tp" f32
// CHECK-NEXT: exec.reduce_scatter max <@"residual/0"[0, 128]> to <@"residual/1"[0, 64]> over @"communicator/tp" f32
// CHECK-NEXT: }
module attributes {plan.mesh = #plan.mesh<tp = 2, mb = 1>, plan.schedule = [#plan.step<@outer>]} {
  func.func @outer(%x: tensor<4x8xf32> {plan.layout = #whole2, plan.object = #plan.object<parameter, "x">})
      -> (tensor<4x8xf32> {plan.layout = #whole2, plan.object = #plan.object<residual, "0">},
          tensor<2x8xf32> {plan.layout = #plan.layout<[["tp"], []]>, plan.object = #plan.object<residual, "1">}) attributes {plan.task = #plan.task<forward>} {
    %0 = comm.all_slice %x dim = 0 axes = ["tp"] : tensor<4x8xf32> -> tensor<2x8xf32>
    %1 = comm.all_gather %0 dim = 0 axes = ["tp"] : tensor<2x8xf32> -> tensor<4x8xf32>
    %2 = comm.reduce_scatter %1 dim = 0 axes = ["tp"] combiner = max : tensor<4x8xf32> -> tensor<2x8xf32>
    return %1, %2 : tensor<4x8xf32>, tensor<2x8xf32>
  }
}

// -----

#whole2 = #plan.layout<[[], []]>

// Along an inner dimension each row has a piece of each block.
// CHECK-LABEL: exec.subprogram @inner
// CHECK-NEXT: exec.strided_copy <@"parameter/x"[0, 128]> to <[[SLICE:@"temporary/[0-9]+"]][0, 64]> bytes 16 loops [#exec.byte_loop<4, source = 32, destination = 16>] at [#exec.coordinate<"tp", 16>]
// CHECK-NEXT: exec.all_gather <[[SLICE]][0, 64]> to <[[GATHERED:@"temporary/[0-9]+"]][0, 128]> over @"communicator/tp" f32
// CHECK-NEXT: exec.strided_copy <[[GATHERED]][0, 128]> to <@"residual/0"[0, 128]> bytes 16 loops [#exec.byte_loop<2, source = 64, destination = 16>, #exec.byte_loop<4, source = 16, destination = 32>]
// CHECK-NEXT: exec.strided_copy <@"residual/0"[0, 128]> to <[[CUT:@"temporary/[0-9]+"]][0, 128]> bytes 16 loops [#exec.byte_loop<2, source = 16, destination = 64>, #exec.byte_loop<4, source = 32, destination = 16>]
// CHECK-NEXT: exec.reduce_scatter sum <[[CUT]][0, 128]> to <@"residual/1"[0, 64]> over @"communicator/tp" f32
// CHECK-NEXT: exec.all_to_all <@"residual/0"[0, 128]> to <[[SWAPPED:@"temporary/[0-9]+"]][0, 128]> over @"communicator/tp" f32
// CHECK-NEXT: exec.strided_copy <[[SWAPPED]][0, 128]> to <@"residual/2"[0, 128]> bytes 32 loops [#exec.byte_loop<2, source = 64, destination = 32>, #exec.byte_loop<2, source = 32, destination = 64>]
// CHECK-NEXT: }
module attributes {plan.mesh = #plan.mesh<tp = 2, mb = 1>, plan.schedule = [#plan.step<@inner>]} {
  func.func @inner(%x: tensor<4x8xf32> {plan.layout = #whole2, plan.object = #plan.object<parameter, "x">})
      -> (tensor<4x8xf32> {plan.layout = #whole2, plan.object = #plan.object<residual, "0">},
          tensor<4x4xf32> {plan.layout = #plan.layout<[[], ["tp"]]>, plan.object = #plan.object<residual, "1">},
          tensor<2x16xf32> {plan.layout = #plan.layout<[["tp"], []]>, plan.object = #plan.object<residual, "2">}) attributes {plan.task = #plan.task<forward>} {
    %0 = comm.all_slice %x dim = 1 axes = ["tp"] : tensor<4x8xf32> -> tensor<4x4xf32>
    %1 = comm.all_gather %0 dim = 1 axes = ["tp"] : tensor<4x4xf32> -> tensor<4x8xf32>
    %2 = comm.reduce_scatter %1 dim = 1 axes = ["tp"] combiner = sum : tensor<4x8xf32> -> tensor<4x4xf32>
    %3 = comm.all_to_all %1 split_dim = 0 concat_dim = 1 axes = ["tp"] : tensor<4x8xf32> -> tensor<2x16xf32>
    return %1, %2, %3 : tensor<4x8xf32>, tensor<4x4xf32>, tensor<2x16xf32>
  }
}

// -----

#whole1 = #plan.layout<[[]]>

// Ranks count with tp innermost, but tp cuts first: rank (dp, tp) holds block 2 tp + dp.
// CHECK-LABEL: exec.subprogram @order
// CHECK-NEXT: exec.strided_copy <@"parameter/x"[0, 32]> to <[[SLICE:@"temporary/[0-9]+"]][0, 8]> bytes 8 loops [] at [#exec.coordinate<"tp", 16>, #exec.coordinate<"dp", 8>]
// CHECK-NEXT: exec.all_gather <[[SLICE]][0, 8]> to <[[GATHERED:@"temporary/[0-9]+"]][0, 32]> over @"communicator/tp_dp" f32
// CHECK-NEXT: exec.strided_copy <[[GATHERED]][0, 32]> to <@"residual/0"[0, 32]> bytes 8 loops [#exec.byte_loop<2, source = 8, destination = 16>, #exec.byte_loop<2, source = 16, destination = 8>]
// CHECK-NEXT: }
module attributes {plan.mesh = #plan.mesh<dp = 2, tp = 2, mb = 1>, plan.schedule = [#plan.step<@order>]} {
  func.func @order(%x: tensor<8xf32> {plan.layout = #whole1, plan.object = #plan.object<parameter, "x">})
      -> (tensor<8xf32> {plan.layout = #whole1, plan.object = #plan.object<residual, "0">}) attributes {plan.task = #plan.task<forward>} {
    %0 = comm.all_slice %x dim = 0 axes = ["tp", "dp"] : tensor<8xf32> -> tensor<2xf32>
    %1 = comm.all_gather %0 dim = 0 axes = ["tp", "dp"] : tensor<2xf32> -> tensor<8xf32>
    return %1 : tensor<8xf32>
  }
}

// -----

#whole1 = #plan.layout<[[]]>

// A micro-batch's block begins where the task says.
// CHECK-LABEL: exec.subprogram @micro_batch
// CHECK-NEXT: exec.strided_copy <@"parameter/x"[0, 24] base 1> to <@"residual/0"[0, 8]> bytes 8 loops [] at [#exec.coordinate<"dp", 16>]
// CHECK: exec.task forward @micro_batch micro_batch 0 bases [0, 0]
// CHECK-NEXT: exec.task forward @micro_batch micro_batch 1 bases [0, 8]
module attributes {plan.mesh = #plan.mesh<dp = 2, mb = 2>, plan.schedule = [#plan.step<@micro_batch, mb = 0>, #plan.step<@micro_batch, mb = 1>]} {
  func.func @micro_batch(%x: tensor<8xf32> {plan.layout = #whole1, plan.object = #plan.object<parameter, "x">})
      -> (tensor<2xf32> {plan.layout = #whole1, plan.object = #plan.object<residual, "0">}) attributes {plan.task = #plan.task<forward>} {
    %0 = comm.all_slice %x dim = 0 axes = ["dp", "mb"] : tensor<8xf32> -> tensor<2xf32>
    return %0 : tensor<2xf32>
  }
}
