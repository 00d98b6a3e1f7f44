// What no host kernel can be made of is refused where it stands, by the operation's name and with the reason.
// RUN: not kernel-run %s 2>&1 | FileCheck %s

#id = affine_map<(i) -> (i)>

func.func @no_kernel(%x: tensor<4xf32>) -> tensor<?xf32> {
  // CHECK-DAG: invalid.mlir:[[#@LINE+1]]:{{.*}}: error: 'tensor.cast' op has no host kernel
  %0 = tensor.cast %x : tensor<4xf32> to tensor<?xf32>
  return %0 : tensor<?xf32>
}

func.func @memref(%x: memref<4xf32>) {
  // CHECK-DAG: [[#@LINE+1]]:{{.*}}: error: 'linalg.exp' op is not an operation on tensors
  linalg.exp ins(%x : memref<4xf32>) outs(%x : memref<4xf32>)
  return
}

func.func @computed_scalar(%s: f32) -> tensor<4xf32> {
  %e = tensor.empty() : tensor<4xf32>
  // CHECK-DAG: [[#@LINE+1]]:{{.*}}: error: 'linalg.fill' op reads a scalar that is not constant
  %0 = linalg.fill ins(%s : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

func.func @dynamic(%x: tensor<?xf32>) -> tensor<?xf32> {
  // CHECK-DAG: [[#@LINE+1]]:{{.*}}: error: 'linalg.exp' op has an operand of unknown shape: 'tensor<?xf32>'
  %0 = linalg.exp ins(%x : tensor<?xf32>) outs(%x : tensor<?xf32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

func.func @no_permutation(%x: tensor<8xf32>) -> tensor<4xf32> {
  %e = tensor.empty() : tensor<4xf32>
  // CHECK-DAG: [[#@LINE+1]]:{{.*}}: error: 'linalg.generic' op has an indexing map that is no projected permutation: affine_map<(d0) -> (d0 * 2)>
  %0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i * 2)>, #id], iterator_types = ["parallel"]}
      ins(%x : tensor<8xf32>) outs(%e : tensor<4xf32>) {
  ^bb0(%a: f32, %o: f32):
    linalg.yield %a : f32
  } -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

func.func @half_reduced(%x: tensor<4x8x2xf32>, %y: tensor<4x8xf32>) -> tensor<4x8xf32> {
  // CHECK-DAG: [[#@LINE+1]]:{{.*}}: error: 'linalg.generic' op has an output over some of its reduction loops: affine_map<(d0, d1, d2) -> (d0, d1)>
  %0 = linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, j, k)>, affine_map<(i, j, k) -> (i, j)>],
                       iterator_types = ["parallel", "reduction", "reduction"]}
      ins(%x : tensor<4x8x2xf32>) outs(%y : tensor<4x8xf32>) {
  ^bb0(%a: f32, %o: f32):
    %s = arith.addf %a, %o : f32
    linalg.yield %s : f32
  } -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

func.func @body_of_tensors(%x: tensor<4xf32>) -> tensor<4xf32> {
  // CHECK-DAG: [[#@LINE+1]]:{{.*}}: error: 'linalg.generic' op has a body that no kernel can be made of: it calls tensor.extract
  %0 = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel"]} outs(%x : tensor<4xf32>) {
  ^bb0(%o: f32):
    %i = linalg.index 0 : index
    %a = tensor.extract %x[%i] : tensor<4xf32>
    linalg.yield %a : f32
  } -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

func.func @body_captures(%x: tensor<4xf32>, %s: f32) -> tensor<4xf32> {
  // CHECK-DAG: [[#@LINE+1]]:{{.*}}: error: 'linalg.generic' op has a body that captures a value from outside
  %0 = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel"]} outs(%x : tensor<4xf32>) {
  ^bb0(%o: f32):
    %a = arith.addf %o, %s : f32
    linalg.yield %a : f32
  } -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

func.func @computed_slice(%x: tensor<8xf32>, %i: index) -> tensor<4xf32> {
  // CHECK-DAG: [[#@LINE+1]]:{{.*}}: error: 'tensor.extract_slice' op has offsets, sizes or strides that are not constant
  %0 = tensor.extract_slice %x[%i] [4] [1] : tensor<8xf32> to tensor<4xf32>
  return %0 : tensor<4xf32>
}

func.func @computed_padding(%x: tensor<4xf32>, %s: f32) -> tensor<6xf32> {
  // CHECK-DAG: [[#@LINE+1]]:{{.*}}: error: 'tensor.pad' op pads with a value that is not constant
  %0 = tensor.pad %x low[1] high[1] {
  ^bb0(%i: index):
    tensor.yield %s : f32
  } : tensor<4xf32> to tensor<6xf32>
  return %0 : tensor<6xf32>
}

func.func @computed_width(%x: tensor<4xf32>, %w: index) -> tensor<?xf32> {
  %zero = arith.constant 0.0 : f32
  // CHECK-DAG: [[#@LINE+1]]:{{.*}}: error: 'tensor.pad' op pads by widths that are not constant
  %0 = tensor.pad %x low[%w] high[1] {
  ^bb0(%i: index):
    tensor.yield %zero : f32
  } : tensor<4xf32> to tensor<?xf32>
  return %0 : tensor<?xf32>
}

func.func @negative_width(%x: tensor<4xf32>) -> tensor<2xf32> {
  %zero = arith.constant 0.0 : f32
  // CHECK-DAG: [[#@LINE+1]]:{{.*}}: error: 'tensor.pad' op pads by a negative width
  %0 = tensor.pad %x low[-1] high[-1] {
  ^bb0(%i: index):
    tensor.yield %zero : f32
  } : tensor<4xf32> to tensor<2xf32>
  return %0 : tensor<2xf32>
}

func.func @dynamic_concat(%x: tensor<?xf32>, %y: tensor<4xf32>) -> tensor<?xf32> {
  // CHECK-DAG: [[#@LINE+1]]:{{.*}}: error: 'tensor.concat' op has a result of unknown shape
  %0 = tensor.concat dim(0) %x, %y : (tensor<?xf32>, tensor<4xf32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

// CHECK: 13 functions, 13 failed
