// Every diagnostic of the exec dialect's verifiers.
// RUN: plan-opt %s --split-input-file --verify-diagnostics

// expected-error @below {{needs one positive size for each axis, found axes ["dp"] and sizes [0]}}
exec.program @p axes ["dp"] sizes [0] {}

// -----

// expected-error @below {{needs one positive size for each axis, found axes ["dp"] and sizes [2, 2]}}
exec.program @p axes ["dp"] sizes [2, 2] {}

// -----

exec.program @p axes [] sizes [] {
  // expected-error @below {{cannot stand in an exec.program}}
  %0 = arith.constant 0 : i32
}

// -----

exec.program @p axes [] sizes [] {
  exec.subprogram @s {
    // expected-error @below {{is not an instruction}}
    %0 = arith.constant 0 : i32
  }
}

// -----

exec.program @p axes ["dp", "mb"] sizes [2, 2] {
  // expected-error @below {{axis "mb" is not an axis of ranks, or stands there twice}}
  exec.communicator @c axes ["mb"]
}

// -----

exec.program @p axes ["dp", "mb"] sizes [2, 2] {
  // expected-error @below {{axis "dp" is not an axis of ranks, or stands there twice}}
  exec.communicator @c axes ["dp", "dp"]
}

// -----

exec.program @p axes ["mb"] sizes [2] {
  // expected-error @below {{has 32 bytes, but 'tensor<8xf32>' needs 64}}
  exec.buffer @x input "x" tensor<8xf32> size 32 {dimension_axes = [["mb"]]}
}

// -----

exec.program @p axes [] sizes [] {
  // expected-error @below {{offset 8 is not a multiple of 64}}
  exec.buffer @x input "x" tensor<8xf32> size 32 offset 8
}

// -----

exec.program @p axes [] sizes [] {
  // expected-error @below {{a literal, and nothing else, has data of its own type}}
  exec.buffer @c literal "c" tensor<2xf32> size 8
}

// -----

exec.program @p axes [] sizes [] {
  // expected-error @below {{a literal, and nothing else, has data of its own type}}
  exec.buffer @c literal "c" tensor<2xf32> size 8 data dense<1> : tensor<2xi32>
}

// -----

exec.program @p axes [] sizes [] {
  // expected-error @below {{global_shape and dimension_axes need one entry for each of 1 dimensions}}
  exec.buffer @w parameter "w" tensor<2xf32> size 8 {global_shape = array<i64: 2, 2>}
}

// -----

exec.program @p axes [] sizes [] {
  exec.buffer @bucket bucket "0" tensor<16xf32> size 64
  // expected-error @below {{does not lie inside a bucket}}
  exec.buffer @g gradient "g" tensor<8xf32> size 32 part of @bucket at 64
}

// -----

exec.program @p axes [] sizes [] {
  // expected-error @below {{does not lie inside a bucket}}
  exec.buffer @g gradient "g" tensor<8xf32> size 32 part of @nowhere at 0
}

// -----

exec.program @p axes [] sizes [] {
  // expected-error @below {{needs a subprogram}}
  exec.task forward
}

// -----

exec.program @p axes [] sizes [] {
  exec.subprogram @s {}
  // expected-error @below {{a safe point runs no subprogram}}
  exec.task safe_point @s
}

// -----

exec.program @p axes [] sizes [] {
  // expected-error @below {{there is no exec.subprogram @s}}
  exec.task forward @s
}

// -----

exec.program @p axes [] sizes [] {
  exec.subprogram @s {}
  // expected-error @below {{the first base must be 0}}
  exec.task forward @s bases [64]
}

// -----

exec.program @p axes ["mb"] sizes [2] {
  exec.subprogram @s {}
  // expected-error @below {{micro-batch 2 does not exist, there are 2}}
  exec.task forward @s micro_batch 2
}

// -----

exec.program @p axes [] sizes [] {
  exec.subprogram @s {
    // expected-error @below {{a region of @x needs a positive size and an offset and a base that are not negative, found [0, 0] base 0}}
    exec.zero <@x[0, 0]>
  }
}

// -----

exec.program @p axes [] sizes [] {
  exec.subprogram @s {
    // expected-error @below {{there is no exec.buffer @x}}
    exec.zero <@x[0, 4]>
  }
}

// -----

exec.program @p axes [] sizes [] {
  // expected-note @below {{which has 32 bytes}}
  exec.buffer @x temporary "x" tensor<8xf32> size 32
  exec.subprogram @s {
    // expected-error @below {{ends outside its buffer}}
    exec.zero <@x[32, 4]>
  }
}

// -----

exec.program @p axes [] sizes [] {
  exec.buffer @x temporary "x" tensor<8xf32> size 32
  exec.subprogram @s {
    // expected-error @below {{there is no exec.kernel @k}}
    exec.launch @k [#exec.operand<write <@x[0, 32]>>] count 1
  }
}

// -----

exec.program @p axes [] sizes [] {
  exec.kernel @k in "kernels/host.so"
  exec.subprogram @s {
    // expected-error @below {{needs a positive count and grain, found 0 and 1}}
    exec.launch @k [] count 0
  }
}

// -----

exec.program @p axes [] sizes [] {
  exec.buffer @x temporary "x" tensor<8xf32> size 32
  exec.subprogram @s {
    // expected-error @below {{is too small: the shape touches 64 bytes}}
    exec.gemm <@x[0, 32]> <@x[0, 32]> into <@x[0, 32]> <m = 4, n = 1, k = 4, a = [4, 1], b = [1, 1], c = [1, 1]> f32
  }
}

// -----

exec.program @p axes [] sizes [] {
  exec.subprogram @s {
    // expected-error @below {{extents must be positive, found m = 0, n = 1, k = 4}}
    exec.gemm <@x[0, 32]> <@x[0, 32]> into <@x[0, 32]> <m = 0, n = 1, k = 4, a = [4, 1], b = [1, 1], c = [1, 1]> f32
  }
}

// -----

exec.program @p axes [] sizes [] {
  exec.subprogram @s {
    // expected-error @below {{matrix b needs two strides, one of which is 1, found [4, 8]}}
    exec.gemm <@x[0, 32]> <@x[0, 32]> into <@x[0, 32]> <m = 1, n = 1, k = 4, a = [4, 1], b = [4, 8], c = [1, 1]> f32
  }
}

// -----

exec.program @p axes [] sizes [] {
  exec.subprogram @s {
    // expected-error @below {{reduction loops must be innermost}}
    exec.gemm <@x[0, 32]> <@x[0, 32]> into <@x[0, 32]> <m = 1, n = 1, k = 4, a = [4, 1], b = [1, 1], c = [1, 1], loops = [<2, a = 1, b = 1, c = 0>, <2, a = 1, b = 1, c = 1>]> f32
  }
}

// -----

exec.program @p axes [] sizes [] {
  exec.subprogram @s {
    // expected-error @below {{a loop needs a positive extent, found 0}}
    // expected-error @below {{failed to parse Exec_GemmShapeAttr parameter 'loops'}}
    exec.gemm <@x[0, 32]> <@x[0, 32]> into <@x[0, 32]> <m = 1, n = 1, k = 4, a = [4, 1], b = [1, 1], c = [1, 1], loops = [<0, a = 1, b = 1, c = 0>]> f32
  }
}

// -----

exec.program @p axes [] sizes [] {
  exec.buffer @x temporary "x" tensor<8xf32> size 32
  exec.subprogram @s {
    // expected-error @below {{source of 32 bytes does not fit destination of 16 bytes}}
    exec.copy <@x[0, 32]> to <@x[0, 16]>
  }
}

// -----

exec.program @p axes ["dp", "mb"] sizes [2, 2] {
  exec.buffer @x temporary "x" tensor<8xf32> size 32
  exec.buffer @y temporary "y" tensor<8xf32> size 32
  exec.subprogram @s {
    // expected-error @below {{there is no exec.buffer @z}}
    exec.strided_copy <@x[0, 32]> to <@z[0, 32]> bytes 32 loops []
  }
}

// -----

exec.program @p axes ["dp", "mb"] sizes [2, 2] {
  exec.buffer @x temporary "x" tensor<8xf32> size 32
  exec.buffer @y temporary "y" tensor<8xf32> size 32
  exec.subprogram @s {
    // expected-error @below {{must copy at least one byte, found 0}}
    exec.strided_copy <@x[0, 32]> to <@y[0, 32]> bytes 0 loops []
  }
}

// -----

exec.program @p axes ["dp", "mb"] sizes [2, 2] {
  exec.buffer @x temporary "x" tensor<8xf32> size 32
  exec.buffer @y temporary "y" tensor<8xf32> size 32
  exec.subprogram @s {
    // expected-error @below {{region #exec.region<@y[0, 16]> is too small: the loops touch 32 bytes}}
    exec.strided_copy <@x[0, 32]> to <@y[0, 16]> bytes 8 loops [#exec.byte_loop<4, source = 0, destination = 8>]
  }
}

// -----

exec.program @p axes ["dp", "mb"] sizes [2, 2] {
  exec.buffer @x temporary "x" tensor<8xf32> size 32
  exec.buffer @y temporary "y" tensor<8xf32> size 32
  exec.subprogram @s {
    // expected-error @below {{region #exec.region<@x[0, 32]> is too small: the loops touch 40 bytes}}
    exec.strided_copy <@x[0, 32]> to <@y[0, 32]> bytes 8 loops [#exec.byte_loop<2, source = 16, destination = 8>] at [#exec.coordinate<"dp", 16>]
  }
}

// -----

exec.program @p axes ["dp", "mb"] sizes [2, 2] {
  exec.buffer @x temporary "x" tensor<8xf32> size 32
  exec.buffer @y temporary "y" tensor<8xf32> size 32
  exec.subprogram @s {
    // expected-error @below {{axis "tp" does not divide ranks or is named twice}}
    exec.strided_copy <@x[0, 32]> to <@y[0, 32]> bytes 8 loops [] at [#exec.coordinate<"tp", 16>]
  }
}

// -----

exec.program @p axes ["dp", "mb"] sizes [2, 2] {
  exec.buffer @x temporary "x" tensor<8xf32> size 32
  exec.buffer @y temporary "y" tensor<8xf32> size 32
  exec.subprogram @s {
    // expected-error @below {{axis "mb" does not divide ranks or is named twice}}
    exec.strided_copy <@x[0, 32]> to <@y[0, 32]> bytes 8 loops [] at [#exec.coordinate<"mb", 16>]
  }
}

// -----

exec.program @p axes ["dp", "mb"] sizes [2, 2] {
  exec.buffer @x temporary "x" tensor<8xf32> size 32
  exec.buffer @y temporary "y" tensor<8xf32> size 32
  exec.subprogram @s {
    // expected-error @below {{axis "dp" does not divide ranks or is named twice}}
    exec.strided_copy <@x[0, 32]> to <@y[0, 32]> bytes 8 loops [] at [#exec.coordinate<"dp", 8>, #exec.coordinate<"dp", 8>]
  }
}

// -----

exec.program @p axes ["dp", "mb"] sizes [2, 2] {
  exec.buffer @x temporary "x" tensor<8xf32> size 32
  exec.buffer @y temporary "y" tensor<8xf32> size 32
  exec.subprogram @s {
    // expected-error @below {{a loop around a copy needs a positive extent and no negative stride, found 0, 1 and 1}}
    exec.strided_copy <@x[0, 32]> to <@y[0, 32]> bytes 8 loops [#exec.byte_loop<0, source = 1, destination = 1>]
  }
}

// -----

exec.program @p axes ["dp", "mb"] sizes [2, 2] {
  exec.buffer @x temporary "x" tensor<8xf32> size 32
  exec.buffer @y temporary "y" tensor<8xf32> size 32
  exec.subprogram @s {
    // expected-error @below {{the stride of "dp" must not be negative, found -8}}
    exec.strided_copy <@x[0, 32]> to <@y[0, 32]> bytes 8 loops [] at [#exec.coordinate<"dp", -8>]
  }
}

// -----

exec.program @p axes [] sizes [] {
  exec.buffer @x temporary "x" tensor<8xf32> size 32
  exec.subprogram @s {
    // expected-error @below {{there is no exec.communicator @dp}}
    exec.all_reduce sum <@x[0, 32]> to <@x[0, 32]> over @dp f32
  }
}

// -----

exec.program @p axes ["dp"] sizes [2] {
  exec.communicator @dp axes ["dp"]
  exec.buffer @x temporary "x" tensor<8xf32> size 32
  exec.subprogram @s {
    // expected-error @below {{region of 6 bytes is not a whole number of 'f32'}}
    exec.all_reduce sum <@x[0, 6]> to <@x[0, 6]> over @dp f32
  }
}

// -----

exec.program @p axes ["dp"] sizes [2] {
  exec.communicator @dp axes ["dp"]
  exec.buffer @x temporary "x" tensor<8xf32> size 32
  exec.subprogram @s {
    // expected-error @below {{source of 16 bytes does not fit destination of 16 bytes}}
    exec.all_gather <@x[0, 16]> to <@x[16, 16]> over @dp f32
  }
}
