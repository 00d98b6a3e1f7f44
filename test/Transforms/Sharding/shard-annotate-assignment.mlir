// What the ops of shard-choose.mlir have, and what their next best choice would cost.
// RUN: plan-opt %S/shard-choose.mlir --model-derive --plan-form-tasks --shard-choose --shard-annotate-assignment | FileCheck %s
// RUN: plan-opt %S/shard-choose.mlir --model-derive --plan-form-tasks --shard-choose --shard-propagate --shard-annotate-assignment \
// RUN:   | FileCheck %s --check-prefix=ALL
// RUN: plan-opt %S/shard-choose.mlir --model-derive --plan-form-tasks --shard-annotate-assignment=axis=ep \
// RUN:   | FileCheck %s --check-prefix=ONE --implicit-check-not=plan.note
// RUN: not plan-opt %S/shard-choose.mlir --model-derive --plan-form-tasks --shard-annotate-assignment 2>&1 \
// RUN:   | FileCheck %s --check-prefix=EARLY
// RUN: not plan-opt %S/shard-choose.mlir --model-derive --plan-form-tasks --shard-choose \
// RUN:   --shard-annotate-assignment=memory-bytes-per-second=1e6 2>&1 | FileCheck %s --check-prefix=OTHER
// Of several axes each is explained by what was known when it was chosen.
// DEFINE: %{both} = plan-opt %S/shard-choose-positions.mlir --model-derive --plan-form-tasks \
// DEFINE:   --shard-choose="axis=cp positions-only" --shard-choose
// RUN: %{both} --shard-propagate --shard-annotate-assignment="axis=cp positions-only" | FileCheck %s --check-prefix=CP
// RUN: %{both} --shard-propagate --shard-annotate-assignment | FileCheck %s --check-prefix=TP
// RUN: not %{both} --shard-choose 2>&1 | FileCheck %s --check-prefix=TWICE

// The costs are compared with those of a second exact solver.
// RUN: plan-opt %S/shard-choose.mlir --model-derive --plan-form-tasks | check-choices - --next-best

// The columns of the first weight are all that can be divided of it. Whole hidden units would have to be gathered for the
// second. The loss could be computed in columns too: less to read of its operands, but they would be cut first.
// CHECK-LABEL: func.func @forward
// CHECK-NEXT:  arith.constant 0.0
// CHECK-NEXT:  tensor.empty() : tensor<8x6xf32>
// CHECK-NEXT:  linalg.fill ins
// CHECK-NEXT:  linalg.contract {{.*}}plan.note = "tp on loop 1; no other choice"}
// CHECK-NEXT:  linalg.generic {{.*}}plan.note = "tp on loop 1; next best: whole, +1 unwanted exchange, +[[#]].[[#]] us"}
// CHECK:       linalg.contract {{.*}}plan.note = "tp on loop 2; next best: tp on loop 1, +1 unwanted exchange, +[[#]].[[#]] us"}
// CHECK:       linalg.generic {{.*}}plan.note = "whole; next best: tp on loop 1, +0.006 us"}
// CHECK-LABEL: func.func @backward
// CHECK:       plan.note = "tp on loop 1; next best: tp partial in operand 1, +1 unwanted exchange,

// Axes that others have decided about are named too.
// ALL: plan.note = "dp on loop 0, tp on loop 1; no other choice"

// ONE: func.func @forward

// EARLY: error: has not been divided over tp: run shard-choose first
// OTHER: error: 'linalg.generic' op has its axes so: whole; these options choose: tp on loop 1; expected the options of shard-choose

// CP: linalg.contract {{.*}}plan.note = "cp on loop 1, tp on loop 3; no other choice"}
// TP: linalg.contract {{.*}}plan.note = "cp on loop 1, tp on loop 3; next best: tp on loop 2, +[[#]].[[#]] us"}

// TWICE: error: has been divided over tp already
