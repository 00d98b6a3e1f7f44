// Every way in which tasks and schedule can fail to be a training step.
// RUN: plan-opt %s --plan-verify-tasks --split-input-file --verify-diagnostics

// expected-error @below {{has no mesh: expected the attribute "plan.mesh"}}
module {
}

// -----

// expected-error @below {{has no schedule: expected the attribute "plan.schedule"}}
module attributes {plan.mesh = #plan.mesh<dp = 2, mb = 1>} {
}

// -----

// expected-error @below {{schedule names no task: #plan.step<@forward, mb = 0>}}
module attributes {plan.mesh = #plan.mesh<dp = 2, mb = 1>, plan.schedule = [#plan.step<@forward, mb = 0>]} {
}

// -----

module attributes {plan.mesh = #plan.mesh<dp = 2, mb = 1>, plan.schedule = []} {
  // expected-error @below {{argument 0 has no object or no layout}}
  func.func @forward(%x: tensor<4xf32>) attributes {plan.task = #plan.task<forward>} {
    return
  }
}

// -----

module attributes {plan.mesh = #plan.mesh<dp = 2, mb = 1>, plan.schedule = []} {
  // expected-error @below {{argument 0 is no static tensor: 'f32'}}
  func.func @forward(%x: f32 {plan.layout = #plan.layout<[]>, plan.object = #plan.object<input, "x">}) attributes {plan.task = #plan.task<forward>} {
    return
  }
}

// -----

module attributes {plan.mesh = #plan.mesh<dp = 2, mb = 1>, plan.schedule = []} {
  // expected-error @below {{argument 0 of type 'tensor<4xf32>' has layout #plan.layout<[]>}}
  func.func @forward(%x: tensor<4xf32> {plan.layout = #plan.layout<[]>, plan.object = #plan.object<input, "x">}) attributes {plan.task = #plan.task<forward>} {
    return
  }
}

// -----

module attributes {plan.mesh = #plan.mesh<dp = 1, mb = 2>, plan.schedule = []} {
  // expected-error @below {{result 0 is partial over "mb": accumulate inside the task}}
  func.func @forward(%x: tensor<f32> {plan.layout = #plan.layout<[]>, plan.object = #plan.object<input, "x">})
      -> (tensor<f32> {plan.layout = #plan.layout<[], partial = {mb = sum}>, plan.object = #plan.object<loss, "loss">}) attributes {plan.task = #plan.task<forward>} {
    return %x : tensor<f32>
  }
}

// -----

// Backward believes that every rank has all rows.
module attributes {plan.mesh = #plan.mesh<dp = 2, mb = 1>, plan.schedule = []} {
  // expected-note @below {{in @forward it is 'tensor<8xf32>' on other axes or blocks}}
  func.func @forward(%x: tensor<4xf32> {plan.layout = #plan.layout<[[dp]]>, plan.object = #plan.object<input, "x">}) attributes {plan.task = #plan.task<forward>} {
    return
  }
  // expected-error @below {{argument 0, input "x", is 'tensor<8xf32>' with layout #plan.layout<[[]]>}}
  func.func @backward(%x: tensor<8xf32> {plan.layout = #plan.layout<[[]]>, plan.object = #plan.object<input, "x">}) attributes {plan.task = #plan.task<backward>} {
    return
  }
}

// -----

module attributes {plan.mesh = #plan.mesh<dp = 1, mb = 2>, plan.schedule = [#plan.step<@forward, mb = 0>]} {
  // expected-error @below {{stands 1 times in the schedule, expected 2, once for each micro-batch}}
  func.func @forward() attributes {plan.task = #plan.task<forward>} {
    return
  }
}

// -----

module attributes {plan.mesh = #plan.mesh<dp = 1, mb = 2>, plan.schedule = []} {
  // expected-error @below {{stands 0 times in the schedule, expected 1}}
  func.func @update() attributes {plan.task = #plan.task<update>} {
    return
  }
}

// -----

module attributes {plan.mesh = #plan.mesh<dp = 1, mb = 1>, plan.schedule = [#plan.step<@backward, mb = 0>]} {
  // expected-error @below {{in #plan.step<@backward, mb = 0>: residual "0" is used before any task gives it}}
  func.func @backward(%r: tensor<4xf32> {plan.layout = #plan.layout<[[]]>, plan.object = #plan.object<residual, "0">}) attributes {plan.task = #plan.task<backward>} {
    return
  }
}

// -----

// Both forwards run first, but there is one slot for residuals.
module attributes {plan.mesh = #plan.mesh<dp = 1, mb = 2>,
    plan.schedule = [#plan.step<@forward, mb = 0>, #plan.step<@forward, mb = 1>, #plan.step<@backward, mb = 0>, #plan.step<@backward, mb = 1>]} {
  func.func @forward(%x: tensor<4xf32> {plan.layout = #plan.layout<[[mb]]>, plan.object = #plan.object<input, "x">})
      -> (tensor<4xf32> {plan.layout = #plan.layout<[[mb]]>, plan.object = #plan.object<residual, "0">}) attributes {plan.task = #plan.task<forward>} {
    return %x : tensor<4xf32>
  }
  // expected-error @below {{in #plan.step<@backward, mb = 0>: residual "0" is that of micro-batch 1}}
  func.func @backward(%r: tensor<4xf32> {plan.layout = #plan.layout<[[mb]]>, plan.object = #plan.object<residual, "0">}) attributes {plan.task = #plan.task<backward>} {
    return
  }
}

// -----

// Nobody reduced the gradient.
module attributes {plan.mesh = #plan.mesh<dp = 2, mb = 1>, plan.schedule = [#plan.step<@backward, mb = 0>, #plan.step<@update>]} {
  func.func @backward(%x: tensor<f32> {plan.layout = #plan.layout<[]>, plan.object = #plan.object<input, "x">})
      -> (tensor<f32> {plan.layout = #plan.layout<[], partial = {dp = sum}>, plan.object = #plan.object<gradient, "w">}) attributes {plan.task = #plan.task<backward>} {
    return %x : tensor<f32>
  }
  // expected-error @below {{in #plan.step<@update>: gradient "w" is there as #plan.layout<[], partial = {dp = sum}>, but expected as #plan.layout<[]>}}
  func.func @update(%g: tensor<f32> {plan.layout = #plan.layout<[]>, plan.object = #plan.object<gradient, "w">}) attributes {plan.task = #plan.task<update>} {
    return
  }
}

// -----

module attributes {plan.mesh = #plan.mesh<dp = 2, mb = 1>, plan.schedule = [#plan.step<@forward, mb = 0>]} {
  func.func @forward(%x: tensor<4xf32> {plan.layout = #plan.layout<[[]]>, plan.object = #plan.object<input, "x">}) attributes {plan.task = #plan.task<forward>} {
    // expected-error @below {{still has an assignment: run shard-materialize first}}
    %0 = model.cumulative_sum %x dim 0 {plan.assignment = #plan.assignment<[[]]>} : tensor<4xf32>
    // expected-error @below {{runs over "tp", which #plan.mesh<dp = 2, mb = 1> does not have}}
    %1 = comm.all_reduce %x axes = ["tp"] combiner = sum : tensor<4xf32>
    // expected-error @below {{changes a dimension by a factor of 3, but runs over 2 ranks}}
    %2 = comm.all_gather %x dim = 0 axes = ["dp"] : tensor<4xf32> -> tensor<12xf32>
    return
  }
}
