// The cluster dialect parses and prints.
// RUN: plan-opt %s | plan-opt | FileCheck %s

// CHECK-LABEL: cluster.cluster @pair
cluster.cluster @pair {
  // CHECK: cluster.device {flops_per_second = {f32 = 1.000000e+11 : f64}, kind = 0 : i32
  cluster.device {name = "host", kind = 0 : i32, memory_bytes = 8589934592 : i64,
                  memory_bytes_per_second = 2.0e10 : f64, flops_per_second = {f32 = 1.0e11 : f64}}
  // CHECK: cluster.node {devices = 2 : i64}
  cluster.node {devices = 2 : i64}
  // CHECK: cluster.level {{.*}}name = "host"
  cluster.level {name = "host", devices = 2 : i64, bytes_per_second = 1.0e10 : f64, latency_ns = 2000 : i64}
  // CHECK: cluster.rack {nodes = 4 : i64}
  cluster.rack {nodes = 4 : i64}
  // CHECK: cluster.storage
  cluster.storage {read_bytes_per_second = 1.0e9 : f64, write_bytes_per_second = 1.0e9 : f64}
  // CHECK: cluster.price {{.*}}subsidy = 4.000000e-01 : f64
  cluster.price {usd_per_device_hour = 2.0 : f64, subsidy = 0.4 : f64}
  // CHECK: cluster.failures
  cluster.failures {per_million_device_hours = 15.0 : f64}
}
