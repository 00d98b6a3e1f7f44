// What signature.json says is put on @main and its module; every disagreement is named.
// RUN: split-file %s %t
// RUN: plan-opt %t/model.mlir --model-attach-signature=file=%t/good.json | FileCheck %s
// RUN: not plan-opt %t/model.mlir --model-attach-signature=file=%t/wrong.json 2>&1 | FileCheck %s --check-prefix=WRONG
// RUN: not plan-opt %t/model.mlir --model-attach-signature=file=%t/shapes.json 2>&1 | FileCheck %s --check-prefix=SHAPES
// RUN: not plan-opt %t/model.mlir --model-attach-signature=file=%t/count.json 2>&1 | FileCheck %s --check-prefix=COUNT
// RUN: not plan-opt %t/model.mlir --model-attach-signature=file=%t/syntax.json 2>&1 | FileCheck %s --check-prefix=SYNTAX
// RUN: not plan-opt %t/model.mlir --model-attach-signature=file=%t/missing.json 2>&1 | FileCheck %s --check-prefix=MISSING

// CHECK: module attributes {model.signature = [{init = 2.000000e-02 : f64, name = "w", role = "parameter", trainable = false, type = tensor<4x8xf32>},
// CHECK-SAME: {batch_dim = 0 : i64, from = "tokens", name = "x", range = array<i64: 0, 4>, role = "input", type = tensor<2xi32>}]}
// CHECK: %{{.*}}: tensor<4x8xf32> {model.argument = #model.argument<parameter, name = "w", trainable = false>}
// CHECK: %{{.*}}: tensor<2xi32> {model.argument = #model.argument<input, name = "x", batchDim = 0>}

// WRONG: wrong.json:1:1: error: argument 'w': 'role' is 'weight', expected parameter, input, label or constant
// WRONG: error: argument 'w': 'init' must be "zeros", "ones" or {"normal": standard deviation}
// WRONG: error: argument 'x': 'batch_dim' must be null or a dimension below 1
// WRONG: error: argument 'x': 'range' must be [lowest value, one past the highest]
// WRONG: error: argument 2: needs a 'name'

// SHAPES: error: argument 'w' is tensor<4x8xf32> in the model, but the signature says tensor<8x4xf32>
// SHAPES: error: argument 'x' is tensor<2xi32> in the model, but the signature says tensor<2xi64>

// COUNT: count.json:1:1: error: the signature has 1 arguments, but the model has 2
// COUNT: note: the model's entry function is here
// SYNTAX: syntax.json:1:{{[0-9]+}}: error: not JSON
// MISSING: error: cannot read the signature

//--- model.mlir
func.func @main(%w: tensor<4x8xf32>, %x: tensor<2xi32>) {
  return
}
//--- good.json
{"arguments": [
  {"index": 1, "name": "x", "role": "input", "batch_dim": 0, "shape": [2], "dtype": "int32", "range": [0, 4], "from": "tokens"},
  {"index": 0, "name": "w", "role": "parameter", "batch_dim": null, "shape": [4, 8], "dtype": "float32", "trainable": false, "init": {"normal": 0.02}}]}
//--- wrong.json
{"arguments": [
  {"name": "w", "role": "weight", "shape": [4, 8], "dtype": "float32", "init": "random"},
  {"name": "x", "role": "input", "batch_dim": 1, "shape": [2], "dtype": "int32", "range": [4, 0]},
  {"role": "input", "shape": [], "dtype": "int32"}]}
//--- shapes.json
{"arguments": [
  {"name": "w", "role": "parameter", "shape": [8, 4], "dtype": "float32"},
  {"name": "x", "role": "input", "batch_dim": 0, "shape": [2], "dtype": "int64"}]}
//--- count.json
{"arguments": [{"name": "w", "role": "parameter", "shape": [8, 4], "dtype": "float32"}]}
//--- syntax.json
{"arguments": [
