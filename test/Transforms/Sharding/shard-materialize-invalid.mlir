// Blocks cannot be made of what is not annotated.
// RUN: plan-opt %s --shard-materialize --split-input-file --verify-diagnostics

// expected-error @below {{has no mesh: expected the attribute "plan.mesh"}}
module {
}

// -----

module attributes {plan.mesh = #plan.mesh<dp = 2, mb = 1>} {
  // expected-error @below {{has arguments or results without plan.object or fitting plan.layout: run shard-propagate first}}
  func.func @forward(%x: tensor<8xf32> {plan.object = #plan.object<input, "x">}) attributes {plan.task = #plan.task<forward>} {
    return
  }
}

// -----

module attributes {plan.mesh = #plan.mesh<dp = 2, mb = 1>} {
  func.func @forward(%x: tensor<8xf32> {plan.layout = #plan.layout<[[dp]]>, plan.object = #plan.object<input, "x">})
      -> (tensor<8xf32> {plan.layout = #plan.layout<[[dp]]>, plan.object = #plan.object<residual, "0">}) attributes {plan.task = #plan.task<forward>} {
    // expected-error @below {{cannot be cut as its assignment says}}
    %0 = model.cumulative_sum %x dim 0 {plan.assignment = #plan.assignment<[[dp]]>} : tensor<8xf32>
    return %0 : tensor<8xf32>
  }
}
