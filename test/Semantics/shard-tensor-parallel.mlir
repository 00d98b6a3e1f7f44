// Tensor parallel columns, then rows, then columns again with a cross-entropy over divided classes, beside ranks and micro-batches:
// the general machinery does it from pinned parameters alone, and the numbers are those of the whole program.
// RUN: plan-opt %s --model-derive -o %t.whole.mlir
// RUN: plan-opt %t.whole.mlir --plan-form-tasks --shard-propagate --shard-materialize --plan-verify-tasks -o %t.sharded.mlir
// RUN: FileCheck %s --input-file %t.sharded.mlir --implicit-check-not=comm.
// RUN: reference-run %t.sharded.mlir --ranks-from-mesh --against %t.whole.mlir --f64

// Forward: one sum of activations after the rows; maximum, sum of exponentials and the label's logit of the cross-entropy.
// CHECK-LABEL: func.func @forward
// CHECK:       comm.all_reduce %{{.*}} axes = ["tp"] combiner = sum : tensor<2x8xf32>
// CHECK:       comm.all_reduce %{{.*}} axes = ["tp"] combiner = max : tensor<2xf32>
// CHECK-COUNT-2: comm.all_reduce %{{.*}} axes = ["tp"] combiner = sum : tensor<2xf32>

// Backward: one sum of activation gradients before the rows.
// CHECK-LABEL: func.func @backward
// CHECK-COUNT-2: comm.all_reduce %{{.*}} axes = ["tp"] combiner = sum : tensor<2xf32>
// CHECK:       comm.all_reduce %{{.*}} axes = ["tp"] combiner = sum : tensor<2x8xf32>

// Once a step: the loss, the divided parameters over dp, the undivided bias over both.
// CHECK-LABEL: func.func @reduce
// CHECK:       comm.all_reduce %{{.*}} axes = ["dp"] combiner = sum : tensor<f32>
// CHECK:       comm.all_reduce {{.*}} axes = ["dp"] combiner = sum : tensor<4x3xf32>, tensor<3xf32>, tensor<3x8xf32>, tensor<8x3xf32>
// CHECK:       comm.all_reduce {{.*}} axes = ["dp", "tp"] combiner = sum : tensor<8xf32>
module attributes {plan.mesh = #plan.mesh<dp = 2, tp = 2, mb = 2>} {
  func.func @main(%w1: tensor<4x6xf32> {model.argument = #model.argument<parameter, name = "w1">, plan.layout = #plan.layout<[[], [tp]]>},
                  %b1: tensor<6xf32> {model.argument = #model.argument<parameter, name = "b1">, plan.layout = #plan.layout<[[tp]]>},
                  %w2: tensor<6x8xf32> {model.argument = #model.argument<parameter, name = "w2">, plan.layout = #plan.layout<[[tp], []]>},
                  %b2: tensor<8xf32> {model.argument = #model.argument<parameter, name = "b2">},
                  %w3: tensor<8x6xf32> {model.argument = #model.argument<parameter, name = "w3">, plan.layout = #plan.layout<[[], [tp]]>},
                  %x: tensor<8x4xf32> {model.argument = #model.argument<input, name = "x", batchDim = 0>},
                  %y: tensor<8xi32> {model.argument = #model.argument<label, name = "y", batchDim = 0>}) -> tensor<f32> {
    %zero = arith.constant 0.0 : f32
    %lowest = arith.constant 0xFF800000 : f32
    %e86 = tensor.empty() : tensor<8x6xf32>
    %z86 = linalg.fill ins(%zero : f32) outs(%e86 : tensor<8x6xf32>) -> tensor<8x6xf32>
    %h = linalg.contract indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>]
        ins(%x, %w1 : tensor<8x4xf32>, tensor<4x6xf32>) outs(%z86 : tensor<8x6xf32>) -> tensor<8x6xf32>
    %a = linalg.generic {indexing_maps = [affine_map<(b, n) -> (b, n)>, affine_map<(b, n) -> (n)>, affine_map<(b, n) -> (b, n)>], iterator_types = ["parallel", "parallel"]}
        ins(%h, %b1 : tensor<8x6xf32>, tensor<6xf32>) outs(%e86 : tensor<8x6xf32>) {
    ^bb0(%p: f32, %q: f32, %o: f32):
      %s = arith.addf %p, %q : f32
      %r = math.tanh %s : f32
      linalg.yield %r : f32
    } -> tensor<8x6xf32>
    %e88 = tensor.empty() : tensor<8x8xf32>
    %z88 = linalg.fill ins(%zero : f32) outs(%e88 : tensor<8x8xf32>) -> tensor<8x8xf32>
    %g = linalg.contract indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>]
        ins(%a, %w2 : tensor<8x6xf32>, tensor<6x8xf32>) outs(%z88 : tensor<8x8xf32>) -> tensor<8x8xf32>
    %c = linalg.generic {indexing_maps = [affine_map<(b, n) -> (b, n)>, affine_map<(b, n) -> (n)>, affine_map<(b, n) -> (b, n)>], iterator_types = ["parallel", "parallel"]}
        ins(%g, %b2 : tensor<8x8xf32>, tensor<8xf32>) outs(%e88 : tensor<8x8xf32>) {
    ^bb0(%p: f32, %q: f32, %o: f32):
      %s = arith.addf %p, %q : f32
      %r = math.tanh %s : f32
      linalg.yield %r : f32
    } -> tensor<8x8xf32>
    %l = linalg.contract indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>]
        ins(%c, %w3 : tensor<8x8xf32>, tensor<8x6xf32>) outs(%z86 : tensor<8x6xf32>) -> tensor<8x6xf32>
    %e8 = tensor.empty() : tensor<8xf32>
    %m8 = linalg.fill ins(%lowest : f32) outs(%e8 : tensor<8xf32>) -> tensor<8xf32>
    %z8 = linalg.fill ins(%zero : f32) outs(%e8 : tensor<8xf32>) -> tensor<8xf32>
    %m = linalg.generic {indexing_maps = [affine_map<(b, n) -> (b, n)>, affine_map<(b, n) -> (b)>], iterator_types = ["parallel", "reduction"]}
        ins(%l : tensor<8x6xf32>) outs(%m8 : tensor<8xf32>) {
    ^bb0(%p: f32, %o: f32):
      %r = arith.maximumf %o, %p : f32
      linalg.yield %r : f32
    } -> tensor<8xf32>
    %e = linalg.generic {indexing_maps = [affine_map<(b, n) -> (b, n)>, affine_map<(b, n) -> (b)>, affine_map<(b, n) -> (b, n)>], iterator_types = ["parallel", "parallel"]}
        ins(%l, %m : tensor<8x6xf32>, tensor<8xf32>) outs(%e86 : tensor<8x6xf32>) {
    ^bb0(%p: f32, %q: f32, %o: f32):
      %d = arith.subf %p, %q : f32
      linalg.yield %d : f32
    } -> tensor<8x6xf32>
    %s = linalg.generic {indexing_maps = [affine_map<(b, n) -> (b, n)>, affine_map<(b, n) -> (b)>], iterator_types = ["parallel", "reduction"]}
        ins(%e : tensor<8x6xf32>) outs(%z8 : tensor<8xf32>) {
    ^bb0(%p: f32, %o: f32):
      %q = math.exp %p : f32
      %r = arith.addf %o, %q : f32
      linalg.yield %r : f32
    } -> tensor<8xf32>
    %k = linalg.generic {indexing_maps = [affine_map<(b, n) -> (b, n)>, affine_map<(b, n) -> (b)>, affine_map<(b, n) -> (b)>], iterator_types = ["parallel", "reduction"]}
        ins(%e, %y : tensor<8x6xf32>, tensor<8xi32>) outs(%z8 : tensor<8xf32>) {
    ^bb0(%p: f32, %t: i32, %o: f32):
      %z = arith.constant 0.0 : f32
      %n = linalg.index 1 : index
      %i = arith.index_cast %n : index to i32
      %hit = arith.cmpi eq, %i, %t : i32
      %v = arith.select %hit, %p, %z : f32
      %r = arith.addf %o, %v : f32
      linalg.yield %r : f32
    } -> tensor<8xf32>
    %e0 = tensor.empty() : tensor<f32>
    %z0 = linalg.fill ins(%zero : f32) outs(%e0 : tensor<f32>) -> tensor<f32>
    %loss = linalg.generic {indexing_maps = [affine_map<(b) -> (b)>, affine_map<(b) -> (b)>, affine_map<(b) -> ()>], iterator_types = ["reduction"]}
        ins(%s, %k : tensor<8xf32>, tensor<8xf32>) outs(%z0 : tensor<f32>) {
    ^bb0(%p: f32, %q: f32, %o: f32):
      %w = math.log %p : f32
      %d = arith.subf %w, %q : f32
      %r = arith.addf %o, %d : f32
      linalg.yield %r : f32
    } -> tensor<f32>
    %mean = linalg.generic {indexing_maps = [affine_map<() -> ()>, affine_map<() -> ()>], iterator_types = []}
        ins(%loss : tensor<f32>) outs(%e0 : tensor<f32>) {
    ^bb0(%p: f32, %o: f32):
      %n = arith.constant 8.0 : f32
      %d = arith.divf %p, %n : f32
      linalg.yield %d : f32
    } -> tensor<f32>
    return %mean : tensor<f32>
  }
}
