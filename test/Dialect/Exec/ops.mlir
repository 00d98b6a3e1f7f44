// Every op and attribute of the exec dialect, printed and parsed again.
// RUN: plan-opt %s | plan-opt | FileCheck %s

// CHECK-LABEL: exec.program @train axes ["dp", "mb"] sizes [2, 2] events 1 arena 1024
exec.program @train axes ["dp", "mb"] sizes [2, 2] events 1 arena 1024 {
  // CHECK: exec.kernel @gelu in "kernels/host.so" family "pointwise"
  exec.kernel @gelu in "kernels/host.so" family "pointwise"
  // CHECK: exec.kernel @add in "kernels/host.so" source "func @add"
  exec.kernel @add in "kernels/host.so" source "func @add"
  // CHECK: exec.communicator @dp axes ["dp"]
  exec.communicator @dp axes ["dp"]
  // CHECK: exec.buffer @w parameter "w" tensor<4x8xf32> size 128 offset 0 {dimension_axes = {{\[\[}}"dp"], []], global_shape = array<i64: 8, 8>}
  exec.buffer @w parameter "w" tensor<4x8xf32> size 128 offset 0 {dimension_axes = [["dp"], []], global_shape = array<i64: 8, 8>}
  exec.buffer @x input "x" tensor<2x4xf32> size 128 offset 128
  // CHECK: exec.buffer @bucket bucket "0" tensor<32xf32> size 128 offset 256
  exec.buffer @bucket bucket "0" tensor<32xf32> size 128 offset 256
  // CHECK: exec.buffer @g gradient "g" tensor<8xf32> size 32 offset 320 part of @bucket at 64
  exec.buffer @g gradient "g" tensor<8xf32> size 32 offset 320 part of @bucket at 64
  // CHECK: exec.buffer @c literal "c" tensor<2xf32> size 8 offset 384 data dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>
  exec.buffer @c literal "c" tensor<2xf32> size 8 offset 384 data dense<[1.0, 2.0]> : tensor<2xf32>
  exec.buffer @t temporary "t" tensor<2x8xf32> size 64 offset 448
  exec.buffer @part temporary "part" tensor<8xf32> size 32 offset 512
  exec.buffer @whole temporary "whole" tensor<16xf32> size 64 offset 576

  // CHECK: exec.subprogram @forward
  exec.subprogram @forward {
    // CHECK: exec.gemm <@x[0, 32] base 1> <@w[0, 128]> into <@t[0, 64]> <m = 2, n = 8, k = 4, a = [4, 1], b = [8, 1], c = [8, 1]> f32
    exec.gemm <@x[0, 32] base 1> <@w[0, 128]> into <@t[0, 64]> <m = 2, n = 8, k = 4, a = [4, 1], b = [8, 1], c = [8, 1]> f32
    // CHECK: exec.gemm {{.*}} c = [8, 1], loops = [<2, a = 2, b = 16, c = 0>]> f32 accumulate
    exec.gemm <@x[0, 32] base 1> <@w[0, 128]> into <@t[0, 64]> <m = 2, n = 8, k = 2, a = [4, 1], b = [8, 1], c = [8, 1], loops = [<2, a = 2, b = 16, c = 0>]> f32 accumulate
    // CHECK: exec.launch @gelu [#exec.operand<read <@t[0, 64]>>, #exec.operand<write <@whole[0, 64]>>] count 16 grain 4 stream 1 waits [0] record 0
    exec.launch @gelu [#exec.operand<read <@t[0, 64]>>, #exec.operand<write <@whole[0, 64]>>] count 16 grain 4 stream 1 waits [0] record 0
    // CHECK: exec.copy <@whole[0, 32]> to <@part[0, 32]>
    exec.copy <@whole[0, 32]> to <@part[0, 32]>
    // CHECK: exec.strided_copy <@w[0, 128]> to <@part[0, 32]> bytes 8 loops [#exec.byte_loop<4, source = 32, destination = 8>] at [#exec.coordinate<"dp", 8>]
    exec.strided_copy <@w[0, 128]> to <@part[0, 32]> bytes 8 loops [#exec.byte_loop<4, source = 32, destination = 8>] at [#exec.coordinate<"dp", 8>]
    // CHECK: exec.strided_copy <@whole[0, 64]> to <@t[0, 64]> bytes 64 loops []{{$}}
    exec.strided_copy <@whole[0, 64]> to <@t[0, 64]> bytes 64 loops []
    // CHECK: exec.zero <@bucket[0, 128]>
    exec.zero <@bucket[0, 128]>
    // CHECK: exec.all_reduce sum <@bucket[0, 96]> to <@bucket[0, 96]> over @dp f32
    exec.all_reduce sum <@bucket[0, 96]> to <@bucket[0, 96]> over @dp f32
    // CHECK: exec.all_gather <@part[0, 32]> to <@whole[0, 64]> over @dp f32
    exec.all_gather <@part[0, 32]> to <@whole[0, 64]> over @dp f32
    // CHECK: exec.reduce_scatter max <@whole[0, 64]> to <@part[0, 32]> over @dp f32
    exec.reduce_scatter max <@whole[0, 64]> to <@part[0, 32]> over @dp f32
    // CHECK: exec.all_to_all <@whole[0, 64]> to <@t[0, 64]> over @dp f32
    exec.all_to_all <@whole[0, 64]> to <@t[0, 64]> over @dp f32
    // CHECK: exec.broadcast <@w[0, 128]> to <@w[0, 128]> over @dp f32
    exec.broadcast <@w[0, 128]> to <@w[0, 128]> over @dp f32
  }
  // CHECK: exec.task forward @forward micro_batch 0 bases [0, 0]
  exec.task forward @forward micro_batch 0 bases [0, 0]
  // CHECK: exec.task safe_point
  exec.task safe_point
}
