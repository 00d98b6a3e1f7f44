// Each constraint of the normal form, broken once; all of them are reported in one run.
// RUN: not plan-opt --model-verify-normal-form %s 2>&1 | FileCheck %s
// RUN: not plan-opt --model-verify-normal-form %s 2>&1 | FileCheck %s --check-prefix=COUNT
// COUNT-COUNT-11: error:
// COUNT-NOT: error:

#id = affine_map<(d0) -> (d0)>
#all = affine_map<(d0) -> ()>

// CHECK-DAG: error: normal form has static tensors of signless integers or floats, not 'tensor<?xf32>'
func.func @dynamic(%x: tensor<?xf32>) { return }

func.func @operations(%x: tensor<4xf32>) -> tensor<4xf32> {
  // CHECK-DAG: error: 'math.exp' op has no place in normal form
  %0 = math.exp %x : tensor<4xf32>
  return %0 : tensor<4xf32>
}

func.func @maps(%x: tensor<4xf32>) -> tensor<4xf32> {
  %e = tensor.empty() : tensor<4xf32>
  // CHECK-DAG: error: 'linalg.generic' op normal form reads and writes by projected permutations
  %0 = linalg.generic {indexing_maps = [affine_map<(d0) -> (3 - d0)>, #id], iterator_types = ["parallel"]} ins(%x : tensor<4xf32>) outs(%e : tensor<4xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

func.func @open(%x: tensor<4xf32>) -> tensor<4xf32> {
  %c = arith.constant 1.0 : f32
  %e = tensor.empty() : tensor<4xf32>
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x : tensor<4xf32>) outs(%e : tensor<4xf32>) {
  ^bb0(%in: f32, %out: f32):
    // CHECK-DAG: error: 'arith.addf' op uses a value from outside its generic
    %1 = arith.addf %in, %c : f32
    linalg.yield %1 : f32
  } -> tensor<4xf32>
  %2 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x : tensor<4xf32>) outs(%e : tensor<4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %i = linalg.index 0 : index
    // CHECK-DAG: error: 'tensor.extract' op has no place in the body of a generic
    %3 = tensor.extract %x[%i] : tensor<4xf32>
    linalg.yield %3 : f32
  } -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

func.func @reductions(%x: tensor<4xf32>, %s: tensor<f32>) -> tensor<f32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<f32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<f32>) -> tensor<f32>
  // CHECK-DAG: error: 'linalg.generic' op starts its reduction at a tensor that is no constant
  %0 = linalg.generic {indexing_maps = [#id, #all], iterator_types = ["reduction"]} ins(%x : tensor<4xf32>) outs(%s : tensor<f32>) {
  ^bb0(%in: f32, %out: f32):
    %1 = arith.addf %out, %in : f32
    linalg.yield %1 : f32
  } -> tensor<f32>
  // CHECK-DAG: error: 'linalg.generic' op combines its accumulator otherwise than in the last operation
  %2 = linalg.generic {indexing_maps = [#id, #all], iterator_types = ["reduction"]} ins(%x : tensor<4xf32>) outs(%f : tensor<f32>) {
  ^bb0(%in: f32, %out: f32):
    %3 = arith.addf %out, %in : f32
    %4 = arith.mulf %3, %in : f32
    linalg.yield %4 : f32
  } -> tensor<f32>
  // CHECK-DAG: error: 'linalg.generic' op reduces without an accumulator
  %5 = linalg.generic {indexing_maps = [#id, #all], iterator_types = ["reduction"]} ins(%x : tensor<4xf32>) outs(%f : tensor<f32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<f32>
  return %0 : tensor<f32>
}

func.func @contract(%a: tensor<4xf32>, %c: tensor<f32>) -> tensor<f32> {
  // CHECK-DAG: error: 'linalg.contract' op must start at a fill of zero
  %0 = linalg.contract indexing_maps = [#id, #id, #all] ins(%a, %a : tensor<4xf32>, tensor<4xf32>) outs(%c : tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}

func.func @slices(%x: tensor<4xf32>, %v: tensor<f32>) -> tensor<6xf32> {
  %f = tensor.extract %v[] : tensor<f32>
  // CHECK-DAG: error: 'tensor.extract' op has no place in normal form
  // CHECK-DAG: error: 'tensor.pad' op pads with something that is no constant
  %0 = tensor.pad %x low[1] high[1] {
  ^bb0(%i: index):
    tensor.yield %f : f32
  } : tensor<4xf32> to tensor<6xf32>
  return %0 : tensor<6xf32>
}
