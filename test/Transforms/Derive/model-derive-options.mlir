// RUN: not plan-opt %s --model-derive=recompute=all 2>&1 | FileCheck %s
// CHECK: error: model-derive: unknown choice recompute=all; expected pointwise or none
func.func @f() {
  return
}
