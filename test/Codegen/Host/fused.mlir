// Whole pieces of a model as fused kernels: softmax, LayerNorm forward and backward, a loss, an optimizer's step.
// RUN: kernel-run %s --fuse
// RUN: kernel-run %s

#id = affine_map<(i, j) -> (i, j)>
#tr = affine_map<(i, j) -> (j, i)>
#row = affine_map<(i, j) -> (i)>
#col = affine_map<(i, j) -> (j)>
#one = affine_map<(i) -> (i)>

func.func @softmax(%x: tensor<33x77xf32>) -> (tensor<33x77xf32>, tensor<33xf32>) {
  %zero = arith.constant 0.0 : f32
  %low = arith.constant 0xFF800000 : f32
  %e = tensor.empty() : tensor<33x77xf32>
  %r = tensor.empty() : tensor<33xf32>
  %f = linalg.fill ins(%zero : f32) outs(%r : tensor<33xf32>) -> tensor<33xf32>
  %g = linalg.fill ins(%low : f32) outs(%r : tensor<33xf32>) -> tensor<33xf32>
  %max = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<33x77xf32>) outs(%g : tensor<33xf32>) {
  ^bb0(%a: f32, %o: f32):
    %t = arith.maximumf %o, %a : f32
    linalg.yield %t : f32
  } -> tensor<33xf32>
  %exp = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %max : tensor<33x77xf32>, tensor<33xf32>) outs(%e : tensor<33x77xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %s = arith.subf %a, %b : f32
    %t = math.exp %s : f32
    linalg.yield %t : f32
  } -> tensor<33x77xf32>
  %sum = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%exp : tensor<33x77xf32>) outs(%f : tensor<33xf32>) {
  ^bb0(%a: f32, %o: f32):
    %t = arith.addf %o, %a : f32
    linalg.yield %t : f32
  } -> tensor<33xf32>
  %p = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%exp, %sum : tensor<33x77xf32>, tensor<33xf32>) outs(%e : tensor<33x77xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %t = arith.divf %a, %b : f32
    linalg.yield %t : f32
  } -> tensor<33x77xf32>
  return %p, %sum : tensor<33x77xf32>, tensor<33xf32>
}

func.func @layer_norm(%x: tensor<48x96xf32>, %y: tensor<48x96xf32>, %g: tensor<96xf32>, %b: tensor<96xf32>)
    -> (tensor<48x96xf32>, tensor<48x96xf32>, tensor<48xf32>, tensor<48xf32>) attributes {test.tolerance = 1.0e-5} {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<48x96xf32>
  %r = tensor.empty() : tensor<48xf32>
  %f = linalg.fill ins(%zero : f32) outs(%r : tensor<48xf32>) -> tensor<48xf32>
  %h = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %y : tensor<48x96xf32>, tensor<48x96xf32>) outs(%e : tensor<48x96xf32>) {
  ^bb0(%a: f32, %d: f32, %o: f32):
    %t = arith.addf %a, %d : f32
    linalg.yield %t : f32
  } -> tensor<48x96xf32>
  %sum = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%h : tensor<48x96xf32>) outs(%f : tensor<48xf32>) {
  ^bb0(%a: f32, %o: f32):
    %t = arith.addf %o, %a : f32
    linalg.yield %t : f32
  } -> tensor<48xf32>
  %mean = linalg.generic {indexing_maps = [#one, #one], iterator_types = ["parallel"]} ins(%sum : tensor<48xf32>) outs(%r : tensor<48xf32>) {
  ^bb0(%a: f32, %o: f32):
    %n = arith.constant 96.0 : f32
    %t = arith.divf %a, %n : f32
    linalg.yield %t : f32
  } -> tensor<48xf32>
  %square = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%h, %mean : tensor<48x96xf32>, tensor<48xf32>) outs(%e : tensor<48x96xf32>) {
  ^bb0(%a: f32, %m: f32, %o: f32):
    %d = arith.subf %a, %m : f32
    %t = arith.mulf %d, %d : f32
    linalg.yield %t : f32
  } -> tensor<48x96xf32>
  %squares = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%square : tensor<48x96xf32>) outs(%f : tensor<48xf32>) {
  ^bb0(%a: f32, %o: f32):
    %t = arith.addf %o, %a : f32
    linalg.yield %t : f32
  } -> tensor<48xf32>
  %scale = linalg.generic {indexing_maps = [#one, #one], iterator_types = ["parallel"]} ins(%squares : tensor<48xf32>) outs(%r : tensor<48xf32>) {
  ^bb0(%a: f32, %o: f32):
    %n = arith.constant 96.0 : f32
    %eps = arith.constant 1.0e-5 : f32
    %v = arith.divf %a, %n : f32
    %s = arith.addf %v, %eps : f32
    %t = math.rsqrt %s : f32
    linalg.yield %t : f32
  } -> tensor<48xf32>
  %z = linalg.generic {indexing_maps = [#id, #row, #row, #col, #col, #id], iterator_types = ["parallel", "parallel"]}
      ins(%h, %mean, %scale, %g, %b : tensor<48x96xf32>, tensor<48xf32>, tensor<48xf32>, tensor<96xf32>, tensor<96xf32>) outs(%e : tensor<48x96xf32>) {
  ^bb0(%a: f32, %m: f32, %s: f32, %gg: f32, %bb: f32, %o: f32):
    %d = arith.subf %a, %m : f32
    %n = arith.mulf %d, %s : f32
    %w = arith.mulf %n, %gg : f32
    %t = arith.addf %w, %bb : f32
    linalg.yield %t : f32
  } -> tensor<48x96xf32>
  return %z, %h, %mean, %scale : tensor<48x96xf32>, tensor<48x96xf32>, tensor<48xf32>, tensor<48xf32>
}

// Gradients of scale and shift: two column sums, one of a product that is also summed along rows.
func.func @layer_norm_gradients(%h: tensor<48x96xf32>, %mean: tensor<48xf32>, %scale: tensor<48xf32>, %dy: tensor<48x96xf32>)
    -> (tensor<96xf32>, tensor<96xf32>, tensor<48xf32>) attributes {test.tolerance = 1.0e-5} {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<48x96xf32>
  %r = tensor.empty() : tensor<48xf32>
  %c = tensor.empty() : tensor<96xf32>
  %fr = linalg.fill ins(%zero : f32) outs(%r : tensor<48xf32>) -> tensor<48xf32>
  %fc = linalg.fill ins(%zero : f32) outs(%c : tensor<96xf32>) -> tensor<96xf32>
  %n = linalg.generic {indexing_maps = [#id, #row, #row, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%h, %mean, %scale, %dy : tensor<48x96xf32>, tensor<48xf32>, tensor<48xf32>, tensor<48x96xf32>) outs(%e : tensor<48x96xf32>) {
  ^bb0(%a: f32, %m: f32, %s: f32, %d: f32, %o: f32):
    %t = arith.subf %a, %m : f32
    %u = arith.mulf %t, %s : f32
    %v = arith.mulf %u, %d : f32
    linalg.yield %v : f32
  } -> tensor<48x96xf32>
  %dg = linalg.generic {indexing_maps = [#tr, #row], iterator_types = ["parallel", "reduction"]}
      ins(%n : tensor<48x96xf32>) outs(%fc : tensor<96xf32>) {
  ^bb0(%a: f32, %o: f32):
    %t = arith.addf %o, %a : f32
    linalg.yield %t : f32
  } -> tensor<96xf32>
  %db = linalg.generic {indexing_maps = [#tr, #row], iterator_types = ["parallel", "reduction"]}
      ins(%dy : tensor<48x96xf32>) outs(%fc : tensor<96xf32>) {
  ^bb0(%a: f32, %o: f32):
    %t = arith.addf %o, %a : f32
    linalg.yield %t : f32
  } -> tensor<96xf32>
  %rs = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%n : tensor<48x96xf32>) outs(%fr : tensor<48xf32>) {
  ^bb0(%a: f32, %o: f32):
    %t = arith.addf %o, %a : f32
    linalg.yield %t : f32
  } -> tensor<48xf32>
  return %dg, %db, %rs : tensor<96xf32>, tensor<96xf32>, tensor<48xf32>
}

// The logit of the label as a masked sum, and a loss that is split.
func.func @loss(%x: tensor<700x128xf32>, %label: tensor<700xi32>) -> tensor<f32> attributes {test.tolerance = 1.0e-4} {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<700x128xf32>
  %s = tensor.empty() : tensor<f32>
  %f = linalg.fill ins(%zero : f32) outs(%s : tensor<f32>) -> tensor<f32>
  %hot = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %label : tensor<700x128xf32>, tensor<700xi32>) outs(%e : tensor<700x128xf32>) {
  ^bb0(%a: f32, %l: i32, %o: f32):
    %c = arith.constant 0.0 : f32
    %j = linalg.index 1 : index
    %k = arith.index_cast %j : index to i32
    %is = arith.cmpi eq, %k, %l : i32
    %t = arith.select %is, %a, %c : f32
    linalg.yield %t : f32
  } -> tensor<700x128xf32>
  %sum = linalg.generic {indexing_maps = [#id, affine_map<(i, j) -> ()>], iterator_types = ["reduction", "reduction"]}
      ins(%hot : tensor<700x128xf32>) outs(%f : tensor<f32>) {
  ^bb0(%a: f32, %o: f32):
    %t = arith.addf %o, %a : f32
    linalg.yield %t : f32
  } -> tensor<f32>
  return %sum : tensor<f32>
}

func.func @sgd(%p: tensor<5000xf32>, %g: tensor<5000xf32>, %lr: tensor<f32>) -> tensor<5000xf32> {
  %e = tensor.empty() : tensor<5000xf32>
  %step = linalg.generic {indexing_maps = [#one, affine_map<(i) -> ()>, #one], iterator_types = ["parallel"]}
      ins(%g, %lr : tensor<5000xf32>, tensor<f32>) outs(%e : tensor<5000xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %t = arith.mulf %a, %b : f32
    linalg.yield %t : f32
  } -> tensor<5000xf32>
  %q = linalg.generic {indexing_maps = [#one, #one], iterator_types = ["parallel"]} ins(%step : tensor<5000xf32>) outs(%p : tensor<5000xf32>) {
  ^bb0(%a: f32, %o: f32):
    %t = arith.subf %o, %a : f32
    linalg.yield %t : f32
  } -> tensor<5000xf32>
  return %q : tensor<5000xf32>
}
