// What cannot become tasks, and why.
// RUN: plan-opt %s --plan-form-tasks --split-input-file --verify-diagnostics

// expected-error @below {{has no mesh: expected the attribute "plan.mesh"}}
module {
}

// -----

// expected-error @below {{has no function @main.fwd: run model-derive first}}
module attributes {plan.mesh = #plan.mesh<dp = 2, mb = 1>} {
}

// -----

module attributes {plan.mesh = #plan.mesh<dp = 2, mb = 1>} {
  func.func private @layer(tensor<f32>) -> tensor<f32>
  func.func @main.fwd(%x: tensor<f32> {model.argument = #model.argument<input, name = "x">}) -> tensor<f32> {
    // expected-error @below {{in a task: tasks have no calls, run inline first}}
    %0 = call @layer(%x) : (tensor<f32>) -> tensor<f32>
    return %0 : tensor<f32>
  }
  func.func @main.bwd(%x: tensor<f32> {model.argument = #model.argument<input, name = "x">}) {
    return
  }
}

// -----

module attributes {plan.mesh = #plan.mesh<dp = 2, mb = 1>} {
  // expected-error @below {{argument 0 has no model.argument}}
  func.func @main.fwd(%x: tensor<f32>) -> tensor<f32> {
    return %x : tensor<f32>
  }
  func.func @main.bwd(%x: tensor<f32>) {
    return
  }
}

// -----

module attributes {plan.mesh = #plan.mesh<dp = 2, mb = 1>} {
  // expected-error @below {{expected the loss, a tensor of one float, as first result}}
  func.func @main.fwd(%x: tensor<2xf32> {model.argument = #model.argument<input, name = "x">}) -> tensor<2xf32> {
    return %x : tensor<2xf32>
  }
  func.func @main.bwd(%x: tensor<2xf32> {model.argument = #model.argument<input, name = "x">}) {
    return
  }
}

// -----

module attributes {plan.mesh = #plan.mesh<dp = 2, mb = 1>} {
  func.func @main.fwd(%x: tensor<f32> {model.argument = #model.argument<input, name = "x">}) -> (tensor<f32>, tensor<f32>) {
    return %x, %x : tensor<f32>, tensor<f32>
  }
  // expected-error @below {{has 1 arguments, expected forward's 1 and 1 residuals}}
  func.func @main.bwd(%x: tensor<f32> {model.argument = #model.argument<input, name = "x">}) {
    return
  }
}

// -----

module attributes {plan.mesh = #plan.mesh<dp = 2, mb = 1>} {
  func.func @main.fwd(%w: tensor<f32> {model.argument = #model.argument<parameter, name = "w">}) -> tensor<f32> {
    return %w : tensor<f32>
  }
  // expected-error @below {{result 0 has no plan.object}}
  func.func @main.bwd(%w: tensor<f32> {model.argument = #model.argument<parameter, name = "w">}) -> tensor<f32> {
    return %w : tensor<f32>
  }
}

// -----

module attributes {plan.mesh = #plan.mesh<dp = 1, mb = 1>} {
  func.func @main.fwd(%w: tensor<f32> {model.argument = #model.argument<parameter, name = "w">}) -> tensor<f32> {
    return %w : tensor<f32>
  }
  func.func @main.bwd(%w: tensor<f32> {model.argument = #model.argument<parameter, name = "w">}) {
    return
  }
  // expected-error @below {{argument 0 has no plan.object}}
  func.func @update(%w: tensor<f32>) {
    return
  }
}

// -----

module attributes {plan.mesh = #plan.mesh<dp = 1, mb = 1>} {
  func.func @main.fwd(%w: tensor<f32> {model.argument = #model.argument<parameter, name = "w">}) -> tensor<f32> {
    return %w : tensor<f32>
  }
  func.func @main.bwd(%w: tensor<f32> {model.argument = #model.argument<parameter, name = "w">}) {
    return
  }
  // expected-error @below {{result 0 has no plan.object}}
  func.func @update(%w: tensor<f32> {plan.object = #plan.object<parameter, "w">}) -> tensor<f32> {
    return %w : tensor<f32>
  }
}

// -----

// The batch does not divide: the message names argument, dimension, size and axes.
module attributes {plan.mesh = #plan.mesh<dp = 3, mb = 1>} {
  // expected-error @below {{batch size 8 does not divide over dp = 3: dimension 0 of input "x" has type 'tensor<8xf32>'}}
  func.func @main.fwd(%w: tensor<f32> {model.argument = #model.argument<parameter, name = "w">},
                      %x: tensor<8xf32> {model.argument = #model.argument<input, name = "x", batchDim = 0>}) -> tensor<f32> {
    return %w : tensor<f32>
  }
  func.func @main.bwd(%w: tensor<f32> {model.argument = #model.argument<parameter, name = "w">},
                      %x: tensor<8xf32> {model.argument = #model.argument<input, name = "x", batchDim = 0>}) {
    return
  }
}

// -----

module attributes {plan.mesh = #plan.mesh<dp = 2, mb = 1>} {
  // expected-error @below {{input "x" has no dimension 1, its type is 'tensor<8xf32>'}}
  func.func @main.fwd(%x: tensor<8xf32> {model.argument = #model.argument<input, name = "x", batchDim = 1>},
                      %w: tensor<f32> {model.argument = #model.argument<parameter, name = "w">}) -> tensor<f32> {
    return %w : tensor<f32>
  }
  func.func @main.bwd(%x: tensor<8xf32> {model.argument = #model.argument<input, name = "x", batchDim = 1>},
                      %w: tensor<f32> {model.argument = #model.argument<parameter, name = "w">}) {
    return
  }
}

// -----

// A norm over the batch depends on the parameter: no micro-batch could go on before the last one has come.
module attributes {plan.mesh = #plan.mesh<dp = 1, mb = 2>} {
  func.func @main.fwd(%w: tensor<8xf32> {model.argument = #model.argument<parameter, name = "w">},
                      %x: tensor<8x8xf32> {model.argument = #model.argument<input, name = "x", batchDim = 0>}) -> tensor<f32> {
    %zero = arith.constant 0.0 : f32
    %0 = tensor.empty() : tensor<f32>
    %1 = linalg.fill ins(%zero : f32) outs(%0 : tensor<f32>) -> tensor<f32>
    // expected-note @below {{summed over the batch here}}
    %2 = linalg.generic {indexing_maps = [affine_map<(b, f) -> (b, f)>, affine_map<(b, f) -> (f)>, affine_map<(b, f) -> ()>],
                         iterator_types = ["reduction", "reduction"]}
        ins(%x, %w : tensor<8x8xf32>, tensor<8xf32>) outs(%1 : tensor<f32>) {
    ^bb0(%a: f32, %b: f32, %o: f32):
      %p = arith.mulf %a, %b : f32
      %s = arith.addf %o, %p : f32
      linalg.yield %s : f32
    } -> tensor<f32>
    // expected-error @below {{is not linear in the micro-batch: operand 0 is a sum over mb = 2 that is complete only after the last micro-batch, and it depends on parameter "w"}}
    %3 = linalg.generic {indexing_maps = [affine_map<() -> ()>, affine_map<() -> ()>], iterator_types = []}
        ins(%2 : tensor<f32>) outs(%0 : tensor<f32>) {
    ^bb0(%a: f32, %o: f32):
      %r = math.sqrt %a : f32
      linalg.yield %r : f32
    } -> tensor<f32>
    return %3 : tensor<f32>
  }
  func.func @main.bwd(%w: tensor<8xf32> {model.argument = #model.argument<parameter, name = "w">},
                      %x: tensor<8x8xf32> {model.argument = #model.argument<input, name = "x", batchDim = 0>}) {
    return
  }
}
