// Pins that do not fit, all at once, each with argument, dimension, size and axis.
// RUN: plan-opt %s --shard-pin-arguments --split-input-file --verify-diagnostics

module attributes {
  plan.mesh = #plan.mesh<dp = 2, tp = 4, mb = 2>,
  plan.strategy = #plan.strategy<pins = {
    "order" = #plan.layout<[[ep, dp, tp], [cp]]>, "c" = #plan.layout<[[]]>, "kernel_1" = #plan.layout<[[], []]>, "q" = #plan.layout<[]>,
    "kernel_0" = #plan.layout<[[tp], []]>, "kernel_2" = #plan.layout<[[mb], [tp, dp]]>,
    "scale" = #plan.layout<[[tp]]>, "x" = #plan.layout<[[dp], [], []]>,
    "y" = #plan.layout<[[mb, dp], [cp]]>}>
} {
  // expected-error @below {{the strategy pins "c", but the model uses no parameter or input of that name}}
  // expected-error @below {{the strategy pins "kernel_1", but the model uses no parameter or input of that name; did you mean "kernel_0"?}}
  // expected-error @below {{the strategy pins "q", but the model uses no parameter or input of that name}}
  func.func @forward(
      // expected-error @below {{the strategy pins dimension 0 of parameter "kernel_0" on tp = 4, but its size of 6 does not divide}}
      %0: tensor<6x8xf32> {plan.object = #plan.object<parameter, "kernel_0">},
      // expected-error @below {{the strategy pins dimension 0 of parameter "kernel_2" on mb = 2, but all micro-batches use all of a parameter}}
      // expected-error @below {{the strategy pins dimension 1 of parameter "kernel_2" on tp = 4 x dp = 2, but its size of 12 does not divide}}
      %1: tensor<8x12xf32> {plan.object = #plan.object<parameter, "kernel_2">},
      // expected-error @below {{the strategy pins 1 dimensions of parameter "scale", but it has 0: its type is 'tensor<f32>'}}
      %2: tensor<f32> {plan.object = #plan.object<parameter, "scale">},
      // expected-error @below {{the strategy pins 3 dimensions of input "x", but it has 2: its type is 'tensor<8x6xf32>'}}
      %3: tensor<8x6xf32> {plan.object = #plan.object<input, "x">},
      // expected-error @below {{the strategy pins dimension 0 of input "y" on mb = 2 x dp = 2, but mb comes last: it cuts what one rank has}}
      %y: tensor<8x6xf32> {plan.object = #plan.object<input, "y">},
      // expected-error @below {{the strategy pins dimension 0 of parameter "order" on ep = 1 x dp = 2 x tp = 4, but dp comes last: the parameter is gathered over it before use}}
      %order: tensor<8x6xf32> {plan.object = #plan.object<parameter, "order">},
      %4: tensor<4xf32> {plan.object = #plan.object<constant, "c">}) attributes {plan.task = #plan.task<forward>} {
    return
  }
}

// -----

// expected-error @below {{has no mesh: expected the attribute "plan.mesh"}}
module attributes {plan.strategy = #plan.strategy<pins = {"w" = #plan.layout<[]>}>} {}

// -----

// expected-error @below {{the strategy pins "w", but the model uses no parameter or input of that name}}
module attributes {plan.mesh = #plan.mesh<dp = 2>, plan.strategy = #plan.strategy<pins = {"w" = #plan.layout<[]>}>} {}

// -----

// As many blocks as no number holds.
module attributes {
  plan.mesh = #plan.mesh<dp = 4611686018427387904, tp = 4>,
  plan.strategy = #plan.strategy<pins = {"w" = #plan.layout<[[tp, dp]]>}>
} {
  // expected-error @below {{the strategy pins dimension 0 of parameter "w" on tp = 4 x dp = 4611686018427387904, but its size of 8 does not divide}}
  func.func @forward(%w: tensor<8xf32> {plan.object = #plan.object<parameter, "w">}) attributes {plan.task = #plan.task<forward>} {
    return
  }
}
