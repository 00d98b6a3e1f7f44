// Programs that are sound op by op and wrong as a whole.
// RUN: plan-opt %s --exec-verify --split-input-file --verify-diagnostics

// expected-error @below {{has no arena yet}}
exec.program @p axes [] sizes [] {}

// -----

exec.program @p axes [] sizes [] arena 64 {
  // expected-error @below {{does not lie in the arena of 64 bytes}}
  exec.buffer @w parameter "w" tensor<4xf32> size 16 offset 64
}

// -----

exec.program @p axes [] sizes [] arena 256 {
  // expected-note @below {{this one}}
  exec.buffer @w parameter "w" tensor<32xf32> size 128 offset 0
  // expected-error @below {{overlaps another buffer}}
  exec.buffer @v parameter "v" tensor<4xf32> size 16 offset 64
}

// -----

exec.program @p axes [] sizes [] arena 256 {
  exec.buffer @w parameter "w" tensor<32xf32> size 128 offset 0
  // expected-error @below {{shares memory with buffers that keep their place}}
  exec.buffer @t temporary "t" tensor<4xf32> size 16 offset 64
}

// -----

exec.program @p axes [] sizes [] arena 256 {
  exec.buffer @a temporary "a" tensor<4xf32> size 16 offset 0
  exec.buffer @b temporary "b" tensor<4xf32> size 16 offset 64
  exec.subprogram @s {
    // expected-error @below {{before anything was written there}}
    exec.copy <@a[0, 16]> to <@b[0, 16]>
  }
  // expected-note @below {{in this task}}
  exec.task forward @s
}

// -----

exec.program @p axes [] sizes [] arena 256 {
  exec.buffer @w parameter "w" tensor<4xf32> size 16 offset 0
  exec.buffer @a temporary "a" tensor<4xf32> size 16 offset 64
  // expected-note @below {{the other buffer}}
  exec.buffer @b temporary "b" tensor<4xf32> size 16 offset 64
  exec.subprogram @s {
    exec.copy <@w[0, 16]> to <@a[0, 16]>
    exec.copy <@w[0, 16]> to <@b[0, 16]>
    // expected-error @below {{after another buffer took its place}}
    exec.copy <@a[0, 16]> to <@w[0, 16]>
  }
  // expected-note @below {{in this task}}
  exec.task forward @s
}

// -----

exec.program @p axes ["mb"] sizes [2] arena 256 {
  exec.buffer @x input "x" tensor<4xf32> size 128 offset 0
  exec.subprogram @s {
    // expected-error @below {{uses base 1}}
    exec.zero <@x[0, 16] base 1>
  }
  exec.task forward @s micro_batch 0 bases [0, 0]
  // expected-note @below {{which this task does not have}}
  exec.task forward @s micro_batch 1
}

// -----

exec.program @p axes ["mb"] sizes [2] arena 256 {
  exec.buffer @x input "x" tensor<4xf32> size 128 offset 0
  exec.subprogram @s {
    // expected-error @below {{leaves its buffer}}
    exec.zero <@x[0, 16] base 1>
  }
  exec.task forward @s micro_batch 0 bases [0, 0]
  // expected-note @below {{with base 128 of this task}}
  exec.task forward @s micro_batch 1 bases [0, 128]
}

// -----

exec.program @p axes [] sizes [] events 1 arena 256 {
  exec.buffer @w parameter "w" tensor<4xf32> size 16 offset 0
  exec.subprogram @s {
    // expected-error @below {{waits for event 0, which is not recorded before}}
    exec.zero <@w[0, 16]> waits [0] record 0
  }
  exec.task forward @s
}

// -----

exec.program @p axes [] sizes [] events 1 arena 256 {
  exec.buffer @w parameter "w" tensor<4xf32> size 16 offset 0
  exec.buffer @v parameter "v" tensor<4xf32> size 16 offset 64
  exec.subprogram @s {
    exec.zero <@w[0, 16]> record 0
    exec.zero <@v[0, 16]> stream 1 waits [0]
    exec.copy <@w[0, 16]> to <@v[0, 16]> stream 1
    // expected-error @below {{touches #exec.region<@v[0, 16]> without waiting for another stream that does}}
    exec.zero <@v[0, 16]>
  }
  exec.task forward @s
}

// -----

exec.program @p axes ["dp"] sizes [2] arena 256 {
  exec.communicator @dp axes ["dp"]
  exec.buffer @w parameter "w" tensor<4xf32> size 16 offset 0
  exec.subprogram @s {
    // expected-note @below {{for example this one}}
    exec.all_reduce sum <@w[0, 16]> to <@w[0, 16]> over @dp f32
    // expected-error @below {{runs on stream 1, but others of @dp on stream 0}}
    exec.all_reduce sum <@w[0, 16]> to <@w[0, 16]> over @dp f32 stream 1
  }
  exec.task forward @s
}
