// What cannot be cut, and why: the message names op, dimension, size and axes.
// RUN: plan-opt %s --shard-propagate --split-input-file --verify-diagnostics

// expected-error @below {{has no mesh: expected the attribute "plan.mesh"}}
module {
}

// -----

module attributes {plan.mesh = #plan.mesh<dp = 2, mb = 1>} {
  // expected-error @below {{argument 0 of a task has no plan.object}}
  func.func @forward(%x: tensor<8xf32>) attributes {plan.task = #plan.task<forward>} {
    return
  }
}

// -----

module attributes {plan.mesh = #plan.mesh<dp = 2, mb = 1>} {
  // expected-error @below {{result 0 of a task has no plan.object}}
  func.func @forward(%x: tensor<8xf32> {plan.object = #plan.object<input, "x">}) -> tensor<8xf32> attributes {plan.task = #plan.task<forward>} {
    return %x : tensor<8xf32>
  }
}

// -----

// The running sum goes over the batch.
module attributes {plan.mesh = #plan.mesh<dp = 1, mb = 2>} {
  // expected-note @below {{computed here}}
  func.func @forward(%x: tensor<8xf32> {plan.layout = #plan.layout<[[mb]]>, plan.object = #plan.object<input, "x">})
      -> (tensor<8xf32> {plan.object = #plan.object<residual, "0">}) attributes {plan.task = #plan.task<forward>} {
    // expected-error @below {{needs dimension 0 of operand 0 undivided, but it lies on mb = 2: micro-batches follow each other in time}}
    %0 = model.cumulative_sum %x dim 0 : tensor<8xf32>
    return %0 : tensor<8xf32>
  }
}

// -----

// A prologue would need a prologue.
module attributes {plan.mesh = #plan.mesh<dp = 2, mb = 2>} {
  // expected-note @below {{computed here}}
  func.func @prologue(%x: tensor<f32> {plan.layout = #plan.layout<[], partial = {dp = sum, mb = sum}>, plan.object = #plan.object<prologue, "0">})
      -> (tensor<f32> {plan.object = #plan.object<prologue, "1">}) attributes {plan.task = #plan.task<prologue>} {
    %0 = tensor.empty() : tensor<f32>
    // expected-error @below {{is not linear in the micro-batch: operand 0 is partial over dp = 2 x mb = 2, complete only after the last micro-batch}}
    %1 = linalg.generic {indexing_maps = [affine_map<() -> ()>, affine_map<() -> ()>], iterator_types = []}
        ins(%x : tensor<f32>) outs(%0 : tensor<f32>) {
    ^bb0(%a: f32, %o: f32):
      %r = math.exp %a : f32
      linalg.yield %r : f32
    } -> tensor<f32>
    return %1 : tensor<f32>
  }
}

// -----

// Four blocks of two rows are no two blocks of four.
module attributes {plan.mesh = #plan.mesh<dp = 4, mb = 1>} {
  func.func @forward(%x: tensor<8xf32> {plan.layout = #plan.layout<[[dp]]>, plan.object = #plan.object<input, "x">})
      -> (tensor<2x4xf32> {plan.object = #plan.object<residual, "0">}) attributes {plan.task = #plan.task<forward>} {
    // expected-error @below {{cannot divide operand 0: dimension of size 2 does not divide over dp = 4}}
    %0 = tensor.expand_shape %x [[0, 1]] output_shape [2, 4] : tensor<8xf32> into tensor<2x4xf32>
    return %0 : tensor<2x4xf32>
  }
}

// -----

// A running sum cannot be cut where it runs, and what follows goes on without it.
module attributes {plan.mesh = #plan.mesh<dp = 2, mb = 1>} {
  func.func @forward(%x: tensor<8xf32> {plan.object = #plan.object<input, "x">})
      -> (tensor<8xf32> {plan.object = #plan.object<residual, "0">}) attributes {plan.task = #plan.task<forward>} {
    // expected-error @below {{cannot be cut as its assignment says}}
    %0 = model.cumulative_sum %x dim 0 {plan.assignment = #plan.assignment<[[dp]]>} : tensor<8xf32>
    // expected-error @below {{cannot be cut as its assignment says}}
    %1 = model.cumulative_sum %0 dim 0 {plan.assignment = #plan.assignment<[[], [dp]]>} : tensor<8xf32>
    return %1 : tensor<8xf32>
  }
}

// -----

module attributes {plan.mesh = #plan.mesh<dp = 3, mb = 1>} {
  // expected-error @below {{input "x" of type 'tensor<8xf32>' cannot lie as #plan.layout<[[dp]]> on #plan.mesh<dp = 3, mb = 1>}}
  func.func @forward(%x: tensor<8xf32> {plan.layout = #plan.layout<[[dp]]>, plan.object = #plan.object<input, "x">})
      attributes {plan.task = #plan.task<forward>} {
    return
  }
}
