// An operation of a dialect that nobody registered is named where it stands, with what the user can do; by the reader, by
// the conversion, and by the check of normal form.
// RUN: split-file %s %t && cp %S/../Models/gpt2-tiny/signature.json %t
// RUN: not plan-opt compile %t/model.mlir --cluster %root/examples/clusters/two-hosts.yaml --dp 1 -o %t/j.plan 2>&1 | FileCheck %s --check-prefix=READ
// RUN: not plan-opt %t/model.mlir --allow-unregistered-dialect --convert-stablehlo-to-linalg 2>&1 | FileCheck %s --check-prefix=CONVERT
// RUN: not plan-opt %t/linalg.mlir --allow-unregistered-dialect --model-verify-normal-form 2>&1 | FileCheck %s --check-prefix=VERIFY

// READ: model.mlir:2:8: error: 1 kind of operation cannot be compiled
// READ: model.mlir:2:8: note: sparse_kit.densify, 2 times, here first: its dialect is not known; export plain StableHLO

// CONVERT: model.mlir:2:8: error: 'sparse_kit.densify' op cannot be converted (2 times, here first): its dialect is not known; export plain StableHLO
// CONVERT-NOT: error:

// VERIFY: linalg.mlir:2:8: error: 'sparse_kit.densify' op has no place in normal form
// VERIFY: linalg.mlir:7:10: error: 'sparse_kit.round' op has no place in the body of a generic in normal form

//--- model.mlir
func.func @main(%x: tensor<8x4xf32>) -> tensor<8x4xf32> {
  %0 = "sparse_kit.densify"(%x) : (tensor<8x4xf32>) -> tensor<8x4xf32>
  %1 = "sparse_kit.densify"(%0) : (tensor<8x4xf32>) -> tensor<8x4xf32>
  %2 = stablehlo.add %0, %1 : tensor<8x4xf32>
  return %2 : tensor<8x4xf32>
}

//--- linalg.mlir
func.func @main(%x: tensor<8xf32>) -> tensor<8xf32> {
  %0 = "sparse_kit.densify"(%x) : (tensor<8xf32>) -> tensor<8xf32>
  %e = tensor.empty() : tensor<8xf32>
  %1 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%0 : tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%a: f32, %o: f32):
    %2 = "sparse_kit.round"(%a) : (f32) -> f32
    linalg.yield %2 : f32
  } -> tensor<8xf32>
  return %1 : tensor<8xf32>
}
