// Buffers that keep their place stand first; temporaries share memory where their lives do not meet.
// RUN: plan-opt %s --exec-assign-offsets --exec-verify | FileCheck %s

// CHECK: exec.program @train axes [] sizes [] arena 448 attributes {lower_bound_bytes = 448 : i64, persistent_bytes = 256 : i64}
exec.program @train axes [] sizes [] {
  exec.kernel @k in "kernels/host.so"
  // CHECK: exec.buffer @w parameter "w" tensor<4xf32> size 16 offset 0
  exec.buffer @w parameter "w" tensor<4xf32> size 16
  // CHECK: exec.buffer @bucket bucket "0" tensor<32xf32> size 128 offset 64
  exec.buffer @bucket bucket "0" tensor<32xf32> size 128
  // CHECK: exec.buffer @g gradient "w" tensor<4xf32> size 16 offset 128 part of @bucket at 64
  exec.buffer @g gradient "w" tensor<4xf32> size 16 part of @bucket at 64
  // CHECK: exec.buffer @v state "v" tensor<4xf32> size 16 offset 192
  exec.buffer @v state "v" tensor<4xf32> size 16
  // The residual outlives @a and @b, which share a place.
  // CHECK: exec.buffer @a temporary "a" tensor<32xf32> size 128 offset 256
  exec.buffer @a temporary "a" tensor<32xf32> size 128
  // CHECK: exec.buffer @r residual "0" tensor<4xf32> size 16 offset 384
  exec.buffer @r residual "0" tensor<4xf32> size 16
  // CHECK: exec.buffer @b temporary "b" tensor<32xf32> size 128 offset 256
  exec.buffer @b temporary "b" tensor<32xf32> size 128
  exec.subprogram @forward {
    exec.launch @k [#exec.operand<read <@w[0, 16]>>, #exec.operand<write <@a[0, 128]>>] count 1
    exec.launch @k [#exec.operand<read <@a[0, 128]>>, #exec.operand<write <@r[0, 16]>>] count 1
  }
  exec.subprogram @backward {
    exec.launch @k [#exec.operand<read <@w[0, 16]>>, #exec.operand<write <@b[0, 128]>>] count 1
    exec.launch @k [#exec.operand<read <@b[0, 128]>>, #exec.operand<read <@r[0, 16]>>, #exec.operand<write <@g[0, 16]>>] count 1
  }
  exec.task forward @forward
  exec.task backward @backward
}
