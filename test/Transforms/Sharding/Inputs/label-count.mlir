// A derived module: loss = the mean of (x w - y)^2 over all labels y >= 0, so it divides by a count of labels.
#id = affine_map<(d0, d1) -> (d0, d1)>
#none = affine_map<(d0, d1) -> ()>
#scalar = affine_map<() -> ()>
module attributes {plan.mesh = #plan.mesh<dp = 2, mb = 2>} {
  func.func @main.fwd(%w: tensor<4x3xf32> {model.argument = #model.argument<parameter, name = "w">},
                      %x: tensor<8x4xf32> {model.argument = #model.argument<input, name = "x", batchDim = 0>},
                      %y: tensor<8x3xf32> {model.argument = #model.argument<label, name = "y", batchDim = 0>})
      -> (tensor<f32>, tensor<8x3xf32>, tensor<f32>) {
    %zero = arith.constant 0.0 : f32
    %0 = tensor.empty() : tensor<8x3xf32>
    %1 = linalg.fill ins(%zero : f32) outs(%0 : tensor<8x3xf32>) -> tensor<8x3xf32>
    %xw = linalg.contract indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>]
        ins(%x, %w : tensor<8x4xf32>, tensor<4x3xf32>) outs(%1 : tensor<8x3xf32>) -> tensor<8x3xf32>
    %d = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%xw, %y : tensor<8x3xf32>, tensor<8x3xf32>) outs(%0 : tensor<8x3xf32>) {
    ^bb0(%a: f32, %b: f32, %o: f32):
      %z = arith.constant 0.0 : f32
      %s = arith.subf %a, %b : f32
      %c = arith.cmpf oge, %b, %z : f32
      %r = arith.select %c, %s, %z : f32
      linalg.yield %r : f32
    } -> tensor<8x3xf32>
    %2 = tensor.empty() : tensor<f32>
    %3 = linalg.fill ins(%zero : f32) outs(%2 : tensor<f32>) -> tensor<f32>
    %n = linalg.generic {indexing_maps = [#id, #none], iterator_types = ["reduction", "reduction"]}
        ins(%y : tensor<8x3xf32>) outs(%3 : tensor<f32>) {
    ^bb0(%b: f32, %o: f32):
      %z = arith.constant 0.0 : f32
      %one = arith.constant 1.0 : f32
      %c = arith.cmpf oge, %b, %z : f32
      %r = arith.select %c, %one, %z : f32
      %t = arith.addf %o, %r : f32
      linalg.yield %t : f32
    } -> tensor<f32>
    %sum = linalg.generic {indexing_maps = [#id, #none], iterator_types = ["reduction", "reduction"]}
        ins(%d : tensor<8x3xf32>) outs(%3 : tensor<f32>) {
    ^bb0(%b: f32, %o: f32):
      %q = arith.mulf %b, %b : f32
      %t = arith.addf %o, %q : f32
      linalg.yield %t : f32
    } -> tensor<f32>
    %loss = linalg.generic {indexing_maps = [#scalar, #scalar, #scalar], iterator_types = []}
        ins(%sum, %n : tensor<f32>, tensor<f32>) outs(%2 : tensor<f32>) {
    ^bb0(%a: f32, %b: f32, %o: f32):
      %q = arith.divf %a, %b : f32
      linalg.yield %q : f32
    } -> tensor<f32>
    return %loss, %d, %n : tensor<f32>, tensor<8x3xf32>, tensor<f32>
  }
  func.func @main.bwd(%w: tensor<4x3xf32> {model.argument = #model.argument<parameter, name = "w">},
                      %x: tensor<8x4xf32> {model.argument = #model.argument<input, name = "x", batchDim = 0>},
                      %y: tensor<8x3xf32> {model.argument = #model.argument<label, name = "y", batchDim = 0>},
                      %d: tensor<8x3xf32>, %n: tensor<f32>)
      -> (tensor<4x3xf32> {plan.object = #plan.object<gradient, "w">}) {
    %zero = arith.constant 0.0 : f32
    %0 = tensor.empty() : tensor<f32>
    %ds = linalg.generic {indexing_maps = [#scalar, #scalar], iterator_types = []}
        ins(%n : tensor<f32>) outs(%0 : tensor<f32>) {
    ^bb0(%b: f32, %o: f32):
      %two = arith.constant 2.0 : f32
      %q = arith.divf %two, %b : f32
      linalg.yield %q : f32
    } -> tensor<f32>
    %1 = tensor.empty() : tensor<8x3xf32>
    %dd = linalg.generic {indexing_maps = [#id, #none, #id], iterator_types = ["parallel", "parallel"]}
        ins(%d, %ds : tensor<8x3xf32>, tensor<f32>) outs(%1 : tensor<8x3xf32>) {
    ^bb0(%a: f32, %b: f32, %o: f32):
      %q = arith.mulf %a, %b : f32
      linalg.yield %q : f32
    } -> tensor<8x3xf32>
    %2 = tensor.empty() : tensor<4x3xf32>
    %3 = linalg.fill ins(%zero : f32) outs(%2 : tensor<4x3xf32>) -> tensor<4x3xf32>
    %dw = linalg.contract indexing_maps = [affine_map<(m, n, k) -> (k, m)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>]
        ins(%x, %dd : tensor<8x4xf32>, tensor<8x3xf32>) outs(%3 : tensor<4x3xf32>) -> tensor<4x3xf32>
    return %dw : tensor<4x3xf32>
  }
  func.func @update(%w: tensor<4x3xf32> {plan.object = #plan.object<parameter, "w">},
                    %g: tensor<4x3xf32> {plan.object = #plan.object<gradient, "w">})
      -> (tensor<4x3xf32> {plan.object = #plan.object<parameter, "w">}) {
    %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%g : tensor<4x3xf32>) outs(%w : tensor<4x3xf32>) {
    ^bb0(%a: f32, %o: f32):
      %lr = arith.constant 0.1 : f32
      %s = arith.mulf %a, %lr : f32
      %r = arith.subf %o, %s : f32
      linalg.yield %r : f32
    } -> tensor<4x3xf32>
    return %0 : tensor<4x3xf32>
  }
}
