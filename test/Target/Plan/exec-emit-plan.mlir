// A plan folder: what is in it, that it is the same twice, and that an older one is replaced as a whole.
// RUN: rm -rf %t && mkdir %t
// RUN: plan-opt %S/../../Conversion/TasksToExec/convert-tasks-to-exec.mlir --convert-tasks-to-exec --exec-assign-offsets --exec-verify -o %t/linear.mlir
// RUN: plan-opt %t/linear.mlir --exec-emit-plan="output=%t/a.plan name=linear cpu=x86-64-v3" -o /dev/null
// RUN: plan-opt %t/linear.mlir --exec-emit-plan="output=%t/b.plan name=linear cpu=x86-64-v3" -o /dev/null
// RUN: diff -r %t/a.plan %t/b.plan
// RUN: touch %t/a.plan/leftover
// RUN: plan-opt %t/linear.mlir --exec-emit-plan="output=%t/a.plan name=linear cpu=x86-64-v3" -o /dev/null
// RUN: diff -r %t/a.plan %t/b.plan
// RUN: ls %t | FileCheck %s --check-prefix=FOLDER
// RUN: FileCheck %s --check-prefix=MANIFEST < %t/a.plan/manifest.json
// RUN: not plan-opt %s --exec-emit-plan="output=%t/c.plan" 2>&1 | FileCheck %s --check-prefix=EMPTY
// RUN: not plan-opt %s --exec-emit-plan 2>&1 | FileCheck %s --check-prefix=NOWHERE
// RUN: not plan-opt %S/../../Dialect/Exec/exec-assign-offsets.mlir --exec-emit-plan="output=%t/c.plan" 2>&1 | FileCheck %s --check-prefix=OFFSETS
// RUN: not plan-opt %t/linear.mlir --exec-emit-plan="output=%t/linear.mlir/c.plan" 2>&1 | FileCheck %s --check-prefix=BLOCKED
// RUN: ls %t | FileCheck %s --check-prefix=FOLDER

// FOLDER: a.plan
// FOLDER-NEXT: b.plan
// FOLDER-NEXT: linear.mlir
// FOLDER-NOT: {{.}}

// MANIFEST: "arguments": [
// MANIFEST: "name": "w",
// MANIFEST: "collectives": [
// MANIFEST: "dp"
// MANIFEST: "bytes": 4,
// MANIFEST-NEXT: "count": 1,
// MANIFEST-NEXT: "kind": "all_reduce"
// MANIFEST: "bytes": 76,
// MANIFEST: "files": {
// MANIFEST-NEXT: "kernels/host.so": "xxh64:{{[0-9a-f]+}}",
// MANIFEST-NEXT: "program.fb": "xxh64:{{[0-9a-f]+}}"
// MANIFEST: "memory_bytes_per_rank": {
// MANIFEST-NEXT: "gradients": 128,
// MANIFEST-NEXT: "inputs": 128,
// MANIFEST-NEXT: "literals": 64,
// MANIFEST-NEXT: "optimizer_state": 0,
// MANIFEST-NEXT: "other": 64,
// MANIFEST-NEXT: "parameters": 128,
// MANIFEST-NEXT: "peak": 640,
// MANIFEST-NEXT: "peak_lower_bound": 640,
// MANIFEST-NEXT: "residuals_and_temporaries": 128
// MANIFEST: "mesh": {
// MANIFEST-NEXT: "dp": 2,
// MANIFEST-NEXT: "mb": 2
// MANIFEST: "name": "linear",
// MANIFEST: "cpu": "x86-64-v3",
// MANIFEST: "tasks": [
// MANIFEST-NEXT: "zero",
// MANIFEST-NEXT: "forward of micro-batch 0",

// EMPTY: error: a plan has one exec.program, found 0
// NOWHERE: error: exec-emit-plan needs the option output
// OFFSETS: error: has no arena: run exec-assign-offsets
// BLOCKED: error: cannot create
module {}
