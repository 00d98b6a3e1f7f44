// What is wrong with an entry function is said in words that name the usual cause.
// RUN: split-file %s %t
// RUN: plan-opt --stablehlo-check-entry %t/good.mlir -o /dev/null
// RUN: not plan-opt --stablehlo-check-entry %t/none.mlir 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: not plan-opt --stablehlo-check-entry %t/several.mlir 2>&1 | FileCheck %s --check-prefix=SEVERAL
// RUN: not plan-opt --stablehlo-check-entry %t/rank.mlir 2>&1 | FileCheck %s --check-prefix=RANK
// RUN: not plan-opt --stablehlo-check-entry %t/integer.mlir 2>&1 | FileCheck %s --check-prefix=INTEGER
// RUN: not plan-opt --stablehlo-check-entry %t/declared.mlir 2>&1 | FileCheck %s --check-prefix=DECLARED

//--- good.mlir
func.func @main(%x: tensor<bf16>) -> tensor<bf16> { return %x : tensor<bf16> }
//--- none.mlir
// NONE: error: the module has no function @main to start from
func.func @loss(%x: tensor<f32>) -> tensor<f32> { return %x : tensor<f32> }
//--- several.mlir
// SEVERAL: error: @main returns 2 values, but it must return exactly one, the scalar loss
func.func @main(%x: tensor<f32>) -> (tensor<f32>, tensor<f32>) { return %x, %x : tensor<f32>, tensor<f32> }
//--- rank.mlir
// RANK: error: @main returns 'tensor<512xf32>', but the loss must be a scalar such as tensor<f32>
// RANK: note: if the model is meant to return a value per token
// RANK: note: torch_xla lowers a sum over an empty list of dimensions
func.func @main(%x: tensor<512xf32>) -> tensor<512xf32> { return %x : tensor<512xf32> }
//--- integer.mlir
// INTEGER: error: @main returns 'tensor<i32>', but a loss must have a floating-point type
func.func @main(%x: tensor<i32>) -> tensor<i32> { return %x : tensor<i32> }
//--- declared.mlir
// DECLARED: error: @main must have a body of one block
func.func private @main(tensor<f32>) -> tensor<f32>
