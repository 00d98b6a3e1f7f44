// What convert-tasks-to-exec says about modules that are no tasks.
// RUN: plan-opt %s --convert-tasks-to-exec --split-input-file --verify-diagnostics

// expected-error @below {{needs plan.mesh and plan.schedule}}
module {}

// -----

// expected-error @below {{schedule entry #plan.step<@forward> names no task}}
module attributes {plan.mesh = #plan.mesh<dp = 1>, plan.schedule = [#plan.step<@forward>]} {}

// -----

module attributes {plan.mesh = #plan.mesh<dp = 1>, plan.schedule = []} {
  // expected-error @below {{every argument and result of a task must be an object with plan.object and a type of a fixed size, found 'tensor<4xf32>'}}
  func.func @forward(%x: tensor<4xf32>) attributes {plan.task = #plan.task<forward>} {
    return
  }
}

// -----

module attributes {plan.mesh = #plan.mesh<dp = 1>, plan.schedule = []} {
  // expected-note @below {{but here it has type 'tensor<4xf32>'}}
  func.func @forward(%x: tensor<4xf32> {plan.object = #plan.object<input, "x">}) attributes {plan.task = #plan.task<forward>} {
    return
  }
  // expected-error @below {{#plan.object<input, "x"> has type 'tensor<8xf32>'}}
  func.func @backward(%x: tensor<8xf32> {plan.object = #plan.object<input, "x">}) attributes {plan.task = #plan.task<backward>} {
    return
  }
}

// -----

module attributes {plan.mesh = #plan.mesh<dp = 1>, plan.schedule = []} {
  func.func @forward(%x: tensor<4xf32> {plan.object = #plan.object<parameter, "x">})
      -> (tensor<4xf32> {plan.object = #plan.object<residual, "0">}) attributes {plan.task = #plan.task<forward>} {
    // expected-error @below {{has no host kernel}}
    %0 = tensor.cast %x : tensor<4xf32> to tensor<4xf32>
    return %0 : tensor<4xf32>
  }
}
